// Choosing the next cards: one button per card, coloured by what happens on it.

import { split, spoken, symbol, tiles } from "./cards.js";
import { actionColours, bars, scaleColour } from "./colours.js";
import { capital, chips, h, percent, roveGrid, title } from "./dom.js";

/** What the cards can be coloured by besides actions: a number of the player who acts next. */
const NUMBERS = {
  equity: { of: (row, player) => row.equities?.[player], show: (number) => percent(number) },
  value: { of: (row, player) => row.values_chips?.[player], show: chips },
};

/** Draw the cards. `rows` is the report over next cards as far as it is known; `deal(cards)` deals. */
export function drawDeal(container, { game, view, rows, actions, player, progress, deal, coloured, colour }) {
  const ranks = [...game.deck.ranks].reverse();
  const suits = [...game.deck.suits].reverse();
  const onBoard = new Set(split(view.board));
  const colours = actions ? actionColours(actions) : [];
  const byCard = new Map((rows ?? []).filter((row) => row.cards.length === 2).map((row) => [row.cards, row]));
  const choices = Object.keys(NUMBERS).filter((name) => rows?.some((row) => known(NUMBERS[name].of(row, player))));
  const chosen = choices.includes(coloured) ? NUMBERS[coloured] : null;
  const numbers = chosen ? rows.map((row) => chosen.of(row, player)).filter(known) : [];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const paint = (row) => {
    if (!row) return {};
    if (!chosen) return { "background-image": bars(row.frequencies, colours) };
    const shade = scaleColour(high > low ? (chosen.of(row, player) - low) / (high - low) : 0.5);
    return { "background-image": `linear-gradient(${shade}, ${shade})`, "background-size": "100% 100%" };
  };
  const buttons = suits.flatMap((suit) =>
    ranks.map((rank) => {
      const card = rank + suit;
      const row = byCard.get(card);
      const isTaken = onBoard.has(card);
      const facts = row ? [...actions.map((action, i) => `${action.text} ${percent(row.frequencies[i], 0)}`), ...choices.map((name) => `${name} ${NUMBERS[name].show(NUMBERS[name].of(row, player))}`)] : [];
      const mix = row ? `: ${facts.join(", ")}` : "";
      return h(
        "button",
        {
          type: "button",
          class: `deal-card suit-${suit}${isTaken ? " taken" : ""}${chosen && row ? " numbered" : ""}`,
          tabindex: "-1",
          "aria-disabled": isTaken ? "true" : null,
          "aria-label": spoken(card) + (isTaken ? ", on the board" : mix),
          title: mix.slice(2),
          dataset: { card },
          style: paint(row),
          onclick: isTaken ? null : () => deal(card),
        },
        h("span", {}, rank + symbol(suit)),
        chosen && row ? h("small", {}, chosen.show(chosen.of(row, player))) : null,
      );
    }),
  );
  (buttons.find((button) => !button.classList.contains("taken")) ?? buttons[0]).tabIndex = 0;
  const grid = h("div", { class: "deal-grid", role: "group", "aria-label": "Next card", style: { "--columns": ranks.length } }, ...buttons);
  roveGrid(grid, ranks.length);
  const random = () => {
    const left = buttons.filter((button) => !button.classList.contains("taken")).map((button) => button.dataset.card);
    let cards = "";
    for (let i = 0; i < view.missing_cards; i++) cards += left.splice(Math.floor(Math.random() * left.length), 1)[0];
    deal(cards);
  };
  container.replaceChildren(
    h(
      "header",
      { class: "panel-head" },
      h("h2", {}, view.missing_cards === 1 ? "Choose the next card" : `Choose ${view.missing_cards} cards`),
      view.board ? tiles(view.board) : null,
      h("button", { type: "button", class: "quiet", onclick: random, title: "Random (r)", dataset: { key: "r" } }, "Random"),
      choices.length ? chooser(choices, coloured, colour) : null,
    ),
    h("div", { class: "deal-body" }, grid, means(rows, actions, colours, choices, player)),
    actions && rows?.length
      ? h("p", { class: "legend" }, `${title(game.positions[player])} acts next: `, ...actions.map((action, i) => h("span", { class: "key", style: { "--colour": colours[i] } }, capital(action.text))), progress)
      : h("p", { class: "note" }, progress ?? ""),
  );
}

function known(number) {
  return number !== undefined && number !== null;
}

function chooser(choices, coloured, colour) {
  const options = choices.map((name) => h("option", { value: name, selected: name === coloured }, capital(name)));
  return h("label", { class: "colour" }, h("span", { class: "hidden" }, "Colours of the cards"), h("select", { dataset: { colour: "cards" }, onchange: (event) => colour(event.target.value || null) }, h("option", { value: "" }, "Actions"), ...options));
}

/** What happens over all cards, each as often as it comes. */
function means(rows, actions, colours, choices, player) {
  if (!rows?.length || !rows.every((row) => row.weight !== undefined)) return null;
  const mean = (of) => {
    const counted = rows.filter((row) => known(of(row)));
    const total = counted.reduce((sum, row) => sum + row.weight, 0);
    return total > 0 ? counted.reduce((sum, row) => sum + row.weight * of(row), 0) / total : null;
  };
  const line = (name, text, tint) => h("tr", {}, h("th", { scope: "row" }, tint ? h("span", { class: "key", style: { "--colour": tint } }, name) : name), h("td", {}, text));
  return h(
    "table",
    { class: "plain deal-means" },
    h("caption", { class: "note" }, "Over all cards"),
    h("tbody", {}, ...actions.map((action, i) => line(capital(action.text), percent(mean((row) => row.frequencies[i])), colours[i])), ...choices.map((name) => line(capital(name), NUMBERS[name].show(mean((row) => NUMBERS[name].of(row, player)))))),
  );
}

/** Means over all flops that hold some cards, for each card that could be the next of them. */
export function flopMeans(rows, picked, deck) {
  const byFlop = new Map(rows.map((row) => [canonical(split(row.cards), deck), row]));
  const cards = [...deck.ranks].flatMap((rank) => [...deck.suits].map((suit) => rank + suit));
  const held = split(picked);
  const sums = new Map();
  const rest = cards.filter((card) => !held.includes(card));
  const add = (card, row) => {
    const sum = sums.get(card) ?? { weight: 0, shares: row.frequencies.map(() => 0) };
    const weight = row.weight / row.count;
    sum.weight += weight;
    row.frequencies.forEach((share, i) => (sum.shares[i] += weight * (share ?? 0)));
    sums.set(card, sum);
  };
  const visit = (flop, from) => {
    if (flop.length === split(rows[0].cards).length) {
      const row = byFlop.get(canonical(flop, deck));
      if (row) for (const card of flop.slice(held.length)) add(card, row);
      return;
    }
    for (let i = from; i < rest.length; i++) visit([...flop, rest[i]], i + 1);
  };
  visit(held, 0);
  return [...sums].map(([card, { weight, shares }]) => ({ cards: card, frequencies: shares.map((share) => share / weight) }));
}

const names = new Map();

/** The same text for flops that differ only by the names of suits. */
function canonical(cards, deck) {
  const key = cards.join("");
  if (!names.has(key)) {
    const texts = permutations([...deck.suits]).map((suits) =>
      cards.map((card) => card[0] + suits[deck.suits.indexOf(card[1])]).sort().join(""),
    );
    names.set(key, texts.sort()[0]);
  }
  return names.get(key);
}

function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}
