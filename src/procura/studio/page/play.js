// Play: a game by hand, with undo, hints, the rest solved, and the best possible beside one's own.
import * as address from "./address.js";
import { busyUntil, clear, copy, describe, h, icon, s, say } from "./dom.js";
import { options as optionFields } from "./fields.js";
import { figures } from "./figures.js";
import { language } from "./phrases.js";

const RANDOM = 1_000_000;

export class Play {
  constructor(main, context, wanted) {
    Object.assign(this, context);
    this.against = this.puzzle.opponents.includes(wanted.against) ? wanted.against : null;
    this.generator = {};
    this.since = null;
    this.build(main);
    busyUntil(this.begin(wanted));
    this.clock = setInterval(() => this.tick(), 1000);
  }

  leave() {
    this.run?.stop();
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.keys);
    this.left = true;
  }

  build(main) {
    const { t, puzzle } = this;
    this.host = h("div", { class: "board", "data-mode": "play" });
    this.gameBoard = new this.Board(this.host, { h, s, t, icon, say, mode: "play", change: () => {}, move: (move) => this.act("move", { move }), set: (details) => this.act("set", { details }) });
    const button = (name, picture, run, extra = {}) => h("button", { type: "button", id: name, onclick: run, ...extra }, picture && icon(picture), t(name));
    this.message = h("p", { class: "message", role: "status", "aria-live": "polite" });
    this.headline = h("h2", { hidden: true, tabindex: "-1" });
    this.figures = h("div", {});
    this.undo = button("undo", "undo", () => this.act("undo"));
    this.redo = button("redo", "redo", () => this.act("redo"));
    this.hint = button("hint", "hint", () => this.act("hint", { at: this.gameBoard.cursor?.() ?? null }));
    this.showMove = button("show_move", "forward", () => this.act("show"));
    this.rest = button("show_rest", "last", () => this.solveRest());
    this.best = button("best_possible", null, () => this.act("best"));
    this.stopButton = button("stop", "stop", () => this.halt(), { hidden: true, class: "primary stop" });
    const opponents = h(
      "select",
      { id: "opponent", "aria-label": t("opponent"), onchange: () => ((this.against = opponents.value || null), this.newGame()) },
      h("option", { value: "" }, t("alone")),
      puzzle.opponents.map((name) => h("option", { value: name, selected: name === this.against }, t(`against_${name}`))),
    );
    const link = h("button", { type: "button", onclick: () => copy(address.link(this.fields()), link).then(() => say(t("shared"))) }, icon("link"), t("share"));
    clear(
      main,
      h(
        "section",
        { class: "stage", id: "stage", tabindex: "-1", "aria-label": t("board") },
        h(
          "div",
          { class: "bar" },
          puzzle.random && button("new_game", "dice", () => this.newGame(), { class: "primary" }),
          puzzle.opponents.length > 0 && opponents,
          h("span", { class: "space" }),
          link,
        ),
        this.message,
        this.host,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": t("play") },
        this.headline,
        this.figures,
        h("div", { class: "bar pairs" }, this.undo, this.redo, this.hint, this.showMove, this.rest, this.best, button("restart", null, () => this.act("restart")), button("solve_this", null, () => this.solveThis())),
        h("div", { class: "run" }, this.stopButton),
        h("p", { class: "help" }, t("common_keys")),
        puzzle.generator.length > 0 &&
          h("details", {}, h("summary", {}, t("random_options")), h("div", { class: "fields" }, optionFields(puzzle.generator, this.generator, () => {}, this))),
      ),
    );
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    const run = { z: this.undo, y: this.redo, h: this.hint }[event.key];
    if (run && !run.disabled && !this.gameBoard.wants?.(event.key)) run.click();
  }

  // Games

  async begin(wanted) {
    const kept = JSON.parse(sessionStorage.getItem(this.place) ?? "null");
    const same = kept && (wanted.board === undefined || wanted.board === kept.board) && (wanted.against ?? null) === (kept.against ?? null);
    if (same && wanted.sample === undefined) return this.ask({ act: "look", game: kept });
    if (wanted.sample) {
      const reply = await this.carrier.ask({ do: "board", puzzle: this.puzzle.name, sample: wanted.sample }).reply;
      if (reply.is === "error") return this.tell(reply.text, true);
      return this.ask({ act: "start", board: reply.board, options: reply.options, against: this.against });
    }
    if (wanted.board !== undefined) return this.ask({ act: "start", board: wanted.board, options: wanted.options, against: this.against, seed: Number(wanted.seed) || 0 });
    if (this.puzzle.random) return this.newGame();
    const first = this.puzzle.first;
    if (!first) return this.tell(this.t("no_board"), true);
    return this.ask({ act: "start", board: first.board, options: first.options, against: this.against });
  }

  get place() {
    return `procura-game-${this.puzzle.name}`;
  }

  async newGame() {
    const seed = Math.floor(Math.random() * RANDOM);
    const reply = await this.carrier.ask({ do: "board", puzzle: this.puzzle.name, seed, generator: this.generator, beatable: true, against: this.against }).reply;
    if (reply.is === "error") return this.tell(reply.text, true);
    return this.ask({ act: "start", board: reply.board, options: reply.options, against: this.against, seed });
  }

  // What is done in the game; while a request is under way, one more waits for it.
  async act(name, fields = {}) {
    if (!this.reply || (this.run && this.waits)) return null;
    this.waits = true;
    while (this.run) await this.run.reply;
    this.waits = false;
    if (this.left) return null;
    const game = { ...this.reply.game, seconds: this.seconds() };
    return this.ask({ act: name, game, ...fields });
  }

  async ask(request) {
    const slow = ["hint", "show", "best"].includes(request.act);
    const thinking = setTimeout(() => this.busy(true), slow ? 150 : 800);
    const run = (this.run = this.carrier.ask({ do: "play", puzzle: this.puzzle.name, ...request }));
    const reply = await run.reply;
    clearTimeout(thinking);
    this.run = null;
    if (this.left) return null;
    this.busy(false);
    if (reply.is !== "game") {
      this.tell(reply.is === "stopped" ? this.t("stopped") : reply.text, true);
      return null;
    }
    if (request.act === "start") this.bestKnown = null;
    if (reply.best) this.bestKnown = reply.best;
    this.take(reply, request.act);
    return reply;
  }

  take(reply, act) {
    const ended = reply.over && !this.reply?.over && act !== "look";
    this.reply = reply;
    this.base = reply.game.seconds;
    this.since = performance.now();
    this.gameBoard.game(reply);
    describe(this.host, reply.view.text);
    this.draw(act);
    sessionStorage.setItem(this.place, JSON.stringify(reply.game));
    address.write(this.fields());
    if (ended && reply.won && reply.comparable && !this.bestKnown) this.act("best");
  }

  async solveRest() {
    this.halted = false;
    while (!this.left && !this.halted && this.reply && !this.reply.over) {
      const reply = await this.act("show");
      if (!reply || reply.refused) return;
      await new Promise((resolve) => setTimeout(resolve, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220));
    }
  }

  halt() {
    this.halted = true;
    this.run?.stop();
  }

  busy(on) {
    this.stopButton.hidden = !on;
    this.host.toggleAttribute("aria-busy", on);
    if (on) this.tell(this.t("thinking"));
  }

  tell(sentence, wrong = false) {
    this.say(this.told(sentence), wrong);
  }

  // What the game is about, before the first move.
  aim() {
    if (this.reply.duel) return { text: this.t("duel_aim") };
    const { text, lang } = this.told(this.puzzle.about);
    return { text: `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`, lang };
  }

  say({ text, lang = language }, wrong = false) {
    this.message.lang = lang;
    this.message.textContent = text;
    this.message.classList.toggle("wrong", wrong);
  }

  // What is seen

  seconds() {
    const running = this.since !== null && !this.reply?.over;
    return Math.round(((this.base ?? 0) + (running ? (performance.now() - this.since) / 1000 : 0)) * 10) / 10;
  }

  draw(act) {
    const { t, reply } = this;
    const { game } = reply;
    this.undo.disabled = game.moves.length === 0;
    this.redo.disabled = game.undone.length === 0;
    for (const button of [this.hint, this.showMove, this.rest]) button.disabled = reply.over;
    this.best.hidden = !reply.comparable;
    this.headline.hidden = !reply.over;
    this.headline.textContent = this.ending();
    this.headline.className = reply.won ? "solved" : "not_found";
    this.drawFigures();
    const said = reply.says || (reply.over ? reply.summary : "");
    if (said || game.moves.length) this.tell(said, Boolean(reply.refused));
    else this.say(this.aim());
    if (act === "move" && !reply.refused && !said) say(this.gameBoard.spoken?.() ?? "");
  }

  ending() {
    const { t, reply } = this;
    if (!reply.over) return "";
    if (!reply.duel) return t(reply.won ? "won" : "over");
    const { yours, computers } = reply.view;
    return t(yours > computers ? "duel_won" : yours < computers ? "duel_lost" : "duel_drawn");
  }

  drawFigures() {
    const { t, reply } = this;
    if (!reply) return;
    const { game, view } = reply;
    const total = Math.floor(this.seconds());
    const time = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
    const rows = [
      ["you", reply.duel ? String(view.yours) : ""],
      ["computer", reply.duel ? String(view.computers) : ""],
      ["made", reply.duel ? "" : t("step", { n: game.moves.length })],
      ["s_points", view.points === undefined || view.points === null ? "" : String(view.points)],
      ["time", time],
      ["hints", game.hints ? String(game.hints) : ""],
      ["shown", game.shown ? t("step", { n: game.shown }) : ""],
    ];
    const best = this.bestKnown;
    if (best && best.outcome === "solved" && (best.optimal || best.optimal === null)) rows.push(["best_possible", best.points === undefined ? t("step", { n: best.length }) : t("points", { n: best.points })]);
    else if (best) rows.push(["best_possible", best.outcome === "no_solution" ? t("best_none") : t("best_unknown")]);
    clear(this.figures, figures(rows, t));
  }

  tick() {
    if (this.reply && !this.reply.over && !document.hidden) this.drawFigures();
  }

  // The address

  fields() {
    const { game } = this.reply ?? { game: { board: "", options: {} } };
    return { activity: "play", puzzle: this.puzzle.name, board: game.board, options: game.options, against: game.against ?? "", seed: game.against ? game.seed : "" };
  }

  solveThis() {
    if (!this.reply) return;
    const { board, options } = this.reply.game;
    location.hash = address.hash({ activity: "solve", puzzle: this.puzzle.name, board, options });
  }
}
