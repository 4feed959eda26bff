// Totals by what players call a hand: sets, top pairs, flush draws.

import { bars } from "./colours.js";
import { capital, chips, h, percent, title } from "./dom.js";

/** Share, mean action frequencies, value and equity of every class of a player's hands. */
export function classTotals(view, player, kind, names) {
  const reach = view.reach[player];
  const acts = view.kind === "decision" && view.player === player;
  const sums = names.map((name) => ({ name, weight: 0, shares: acts ? view.actions.map(() => 0) : null, value: [0, 0], equity: [0, 0] }));
  let total = 0;
  view.classes[kind].forEach((place, hand) => {
    const weight = reach[hand] ?? 0;
    if (place < 0 || !(weight > 0)) return;
    const sum = sums[place];
    total += weight;
    sum.weight += weight;
    sum.shares?.forEach((_, i) => (sum.shares[i] += weight * view.probabilities[i][hand]));
    add(sum.value, view.values?.[player][hand], weight);
    add(sum.equity, view.equities?.[player][hand], weight);
  });
  return sums
    .filter((sum) => sum.weight > 0.0001 * total)
    .map((sum) => ({
      name: sum.name,
      share: sum.weight / total,
      shares: sum.shares?.map((share) => share / sum.weight) ?? null,
      value: sum.value[1] > 0 ? sum.value[0] / sum.value[1] : null,
      equity: sum.equity[1] > 0 ? sum.equity[0] / sum.equity[1] : null,
    }));
}

function add(pair, number, weight) {
  if (number === null || number === undefined) return;
  pair[0] += number * weight;
  pair[1] += weight;
}

/** The panel of totals; `filter(name)` shows the hands of a class in the list. */
export function classPanel(game, view, player, colours, filter) {
  if (!view.classes) return null;
  const acts = view.kind === "decision" && view.player === player;
  const table = (kind, names, caption) => {
    const rows = classTotals(view, player, kind, names);
    if (rows.length < 2) return null;
    return h(
      "table",
      { class: "plain classes" },
      h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, ...[caption, "share", acts ? "mix" : null, view.equities ? "equity" : null, view.values ? "value" : null].filter(Boolean).map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("button", { type: "button", onclick: () => filter(row.name) }, capital(row.name))),
            h("td", {}, percent(row.share)),
            acts ? h("td", { class: "mix" }, h("span", { class: "bar", role: "img", "aria-label": row.shares.map((share, i) => `${view.actions[i].text} ${percent(share, 0)}`).join(", "), title: row.shares.map((share, i) => `${view.actions[i].text} ${percent(share, 0)}`).join(", "), style: { "background-image": bars(row.shares, colours) } })) : null,
            view.equities ? h("td", {}, percent(row.equity, 0)) : null,
            view.values ? h("td", {}, chips(row.value)) : null,
          ),
        ),
      ),
    );
  };
  return h(
    "section",
    { class: "panel" },
    h("header", { class: "panel-head" }, h("h2", {}, "Kinds of hands"), h("span", { class: "note" }, title(game.positions[player]))),
    h("div", { class: "class-tables" }, table("made", game.made_hands, "made hand"), table("draw", game.draws, "draw")),
  );
}
