// Solving from the page: ranges, board and betting; what it takes; the curve while it runs.

import { get, post } from "./api.js";
import { split, tiles } from "./cards.js";
import { capital, chips, h, svg } from "./dom.js";
import { Painter } from "./painter.js";

const POLL_MILLISECONDS = 400;
const ESTIMATE_MILLISECONDS = 500;
const START = {
  game: "holdem.nolimit.2p",
  board: "QsJh2h8c3d",
  betting: "rc/cc/",
  pot: "100",
  stack: "200",
  bets: "50%,100%,a / 60%,a",
  rake: "",
  locks: "",
  target: "0.5",
  range_bb: "22+,A2s+,A8o+,K9s+,KTo+,QTs+,QJo,J9s+,T9s,98s,87s",
  range_dealer: "22+,A2s+,A8o+,K9s+,KTo+,QTs+,QJo,J9s+,T9s,98s,87s",
};

function bytes(number) {
  if (number < 1e6) return `${(number / 1e3).toFixed(0)} kB`;
  return number < 1e9 ? `${(number / 1e6).toFixed(0)} MB` : `${(number / 1e9).toFixed(1)} GB`;
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return "unknown";
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export class Solve {
  constructor({ content, line, go, fail, onSaved }) {
    this.content = content;
    this.line = line;
    this.go = go;
    this.fail = fail;
    this.onSaved = onSaved;
    this.fields = { ...START, ...JSON.parse(sessionStorage.getItem("errai-solve") ?? "{}") };
  }

  /** Take a spot and a lock into the form; the locks of the same spot stay. */
  take({ locks, ...spot }, lock) {
    const texts = Object.fromEntries(Object.entries(spot).filter(([, value]) => value !== null).map(([name, value]) => [name, String(value).replaceAll("\n", "; ")]));
    // Ranges are written anew by the painters.
    const isSame = Object.entries(texts).every(([name, value]) => name.startsWith("range_") || this.fields[name] === value);
    const before = (isSame && this.fields.locks ? this.fields.locks : locks).split("\n").filter((line) => line && line.split(":")[0] !== lock.split(":")[0]);
    this.fields = { ...this.fields, ...texts, locks: [...before, lock].join("\n") };
    this.painters = null;
    this.estimate = null;
    sessionStorage.setItem("errai-solve", JSON.stringify(this.fields));
  }

  async show() {
    this.line.replaceChildren();
    this.isShown = true;
    this.problem = (error) => (error ? this.fail(error) : this.fail(null));
    const keep = (name) => (text) => this.set(name, text);
    this.painters ??= {
      range_bb: new Painter({ name: "range-bb", position: "the big blind", text: this.fields.range_bb, onChange: keep("range_bb"), fail: this.problem }),
      range_dealer: new Painter({ name: "range-dealer", position: "the dealer", text: this.fields.range_dealer, onChange: keep("range_dealer"), fail: this.problem }),
    };
    this.draw();
    try {
      this.status = await get("solve", {}, { keep: false });
      this.drawStatus();
      if (this.status.phase === "running") this.poll();
      else this.estimateSoon();
    } catch (error) {
      this.fail(error);
    }
  }

  stop() {
    this.isShown = false;
  }

  set(name, value) {
    this.fields[name] = value;
    sessionStorage.setItem("errai-solve", JSON.stringify(this.fields));
    this.estimate = null;
    if (this.isShown) {
      this.drawStatus();
      this.estimateSoon();
    }
  }

  /** Memory and time, a moment after the last change. */
  estimateSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!this.isShown || this.status?.phase === "running" || !this.painters.range_bb.text || !this.painters.range_dealer.text) return;
      const asked = JSON.stringify(this.wish());
      try {
        const estimate = await post("solve/estimate", JSON.parse(asked));
        if (asked !== JSON.stringify(this.wish())) return;
        this.estimate = estimate;
        this.fail(null);
        this.drawStatus();
      } catch (error) {
        this.fail(error);
      }
    }, ESTIMATE_MILLISECONDS);
  }

  /** The body of a request. */
  wish() {
    const { game, board, betting, pot, stack, bets, rake, locks, target } = this.fields;
    const spot = game === "holdem.limit.2p" ? { betting, locks } : { pot: Number(pot), stack: Number(stack), bets, rake, locks };
    const ranges = { range_bb: this.painters.range_bb.text, range_dealer: this.painters.range_dealer.text };
    return { game, board: board.replaceAll(" ", ""), ...spot, ...ranges, target_pot_percent: Number(target) };
  }

  draw() {
    const { fields } = this;
    const isLimit = fields.game === "holdem.limit.2p";
    const field = (name, label, attributes = {}) =>
      h("label", { class: "field" }, h("span", { class: "note" }, label), h("input", { id: `solve-${name}`, value: fields[name], ...attributes, onchange: (event) => { this.set(name, event.target.value); if (name === "board") this.draw(); } }));
    const game = h(
      "label",
      { class: "field" },
      h("span", { class: "note" }, "Game"),
      h("select", { id: "solve-game", onchange: (event) => { this.set("game", event.target.value); this.draw(); } }, ...[["holdem.nolimit.2p", "No-limit hold'em"], ["holdem.limit.2p", "Limit hold'em"]].map(([name, text]) => h("option", { value: name, selected: name === fields.game }, text))),
    );
    const spot = isLimit
      ? [field("betting", "Betting so far, as in rc/cc/")]
      : [field("pot", "Pot", { type: "number", min: 1 }), field("stack", "Stack behind", { type: "number", min: 1 }), field("bets", "Bets / raises", { class: "wide" }), field("rake", "Rake, as in 5% cap 10")];
    const locks = h(
      "label",
      { class: "field locks" },
      h("span", { class: "note" }, "Locks, one per line, as in ", h("code", {}, isLimit ? "r: fold=25%,call=75%" : "r50: fold=25%,call=75%"), " or ", h("code", {}, "root: AA check=1")),
      h("textarea", { id: "solve-locks", rows: "2", spellcheck: "false", onchange: (event) => this.set("locks", event.target.value) }, fields.locks),
    );
    this.panel = h("section", { class: "panel solve-status", "aria-label": "Solve" });
    this.content.replaceChildren(
      h(
        "section",
        { class: "panel" },
        h("header", { class: "panel-head" }, h("h2", {}, "Solve a spot"), split(fields.board.replaceAll(" ", "")).every((card) => /^[2-9TJQKA][cdhs]$/.test(card)) ? tiles(fields.board.replaceAll(" ", "")) : null),
        h("div", { class: "fields" }, game, field("board", "Board"), ...spot, field("target", "Until % of the pot", { type: "number", min: 0.01, step: 0.01 })),
        locks,
      ),
      h("div", { class: "painters" }, this.painters.range_bb.element(), this.painters.range_dealer.element(), this.panel),
    );
    this.drawStatus();
  }

  async act(path, content = {}) {
    this.fail(null);
    try {
      const answer = await post(path, content);
      if (path === "solve/save") return await this.onSaved(answer.id);
      else this.status = answer;
      this.drawStatus();
      if (this.status?.phase === "running") this.poll();
    } catch (error) {
      this.fail(error);
    }
    return null;
  }

  async poll() {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      while (this.status.phase === "running") {
        await new Promise((done) => setTimeout(done, POLL_MILLISECONDS));
        this.status = await get("solve", {}, { keep: false });
        if (this.isShown) this.drawStatus();
      }
      await this.onSaved(null);
    } catch (error) {
      this.fail(error);
    } finally {
      this.isPolling = false;
    }
  }

  drawStatus() {
    if (!this.panel) return;
    const { status, estimate } = this;
    const phase = status?.phase ?? "empty";
    const focused = document.activeElement?.dataset?.act;
    const button = (act, text, attributes = {}) => h("button", { type: "button", class: "quiet", dataset: { act }, onclick: () => this.act(act), ...attributes }, text);
    const start = button("solve", "Solve", { class: "primary", onclick: () => this.act("solve", this.wish()) });
    const parts = [h("header", { class: "panel-head" }, h("h2", {}, phase === "empty" ? "Before it begins" : capital(phase)))];
    if (estimate) parts.push(h("p", {}, `${estimate.infosets.toLocaleString("en-US")} infosets, `, h("strong", {}, bytes(estimate.memory_bytes)), ` of memory, about `, h("strong", {}, duration(estimate.seconds)), estimate.available_bytes ? h("span", { class: "note" }, ` (${bytes(estimate.available_bytes)} are free)`) : null));
    if (phase !== "empty") {
      const last = status.trace.at(-1);
      parts.push(
        h("p", { role: "status" }, `${status.game}: iteration ${status.iteration.toLocaleString("en-US")}`, last ? `, ${((100 * last[1]) / status.pot_mbb).toPrecision(2)} % of the pot` : "", phase === "running" && status.seconds_left ? `, ${duration(status.seconds_left)} left` : ""),
        status.error ? h("p", { class: "problem" }, capital(status.error)) : null,
        phase === "done" && !status.is_target_met ? h("p", { class: "note" }, "It no longer improves: single precision goes no further.") : null,
        curve(status),
      );
    }
    const buttons = [];
    if (phase === "running") buttons.push(button("solve/pause", "Pause"), button("solve/discard", "Stop"));
    else {
      buttons.push(start);
      if (phase === "paused") buttons.push(button("solve/resume", "Go on"));
      if (status?.id) buttons.push(button("look", "Look at it", { onclick: () => this.go({ strategy: status.id }) }));
      if (phase !== "empty") buttons.push(button("solve/discard", "Discard"));
    }
    parts.push(h("p", { class: "exports" }, ...buttons));
    if (status?.id && status.can_save) {
      const name = h("input", { id: "solve-name", placeholder: "name", pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}", required: true });
      parts.push(h("form", { class: "exports", onsubmit: (event) => { event.preventDefault(); this.act("solve/save", { name: name.value }); } }, h("label", {}, h("span", { class: "hidden" }, "Name"), name), h("button", { class: "quiet", dataset: { act: "save" } }, "Save")));
    }
    if (document.activeElement?.id === "solve-name" && this.panel.contains(document.activeElement)) return;
    this.panel.replaceChildren(...parts.filter(Boolean));
    if (focused) this.panel.querySelector(`[data-act="${focused}"]`)?.focus();
  }
}

