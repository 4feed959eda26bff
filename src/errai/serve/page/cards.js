// Cards, hands and the square of hands.

import { h } from "./dom.js";

const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

/** `["As", "Kd"]` of `AsKd`. */
export function split(text) {
  return text.match(/../g) ?? [];
}

export function spoken(text) {
  return split(text)
    .map((card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`)
    .join(", ");
}

/** Cards as small tiles. */
export function tiles(text) {
  const shown = split(text).map((card) => h("span", { class: `card suit-${card[1]}` }, card[0] + SYMBOLS[card[1]]));
  return h("span", { class: "cards", role: "img", "aria-label": spoken(text) }, ...shown);
}

export function symbol(suit) {
  return SYMBOLS[suit];
}

export function suitName(suit) {
  return SUITS[suit];
}

/** The class of a hand: `AKs`, `AKo`, `AA`; with one hole card the card itself. */
export function classOf(hand) {
  if (hand.length === 2) return hand;
  if (hand[0] === hand[2]) return hand[0] + hand[2];
  return hand[0] + hand[2] + (hand[1] === hand[3] ? "s" : "o");
}

/** The square of hands of a game: rows of classes, each with the numbers of its hands. */
export function square(game) {
  const members = new Map();
  game.hands.forEach((hand, number) => {
    const name = classOf(hand);
    if (!members.has(name)) members.set(name, []);
    members.get(name).push(number);
  });
  const ranks = [...game.deck.ranks].reverse();
  const cell = (name) => {
    const hands = members.get(name) ?? [];
    return { name, hands, texts: new Map(hands.map((hand) => [hand, game.hands[hand]])) };
  };
  if (game.hole_cards === 1) {
    return [...game.deck.suits].reverse().map((suit) => ranks.map((rank) => cell(rank + suit)));
  }
  return ranks.map((row, i) =>
    ranks.map((column, j) => {
      if (i === j) return cell(row + column);
      return cell(i < j ? `${row}${column}s` : `${column}${row}o`);
    }),
  );
}
