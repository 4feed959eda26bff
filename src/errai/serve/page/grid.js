// The square of hands of one player.

import { split } from "./cards.js";
import { bars, scaleColour } from "./colours.js";
import { chips, h, percent, roveGrid } from "./dom.js";

/** Hands that get here less often than this, against those that get here most, are not shown: rounding. */
export const LEAST_REACH = 0.0005;

/** The means over the hands of each class that get here, weighted by reach. */
export function summarise(cells, view, player) {
  const reach = view.reach[player];
  const acts = view.kind === "decision" && view.player === player;
  const values = view.values?.[player] ?? null;
  const equities = view.equities?.[player] ?? null;
  const board = split(view.board);
  let most = 0;
  const summaries = cells.map((row) =>
    row.map((cell) => {
      let weight = 0;
      let possible = 0;
      const shares = acts ? view.probabilities.map(() => 0) : null;
      const actionValues = acts && view.action_values ? view.actions.map(() => ({ sum: 0, weight: 0 })) : null;
      const value = { sum: 0, weight: 0 };
      const equity = { sum: 0, weight: 0 };
      for (const hand of cell.hands) {
        if (reach[hand] === null) continue;
        if (!board.some((card) => cell.texts.get(hand).includes(card))) possible += 1;
        if (!(reach[hand] > 0)) continue;
        weight += reach[hand];
        shares?.forEach((_, i) => (shares[i] += reach[hand] * view.probabilities[i][hand]));
        add(value, values?.[hand], reach[hand]);
        add(equity, equities?.[hand], reach[hand]);
        actionValues?.forEach((sum, i) => add(sum, view.action_values[i][hand], reach[hand]));
      }
      const height = possible ? weight / possible : 0;
      most = Math.max(most, height);
      return {
        name: cell.name,
        hands: cell.hands,
        weight,
        height,
        shares: shares && weight > 0 ? shares.map((share) => share / weight) : null,
        value: mean(value),
        equity: mean(equity),
        actionValues: actionValues?.map(mean) ?? null,
      };
    }),
  );
  for (const cell of summaries.flat()) if (cell.height < LEAST_REACH * most) cell.weight = 0;
  return { rows: summaries, most };
}

function add(sum, number, weight) {
  if (number === null || number === undefined) return;
  sum.sum += weight * number;
  sum.weight += weight;
}

function mean(sum) {
  return sum.weight > 0 ? sum.sum / sum.weight : null;
}

/** What the colours show: the choices for a player, and how a cell is painted. */
export function colourings(view, player) {
  const acts = view.kind === "decision" && view.player === player;
  const choices = [acts ? { name: "strategy", text: "Strategy" } : { name: "reach", text: "Range" }];
  if (view.values) choices.push({ name: "value", text: "Value" });
  if (view.equities) choices.push({ name: "equity", text: "Equity" });
  if (acts && view.action_values) {
    view.actions.forEach((first, i) =>
      view.actions.slice(0, i).forEach((second, j) =>
        choices.push({ name: `${first.action}-${second.action}`, text: `${first.text} minus ${second.text}`, pair: [i, j] }),
      ),
    );
  }
  return choices;
}

/** Draw the square. `choose(name, isPinned)` hears of cells that are pointed at and clicked. */
export function drawGrid(container, { cells, view, player, coloured, colours, pinned, choose, label }) {
  const { rows, most } = summarise(cells, view, player);
  const number = numberOf(coloured);
  const shown = rows.flat().map(number).filter((value) => value !== null);
  const bounds = limits(coloured, shown);
  const columns = rows[0].length;
  const buttons = rows.flat().map((cell) => {
    const isHere = cell.weight > 0;
    const value = isHere ? number(cell) : null;
    const button = h(
      "button",
      {
        type: "button",
        class: `cell${isHere ? "" : " absent"}`,
        tabindex: "-1",
        "aria-label": describe(cell, view, value, coloured),
        "aria-pressed": cell.name === pinned ? "true" : "false",
        dataset: { hand: cell.name },
      },
      h("span", { class: "name" }, cell.name),
      value === null ? null : h("span", { class: "number" }, coloured.name === "equity" ? percent(value, 0) : chips(value)),
    );
    if (isHere) paint(button, cell, { coloured, colours, most, value, bounds });
    return button;
  });
  const current = buttons.find((button) => button.dataset.hand === pinned) ?? buttons[0];
  current.tabIndex = 0;
  const grid = h("div", { class: "grid", role: "group", "aria-label": label, style: { "--columns": columns } }, ...buttons);
  grid.addEventListener("pointerover", (event) => {
    const button = event.target.closest("button");
    if (button && event.pointerType === "mouse") choose(button.dataset.hand, false);
  });
  grid.addEventListener("pointerleave", () => choose(null, false));
  grid.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) choose(event.target.dataset.hand, false);
  });
  grid.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(button.dataset.hand, true);
  });
  roveGrid(grid, columns);
  container.replaceChildren(grid);
}

function numberOf(coloured) {
  if (coloured.name === "value") return (cell) => cell.value;
  if (coloured.name === "equity") return (cell) => cell.equity;
  if (coloured.pair) {
    const [first, second] = coloured.pair;
    return (cell) => {
      const [a, b] = [cell.actionValues?.[first] ?? null, cell.actionValues?.[second] ?? null];
      return a === null || b === null ? null : a - b;
    };
  }
  return () => null;
}

function limits(coloured, shown) {
  if (coloured.name === "equity") return [0, 1];
  if (coloured.pair) {
    const size = Math.max(1e-9, ...shown.map(Math.abs));
    return [-size, size];
  }
  return [Math.min(...shown), Math.max(...shown)];
}

function paint(button, cell, { coloured, colours, most, value, bounds }) {
  let background;
  if (value !== null) {
    const [low, high] = bounds;
    const colour = scaleColour(high > low ? (value - low) / (high - low) : 0.5);
    background = `linear-gradient(${colour}, ${colour})`;
  } else if (cell.shares && coloured.name === "strategy") {
    background = bars(cell.shares, colours);
  } else {
    background = "linear-gradient(var(--range), var(--range))";
  }
  button.style.backgroundImage = background;
  const height = most > 0 ? Math.max(6, (100 * cell.height) / most) : 100;
  button.style.backgroundSize = `100% ${height.toFixed(1)}%`;
}

function describe(cell, view, value, coloured) {
  if (!(cell.weight > 0)) return `${cell.name}: never here`;
  const parts = [];
  if (cell.shares) cell.shares.forEach((share, i) => share >= 0.0005 && parts.push(`${view.actions[i].text} ${percent(share)}`));
  else parts.push(`${percent(cell.height, 0)} of its hands get here`);
  if (value !== null) parts.push(`${coloured.text} ${coloured.name === "equity" ? percent(value) : chips(value)}`);
  return `${cell.name}: ${parts.join(", ")}`;
}