/** Exploitability by iteration, both on logarithmic scales. */
function curve(status) {
  if (status.trace.length < 2) return h("p", { class: "note" }, "The curve begins with the second measurement.");
  const [width, height, left, bottom] = [340, 190, 52, 22];
  const points = status.trace.map(([iteration, mbb]) => [Math.log10(iteration), Math.log10(Math.max(mbb, 1e-9) / (status.pot_mbb / 100))]);
  const target = status.target_mbb ? Math.log10(status.target_mbb / (status.pot_mbb / 100)) : null;
  const xs = [points[0][0], points.at(-1)[0]];
  const ys = points.map(([, y]) => y).concat(target === null ? [] : [target]);
  const [low, high] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const x = (value) => left + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (width - left - 10);
  const y = (value) => 8 + ((high - value) / (high - low || 1)) * (height - bottom - 8);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": "Exploitability in percent of the pot, by iteration" },
    ...ticks.flatMap((tick) => [svg("line", { x1: left, x2: width - 10, y1: y(tick), y2: y(tick), class: "rule" }), svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, `${10 ** tick >= 1 ? 10 ** tick : (10 ** tick).toFixed(-tick)} %`)]),
    target === null ? null : svg("line", { x1: left, x2: width - 10, y1: y(target), y2: y(target), class: "target" }),
    svg("path", { class: "player-0", d: points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("") }),
    svg("text", { x: left, y: height - 5 }, chips(status.trace[0][0])),
    svg("text", { x: width - 10, y: height - 5, "text-anchor": "end" }, `${chips(status.trace.at(-1)[0])} iterations`),
  );
}
