// The list of hands: sortable, filtered, as long as one likes.

import { classOf, tiles } from "./cards.js";
import { bars } from "./colours.js";
import { capital, chips, h, percent } from "./dom.js";
import { LEAST_REACH } from "./grid.js";

const FIRST_ROWS = 60;

function columns(view, player) {
  const acts = view.kind === "decision" && view.player === player;
  const list = [
    { key: "hand", text: "Hand", of: (hand) => -hand, show: (hand, game) => tiles(game.hands[hand]) },
    { key: "reach", text: "Reach", of: (hand) => view.reach[player][hand], show: (hand) => percent(view.reach[player][hand]) },
  ];
  if (view.classes) {
    const made = view.classes.made;
    list.push({ key: "kind", text: "Kind", of: (hand) => -made[hand], show: (hand, game) => classNames(game, view, hand).filter((name) => name && name !== "no draw").join(", ") });
  }
  if (acts) {
    view.actions.forEach((action, i) => {
      list.push({ key: action.action, text: capital(action.text), of: (hand) => view.probabilities[i][hand], show: (hand) => percent(view.probabilities[i][hand]) });
    });
  }
  if (view.equities) list.push({ key: "equity", text: "Equity", of: (hand) => view.equities[player][hand], show: (hand) => percent(view.equities[player][hand]) });
  if (view.values) list.push({ key: "value", text: "Value", of: (hand) => view.values[player][hand], show: (hand) => chips(view.values[player][hand]) });
  if (acts && view.action_values) {
    view.actions.forEach((action, i) => {
      list.push({ key: `v${action.action}`, text: `Value: ${action.text}`, of: (hand) => view.action_values[i][hand], show: (hand) => chips(view.action_values[i][hand]) });
    });
  }
  return list;
}

/** Whether a hand is one that the filter names: `AK`, `AKs`, `AsKd`, `pairs`, `set`, a card, several with commas. */
export function matches(hand, filter, names = []) {
  const terms = filter.toLowerCase().split(",").map((term) => term.trim()).filter(Boolean);
  if (!terms.length) return true;
  const name = classOf(hand);
  return terms.some((term) => {
    if (names.includes(term)) return true;
    if (term === "pairs") return name.length === 2 && name[0] === name[1];
    if (term === "suited") return name.endsWith("s") && name.length === 3;
    if (term === "offsuit") return name.endsWith("o");
    const lower = hand.toLowerCase();
    return name.toLowerCase().startsWith(term) || lower === term || (term.length === 2 && (lower.slice(0, 2) === term || lower.slice(2) === term));
  });
}

/** What players call a hand here. */
function classNames(game, view, hand) {
  if (!view.classes) return [];
  return [game.made_hands[view.classes.made[hand]], game.draws[view.classes.draw[hand]]];
}

/** Draw the list of a player's hands. `change({sort, filter})` hears of wishes. */
export function drawHands(container, { game, view, player, sort, filter, colours, change, showAll, expand }) {
  const list = columns(view, player);
  const [key, direction] = (sort ?? "").split(":");
  const sorted = list.find((column) => column.key === key) ?? list.find((column) => column.key === "value") ?? list.find((column) => column.key === "reach");
  const sign = direction === "up" ? 1 : -1;
  const least = LEAST_REACH * Math.max(...view.reach[player]);
  const hands = game.hands
    .map((_, hand) => hand)
    .filter((hand) => view.reach[player][hand] > least && matches(game.hands[hand], filter ?? "", classNames(game, view, hand)))
    .sort((a, b) => sign * ((sorted.of(a) ?? -Infinity) - (sorted.of(b) ?? -Infinity)) || b - a);
  const acts = view.kind === "decision" && view.player === player;
  const shown = showAll ? hands : hands.slice(0, FIRST_ROWS);
  const head = list.map((column) => {
    const isSorted = column === sorted;
    const next = isSorted && sign === -1 ? "up" : "down";
    return h(
      "th",
      { scope: "col", "aria-sort": isSorted ? (sign === 1 ? "ascending" : "descending") : "none" },
      h("button", { type: "button", dataset: { sort: column.key }, onclick: () => change({ sort: `${column.key}:${next}` }) }, column.text, h("span", { "aria-hidden": "true" }, isSorted ? (sign === 1 ? " ↑" : " ↓") : "")),
    );
  });
  const rows = shown.map((hand) =>
    h(
      "tr",
      {},
      ...list.map((column, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, column.show(hand, game))),
      acts ? h("td", { class: "mix" }, h("span", { class: "bar", style: { "background-image": bars(view.probabilities.map((p) => p[hand] ?? 0), colours) } })) : null,
    ),
  );
  container.replaceChildren(
    h("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "List of hands" },
      h("table", { class: "hands" }, h("thead", {}, h("tr", {}, ...head, acts ? h("th", { scope: "col" }, "Mix") : null)), h("tbody", {}, ...rows))),
    h("p", { class: "note" }, `${shown.length} of ${hands.length} hands `, shown.length < hands.length ? h("button", { type: "button", class: "quiet", onclick: expand }, "Show all") : null),
  );
}
