// What one class of hands does, suit by suit; without a class, the whole range.

import { tiles } from "./cards.js";
import { bars } from "./colours.js";
import { capital, chips, count, h, percent, title } from "./dom.js";

/** Draw the hands of a class of `player`. */
export function drawDetail(container, { game, view, player, name, cells, colours, isPinned, unpin }) {
  const acts = view.kind === "decision" && view.player === player;
  const cell = name === null ? null : cells.flat().find((candidate) => candidate.name === name);
  if (!cell) {
    container.replaceChildren(...totals(game, view, colours));
    return;
  }
  const hands = cell.hands.filter((hand) => view.reach[player][hand] > 0);
  const rows = hands.map((hand) => handRow(game, view, player, hand, acts, colours));
  container.replaceChildren(
    h(
      "header",
      { class: "detail-head" },
      h("h3", {}, name),
      h("span", { class: "note" }, title(game.positions[player])),
      isPinned ? h("button", { type: "button", class: "quiet", onclick: unpin }, "Unpin") : null,
    ),
    rows.length ? h("div", { class: "suits" }, ...rows) : h("p", { class: "note" }, "This hand never gets here."),
  );
}

function handRow(game, view, player, hand, acts, colours) {
  const shares = acts ? view.probabilities.map((column) => column[hand] ?? 0) : null;
  const value = view.values?.[player]?.[hand];
  const equity = view.equities?.[player]?.[hand];
  return h(
    "div",
    { class: "suit-row" },
    tiles(game.hands[hand]),
    shares ? h("span", { class: "bar", style: { "background-image": bars(shares, colours) } }) : null,
    shares
      ? h(
          "span",
          { class: "shares" },
          ...shares.map((share, i) =>
            h("span", { class: "share", style: { "--colour": colours[i] }, title: capital(view.actions[i].text) },
              percent(share, 0), view.action_values ? h("small", {}, ` ${chips(view.action_values[i][hand])}`) : null),
          ),
        )
      : null,
    h(
      "span",
      { class: "worth" },
      known(value) ? [h("small", {}, "value "), chips(value), " "] : null,
      known(equity) ? [h("small", {}, "equity "), percent(equity, 0), " "] : null,
      h("small", {}, "reach "),
      percent(view.reach[player][hand], 0),
    ),
  );
}

function known(number) {
  return number !== undefined && number !== null;
}

/** Both ranges in a few numbers. */
function totals(game, view, colours) {
  const order = view.player === 1 ? [1, 0] : [0, 1];
  const players = order.map((player) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, title(game.positions[player])),
      h("td", {}, count(view.meets[player])),
      view.average_equities ? h("td", {}, percent(view.average_equities[player])) : null,
      view.average_values ? h("td", {}, chips(view.average_values[player])) : null,
    ),
  );
  const parts = [
    h("header", { class: "detail-head" }, h("h3", {}, "Overview")),
    h(
      "table",
      { class: "plain" },
      h("thead", {}, h("tr", {}, ...["", "hands", view.average_equities && "equity", view.average_values && "value"].filter((text) => text !== undefined).map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...players),
    ),
    h("p", { class: "note" }, `Pot ${chips(view.pot_chips)}${view.call_chips ? `, ${chips(view.call_chips)} to call` : ""}. Point at a hand for its suits; click to pin it.`),
  ];
  if (view.kind === "decision") {
    parts.splice(2, 0, h("div", { class: "bar wide", role: "img", "aria-label": "How often each action is taken", style: { "background-image": bars(view.frequencies, colours) } }));
  }
  return parts;
}
