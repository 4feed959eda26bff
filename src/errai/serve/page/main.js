// Where the page begins: the strategies, the views, the keys.

import { get } from "./api.js";
import { capital, h } from "./dom.js";
import { Explore } from "./explore.js";
import { Play } from "./play.js";
import { Report } from "./report.js";
import { Solve } from "./solve.js";
import { current, go, link, onChange } from "./route.js";

const content = document.getElementById("content");
const message = document.getElementById("message");
const chooser = document.getElementById("strategy");
const kinds = document.getElementById("kind");
const summary = document.getElementById("summary");
const keys = document.getElementById("keys");
const games = new Map();

const navigate = Object.assign((route, options) => go(route, options), { link });

/** Show an error; null takes the last one away. */
function fail(error) {
  if (error === null) return clear();
  message.replaceChildren(h("strong", {}, error.message), error.hint ? h("span", {}, ` Hint: ${error.hint}`) : "");
  message.className = "shown";
  return undefined;
}

function clear() {
  message.replaceChildren();
  message.className = "";
}

const report = new Report({ content, go: navigate, fail });
const solve = new Solve({
  content,
  line: document.getElementById("line"),
  go: navigate,
  fail,
  onSaved: async (id) => {
    await listStrategies();
    if (id !== null) go({ strategy: id });
  },
});
const explore = new Explore({
  content,
  line: document.getElementById("line"),
  go: navigate,
  fail,
  lock: (spot, text) => {
    solve.take(spot, text);
    go({ ...current(), view: "solve" });
  },
});
const play = new Play({ content, line: document.getElementById("line"), go: navigate, fail });
const KINDS = { average: "over all iterations", current: "of the last iteration" };
const VIEWS = [
  ["", "Explore"],
  ["report", "Report"],
  ["solve", "Solve"],
  ["play", "Play"],
];

function drawTabs(route) {
  document.getElementById("tabs").replaceChildren(
    ...VIEWS.map(([view, text]) =>
      h("a", { class: "choice", href: link(viewOf(route, view)), "aria-current": (route.view ?? "") === view ? "page" : null, onclick: (event) => follow(event, viewOf(route, view)) }, text),
    ),
  );
}

/** The same place in another view. */
function viewOf(route, view) {
  return { ...route, view, sort: null, session: null };
}

/** A link within the page, unless it is opened elsewhere. */
function follow(event, route) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(route);
}

/** A game made in Python has no cards: its infosets, one after the other, are for `errai show`. */
function showInfosets(game) {
  document.getElementById("line").replaceChildren();
  content.replaceChildren(h("section", { class: "panel" }, h("h2", {}, game.game), h("p", { class: "note" }, "This game was made in Python and has no cards to show. `errai show` lists its infosets.")));
}

async function show(route) {
  clear();
  try {
    if (route.view === "solve") {
      drawTabs(route);
      explore.leave();
      report.stop();
      summary.textContent = "";
      kinds.parentElement.hidden = true;
      document.title = "Solve · Errai";
      await solve.show();
      return;
    }
    solve.stop();
    if (!route.strategy) {
      const first = chooser.options[0]?.value;
      if (first !== undefined) go({ ...route, strategy: first }, { replace: true });
      return;
    }
    chooser.value = route.strategy;
    content.setAttribute("aria-busy", "true");
    const game = await openGame(route.strategy);
    content.removeAttribute("aria-busy");
    document.title = [route.betting, route.board, route.strategy, "Errai"].filter(Boolean).join(" · ");
    drawKinds(game, route);
    summary.textContent = summarise(game, route);
    drawTabs(route);
    if (game.deck === null) {
      showInfosets(game);
      return;
    }
    if (route.view === "play") {
      explore.leave();
      report.stop();
      await play.show(game, route);
    } else if (route.view === "report") {
      await explore.show(game, route, { lineOnly: true });
      await report.show(game, route);
    } else {
      report.stop();
      await explore.show(game, route);
    }
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  } finally {
    content.removeAttribute("aria-busy");
  }
}

/** What there is to know about a strategy; one that is not saved may be another one the next time. */
async function openGame(id) {
  if (!games.has(id) || id === "unsaved") games.set(id, await get("strategy", { id }, { keep: id !== "unsaved" }));
  return games.get(id);
}

async function listStrategies() {
  const { strategies } = await get("strategies", {}, { keep: false });
  const chosen = chooser.value;
  chooser.replaceChildren(...strategies.map((strategy) => h("option", { value: strategy.id }, strategy.id)));
  chooser.value = current().strategy ?? (chosen || strategies[0]?.id);
}

/** The strategies of all iterations and of the last one, where both are kept. */
function drawKinds(game, route) {
  const [measured] = game.strategies;
  kinds.parentElement.hidden = game.strategies.length < 2 || game.deck === null || route.view === "play";
  kinds.replaceChildren(...game.strategies.map((kind) => h("option", { value: kind === measured ? "" : kind, title: KINDS[kind] }, `${capital(kind)} strategy`)));
  kinds.value = route.kind ?? "";
}

function summarise({ description, strategies }, route) {
  const parts = [];
  // What was measured last is the exploitability of one of the strategies; the points of a run name it.
  const measured = description.trace?.at(-1)?.strategy ?? strategies[0];
  const mbb = (route.kind || strategies[0]) === measured ? description.exploitability_mbb : null;
  if (typeof mbb === "number") parts.push(`${mbb < 10 ? mbb.toPrecision(2) : Math.round(mbb)} mbb exploitable`);
  if (description.iterations) parts.push(`${description.iterations.toLocaleString("en-US")} iterations`);
  return parts.join(" · ");
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("errai-theme", theme);
}

function toggleTheme() {
  const isDark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(isDark ? "light" : "dark");
}

const KEYS = [
  ["1 – 9", "take an action"],
  ["u", "one step back along the line"],
  ["Alt ← →", "back and forward through what you looked at"],
  ["arrows", "move within a grid of hands or cards"],
  ["Enter", "pin a hand, choose a card"],
  ["r", "deal at random"],
  ["l", "lock the node, in the form of a solve"],
  ["n", "play the next hand"],
  ["s", "write the size of a bet"],
  ["/", "filter the list of hands"],
  ["t", "light or dark"],
  ["?", "this list"],
];

function openKeys() {
  keys.replaceChildren(
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", {}, ...KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")),
  );
  keys.showModal();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const button = content.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) button.click();
  else if (event.key === "u") explore.back();
  else if (event.key === "t") toggleTheme();
  else if (event.key === "?") openKeys();
  else if (event.key === "/") document.getElementById("filter")?.focus();
  else if (event.key === "s") document.getElementById("size")?.focus();
  else return;
  event.preventDefault();
});

kinds.addEventListener("change", () => go({ ...current(), kind: kinds.value }, { replace: true }));
chooser.addEventListener("change", () => go({ strategy: chooser.value }));
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("help").addEventListener("click", openKeys);

const kept = localStorage.getItem("errai-theme");
if (kept) setTheme(kept);
onChange(show);
try {
  await listStrategies();
  await show(current());
} catch (error) {
  fail(error);
}
