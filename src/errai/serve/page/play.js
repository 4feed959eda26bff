// Playing against a strategy: the table, what the strategy thinks of a choice, and the result.

import { address, get, post } from "./api.js";
import { tiles } from "./cards.js";
import { actionColours, bars } from "./colours.js";
import { capital, chips, h, percent } from "./dom.js";

export class Play {
  constructor({ content, line, go, fail }) {
    this.content = content;
    this.line = line;
    this.go = go;
    this.fail = fail;
    this.withAdvice = localStorage.getItem("errai-advice") !== "off";
  }

  /** Go on with the session of the address, or begin one. */
  async show(game, route) {
    this.game = game;
    this.route = route;
    this.line.replaceChildren();
    if (this.session && this.session === route.session && this.table) return this.draw();
    this.advice = [];
    if (!route.session) return this.begin();
    this.session = route.session;
    try {
      this.table = await get("play", { session: route.session }, { keep: false });
      return this.draw();
    } catch {
      return this.begin(); // the session is over
    }
  }

  begin = () =>
    this.act(async () => {
      const table = await post("play", { id: this.route.strategy });
      this.session = table.session;
      this.table = table;
      this.advice = [];
      this.go({ view: "play", strategy: this.route.strategy, session: table.session }, { replace: true });
    });

  deal = () =>
    this.act(async () => {
      this.advice = [];
      this.table = await post("play/deal", { session: this.session });
    });

  take = (action) =>
    this.act(async () => {
      const { advice, ...table } = await post("play/act", { session: this.session, action: action.action, advice: this.withAdvice });
      if (this.withAdvice) this.advice.push({ text: action.text, advice });
      this.table = table;
    });

  /** Do something once, and draw what comes of it. */
  async act(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.fail(null);
    try {
      await work();
      this.draw();
    } catch (error) {
      this.fail(error);
    } finally {
      this.isBusy = false;
    }
  }

  draw() {
    const { table, game } = this;
    const opponent = game.positions[1 - table.seat];
    const colours = actionColours(table.actions);
    const actions = table.is_over
      ? [h("button", { type: "button", class: "primary", dataset: { key: "n" }, onclick: this.deal }, "Next hand", h("kbd", { "aria-hidden": "true" }, "n"))]
      : table.actions.map((action, i) =>
          h("button", { type: "button", class: "action", style: { "--colour": colours[i], "--share": "100%" }, dataset: { key: String(i + 1), action: action.action }, onclick: () => this.take(action) }, h("kbd", { "aria-hidden": "true" }, String(i + 1)), h("span", { class: "action-name" }, capital(action.text)), h("span", { class: "note" }, action.text === "call" ? chips(table.call_chips) : "")),
        );
    const hidden = h("span", { class: "cards", role: "img", "aria-label": "hidden cards" }, ...Array.from({ length: game.hole_cards }, () => h("span", { class: "card back" }, "\u00a0")));
    const focused = document.activeElement?.dataset?.key;
    this.content.replaceChildren(
      h(
        "div",
        { class: "play" },
        h(
          "section",
          { class: "panel table" },
          h("header", { class: "panel-head" }, h("h2", {}, `Hand ${table.number + 1}`), h("span", { class: "note" }, `you are ${table.position}`), this.adviceSwitch()),
          h("div", { class: "seat" }, h("span", { class: "note" }, capital(opponent)), table.opponent_cards ? tiles(table.opponent_cards) : hidden),
          h("div", { class: "felt" }, table.board ? tiles(table.board) : h("span", { class: "note" }, "no board yet"), h("strong", {}, `Pot ${chips(table.pot_chips)}`)),
          h("div", { class: "seat" }, h("span", { class: "note" }, "You"), tiles(table.own_cards)),
          h("p", { class: "outcome", role: "status" }, table.is_over ? outcome(table.won_chips) : table.call_chips ? `${chips(table.call_chips)} to call` : "Your turn"),
          h("div", { class: "actions" }, ...actions),
          table.sizes ? this.sizeForm(table.sizes) : null,
        ),
        h("aside", { class: "panel", "aria-label": "This hand" }, h("header", { class: "panel-head" }, h("h2", {}, "This hand")), this.events(), ...this.advice.map((entry) => adviceView(entry))),
        h("aside", { class: "panel", "aria-label": "Result" }, ...this.result()),
      ),
    );
    const next = focused && (this.content.querySelector(`[data-key="${focused}"]`) ?? this.content.querySelector(".actions button"));
    if (next) next.focus();
  }

