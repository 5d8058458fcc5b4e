// Watch: a search step by step, or two of them side by side in step.
import * as address from "./address.js";
import { busyUntil, clear, copy, h, icon, later, say } from "./dom.js";
import { field } from "./fields.js";
import { Player } from "./player.js";
import { SearchForm } from "./search.js";
import { Track } from "./track.js";

const AHEAD = 5_000; // steps that are loaded before they are asked for
const MOST = 100_000;
const RANDOM = 1_000_000;

export class Watch {
  constructor(main, context, wanted) {
    Object.assign(this, context);
    this.context = context;
    this.tracks = [];
    this.forTwo = this.puzzle.game && wanted.players === "2";
    this.build(main, wanted);
    busyUntil(this.begin(wanted));
  }

  leave() {
    this.left = true;
    this.player.pause();
    for (const track of this.tracks) track.stop();
  }

  // The page

  build(main, wanted) {
    const { t, puzzle } = this;
    const button = (name, picture, run, extra = {}) => h("button", { type: "button", id: name, onclick: run, ...extra }, picture && icon(picture), t(name));
    this.player = new Player({ t, show: () => this.drawSoon(), changed: () => this.remember() });
    this.host = h("div", { class: "tracks" });
    this.loading = h("p", { class: "help", role: "status" });
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.samples = h("select", { id: "sample", "aria-label": t("sample"), onchange: () => this.samples.value && this.ask({ sample: this.samples.value }) }, h("option", { value: "" }, `${t("sample")}…`), puzzle.samples.map((name) => h("option", { value: name }, name)));
    this.levels = button("next_level", null, () => this.go((step, now) => JSON.stringify(step.level) !== JSON.stringify(now.level) || step.kind === "goal"));
    this.goals = button("next_goal", null, () => this.go((step) => step.solved));
    const link = h("button", { type: "button", id: "share", onclick: () => copy(address.link(this.fields()), link).then(() => say(t("shared"))) }, icon("link"), t("share"));
    const random = button("random", "dice", () => this.ask({ seed: Math.floor(Math.random() * RANDOM), generator: {}, beatable: true }));
    this.forms = h("div", { class: "search" });
    this.drawForms(wanted);
    clear(
      main,
      h(
        "section",
        { class: "stage", id: "stage", tabindex: "-1", "aria-label": t("watch") },
        h("div", { class: "bar" }, puzzle.samples.length > 0 && this.samples, puzzle.random && random, h("span", { class: "space" }), link),
        this.player.element,
        h("div", { class: "bar" }, this.levels, this.goals, this.loading),
        this.trouble,
        this.host,
      ),
      h("aside", { class: "panel", "aria-label": t("search") }, this.forms, h("div", { class: "run" }, button("watch_run", "play", () => this.start(), { class: "primary" })), h("p", { class: "help" }, t("watch_keys"))),
    );
    this.keys = (event) => this.key(event);
    this.host.addEventListener("keydown", this.keys);
  }

  drawForms(wanted) {
    const { t, puzzle, context } = this;
    const changed = () => this.remember();
    const games = { ...context, welcome: { ...this.welcome, algorithms: this.welcome.game_algorithms }, puzzle: { ...puzzle, specialists: [], presets: [], heuristics: [] } };
    const make = (text, prefix) => new SearchForm(this.forTwo ? games : context, { ...wanted, with: text }, changed, { prefix, watching: true, auto: !this.forTwo });
    const usual = this.forTwo ? "alphabeta" : "auto";
    this.form = make(wanted.with ?? usual, "");
    this.second = make(wanted.beside ?? (this.forTwo ? "minimax" : "bfs"), "second-");
    this.twice = h("input", { type: "checkbox", id: "twice", checked: wanted.beside !== undefined, onchange: () => ((secondForm.hidden = !this.twice.checked), changed()) });
    const secondForm = h("div", { hidden: !this.twice.checked }, this.second.element);
    const players = h("input", { type: "checkbox", id: "players", checked: this.forTwo, onchange: () => ((this.forTwo = players.checked), this.drawForms({ limits: {} }), this.start()) });
    clear(this.forms, puzzle.game && field(t("for_two"), players), this.form.element, field(t("beside"), this.twice), secondForm);
  }

