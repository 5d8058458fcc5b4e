// Solve: a board to edit, a search to choose, and the answer to step through.
import * as address from "./address.js";
import { busyUntil, clear, copy, describe, h, icon, later, s, save, say } from "./dom.js";
import { options as optionFields } from "./fields.js";
import { figures, outcome, short } from "./figures.js";
import { language, number } from "./phrases.js";
import { Player } from "./player.js";
import { SearchForm } from "./search.js";

const RANDOM = 1_000_000;

export class Solve {
  constructor(main, context, wanted) {
    Object.assign(this, context);
    this.name = null;
    this.generator = {};
    this.asking = 0;
    this.wantedStep = wanted.step === undefined ? null : Number(wanted.step) || 0;
    this.form = new SearchForm(context, wanted, () => this.changed());
    this.build(main);
    busyUntil(this.begin(wanted));
  }

  leave() {
    this.run?.stop();
    this.player.pause();
    this.left = true;
  }

  // The page

  build(main) {
    const { t } = this;
    this.editHost = h("div", { class: "board", "data-mode": "edit" });
    this.showHost = h("div", { class: "board", "data-mode": "show", hidden: true });
    const tools = { h, s, t, icon, say, move: () => {} };
    this.editor = new this.Board(this.editHost, { ...tools, mode: "edit", change: (...edit) => this.edited(...edit) });
    this.shower = new this.Board(this.showHost, { ...tools, mode: "show", change: () => {} });
    this.player = new Player({ t, show: (step) => this.showStep(step), changed: () => this.remember() });
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.samples = h("select", { id: "sample", "aria-label": t("sample"), onchange: () => this.samples.value && this.ask({ sample: this.samples.value }) });
    this.problems = h("select", { "aria-label": t("problem_of"), hidden: true, onchange: () => this.ask({ board: this.batch, number: Number(this.problems.value) }, true) });
    this.views = h(
      "div",
      { class: "segments small", role: "group", hidden: true },
      h("button", { type: "button", onclick: () => this.view("edit") }, t("edit")),
      h("button", { type: "button", onclick: () => this.view("answer") }, t("answer")),
    );
    this.text = h("textarea", {
      rows: 5, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": t("as_text"), id: "text",
      onkeydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.takeText(),
    });
    this.puzzleOptions = h("div", { class: "fields" });
    this.runButton = h("button", { type: "button", class: "primary", id: "run", onclick: () => this.solve() }, icon("play"), t("run"));
    this.stopButton = h("button", { type: "button", class: "primary stop", id: "stop", hidden: true, onclick: () => this.stop() }, icon("stop"), t("stop"));
    this.live = h("div", { class: "counts", id: "counts", hidden: true });
    this.result = h("section", { class: "result", id: "result", "aria-label": t("answer"), hidden: true });
    this.after = h("section", { class: "after", "aria-label": t("same_again"), hidden: true });
    const random = h("button", { type: "button", id: "random", onclick: () => this.random() }, icon("dice"), t("random"));
    const link = h("button", { type: "button", id: "share", onclick: () => this.share(link) }, icon("link"), t("share"));
    const elsewhere = (name, activity) => h("button", { type: "button", onclick: () => this.goOn(activity) }, t(name));
    clear(
      main,
      h(
        "section",
        { class: "stage", id: "stage", tabindex: "-1", "aria-label": t("board") },
        h("div", { class: "bar" }, this.samples, this.puzzle.random && random, this.problems, h("span", { class: "space" }), this.views),
        this.editHost,
        this.showHost,
        this.player.element,
        this.trouble,
        h("div", { class: "bar under" }, elsewhere("this_board", "play"), elsewhere("watch_this", "watch"), elsewhere("compare_this", "compare"), link),
        this.textDetails(),
      ),
      h(
        "aside",
        { class: "panel", "aria-label": t("search") },
        this.form.element,
        h("div", { class: "run" }, this.runButton, this.stopButton),
        this.live,
        this.result,
        this.optionDetails(),
      ),
      this.after,
    );
    this.player.element.hidden = true;
    this.drawSamples();
  }

  textDetails() {
    const { t } = this;
    const take = h("button", { type: "button", id: "take", onclick: () => this.takeText() }, t("take"));
    return h(
      "details",
      { class: "text" },
      h("summary", {}, t("as_text")),
      h("p", { class: "help" }, t("text_help"), this.puzzle.hint ? h("span", { lang: "en" }, ` ${this.puzzle.hint}`) : null),
      this.text,
      h("div", { class: "bar" }, take, this.welcome.files && this.filePicker()),
    );
  }

