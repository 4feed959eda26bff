// The explorer: one place of a strategy, both ranges, and the list of hands.

import { get, portions } from "./api.js";
import { square } from "./cards.js";
import { actionColours } from "./colours.js";
import { drawDeal } from "./deal.js";
import { drawDetail } from "./detail.js";
import { capital, chips, count, h, percent, title } from "./dom.js";
import { colourings, drawGrid } from "./grid.js";
import { drawHands } from "./hands.js";
import { drawLine, endText } from "./line.js";

/** Show a place. Returns what the keyboard can do there. */
export class Explore {
  constructor({ content, line, go, fail }) {
    this.content = content;
    this.line = line;
    this.go = go;
    this.fail = fail;
    this.listedPlayer = null;
  }

  /** Draw the place that a route names: the strategy at once, the values when they are known. */
  async show(game, route) {
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    const isSamePlace = this.game === game && this.route && ["betting", "board", "strategy"].every((name) => this.route[name] === route[name]);
    this.game = game;
    this.route = route;
    if (isSamePlace && this.view) {
      this.draw();
      return;
    }
    const place = { id: route.strategy, betting: route.betting, board: route.board };
    try {
      const view = await get("state", place, { signal: abort.signal });
      this.place = place;
      this.setView(view);
      if (view.kind === "decision") this.setView(await get("state", { ...place, values: 1 }, { signal: abort.signal }));
      if (view.kind === "deal" && view.missing_cards === 1) await this.colourCards(place, abort.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    }
  }

  setView(view) {
    const isNew = this.view?.betting !== view.betting || this.view?.board !== view.board;
    if (isNew) {
      this.showAll = false;
      this.listedPlayer = null;
      this.report = null;
    }
    this.view = view;
    this.draw();
  }

  async colourCards(place, signal) {
    const report = { rows: [], actions: null, player: null, progress: "" };
    for await (const portion of portions(place, { signal })) {
      report.rows.push(...portion.rows);
      report.actions = portion.actions;
      report.player = portion.player;
      report.progress = portion.next === null ? "" : ` ${report.rows.length} of ${portion.total} cards`;
      this.report = report;
      this.draw();
    }
  }

  goTo = (betting, board) => this.go({ ...this.route, betting, board });

  draw() {
    const { game, view, route } = this;
    this.cells ??= new Map();
    if (!this.cells.has(game)) this.cells.set(game, square(game));
    drawLine(this.line, game, view, this.goTo);
    const focused = document.activeElement?.dataset ?? {};
    const first = view.player ?? 0;
    const colours = actionColours(view.actions);
    const parts = [];
    if (view.kind === "deal") parts.push(this.dealPanel());
    if (view.kind === "end") parts.push(h("section", { class: "panel end" }, h("h2", {}, capital(endText(game, view)))));
    if (view.kind === "decision") parts.push(this.actionPanel(colours));
    this.detail = h("aside", { class: "panel detail", "aria-label": "Details of a hand" });
    const order = [first, 1 - first];
    parts.push(h("div", { class: "ranges" }, ...order.map((player) => this.rangePanel(player, colours)), this.detail));
    parts.push(this.handPanel(first, colours));
    this.content.replaceChildren(...parts);
    this.drawDetail(this.pinned());
    refocus(this.content, focused);
  }

  pinned() {
    const [player, name] = (this.route.hand ?? "").split(":");
    return name ? { player: Number(player), name } : null;
  }

  drawDetail(chosen) {
    const { game, view } = this;
    const pin = this.pinned();
    const shown = chosen ?? pin;
    drawDetail(this.detail, {
      game,
      view,
      player: shown?.player ?? view.player ?? 0,
      name: shown?.name ?? null,
      cells: this.cells.get(game),
      colours: actionColours(view.actions),
      isPinned: pin !== null && shown !== null && pin.name === shown.name && pin.player === shown.player,
      unpin: () => this.go({ ...this.route, hand: null }, { replace: true }),
    });
  }

  dealPanel() {
    const { game, view } = this;
    const panel = h("section", { class: "panel deal-panel" });
    drawDeal(panel, { game, view, ...this.report, deal: (board) => this.goTo(view.betting, board) });
    return panel;
  }

  actionPanel(colours) {
    const { game, view } = this;
    const buttons = view.actions.map((action, i) =>
      h(
        "button",
        {
          type: "button",
          class: "action",
          style: { "--colour": colours[i], "--share": `${100 * (view.frequencies[i] ?? 0)}%` },
          dataset: { key: String(i + 1), action: action.action },
          onclick: () => this.goTo(action.betting, view.board),
        },
        h("kbd", { "aria-hidden": "true" }, String(i + 1)),
        h("span", { class: "action-name" }, capital(action.text)),
        h("span", { class: "action-share" }, percent(view.frequencies[i])),
      ),
    );
    return h("section", { class: "actions", "aria-label": `Actions of ${game.positions[view.player]}` }, ...buttons);
  }

  rangePanel(player, colours) {
    const { game, view, route } = this;
    const acts = view.kind === "decision" && view.player === player;
    const choices = colourings(view, player);
    const coloured = choices.find((choice) => choice.name === route.colour) ?? choices[0];
    const box = h("div", { class: "grid-box" });
    const position = title(game.positions[player]);
    drawGrid(box, {
      cells: this.cells.get(game),
      view,
      player,
      coloured,
      colours,
      pinned: this.pinned()?.player === player ? this.pinned().name : null,
      label: `Hands of ${game.positions[player]}`,
      choose: (name, isPinned) => {
        if (!isPinned) return this.drawDetail(name === null ? null : { player, name });
        const hand = `${player}:${name}`;
        return this.go({ ...this.route, hand: this.route.hand === hand ? null : hand }, { replace: true });
      },
    });
    return h(
      "section",
      { class: `panel range${acts ? " acting" : ""}` },
      h(
        "header",
        { class: "panel-head" },
        h("h2", {}, position, acts ? h("span", { class: "badge" }, "to act") : null),
        h("span", { class: "note" }, `${count(view.meets[player])} hands`),
        view.average_values ? h("span", { class: "note" }, `value ${chips(view.average_values[player])}`) : null,
        h("span", { class: "choices", role: "group", "aria-label": `Colours of ${game.positions[player]}` }, ...this.colourButtons(choices, coloured)),
      ),
      box,
    );
  }

  colourButtons(choices, coloured) {
    if (choices.length < 2) return [];
    return choices.map((choice) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "aria-pressed": choice === coloured ? "true" : "false",
          dataset: { colour: choice.name },
          onclick: () => this.go({ ...this.route, colour: choice.name === "strategy" || choice.name === "reach" ? null : choice.name }, { replace: true }),
        },
        capital(choice.text),
      ),
    );
  }

  handPanel(first, colours) {
    const { game, view, route } = this;
    const player = this.listedPlayer ?? first;
    const list = h("div");
    const draw = () =>
      drawHands(list, {
        game,
        view,
        player,
        colours,
        sort: this.route.sort,
        filter: this.route.filter,
        showAll: this.showAll,
        expand: () => {
          this.showAll = true;
          draw();
        },
        change: (wish) => this.go({ ...this.route, ...wish }, { replace: true }),
      });
    draw();
    const filter = h("input", {
      type: "search",
      id: "filter",
      placeholder: "AK, 99, suited, As …",
      value: route.filter ?? "",
      oninput: (event) => {
        this.route = { ...this.route, filter: event.target.value };
        history.replaceState(null, "", this.go.link(this.route));
        draw();
      },
    });
    const seats = [first, 1 - first].map((seat) =>
      h("button", { type: "button", class: "choice", "aria-pressed": seat === player ? "true" : "false", onclick: () => { this.listedPlayer = seat; this.draw(); } }, title(game.positions[seat])),
    );
    return h(
      "section",
      { class: "panel list" },
      h("header", { class: "panel-head" }, h("h2", {}, "Hands"), h("span", { class: "choices", role: "group", "aria-label": "Whose hands" }, ...seats), h("label", { class: "filter" }, h("span", { class: "hidden" }, "Show only"), filter)),
      list,
    );
  }

  /** One step back along the line. */
  back() {
    const last = this.view?.line.at(-1);
    if (last) this.goTo(last.betting, last.board);
  }
}

/** The focus stays where it was when a panel is drawn again. */
function refocus(content, { hand, card, colour, sort }) {
  const selector = hand ? `[data-hand="${hand}"]` : card ? `[data-card="${card}"]` : colour ? `[data-colour="${colour}"]` : sort ? `[data-sort="${sort}"]` : null;
  const found = selector && content.querySelector(selector);
  if (found) {
    found.tabIndex = 0;
    found.focus({ preventScroll: true });
  }
}