  /** Any size of a no-limit game; the strategy takes one off its menu for a size next to it. */
  sizeForm({ word, least_chips, most_chips, before_chips }) {
    const input = h("input", { id: "size", type: "number", required: true, min: least_chips, max: most_chips, step: 1, placeholder: `${least_chips} to ${most_chips}` });
    const submit = (event) => {
      event.preventDefault();
      const amount = Number(input.value);
      this.take({ action: `r${before_chips + amount}`, text: amount === most_chips ? "all-in" : `${word} ${amount}` });
    };
    const label = word === "bet" ? "Bet" : "Raise to";
    return h("form", { class: "exports size", onsubmit: submit }, h("label", {}, h("span", { class: "note" }, `${label} `), input), h("button", { class: "quiet" }, label, h("kbd", { "aria-hidden": "true" }, "s")));
  }

  adviceSwitch() {
    const change = (event) => {
      this.withAdvice = event.target.checked;
      localStorage.setItem("errai-advice", this.withAdvice ? "on" : "off");
    };
    return h("label", { class: "colour note" }, h("input", { type: "checkbox", id: "advice", checked: this.withAdvice, onchange: change }), " rate my choices");
  }

  events() {
    const { table } = this;
    if (!table.events.length) return h("p", { class: "note" }, "Nobody has acted yet.");
    return h("ol", { class: "events" }, ...table.events.map((event) => h("li", { class: event.is_own ? "own" : "" }, `${event.is_own ? "You" : capital(this.game.positions[event.player])}: ${event.text}`)));
  }

  result() {
    const { result } = this.table;
    const interval = (mean, width) => (mean === null ? "–" : `${chips(mean)}${width === null ? "" : ` ± ${chips(width)}`}`);
    const row = (name, text) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text));
    return [
      h("header", { class: "panel-head" }, h("h2", {}, "Result")),
      h("table", { class: "plain" }, h("tbody", {}, row("Hands", String(result.hands)), row("Won, chips", chips(result.winnings_chips)), row("mbb per hand", interval(result.plain_mbb, result.plain_ci95_mbb)), row("luck removed", interval(result.aivat_mbb, result.aivat_ci95_mbb)))),
      h("p", { class: "note" }, "With 95 % intervals. Luck is removed by AIVAT: cards and the strategy's draws are replaced by their means."),
      h("p", { class: "exports" }, result.hands ? h("a", { class: "quiet", href: address("play/hands", { session: this.session }), download: "" }, "Save the hands") : null, h("button", { type: "button", class: "quiet", onclick: this.begin }, "Start over")),
    ];
  }
}

function outcome(won) {
  if (won > 0) return `You win ${chips(won)}.`;
  return won < 0 ? `You lose ${chips(-won)}.` : "Nobody wins.";
}

/** What the strategy does with the hand, and what the choice costs. */
function adviceView({ text, advice }) {
  if (!advice) return h("p", { class: "note" }, `${capital(text)}: the strategy does not know this place.`);
  const named = advice.actions.map((name) => ({ action: name === "fold" ? "f" : name === "check" || name === "call" ? "c" : "r", text: name }));
  const colours = actionColours(named);
  const mix = advice.probabilities.map((share, i) => h("span", { class: "share", style: { "--colour": colours[i] } }, `${capital(advice.actions[i])} ${percent(share, 0)}`, advice.values_chips ? h("small", {}, ` worth ${chips(advice.values_chips[i])}`) : null));
  return h(
    "div",
    { class: "advice" },
    h("p", {}, h("strong", {}, capital(text)), advice.cost_chips === null ? "" : advice.cost_chips < 0.005 ? " costs nothing" : ` costs ${chips(advice.cost_chips)}`),
    h("span", { class: "bar", role: "img", "aria-label": "What the strategy does with this hand", style: { "background-image": bars(advice.probabilities, colours) } }),
    h("span", { class: "shares" }, ...mix),
  );
}