  filePicker() {
    const picker = h("select", { "aria-label": this.t("file"), id: "file" }, h("option", { value: "" }, `${this.t("file")}…`));
    this.carrier.ask({ do: "files" }).reply.then(({ names = [] }) => picker.append(...names.map((name) => h("option", { value: name }, name))));
    picker.addEventListener("change", async () => {
      if (!picker.value) return;
      const reply = await this.carrier.ask({ do: "open", name: picker.value }).reply;
      if (reply.is === "error") return this.complain(reply.text);
      this.text.value = reply.text;
      this.takeText();
    });
    return picker;
  }

  optionDetails() {
    const { t, puzzle } = this;
    const own = h("div", { class: "fields" }, optionFields(puzzle.generator, this.generator, () => {}, this));
    return [
      h("details", { id: "puzzle-options", hidden: puzzle.options.length === 0 }, h("summary", {}, t("puzzle_options")), this.puzzleOptions),
      puzzle.generator.length > 0 && h("details", {}, h("summary", {}, t("random_options")), own),
    ];
  }

  drawOptions() {
    const handled = [...(this.Board.handles ?? []), ...this.puzzle.told];
    const list = this.puzzle.options.filter(({ name }) => !handled.includes(name));
    document.getElementById("puzzle-options").hidden = list.length === 0;
    clear(this.puzzleOptions, optionFields(list, this.options, () => this.ask({ board: this.written, options: this.options }), this));
  }

  drawSamples() {
    const { t, puzzle } = this;
    const known = puzzle.samples.includes(this.name);
    clear(
      this.samples,
      h("option", { value: "", selected: !known }, `${t("sample")}: ${t("your_own")}`),
      puzzle.samples.map((name) => h("option", { value: name, selected: name === this.name }, name)),
    );
    this.samples.hidden = puzzle.samples.length === 0;
  }

  // Boards

  async begin(wanted) {
    const { first } = this.puzzle;
    this.editHost.classList.add("waiting");
    if (wanted.board !== undefined) await this.ask({ board: wanted.board, options: wanted.options, number: Number(wanted.number) || 0 });
    else if (wanted.sample) await this.ask({ sample: wanted.sample });
    else if (first) this.take({ ...first, problems: [] }, true);
    else this.complain(this.t("no_board"));
    if (!this.board && first && !this.left) this.instead(first, wanted.board);
    if (this.wantedStep !== null && this.board && !this.left) this.solve(this.wantedStep);
  }

  // Of a link whose board cannot be read: the puzzle's first board to edit, and the text to mend.
  instead(first, text) {
    const said = this.trouble.textContent;
    this.take({ ...first, problems: [] }, true);
    this.complain(said);
    if (text !== undefined) this.text.value = text;
  }

  // Asks for a board; the last one asked for counts. The static page knows its samples before Python is there.
  async ask(request, keepBatch = false, reopen = true) {
    const turn = ++this.asking;
    if (!keepBatch) this.batch = request.board;
    const known = this.welcome.boards?.[this.puzzle.name]?.[request.sample];
    const reply = known ?? (await this.carrier.ask({ do: "board", puzzle: this.puzzle.name, ...request }).reply);
    if (turn !== this.asking || this.left) return;
    if (reply.is === "error") return this.complain(reply.text);
    this.take(reply, reopen, keepBatch);
  }

  take(reply, reopen, keepBatch = false) {
    this.editHost.classList.remove("waiting");
    this.board = reply;
    this.written = reply.board;
    this.options = { ...reply.options };
    this.name = reply.name;
    this.form.auto = reply.auto;
    this.complain(reply.unsolvable ? `${this.t("unsolvable")}: ${this.told(reply.unsolvable).text}` : "", true);
    if (document.activeElement !== this.text) this.text.value = reply.board;
    describe(this.editHost, reply.start.text);
    if (reopen) this.editor.open(reply);
    else this.editor.learn?.(reply);
    if (!keepBatch) {
      this.problems.hidden = !reply.problems?.length;
      clear(this.problems, (reply.problems ?? []).map((name, i) => h("option", { value: i }, name)));
    }
    this.drawSamples();
    this.drawOptions();
    this.form.draw();
    this.forget();
    this.remember();
  }

  edited(board, options = {}, reopen = false) {
    this.asking++; // what is on its way speaks of an older board
    this.written = board;
    this.options = { ...this.options, ...options };
    for (const [name, value] of Object.entries(this.options)) if (value === null) delete this.options[name];
    this.name = null;
    this.wantedStep = null;
    this.forget();
    this.check ??= later(120, (again) => this.ask({ board: this.written, options: this.options }, false, again));
    this.reopen = this.reopen || reopen;
    this.check(reopen);
  }

  takeText() {
    this.ask({ board: this.text.value, options: this.options });
  }

  random() {
    this.ask({ seed: Math.floor(Math.random() * RANDOM), generator: this.generator, beatable: true });
  }

