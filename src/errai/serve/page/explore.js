// The explorer: one place of a strategy, both ranges, and the list of hands.

import { address, get, portions, prefetch } from "./api.js";
import { split, square } from "./cards.js";
import { classPanel } from "./classes.js";
import { actionColours } from "./colours.js";
import { curvePanel } from "./curves.js";
import { drawDeal, flopMeans } from "./deal.js";
import { drawDetail } from "./detail.js";
import { capital, chips, count, h, percent, title, whenReleased } from "./dom.js";
import { colourings, drawGrid } from "./grid.js";
import { drawHands } from "./hands.js";
import { drawLine, endText } from "./line.js";
import { drawPicture, save } from "./picture.js";

const VALUES_MILLISECONDS = 60;

/** Show a place. Returns what the keyboard can do there. */
export class Explore {
  constructor({ content, line, go, fail, lock }) {
    this.lock = lock;
    this.content = content;
    this.line = line;
    this.go = go;
    this.fail = fail;
    this.listedPlayer = null;
  }

  /** Draw the place that a route names: the strategy at once, the values when they are known. */
  async show(game, route, { lineOnly = false } = {}) {
    this.lineOnly = lineOnly;
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    const isSamePlace = this.game === game && this.route && ["betting", "board", "strategy", "kind"].every((name) => this.route[name] === route[name]);
    this.game = game;
    this.route = route;
    if (isSamePlace && this.view && (lineOnly || this.isComplete)) {
      this.draw();
      return;
    }
    this.isComplete = false;
    const place = placeOf(route, route);
    const keep = isKept(route);
    try {
      const view = await get("state", place, { signal: abort.signal, keep });
      this.place = place;
      this.setView(view);
      if (lineOnly) return;
      // Who walks on at once does not wait for values that nobody looked at.
      await new Promise((done) => setTimeout(done, VALUES_MILLISECONDS));
      if (abort.signal.aborted) return;
      if (view.kind === "decision") this.setView(await get("state", { ...place, values: 1 }, { signal: abort.signal, keep }));
      this.isComplete = true; // as far as changes of the view go; cards are coloured meanwhile
      if (view.kind === "deal") await this.colourCards(place, abort.signal);
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
    this.dealt = null;
    whenReleased(() => this.draw());
  }

  async colourCards(place, signal) {
    const { view, game } = this;
    const onBoard = game.board_cards.slice(0, view.round).reduce((sum, cards) => sum + cards, 0);
    const board = view.board.slice(0, 2 * onBoard);
    const isFlop = game.board_cards[view.round] > 1;
    const report = { rows: [], actions: null, player: null, progress: "" };
    let drawn = 0;
    for await (const portion of portions({ ...place, board, values: isFlop ? null : 1 }, { signal })) {
      report.rows.push(...portion.rows);
      report.actions = portion.actions;
      report.player = portion.player;
      const isDone = portion.next === null;
      report.progress = isDone ? "" : ` ${report.rows.length.toLocaleString("en-US")} of ${portion.total.toLocaleString("en-US")} ${isFlop ? "flops" : "cards"}`;
      if (!isDone && performance.now() - drawn < 500) continue;
      drawn = performance.now();
      this.report = isFlop ? { ...report, rows: flopMeans(report.rows, view.board.slice(board.length), game.deck) } : report;
      whenReleased(() => this.draw());
    }
  }

  goTo = (betting, board) => this.go({ ...this.route, betting, board });

  /** Deal cards on the board that is drawn, after those that were clicked since, while their places are still loading. */
  deal = (cards) => {
    const { view } = this;
    const board = this.dealt ?? view.board;
    const isComplete = board.length + cards.length > view.board.length + 2 * view.missing_cards;
    if (isComplete || split(board).some((card) => cards.includes(card))) return;
    this.dealt = board + cards;
    this.goTo(view.betting, this.dealt);
  };

  draw() {
    const { game, view } = this;
    if (!view) return;
    this.cells ??= new Map();
    if (!this.cells.has(game)) this.cells.set(game, square(game));
    drawLine(this.line, game, view, this.goTo);
    if (this.lineOnly) return;
    const focused = document.activeElement;
    const first = view.player ?? 0;
    const colours = actionColours(view.actions);
    const parts = [];
    if (view.kind === "deal") parts.push(this.dealPanel());
    if (view.kind === "end") parts.push(h("section", { class: "panel end" }, h("h2", {}, capital(endText(game, view)))));
    if (view.kind === "decision") parts.push(this.actionPanel(colours));
    this.detail = h("aside", { class: "panel detail", "aria-label": "Details of a hand" });
    const order = [first, 1 - first];
    parts.push(h("div", { class: "ranges" }, ...order.map((player) => this.rangePanel(player, colours)), this.detail));
    const filter = (name) => this.go({ ...this.route, filter: name }, { replace: true });
    const more = [curvePanel(game, view), classPanel(game, view, this.listedPlayer ?? first, colours, filter)].filter(Boolean);
    if (more.length) parts.push(h("div", { class: "more" }, ...more));
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
    drawDeal(panel, { game, view, ...this.report, coloured: this.route.colour, colour: (name) => this.go({ ...this.route, colour: name }, { replace: true }), deal: this.deal });
    return panel;
  }

  actionPanel(colours) {
    const { game, view, route } = this;
    const ahead = (action) => () => isKept(route) && prefetch("state", placeOf(route, { betting: action.betting, board: view.board }));
    const buttons = view.actions.map((action, i) =>
      h(
        "button",
        {
          type: "button",
          class: "action",
          style: { "--colour": colours[i], "--share": `${100 * (view.frequencies[i] ?? 0)}%` },
          dataset: { key: String(i + 1), action: action.action },
          onclick: () => this.goTo(action.betting, view.board),
          onpointerenter: ahead(action),
          onfocus: ahead(action),
        },
        h("kbd", { "aria-hidden": "true" }, String(i + 1)),
        h("span", { class: "action-name" }, capital(action.text)),
        h("span", { class: "action-share" }, percent(view.frequencies[i])),
      ),
    );
    const lock = canLock(game.spot)
      ? h("button", { type: "button", class: "quiet lock", dataset: { key: "l" }, title: "Solve the spot again with this decision fixed (l)", onclick: () => this.lock(game.spot, lockText(game.spot, view)) }, "Lock this node")
      : null;
    return h("section", { class: "actions", "aria-label": `Actions of ${game.positions[view.player]}` }, ...buttons, lock);
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
        this.colourChooser(choices, coloured, player),
      ),
      box,
      this.exports(player, colours, acts),
    );
  }

  /** What one can take away of a range. */
  exports(player, colours, acts) {
    const { game, view, route } = this;
    const place = placeOf(route, view);
    const copy = async (event) => {
      const button = event.currentTarget;
      try {
        const answer = await fetch(address("range", { ...place, player }));
        const text = await answer.text();
        if (!answer.ok) throw new Error(JSON.parse(text).error);
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch (error) {
        this.fail(error);
      }
    };
    const picture = () => {
      const captions = acts ? view.actions.map((action, i) => `${capital(action.text)} ${percent(view.frequencies[i])}`) : [];
      const heading = [title(game.positions[player]), route.strategy, view.betting, view.board].filter(Boolean).join(" · ");
      save(drawPicture({ cells: this.cells.get(game), view, player, colours, heading, captions }), "range.png");
    };
    return h(
      "p",
      { class: "exports" },
      game.hole_cards === 2 ? h("button", { type: "button", class: "quiet", onclick: copy, dataset: { export: `range${player}` } }, "Copy range") : null,
      h("button", { type: "button", class: "quiet", onclick: picture, dataset: { export: `png${player}` } }, "PNG"),
    );
  }

  colourChooser(choices, coloured, player) {
    const choose = (event) => {
      const name = event.target.value;
      this.go({ ...this.route, colour: name === "strategy" || name === "reach" ? null : name }, { replace: true });
    };
    const options = choices.map((choice) => h("option", { value: choice.name, selected: choice === coloured }, capital(choice.text)));
    const label = h("span", { class: "hidden" }, `Colours of ${this.game.positions[player]}`);
    return h("label", { class: "colour" }, label, h("select", { onchange: choose, dataset: { colour: String(player) } }, ...options));
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
      h("header", { class: "panel-head" }, h("h2", {}, "Hands"), h("span", { class: "choices", role: "group", "aria-label": "Whose hands" }, ...seats), ...tableLinks(view, route), h("label", { class: "filter" }, h("span", { class: "hidden" }, "Show only"), filter)),
      list,
    );
  }

  /** Another view takes the page. */
  leave() {
    this.abort?.abort();
    this.view = null;
  }

  /** One step back along the line. */
  back() {
    const last = this.view?.line.at(-1);
    const isPartial = this.view?.kind === "deal" && this.view.missing_cards < this.game.board_cards[this.view.round];
    if (isPartial) this.goTo(this.view.betting, this.view.board.slice(0, -2));
    else if (last) this.goTo(last.betting, last.board);
  }
}

