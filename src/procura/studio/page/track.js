// One search that is watched: its steps as they come, its board, its tree or curves, its frontier and successors.
import { clear, describe, h, icon, s, say } from "./dom.js";
import { Curves } from "./curves.js";
import { figures } from "./figures.js";
import { number } from "./phrases.js";
import { Tree } from "./tree.js";

const CHUNK = 250;
const ROWS = 12;

export class Track {
  constructor(context, asked, loaded) {
    Object.assign(this, context);
    this.asked = asked;
    this.loaded = loaded; // called when there are more steps
    this.steps = [];
    this.nodes = [new Map()]; // of each iteration, by number
    this.iteration = []; // of each step
    this.ended = false;
    this.build();
  }

  build() {
    const { t } = this;
    this.title = h("h3", {}, h("code", {}, this.asked.with));
    this.state = h("p", { class: "help", role: "status" });
    this.figures = h("div", {});
    this.host = h("div", { class: "board small", "data-mode": "show" });
    this.board = new this.Board(this.host, { h, s, t, icon, say, mode: "show", change: () => {}, move: () => {} });
    this.picture = h("div", {});
    this.lists = h("div", { class: "lists" });
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.element = h("section", { class: "track", "aria-label": this.asked.with }, this.title, this.state, this.trouble, this.figures, this.host, this.picture, this.lists);
  }

  // Steps

  // Loads steps until there are so many, or no more.
  async load(count) {
    this.wanted = Math.max(this.wanted ?? 0, count);
    this.loading ??= this.fetch();
    await this.loading;
  }

  async fetch() {
    while (!this.ended && !this.left && this.steps.length < this.wanted) {
      const first = this.steps.length;
      this.run = this.carrier.ask({ do: "watch", ...this.asked, first, end: first + CHUNK });
      const reply = await this.run.reply;
      this.run = null;
      if (this.left) break;
      if (reply.is !== "steps" || !reply.steps.length) {
        this.ended = true;
        if (reply.is === "error") this.complain(reply.text);
        break;
      }
      this.take(reply);
    }
    this.loading = null;
    this.loaded();
  }

  take(reply) {
    if (!this.steps.length) this.begin(reply);
    for (const step of reply.steps) {
      this.learn(step);
      this.steps.push(step);
      this.drawing.add(step);
    }
    this.ended = reply.ended;
    this.loaded();
  }

  begin({ local, configuration, path_only: pathOnly }) {
    this.local = local;
    this.pathOnly = pathOnly;
    clear(this.title, h("code", {}, configuration));
    this.drawing = local ? new Curves(this) : new Tree(this);
    clear(this.picture, this.drawing.element);
    this.board.open(this.opened);
  }

  // What is known of nodes, for the frontier's lines.
  learn(step) {
    if (step.kind === "bound") this.nodes.push(new Map());
    const known = this.nodes.at(-1);
    for (const one of [step.node, ...(step.successors ?? [])]) if (one && one.node !== null) known.set(one.node, one);
    this.iteration.push(known);
  }

  stop() {
    this.left = true;
    this.run?.stop();
  }

  complain(sentence) {
    const { text, lang } = this.told(sentence);
    this.trouble.textContent = text;
    this.trouble.lang = lang;
    this.trouble.hidden = !text;
  }

  // The number of the first step after one that is wanted; null if it is not known yet.
  find(from, wanted) {
    for (let i = from + 1; i < this.steps.length; i++) if (wanted(this.steps[i], this.steps[from])) return i;
    return this.ended ? Math.max(this.steps.length - 1, 0) : null;
  }

  // What is seen

  show(number) {
    const at = Math.min(number, this.steps.length - 1);
    const step = this.steps[at];
    if (!step) return;
    this.at = at;
    this.board.answer([step.board], []);
    this.board.show(0, 0);
    describe(this.host, step.board.text);
    this.drawing.draw(at);
    this.drawFigures(step, at);
    clear(this.lists, this.local ? [] : step.line ? this.gameLists(step) : [this.successors(step), this.frontier(step, this.iteration[at])]);
  }

  drawFigures(step, at) {
    const { t } = this;
    const { node } = step;
    const last = this.ended && at === this.steps.length - 1;
    const words = t(`step_${step.kind}`);
    this.state.textContent = [words, step.why && t(`why_${step.why}`), last && !step.solved && t("watch_end")].filter(Boolean).join(" · ");
    const rows = [
      ["w_f", shown(node?.f)],
      ["w_g", shown(node?.g)],
      ["w_h", shown(node?.h)],
      ["w_depth", shown(node?.depth)],
      ["s_expanded", shown(step.expanded)],
      ["s_generated", shown(step.generated)],
      [this.pathOnly ? "w_path" : "s_frontier", step.line ? "" : shown(step.waiting)],
      ["w_bound", shown(step.bound)],
      ["w_energy", shown(step.energy)],
      ["s_best", shown(step.best)],
      ["w_cuts", shown(step.cuts)],
      ["w_value", step.line ? shown(step.value) : ""],
    ];
    clear(this.figures, figures(rows, t));
  }

  table(name, columns, rows, more = 0) {
    const { t } = this;
    const used = columns.filter((column) => rows.some((row) => row[column] !== ""));
    return h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: "compared nodes" },
        h("caption", {}, t(name), more > 0 && ` (+${number(more)})`),
        h("thead", {}, h("tr", {}, used.map((column) => h("th", { scope: "col" }, t(`w_${column}`))))),
        h("tbody", {}, rows.map((row) => h("tr", { "data-fate": row.fate }, used.map((column) => h("td", {}, row[column] ?? ""))))),
      ),
    );
  }

  successors(step) {
    const rows = step.successors.map((one) => ({ action: one.action, g: shown(one.g), h: shown(one.h), f: shown(one.f), outcome: this.t(`fate_${one.fate}`), fate: one.fate }));
    return this.table("successors", ["action", "g", "h", "f", "outcome"], rows.slice(0, 40), rows.length - 40);
  }

  frontier(step, known) {
    const rows = step.frontier.slice(0, ROWS).map((number, i) => {
      const one = known.get(number) ?? {};
      return { place: i + 1, action: one.action ?? "–", depth: shown(one.depth), g: shown(one.g), h: shown(one.h), f: shown(one.f) };
    });
    return this.table(this.pathOnly ? "path" : "frontier", ["place", "action", "depth", "g", "h", "f"], rows, step.waiting - rows.length);
  }

  gameLists(step) {
    const line = step.line.map((one) => ({ action: one.action ?? "–", player: one.player + 1, alpha: shown(one.alpha), beta: shown(one.beta), value: shown(one.value), visits: shown(one.visits) }));
    const moves = step.moves.map((one) => ({ action: one.action, value: shown(one.value), visits: shown(one.visits), outcome: one.fate ? this.t(`move_${one.fate}`) : "", fate: one.fate }));
    const random = step.line.some(({ visits }) => visits !== undefined);
    return [
      this.table("game_line", ["action", "player", ...(random ? ["visits"] : ["alpha", "beta"]), "value"], line),
      this.table("moves", ["action", "value", ...(random ? ["visits"] : ["outcome"])], moves.slice(0, 40), moves.length - 40),
    ];
  }
}

const shown = (value) => (value === null || value === undefined ? "" : typeof value === "number" ? number(Number(value.toPrecision(5))) : String(value));