  key(event) {
    if (/INPUT|SELECT|TEXTAREA|CANVAS|BUTTON/.test(event.target.tagName)) return;
    this.player.key(event);
  }

  // The board and its searches

  async begin(wanted) {
    const { first } = this.puzzle;
    const request = wanted.sample ? { sample: wanted.sample } : wanted.board !== undefined ? { board: wanted.board, options: wanted.options, number: Number(wanted.number) || 0 } : null;
    if (request) await this.ask(request, Number(wanted.step) || 0);
    else if (first) this.open(first, Number(wanted.step) || 0);
    else this.complain(this.t("no_board"));
  }

  async ask(request, step = 0) {
    const reply = this.welcome.boards?.[this.puzzle.name]?.[request.sample] ?? (await this.carrier.ask({ do: "board", puzzle: this.puzzle.name, ...request }).reply);
    if (this.left) return;
    if (reply.is !== "board") return this.complain(reply.text);
    this.open(reply, step);
  }

  open(board, step) {
    this.board = board;
    this.samples.value = this.puzzle.samples.includes(board.name) ? board.name : "";
    this.form.auto = this.second.auto = board.auto;
    this.start(step);
  }

  start(step = 0) {
    if (!this.board) return;
    this.complain("");
    for (const track of this.tracks) track.stop();
    const { board, options } = this.board;
    const ask = (form) => {
      const { engine, ...request } = form.request();
      return { puzzle: this.puzzle.name, board, options, ...request, ...(this.forTwo && { game: true }) };
    };
    const forms = this.twice.checked ? [this.form, this.second] : [this.form];
    this.tracks = forms.map((form) => new Track({ ...this.context, opened: this.board }, ask(form), () => this.more()));
    clear(this.host, this.tracks.map(({ element }) => element));
    this.host.classList.toggle("two", this.tracks.length > 1);
    this.levels.hidden = Boolean(this.form.info?.local);
    this.goals.hidden = Boolean(this.forTwo);
    this.player.open([], 0);
    this.wantedStep = step;
    for (const track of this.tracks) track.load(Math.max(AHEAD, step) + 1);
    this.remember();
  }

  // There are more steps than before.
  more() {
    if (this.left) return;
    const count = Math.max(...this.tracks.map(({ steps }) => steps.length));
    const before = this.player.count;
    this.player.extend(Math.max(count - 1, 0));
    const busy = this.tracks.some(({ loading, ended }) => loading && !ended);
    this.loading.textContent = busy ? this.t("watch_loading", { n: count }) : "";
    if (this.wantedStep !== null && (count > this.wantedStep || !busy)) {
      this.player.go(this.wantedStep, true);
      this.wantedStep = null;
    } else if (!before || this.tracks.some(({ at }) => at < this.player.step)) this.drawSoon();
  }

  // Goes to the next step that is wanted in the first search, loading as many as it takes.
  async go(wanted) {
    const [track] = this.tracks;
    const from = Math.min(this.player.step, track.steps.length - 1);
    let found = track.find(from, wanted);
    while (found === null && !this.left && track === this.tracks[0] && track.steps.length < MOST) {
      await track.load(track.steps.length + 1000);
      found = track.find(from, wanted);
    }
    if (found === null || this.left || track !== this.tracks[0]) return;
    await Promise.all(this.tracks.slice(1).map((other) => other.load(found + 1)));
    this.player.go(found);
  }

  complain(sentence) {
    const { text, lang } = this.told(sentence);
    this.trouble.textContent = text;
    this.trouble.lang = lang;
    this.trouble.hidden = !text;
  }

  // Once a frame, however often the slider moves.
  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.left) for (const track of this.tracks) track.show(this.player.step);
    });
  }

  // The address

  fields() {
    const { name, board, options } = this.board;
    const where = this.puzzle.samples.includes(name) ? { sample: name } : { board, options };
    return { activity: "watch", puzzle: this.puzzle.name, ...where, ...this.form.fields(), engine: "", beside: this.twice.checked ? this.second.asked : "", players: this.forTwo ? "2" : "", step: this.player.step || "" };
  }

  remember() {
    if (!this.board || this.left) return;
    this.writeSoon ??= later(150, () => this.left || address.write(this.fields()));
    this.writeSoon();
  }
}
