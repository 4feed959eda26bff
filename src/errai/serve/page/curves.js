// Both ranges as curves: hands from the worst to the best, and what they have.

import { chips, h, percent, svg, title } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 190;
const LEFT = 44;
const BOTTOM = 20;
const SAMPLES = 120;

/** For each share of the range, from the worst hand to the best, the number of the hand there. */
export function curve(numbers, weights) {
  const hands = numbers
    .map((number, hand) => ({ number, weight: weights[hand] ?? 0 }))
    .filter(({ number, weight }) => number !== null && weight > 0)
    .sort((a, b) => a.number - b.number);
  const total = hands.reduce((sum, { weight }) => sum + weight, 0);
  const points = [];
  let hand = 0;
  let passed = 0;
  for (let i = 0; i <= SAMPLES && hands.length; i++) {
    const target = (total * i) / SAMPLES;
    while (hand < hands.length - 1 && passed + hands[hand].weight < target) passed += hands[hand++].weight;
    points.push([i / SAMPLES, hands[hand].number]);
  }
  return points;
}

function chart(name, lines, bounds, write) {
  const [low, high] = bounds;
  const x = (share) => LEFT + share * (WIDTH - LEFT - 8);
  const y = (number) => 8 + (1 - (number - low) / (high - low || 1)) * (HEIGHT - BOTTOM - 8);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
  const path = (points) => points.map(([share, number], i) => `${i ? "L" : "M"}${x(share).toFixed(1)} ${y(number).toFixed(1)}`).join("");
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${name} of both ranges, from the worst hand to the best` },
    ...ticks.flatMap((tick) => [
      svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(tick), y2: y(tick), class: "rule" }),
      svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, write(tick)),
    ]),
    ...[0, 0.5, 1].map((share) => svg("text", { x: x(share), y: HEIGHT - 5, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }, percent(share, 0))),
    ...lines.map((points, player) => svg("path", { d: path(points), class: `player-${player}` })),
  );
}

/** The panel of curves; null where there is nothing to draw. */
export function curvePanel(game, view) {
  const charts = [];
  if (view.equities) charts.push(["Equity", [0, 1].map((player) => curve(view.equities[player], view.reach[player])), [0, 1], (tick) => percent(tick, 0)]);
  if (view.values) {
    const lines = [0, 1].map((player) => curve(view.values[player], view.reach[player]));
    const all = lines.flat().map(([, number]) => number);
    if (all.length) charts.push(["Value", lines, [Math.min(0, ...all), Math.max(...all)], chips]);
  }
  if (!charts.length) return null;
  const key = [0, 1].map((player) => h("span", { class: "key", style: { "--colour": `var(--player-${player})` } }, title(game.positions[player])));
  return h(
    "section",
    { class: "panel curves" },
    h("header", { class: "panel-head" }, h("h2", {}, "Curves"), h("span", { class: "legend" }, ...key)),
    h("div", { class: "charts" }, ...charts.map(([name, ...rest]) => h("figure", {}, h("figcaption", {}, name), chart(name, ...rest)))),
  );
}