/** A place of the strategy of a route, as `/api` takes it. */
function placeOf(route, { betting, board }) {
  return { id: route.strategy, betting, board, strategy: route.kind };
}

/** Whether answers about a strategy stay true: an unsaved one may be another one the next time. */
function isKept(route) {
  return route.strategy !== "unsaved";
}

/** Whether the form of a solve can hold a spot. */
function canLock(spot) {
  if (!spot) return false;
  return spot.game === "holdem.limit.2p" || (spot.game === "holdem.nolimit.2p" && spot.pot !== null);
}

/** The lock that says what the range does at a decision now; the last action takes the rest. */
function lockText(spot, view) {
  const board = view.board.length > spot.board.length ? ` on ${view.board}` : "";
  const equal = 1 / view.actions.length;
  // Rounded down, so that the shares never add up to more than one.
  const shares = view.actions.slice(0, -1).map((action, i) => `${action.text}=${(Math.floor(1000 * (view.frequencies[i] ?? equal)) / 10).toFixed(1)}%`);
  return `${view.betting || "root"}${board}: ${shares.join(",")}`;
}

function tableLinks(view, route) {
  if (view.kind !== "decision") return [];
  const place = placeOf(route, view);
  return ["csv", "parquet"].map((format) => h("a", { class: "quiet", href: address("hands", { ...place, format }), download: "" }, format === "csv" ? "CSV" : "Parquet"));
}

/** The focus stays where it was when a panel is drawn again. */
function refocus(content, focused) {
  const { hand, card, colour, sort } = focused?.dataset ?? {};
  const selector = focused?.id === "filter" ? "#filter" : hand ? `[data-hand="${hand}"]` : card ? `[data-card="${card}"]` : colour ? `[data-colour="${colour}"]` : sort ? `[data-sort="${sort}"]` : null;
  const found = selector && content.querySelector(selector);
  if (found) {
    found.tabIndex = 0;
    found.focus({ preventScroll: true });
    if (found.id === "filter") found.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  }
}
