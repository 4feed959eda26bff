// The report over all next cards, or over all flops of a whole game: a chart, totals by texture, and every row.

import { address, portions } from "./api.js";
import { split, tiles } from "./cards.js";
import { actionColours, bars, computed } from "./colours.js";
import { capital, chips, h, percent, title } from "./dom.js";
import { save } from "./picture.js";

const FIRST_ROWS = 120;
const SUITS = ["rainbow", "two-tone", "monotone", "three of a suit", "four of a suit", "five of a suit"];
const PAIRINGS = ["unpaired", "paired", "two pair", "trips", "full house", "quads"];

function bounds(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** Means over rows, each as often as it happens. */
export function means(rows, numbers) {
  const sums = numbers.map(() => [0, 0]);
  for (const row of rows) {
    numbers.forEach((number, i) => {
      const value = number(row);
      if (value === null || value === undefined) return;
      sums[i][0] += row.weight * value;
      sums[i][1] += row.weight;
    });
  }
  return sums.map(([sum, weight]) => (weight > 0 ? sum / weight : null));
}

export class Report {
  constructor({ content, go, fail }) {
    this.content = content;
    this.go = go;
    this.fail = fail;
  }

  /** Show the report of a place; it grows while it is computed. */
  async show(game, route) {
    const place = { id: route.strategy, betting: route.betting, board: route.board, strategy: route.kind, values: 1 };
    const key = JSON.stringify(place);
    this.game = game;
    this.route = route;
    if (this.key === key && this.report) {
      this.draw();
      return;
    }
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    this.key = key;
    this.report = null;
    this.content.replaceChildren(h("p", { class: "note" }, "Computing …"));
    try {
      for await (const portion of portions(place, { signal: abort.signal })) {
        this.report ??= { rows: [], ...portion, rows: [] };
        this.report.rows.push(...portion.rows);
        this.report.isDone = portion.next === null;
        this.draw();
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.content.replaceChildren(
        h("section", { class: "panel" }, h("h2", {}, "No report here"), h("p", { class: "note" }, capital(error.message), ". Go to a place where cards are dealt, or where they have been.")),
      );
    }
  }

  stop() {
    this.abort?.abort();
    this.key = null;
  }

  columns() {
    const { report, game } = this;
    const frequency = report.actions.map((action, i) => ({ key: action.action, text: capital(action.text), of: (row) => row.frequencies[i], show: (value) => percent(value) }));
    const has = (name) => report.rows.some((row) => row[name]);
    const both = (name, text, show) => (has(name) ? [0, 1].map((player) => ({ key: `${name}${player}`, text: `${text}: ${game.positions[player].replace(/^the /, "")}`, of: (row) => row[name]?.[player], show })) : []);
    return [...frequency, ...both("equities", "Equity", (value) => percent(value)), ...both("values_chips", "Value", chips)];
  }

  shown() {
    const { route, report } = this;
    return report.rows.filter((row) => ["suits", "pairing", "high"].every((name) => !route[name] || row[name] === route[name]));
  }

  draw() {
    const { game, report, route } = this;
    const colours = actionColours(report.actions);
    const columns = this.columns();
    const rows = this.shown();
    const [key, direction] = (route.sort ?? "").split(":");
    const sorted = columns.find((column) => column.key === key) ?? columns[report.actions.length - 1];
    const sign = direction === "up" ? 1 : -1;
    const ordered = [...rows].sort((a, b) => sign * ((sorted.of(a) ?? 0) - (sorted.of(b) ?? 0)));
    const isFlop = split(report.rows[0].cards).length > 1;
    const progress = report.isDone ? "" : ` — ${report.rows.length} of ${report.total} so far`;
    const parts = [
      h(
        "section",
        { class: "panel" },
        h(
          "header",
          { class: "panel-head" },
          h("h2", {}, `${isFlop ? "Every flop" : "Every card"}: ${title(game.positions[report.player])} to act`),
          report.board ? tiles(report.board) : null,
          h("span", { class: "note", role: "status" }, `${rows.length.toLocaleString("en-US")} rows${progress}`),
          h(
            "span",
            { class: "choices" },
            h("button", { type: "button", class: "quiet", title: "These rows, in this order", onclick: () => this.saveTable(ordered, columns) }, "CSV"),
            h("a", { class: "quiet", title: "All rows with all digits", href: address("report", { id: route.strategy, betting: report.betting, board: report.board, strategy: route.kind, format: "parquet" }), download: "" }, "Parquet"),
            h("button", { type: "button", class: "quiet", onclick: () => save(this.content.querySelector("canvas.report-chart"), "report.png") }, "PNG"),
          ),
        ),
        this.filters(),
        this.chart(ordered, columns, colours),
        h("p", { class: "legend" }, ...this.legend(rows, columns, colours), ` one column per ${isFlop ? "flop" : "card"}, sorted by ${sorted.text.toLowerCase()}; point at one to see it, click to go there`),
      ),
      this.totals(rows, columns, colours),
      this.table(ordered, columns, sorted, sign, colours),
    ];
    const focused = document.activeElement?.dataset?.sort;
    this.content.replaceChildren(...parts);
    if (focused) this.content.querySelector(`[data-sort="${focused}"]`)?.focus({ preventScroll: true });
  }

  filters() {
    const { route, game, report } = this;
    const known = (name, values) => values.filter((value) => report.rows.some((row) => row[name] === value));
    const select = (name, label, options) =>
      h(
        "label",
        {},
        h("span", { class: "note" }, `${label} `),
        h("select", { dataset: { filter: name }, onchange: (event) => this.go({ ...route, [name]: event.target.value }, { replace: true }) }, h("option", { value: "" }, "all"), ...options.map((option) => h("option", { value: option, selected: route[name] === option }, option))),
      );
    return h("div", { class: "filters" }, select("suits", "Suits", known("suits", SUITS)), select("pairing", "Pairing", known("pairing", PAIRINGS)), select("high", "High card", known("high", [...game.deck.ranks].reverse())), this.chartChooser());
  }

  /** What the colours of the chart mean, or from where to where its columns go. */
  legend(rows, columns, colours) {
    const { report, route } = this;
    const shown = columns.slice(report.actions.length).find((column) => column.key === route.chart);
    if (!shown) return report.actions.map((action, i) => h("span", { class: "key", style: { "--colour": colours[i] } }, capital(action.text)));
    const [low, high] = bounds(rows.map((row) => shown.of(row) ?? 0));
    return [h("span", { class: "key", style: { "--colour": `var(--player-${shown.key.at(-1)})` } }, `${shown.text}, from ${shown.show(low)} to ${shown.show(high)}`)];
  }

  chartChooser() {
    const { route, report } = this;
    const choices = this.columns().slice(report.actions.length);
    if (!choices.length) return null;
    return h(
      "label",
      {},
      h("span", { class: "note" }, "Chart "),
      h("select", { dataset: { filter: "chart" }, onchange: (event) => this.go({ ...route, chart: event.target.value }, { replace: true }) }, h("option", { value: "" }, "Actions"), ...choices.map((column) => h("option", { value: column.key, selected: column.key === route.chart }, column.text))),
    );
  }

  /** One thin column per row: stacked by action, or as high as the number that the chart shows. */
  chart(rows, columns, colours) {
    const { report, route } = this;
    const canvas = h("canvas", { class: "report-chart", width: 1200, height: 180, role: "img", "aria-label": "One column per row of the table" });
    const pen = canvas.getContext("2d");
    const width = canvas.width / Math.max(1, rows.length);
    const shown = columns.slice(report.actions.length).find((column) => column.key === route.chart);
    const fill = (column, from, height, colour) => {
      pen.fillStyle = colour;
      pen.fillRect(column * width, from, Math.max(width - (width > 6 ? 1 : 0), 0.5), height);
    };
    if (shown) {
      const numbers = rows.map((row) => shown.of(row) ?? 0);
      const [low, high] = bounds(numbers);
      const colour = computed(`var(--player-${shown.key.at(-1)})`);
      numbers.forEach((number, column) => {
        const height = canvas.height * (0.08 + (0.92 * (number - low)) / (high - low || 1));
        fill(column, canvas.height - height, height, colour);
      });
    } else {
      const filled = colours.map(computed);
      rows.forEach((row, column) => {
        let from = canvas.height;
        row.frequencies.forEach((share, i) => {
          from -= (share ?? 0) * canvas.height;
          fill(column, from, (share ?? 0) * canvas.height, filled[i]);
        });
      });
    }
    const at = (event) => rows[Math.min(rows.length - 1, Math.max(0, Math.floor((rows.length * event.offsetX) / canvas.clientWidth)))];
    const hint = h("p", { class: "chart-hint note" }, "\u00a0");
    const describe = (row) => [tiles(row.cards), " ", columns.map((column) => `${column.text} ${column.show(column.of(row))}`).join(", ")];
    canvas.addEventListener("pointermove", (event) => rows.length && hint.replaceChildren(...describe(at(event))));
    canvas.addEventListener("pointerleave", () => hint.replaceChildren("\u00a0"));
    canvas.addEventListener("click", (event) => rows.length && this.open(at(event)));
    return h("div", {}, canvas, hint);
  }

  /** The board of a row. */
  open(row) {
    const { report, route } = this;
    this.go({ ...route, view: null, sort: null, chart: null, board: report.board + row.cards, betting: report.betting });
  }

  totals(rows, columns, colours) {
    const { report, game } = this;
    const isFlop = split(report.rows[0].cards).length > 1;
    const row = (name, part) => {
      const averages = means(part, columns.map((column) => column.of));
      const mix = averages.slice(0, report.actions.length);
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, part.reduce((sum, one) => sum + one.count, 0).toLocaleString("en-US")), ...averages.map((average, i) => h("td", {}, columns[i].show(average))), h("td", { class: "mix" }, h("span", { class: "bar", style: { "background-image": bars(mix, colours) } })));
    };
    const group = (name, values) =>
      values.flatMap((value) => {
        const part = rows.filter((candidate) => candidate[name] === value);
        return part.length ? [row(name === "high" && isFlop ? `${value} high` : capital(value), part)] : [];
      });
    return h(
      "section",
      { class: "panel" },
      h("header", { class: "panel-head" }, h("h2", {}, "By texture"), h("span", { class: "note" }, "each row as often as it happens")),
      h(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Totals by texture" },
        h(
          "table",
          { class: "hands" },
          h("thead", {}, h("tr", {}, ...["", isFlop ? "Flops" : "Cards", ...columns.map((column) => column.text), "Mix"].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", {}, row("All", rows)),
          h("tbody", {}, ...group("suits", SUITS)),
          h("tbody", {}, ...group("pairing", PAIRINGS)),
          h("tbody", {}, ...group("high", [...game.deck.ranks].reverse())),
        ),
      ),
    );
  }

  table(rows, columns, sorted, sign, colours) {
    const { report, route } = this;
    const shown = rows.slice(0, this.showAll ? rows.length : FIRST_ROWS);
    const head = columns.map((column) => {
      const isSorted = column === sorted;
      const next = isSorted && sign === -1 ? "up" : "down";
      return h("th", { scope: "col", "aria-sort": isSorted ? (sign === 1 ? "ascending" : "descending") : "none" }, h("button", { type: "button", dataset: { sort: column.key }, onclick: () => this.go({ ...route, sort: `${column.key}:${next}` }, { replace: true }) }, column.text, h("span", { "aria-hidden": "true" }, isSorted ? (sign === 1 ? " ↑" : " ↓") : "")));
    });
    return h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "All rows" },
        h(
          "table",
          { class: "hands" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Cards"), ...head, h("th", { scope: "col" }, "Mix"))),
          h("tbody", {}, ...shown.map((row) => h("tr", {}, h("th", { scope: "row" }, h("button", { type: "button", title: "Look at this board", onclick: () => this.open(row) }, tiles(row.cards))), ...columns.map((column) => h("td", {}, column.show(column.of(row)))), h("td", { class: "mix" }, h("span", { class: "bar", style: { "background-image": bars(row.frequencies, colours) } }))))),
        ),
      ),
      h("p", { class: "note" }, `${shown.length} of ${rows.length.toLocaleString("en-US")} `, shown.length < rows.length ? h("button", { type: "button", class: "quiet", onclick: () => { this.showAll = true; this.draw(); } }, "Show all") : null),
    );
  }

  saveTable(rows, columns) {
    const lines = [["cards", "count", "suits", "pairing", "high", ...columns.map((column) => column.text.toLowerCase())]];
    for (const row of rows) lines.push([row.cards, row.count, row.suits, row.pairing, row.high, ...columns.map((column) => column.of(row) ?? "")]);
    save(new Blob([lines.map((line) => line.join(",")).join("\r\n") + "\r\n"], { type: "text/csv" }), "report.csv");
  }
}
