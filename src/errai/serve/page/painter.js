// A range to paint: drag over the square, or write it.

import { get } from "./api.js";
import { classOf } from "./cards.js";
import { h, roveGrid } from "./dom.js";

const RANKS = [..."AKQJT98765432"];
const SUITS = [..."cdhs"];
const PRESETS = [
  ["Any two", "random"],
  ["Wide", "22+,A2s+,A2o+,K2s+,K7o+,Q5s+,Q9o+,J7s+,J9o+,T7s+,T9o,97s+,87s,76s,65s"],
  ["Medium", "22+,A2s+,A8o+,K9s+,KTo+,QTs+,QJo,J9s+,T9s,98s,87s"],
  ["Tight", "77+,ATs+,AJo+,KQs"],
  ["None", ""],
];

/** Names of all classes, row by row. */
const CLASSES = RANKS.flatMap((row, i) => RANKS.map((column, j) => (i === j ? row + column : i < j ? `${row}${column}s` : `${column}${row}o`)));

/** All hands in the order in which the server lists them. */
const HANDS = (() => {
  const deck = [...RANKS].reverse().flatMap((rank) => SUITS.map((suit) => rank + suit));
  const hands = [];
  for (let high = 1; high < 52; high++) for (let low = 0; low < high; low++) hands.push(deck[high] + deck[low]);
  return hands;
})();

export class Painter {
  constructor({ name, position, text, onChange, fail }) {
    this.position = position;
    this.onChange = onChange;
    this.fail = fail;
    this.weights = new Map();
    this.brush = 1;
    this.input = h("textarea", { rows: "2", id: name, spellcheck: "false", onchange: () => this.read(this.input.value) });
    this.grid = h("div", { class: "grid painter", role: "group", "aria-label": `Range of ${position}`, style: { "--columns": 13 } }, ...CLASSES.map((hand, i) => h("button", { type: "button", class: "cell", tabindex: i ? "-1" : "0", dataset: { paint: hand } }, h("span", { class: "name" }, hand))));
    this.total = h("span", { class: "note" });
    roveGrid(this.grid, 13);
    this.grid.addEventListener("pointerdown", (event) => this.begin(event));
    this.grid.addEventListener("pointerover", (event) => this.isPainting && this.paint(event.target.closest("button")));
    addEventListener("pointerup", () => this.end());
    // Enter and space click without a pointer.
    this.grid.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      const button = event.target.closest("button");
      this.stroke = this.weights.get(button.dataset.paint) === this.brush ? 0 : this.brush;
      this.paint(button);
      this.end(true);
    });
    this.read(text);
  }

  element() {
    const weight = h("select", { onchange: (event) => (this.brush = Number(event.target.value)) }, ...[1, 0.75, 0.5, 0.25].map((share) => h("option", { value: share }, `${100 * share} %`)));
    return h(
      "section",
      { class: "panel" },
      h("header", { class: "panel-head" }, h("h2", {}, `Range of ${this.position}`), this.total, h("label", { class: "colour" }, h("span", { class: "note" }, "Brush "), weight)),
      this.grid,
      h("div", { class: "presets" }, ...PRESETS.map(([name, text]) => h("button", { type: "button", class: "quiet", onclick: () => this.read(text) }, name))),
      h("label", { class: "field" }, h("span", { class: "note" }, "As text"), this.input),
    );
  }

  begin(event) {
    const button = event.target.closest("button");
    if (!button) return;
    button.releasePointerCapture?.(event.pointerId);
    this.isPainting = true;
    this.stroke = this.weights.get(button.dataset.paint) === this.brush ? 0 : this.brush;
    this.paint(button);
  }

  paint(button) {
    if (!button) return;
    this.weights.set(button.dataset.paint, this.stroke);
    this.show(button);
  }

  end(isOver = this.isPainting) {
    if (!isOver) return;
    this.isPainting = false;
    const terms = CLASSES.filter((hand) => this.weights.get(hand) > 0).map((hand) => (this.weights.get(hand) === 1 ? hand : `${hand}:${this.weights.get(hand)}`));
    this.read(terms.join(","));
  }

  /** Take a text over: the server reads it and writes it in few words. */
  async read(text) {
    this.input.value = text;
    try {
      const { text: written, weights } = await get("weights", { game: "holdem.limit.2p", text });
      this.input.value = written;
      this.text = written;
      this.fail(null);
      const sums = new Map(CLASSES.map((hand) => [hand, [0, 0]]));
      HANDS.forEach((hand, i) => {
        const sum = sums.get(classOf(hand));
        sum[0] += weights[i];
        sum[1] += 1;
      });
      for (const [hand, [sum, number]] of sums) this.weights.set(hand, Math.round((1e6 * sum) / number) / 1e6);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      this.total.textContent = `${total.toLocaleString("en-US", { maximumFractionDigits: 1 })} hands, ${((100 * total) / 1326).toFixed(1)} %`;
      for (const button of this.grid.children) this.show(button);
      this.onChange(written);
    } catch (error) {
      this.fail(error);
    }
  }

  show(button) {
    const weight = this.weights.get(button.dataset.paint) ?? 0;
    button.setAttribute("aria-pressed", weight > 0 ? "true" : "false");
    button.setAttribute("aria-label", `${button.dataset.paint}: ${Math.round(100 * weight)} %`);
    button.style.backgroundImage = weight > 0 ? "linear-gradient(var(--paint), var(--paint))" : "none";
    button.style.backgroundSize = `100% ${100 * weight}%`;
  }
}