  complain(sentence, mild = false) {
    const { text, lang } = this.told(sentence);
    this.trouble.textContent = text;
    this.trouble.lang = mild ? language : lang;
    this.trouble.hidden = !text;
    this.trouble.classList.toggle("mild", mild);
    if (text && !mild) this.bad = true;
    else this.bad = false;
  }

  // The search

  async solve(step = null) {
    if (this.run) return;
    const { t } = this;
    const asked = { puzzle: this.puzzle.name, board: this.written, options: this.options, ...this.form.request() };
    this.busy(true);
    this.counts({ words: t(this.welcome.engines.length > 1 ? "compiling" : "running") });
    const since = performance.now();
    const run = (this.run = this.carrier.ask({ do: "solve", ...asked }, (message) => this.counts(message)));
    const reply = await run.reply;
    this.run = null;
    if (this.left) return;
    this.wantedStep = null;
    this.busy(false);
    if (reply.is === "error") {
      this.live.hidden = true;
      this.complain(reply.text);
    } else if (reply.is === "stopped") {
      this.live.hidden = true;
      this.showStopped((performance.now() - since) / 1000);
    } else {
      this.live.hidden = true;
      this.asked = asked;
      this.showAnswer(reply, step);
    }
  }

  stop() {
    this.stopButton.disabled = true;
    this.run?.stop();
  }

  busy(on) {
    this.runButton.hidden = on;
    this.stopButton.hidden = !on;
    this.stopButton.disabled = false;
    if (on && document.activeElement === this.runButton) this.stopButton.focus();
    if (on) this.forget();
    this.live.hidden = !on;
  }

  counts(message) {
    if (!this.run && !message.words) return;
    const { t } = this;
    if (message.words) return clear(this.live, h("p", {}, h("span", { class: "spin" }), message.words));
    const label = `p_${this.form.info?.progress ?? "bound"}`;
    const gap = message.bound !== null && message.best !== null && typeof message.best === "number" ? message.best - message.bound : null;
    const rows = [
      ["s_expanded", number(message.expanded)],
      ["s_generated", number(message.generated)],
      ["s_frontier", message.frontier ? number(message.frontier) : ""],
      ["s_rate", t("a_second", { n: Math.round(message.expanded / Math.max(message.seconds, 0.001)) })],
      ["s_seconds", `${message.seconds.toFixed(1)} s`],
      [label, number(message.bound)],
      ["s_best", number(message.best)],
      ["s_gap", this.form.info?.local ? "" : number(gap)],
    ];
    clear(this.live, h("p", {}, h("span", { class: "spin" }), t("running")), figures(rows, t));
  }

  // The answer

  forget() {
    this.result.hidden = true;
    this.after.hidden = true;
    this.views.hidden = true;
    this.last = null;
    this.view("edit");
  }

  view(name) {
    const answer = name === "answer";
    this.editHost.hidden = answer;
    this.showHost.hidden = !answer;
    this.player.element.hidden = !answer || !this.last?.frames.length;
    if (!answer) this.player.pause();
    [...this.views.children].forEach((button, i) => button.setAttribute("aria-pressed", String((i === 1) === answer)));
  }

  showStopped(seconds) {
    const { t } = this;
    this.result.hidden = false;
    clear(this.result, h("h2", { tabindex: "-1" }, t("stopped")), h("p", {}, `${t("stopped_help")} (${seconds.toFixed(1)} s)`));
    say(t("stopped"));
  }

