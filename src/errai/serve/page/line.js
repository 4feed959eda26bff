// The strip of the line so far: every step with what else could have been done there.

import { tiles } from "./cards.js";
import { actionColours } from "./colours.js";
import { capital, chips, h, percent, title } from "./dom.js";

/** Draw the strip. `goTo(betting, board)` leads to a place. */
export function drawLine(container, game, view, goTo) {
  const steps = view.line.map((step) =>
    step.kind === "deal" ? dealStep(game, step, goTo) : decisionStep(game, step, goTo),
  );
  steps.push(presentStep(game, view, goTo));
  container.replaceChildren(...steps);
  // To read a width makes the browser lay out everything at once: only when it does so anyway.
  requestAnimationFrame(() => (container.scrollLeft = container.scrollWidth));
}

function heading(text, place, goTo) {
  const back = () => goTo(place.betting, place.board);
  return h("button", { class: "step-title", type: "button", onclick: back, title: "Go back to here" }, text);
}

function dealStep(game, step, goTo) {
  return h(
    "div",
    { class: "step deal" },
    heading(roundName(game, step), step, goTo),
    tiles(step.cards),
    h("span", { class: "note" }, `pot ${chips(step.pot_chips)}`),
  );
}

function decisionStep(game, step, goTo) {
  const colours = actionColours(step.actions);
  const options = step.actions.map((action, i) =>
    h(
      "button",
      {
        type: "button",
        class: action.action === step.chosen ? "option chosen" : "option",
        "aria-current": action.action === step.chosen ? "true" : null,
        style: { "--colour": colours[i] },
        onclick: () => goTo(action.betting, step.board),
      },
      capital(action.text),
    ),
  );
  return h("div", { class: "step" }, heading(title(game.positions[step.player]), step, goTo), ...options);
}

function presentStep(game, view, goTo) {
  if (view.kind === "end") {
    return h("div", { class: "step now", "aria-current": "step" }, h("span", { class: "step-title" }, "End"), h("span", { class: "note" }, endText(game, view)));
  }
  if (view.kind === "deal") {
    const name = roundName(game, view);
    return h("div", { class: "step now", "aria-current": "step" }, h("span", { class: "step-title" }, name), h("span", { class: "note" }, view.missing_cards === 1 ? "choose a card" : `choose ${view.missing_cards} cards`));
  }
  const colours = actionColours(view.actions);
  const options = view.actions.map((action, i) =>
    h(
      "button",
      {
        type: "button",
        class: "option",
        style: { "--colour": colours[i] },
        onclick: () => goTo(action.betting, view.board),
      },
      h("span", {}, capital(action.text)),
      h("span", { class: "share" }, percent(view.frequencies[i], 0)),
    ),
  );
  return h(
    "div",
    { class: "step now", "aria-current": "step" },
    h("span", { class: "step-title" }, title(game.positions[view.player])),
    ...options,
  );
}

/** `Flop` in a game like hold'em, `Board` in others. */
function roundName(game, place) {
  const before = place.board.length / 2;
  const names = { 0: "Flop", 3: "Turn", 4: "River" };
  return game.deck.ranks.length * game.deck.suits.length >= 20 && game.hole_cards === 2 ? (names[before] ?? "Flop") : "Board";
}

export function endText(game, view) {
  if (view.folded_player === null) return `showdown for ${chips(view.pot_chips)}`;
  return `${game.positions[1 - view.folded_player]} wins ${chips(view.pot_chips)}`;
}