  showAnswer(reply, step) {
    this.last = reply;
    const { t } = this;
    const { record } = reply;
    const title = outcome(record, t);
    this.complain("");
    this.result.hidden = false;
    clear(
      this.result,
      h("h2", { tabindex: "-1", class: record.outcome }, title),
      h("p", { class: "help" }, h("code", {}, reply.configuration)),
      this.more(reply),
      reply.advice && this.said(reply.advice),
      reply.unproved && this.said(reply.unproved, "help"),
      reply.notes.map((note) => this.said(note, "help")),
      record.length > reply.frames.length && reply.frames.length > 0 && h("p", { class: "help" }, t("first_frames", { n: reply.frames.length - 1 })),
      figures(this.statistics(reply), t),
    );
    this.after.hidden = false;
    clear(this.after, this.lines(reply));
    if (reply.frames.length) {
      this.shower.open(this.board);
      this.shower.answer(reply.frames, record.actions.slice(0, reply.frames.length - 1));
      this.player.open(reply.moves.slice(0, reply.frames.length - 1), step ?? 0);
    } else if (reply.best) {
      this.shower.open(this.board);
      this.shower.answer([reply.best], []);
      this.shower.show(0, 0);
    }
    const panel = this.result.parentElement;
    if (panel.scrollHeight > panel.clientHeight) panel.scrollTo({ top: this.result.offsetTop - panel.offsetTop - 60, behavior: "smooth" });
    this.views.hidden = !reply.frames.length && !reply.best;
    if (!this.views.hidden) this.view("answer");
    this.remember();
    say(title);
    if (step === null && reply.frames.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.play();
  }

  // What the sentence on an outcome without a solution has beside the headline: a reason, a bound.
  more({ record, outcome: sentence }) {
    if (record.outcome === "solved") return null;
    const parts = record.outcome === "no_solution" ? /\((.+)\)$/.exec(sentence)?.slice(1) : sentence.split(", ").slice(1);
    return parts?.map((part) => this.said(part));
  }

  said(sentence, looks = "") {
    const { text, lang } = this.told(sentence);
    return h("p", { class: looks, lang }, text);
  }

  showStep(step) {
    this.shower.show(step);
    describe(this.showHost, this.last.frames[step].text);
  }

  statistics({ record, most }) {
    const { t } = this;
    const rate = record.seconds > 0 ? t("a_second", { n: Math.round(record.expanded / record.seconds) }) : "";
    return [
      ["s_points", number(record.points)],
      ["s_cost", number(record.cost)],
      ["s_bound", most === null ? number(record.bound) : ""],
      ["s_most", most === null ? "" : t("points", { n: most })],
      ["s_gap", number(record.gap)],
      ["s_expanded", number(record.expanded)],
      ["s_generated", number(record.generated)],
      ["s_max_frontier", number(record.max_frontier)],
      ["s_depth", number(record.depth)],
      ["s_seconds", `${number(Number(record.seconds.toPrecision(3)))} s`],
      ["s_rate", rate],
      ["s_compile_seconds", record.compile_seconds > 0.01 ? `${number(Number(record.compile_seconds.toPrecision(3)))} s` : ""],
      ["s_peak_memory_mb", record.peak_memory_mb ? `${number(Math.round(record.peak_memory_mb))} MB` : ""],
      ["s_penetrance", short(record.penetrance)],
      ["s_branching_factor", short(record.branching_factor)],
      ["s_engine", t(`engine_${record.engine}`)],
      ["s_seed", number(record.seed)],
    ];
  }

  lines(reply) {
    const { t } = this;
    const lines = (name, text) => {
      const button = h("button", { type: "button", class: "quiet", "aria-label": `${t("copy")}: ${t(name)}`, onclick: () => copy(text, button) }, icon("copy"));
      return h("figure", { class: "code" }, h("figcaption", {}, t(name), button), h("pre", { tabindex: "0", id: `${name}-lines` }, h("code", {}, text)));
    };
    const picture = (animated) =>
      h(
        "button",
        { type: "button", title: t(animated ? "animation_title" : "picture_title"), onclick: () => this.picture(animated) },
        icon("save"),
        t(animated ? "save_animation" : "save_picture"),
      );
    const path = reply.record.actions && reply.frames.length && (this.puzzle.page || reply.frames[0].svg);
    return [
      h("div", { class: "bar" }, h("h3", {}, t("same_again")), h("span", { class: "space" }), path ? [picture(false), picture(true)] : null),
      h("div", { class: "halves" }, lines("command", reply.command), lines("python", reply.python)),
    ];
  }

  async picture(animated) {
    const { record } = this.last;
    const request = { do: "picture", puzzle: this.puzzle.name, board: this.asked.board, options: this.asked.options };
    const reply = await this.carrier.ask({ ...request, actions: record.actions, title: outcome(record, this.t), animated }).reply;
    if (reply.is === "error") return this.complain(reply.text);
    if (reply.left_out) say(this.t("left_out", { n: reply.left_out }));
    save(`${this.puzzle.name}${animated ? "-animation" : ""}.svg`, reply.svg);
  }

  // The address

  fields() {
    const step = this.last?.frames.length ? this.player.step : (this.wantedStep ?? "");
    const known = this.puzzle.samples.includes(this.name);
    const board = known ? { sample: this.name } : { board: this.written, options: this.options };
    return { activity: "solve", puzzle: this.puzzle.name, ...board, ...this.form.fields(), step };
  }

  changed() {
    if (this.last) this.forget();
    this.remember();
  }

  remember() {
    if (this.written === undefined || this.left) return;
    this.writeSoon ??= later(150, () => this.left || address.write(this.fields()));
    this.writeSoon();
  }

  async share(button) {
    await copy(address.link(this.fields()), button);
    say(this.t("shared"));
  }

  // The same board in another activity.
  goOn(activity) {
    const { sample, board, options, puzzle, with: asked } = this.fields();
    const where = activity === "play" ? { board: this.written, options: this.options } : { sample, board, options };
    location.hash = address.hash({ activity, puzzle, ...where, with: activity === "watch" ? asked : "" });
  }
}
