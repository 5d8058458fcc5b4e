// Compare: several searches on one board or several, one after the other: a live table, bars, and files of both.
import * as address from "./address.js";
import { busyUntil, clear, copy, h, icon, save, say } from "./dom.js";
import { outcome } from "./figures.js";
import { number } from "./phrases.js";
import { SearchForm } from "./search.js";

const RANDOM = 1_000_000;
const MOST_BOARDS = 50;
const MEASURES = ["expanded", "generated", "seconds"];
const COLUMNS = ["board", "search", "outcome", "length", "points", "cost", "expanded", "generated", "seconds", "engine"];
const TEXTS = ["board", "search", "outcome", "engine"];
const SAVED = ["outcome", "stopped_by", "optimal", "length", "points", "cost", "bound", "generated", "expanded", "max_frontier", "seconds", "compile_seconds", "engine", "seed"];

export class Compare {
  constructor(main, context, wanted) {
    Object.assign(this, context);
    this.boards = [];
    this.searches = wanted.with ? wanted.with.split(";").map((text) => text.trim()).filter(Boolean) : [...this.puzzle.compared];
    this.form = new SearchForm(context, { ...wanted, with: undefined }, () => this.settingsChanged());
    this.rows = [];
    this.sorted = { by: null, down: false };
    this.measure = "expanded";
    this.build(main);
    busyUntil(this.begin(wanted));
  }

  leave() {
    this.left = true;
    this.run?.stop();
  }

  build(main) {
    const { t, puzzle } = this;
    const button = (name, picture, run, extra = {}) => h("button", { type: "button", id: name, onclick: run, ...extra }, picture && icon(picture), t(name));
    this.runButton = button("compare_run", "play", () => this.runAll(), { class: "primary" });
    this.stopButton = button("stop", "stop", () => this.stop(), { class: "primary stop", hidden: true });
    this.table = h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t("compare_table") });
    this.bars = h("figure", { class: "bars", "aria-label": t("compare_bars"), hidden: true });
    this.saves = h("div", { class: "bar", hidden: true }, button("save_csv", "save", () => save(`${puzzle.name}.csv`, this.csv(), "text/csv")), button("save_markdown", "save", () => save(`${puzzle.name}.md`, this.markdown(), "text/markdown")), button("copy_markdown", "copy", (event) => copy(this.markdown(), event.currentTarget)));
    this.trouble = h("p", { class: "trouble", role: "alert", hidden: true });
    this.boardList = h("ul", { class: "list", "aria-label": t("boards") });
    this.searchList = h("ul", { class: "list", "aria-label": t("searches") });
    this.samples = h("select", { id: "sample", "aria-label": t("sample"), onchange: () => this.addSample() }, h("option", { value: "" }, `${t("add_sample")}…`), puzzle.samples.map((name) => h("option", { value: name }, name)));
    this.text = h("textarea", { rows: 4, id: "text", spellcheck: "false", autocomplete: "off", "aria-label": t("as_text") });
    this.study = h("section", { class: "after", "aria-label": t("study_file"), hidden: true });
    const link = h("button", { type: "button", id: "share", onclick: () => copy(address.link(this.fields()), link).then(() => say(t("shared"))) }, icon("link"), t("share"));
    clear(
      main,
      h(
        "section",
        { class: "stage", id: "stage", tabindex: "-1", "aria-label": t("compare") },
        h("div", { class: "bar run" }, this.runButton, this.stopButton, h("span", { class: "space" }), link),
        this.trouble,
        this.table,
        this.bars,
        this.saves,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": t("compared") },
        h("h3", {}, t("boards")),
        this.boardList,
        h("div", { class: "bar" }, puzzle.samples.length > 0 && this.samples, puzzle.random && button("random", "dice", () => this.addRandom())),
        h("details", {}, h("summary", {}, t("as_text")), this.text, h("div", { class: "bar" }, button("add_text", null, () => this.addText()))),
        h("h3", {}, t("searches")),
        this.searchList,
        this.form.element,
        button("add_search", null, () => this.addSearch()),
      ),
      this.study,
    );
  }

  // Boards and searches

  async begin(wanted) {
    const { first } = this.puzzle;
    for (const board of boardsOf(wanted)) await this.add(board.sample ? { sample: board.sample } : { board: board.board, options: board.options ?? {} }, false);
    if (!this.boards.length && first) this.boards.push({ name: first.name, board: first.board, options: first.options });
    this.forget();
  }

  // Adds the board or boards of a request.
  async add(request, all = true) {
    const ask = (more) => this.welcome.boards?.[this.puzzle.name]?.[request.sample] ?? this.carrier.ask({ do: "board", puzzle: this.puzzle.name, ...request, ...more }).reply;
    const reply = await ask({});
    if (this.left) return;
    if (reply.is !== "board") return this.complain(reply.text);
    const replies = [reply];
    if (all) for (let i = 1; i < Math.min(reply.problems.length, MOST_BOARDS); i++) replies.push(await ask({ number: i }));
    if (this.boards.length + replies.length > MOST_BOARDS) return this.complain(this.t("most_boards", { n: MOST_BOARDS }));
    for (const { name, board, options } of replies) this.boards.push({ name, board, options });
    this.complain("");
    this.forget();
  }

  addSample() {
    if (this.samples.value) this.add({ sample: this.samples.value });
    this.samples.value = "";
  }

  addRandom() {
    this.add({ seed: Math.floor(Math.random() * RANDOM), generator: {}, beatable: true });
  }

  addText() {
    this.add({ board: this.text.value, options: {} });
  }

  settingsChanged() {
    this.remember();
    this.showStudy();
  }

  addSearch() {
    const { asked } = this.form;
    if (!this.searches.includes(asked)) this.searches.push(asked);
    this.forget();
  }

  remove(list, at) {
    list.splice(at, 1);
    this.forget();
  }

  nameOf(board, i) {
    return board.name ?? `${this.t("board")} ${i + 1}`;
  }

  // What was compared is another thing now: the rows are new and wait.
  forget() {
    if (this.left) return;
    this.stop();
    this.rows = this.boards.flatMap((board, i) => this.searches.map((search) => ({ board: this.nameOf(board, i), at: board, search, state: "waiting" })));
    this.drawLists();
    this.draw();
    this.remember();
    this.showStudy();
  }

  drawLists() {
    const { t } = this;
    const item = (list, text, i) =>
      h("li", {}, h("span", {}, text), h("button", { type: "button", class: "quiet", "aria-label": `${t("remove")}: ${text}`, title: t("remove"), onclick: () => this.remove(list, i) }, "×"));
    clear(this.boardList, this.boards.map((board, i) => item(this.boards, this.nameOf(board, i), i)));
    clear(this.searchList, this.searches.map((search, i) => item(this.searches, search, i)));
  }

  // Runs

  async runAll() {
    if (this.running) return;
    for (const row of this.rows) Object.assign(row, { state: "waiting", record: null, text: null });
    const { rows } = this;
    this.running = rows;
    this.busy(true);
    for (const row of rows) {
      if (this.left || this.running !== rows) break;
      await this.runOne(row);
    }
    if (this.running !== rows || this.left) return;
    this.running = null;
    this.busy(false);
    say(this.t("compare_done", { n: rows.length }));
  }

  async runOne(row) {
    const { limits, engine, seed } = this.form.request();
    row.state = "running";
    this.draw();
    const { board, options } = row.at;
    const asked = { do: "solve", brief: true, puzzle: this.puzzle.name, board, options, with: row.search, limits, engine, seed };
    const run = (this.run = this.carrier.ask(asked, (message) => {
      row.live = message;
      if (row.state === "running") this.drawLive(row);
    }));
    const reply = await run.reply;
    this.run = null;
    row.live = null;
    row.state = reply.is === "answer" ? "done" : reply.is === "stopped" ? "stopped" : "error";
    if (reply.is === "answer") row.record = reply.record;
    if (reply.is === "error") row.text = this.told(reply.text).text;
    if (!this.left) this.draw();
  }

  stop() {
    if (!this.running) return;
    this.running = null;
    this.run?.stop();
    this.busy(false);
  }

  busy(on) {
    this.runButton.hidden = on;
    this.stopButton.hidden = !on;
    if (on && document.activeElement === document.body) this.stopButton.focus();
  }

  complain(sentence) {
    const { text, lang } = this.told(sentence);
    this.trouble.lang = lang;
    this.trouble.textContent = text;
    this.trouble.hidden = !text;
  }

  // What is seen

  get columns() {
    const records = this.rows.map(({ record }) => record).filter(Boolean);
    const used = (name) => TEXTS.includes(name) || MEASURES.includes(name) || records.some((record) => record[name] !== null);
    const several = { board: this.boards.length > 1, engine: new Set(records.map(({ engine }) => engine)).size > 1 };
    return COLUMNS.filter((name) => several[name] ?? used(name));
  }

  value(row, name) {
    if (name === "board") return row.board;
    if (name === "search") return row.search;
    if (name === "outcome") return this.outcomeOf(row);
    if (name === "engine") return row.record ? this.t(`engine_${row.record.engine}`) : "";
    return row.record?.[name] ?? row.live?.[name] ?? null;
  }

  outcomeOf({ state, record, text }) {
    const { t } = this;
    if (state !== "done") return text ?? t(`row_${state}`);
    if (record.outcome === "solved" && !record.stopped_by) return t(record.optimal ? "row_optimal" : "row_solved");
    return outcome({ ...record, length: null, points: null, optimal: null }, t);
  }

  cell(row, name) {
    const value = this.value(row, name);
    if (value === null || TEXTS.includes(name)) return value ?? "";
    return name === "seconds" ? number(Number(value.toPrecision(3))) : number(value);
  }

  get order() {
    const { by, down } = this.sorted;
    if (!by) return this.rows;
    const rank = (row) => this.value(row, by);
    const compare = (a, b) => (a === null ? (b === null ? 0 : 1) : b === null ? -1 : (typeof a === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true })) * (down ? -1 : 1));
    return [...this.rows].sort((a, b) => compare(rank(a), rank(b)));
  }

  sort(name) {
    this.sorted = { by: name, down: this.sorted.by === name && !this.sorted.down };
    this.draw();
    this.table.querySelector(`[data-column=${name}]`).focus();
  }

  draw() {
    const { t, columns } = this;
    const { by, down } = this.sorted;
    const head = (name) =>
      h("th", { scope: "col", class: TEXTS.includes(name) ? "" : "figure", "aria-sort": by === name ? (down ? "descending" : "ascending") : "none" }, h("button", { type: "button", class: "quiet", "data-column": name, onclick: () => this.sort(name) }, t(`c_${name}`), by === name ? (down ? " ↓" : " ↑") : ""));
    const line = (row) => {
      row.cells = Object.fromEntries(columns.map((name) => [name, h(name === "search" ? "th" : "td", { class: TEXTS.includes(name) ? `cell-${name}` : "figure", ...(name === "search" && { scope: "row" }) }, this.cell(row, name))]));
      return h("tr", { "data-state": row.state, class: row.record?.outcome }, Object.values(row.cells));
    };
    clear(this.table, h("table", { class: "compared" }, h("thead", {}, h("tr", {}, columns.map(head))), h("tbody", {}, this.order.map(line))));
    this.runButton.disabled = this.rows.length === 0;
    this.drawBars();
    this.saves.hidden = !this.rows.some(({ record }) => record);
  }

  drawLive(row) {
    for (const name of MEASURES) if (row.cells[name]) row.cells[name].textContent = this.cell(row, name);
    this.drawBars();
  }

  // On a log scale: from the power of ten below the least to that above the most.
  drawBars() {
    const { t, measure } = this;
    const rows = this.order.filter((row) => this.value(row, measure) > 0);
    this.bars.hidden = rows.length === 0;
    if (!rows.length) return;
    const logs = rows.map((row) => Math.log10(this.value(row, measure)));
    const low = Math.floor(Math.min(...logs));
    const high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
    const part = (log) => `${Math.max(0.5, (100 * (log - low)) / (high - low))}%`;
    const every = Math.ceil((high - low) / 6);
    const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((power) => (power - low) % every === 0);
    if (!this.measureChoice) {
      this.measureChoice = h("select", { id: "measure", "aria-label": t("measure"), onchange: () => ((this.measure = this.measureChoice.value), this.drawBars()) }, MEASURES.map((name) => h("option", { value: name, selected: name === measure }, t(`c_${name}`))));
      this.plot = h("div", { class: "plot" });
      clear(this.bars, h("figcaption", { class: "bar" }, this.measureChoice, h("span", { class: "help" }, t("log_scale"))), this.plot);
    }
    const several = this.boards.length > 1;
    const bar = (row, i) => [
      h("span", { class: "label" }, several ? `${row.board} · ${row.search}` : row.search),
      h("span", { class: "lane" }, ticks.map((power) => h("i", { style: `left: ${part(power)}` })), h("b", { "data-state": row.state, class: row.record?.outcome ?? "", style: `width: ${part(logs[i])}` })),
      h("span", { class: "value" }, this.cell(row, measure)),
    ];
    const scale = h("span", { class: "lane scale", "aria-hidden": "true" }, ticks.map((power) => h("span", { style: `left: ${(100 * (power - low)) / (high - low)}%` }, power >= 0 && power < 5 ? number(10 ** power) : `10${superscript(power)}`)));
    clear(this.plot, rows.map(bar), h("span", {}), scale, h("span", {}));
  }

  // Files

  csv() {
    const quoted = (value) => (/[",\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
    const done = this.order.filter(({ record }) => record);
    return [["puzzle", "board", "search", ...SAVED], ...done.map((row) => [this.puzzle.name, row.board, row.search, ...SAVED.map((name) => row.record[name])])].map((line) => line.map(quoted).join(",")).join("\n") + "\n";
  }

  markdown() {
    const { t, columns } = this;
    const bars = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
    const marks = columns.map((name) => (TEXTS.includes(name) ? "---" : "---:"));
    return [bars(columns.map((name) => t(`c_${name}`))), `|${marks.join("|")}|`, ...this.order.map((row) => bars(columns.map((name) => this.cell(row, name))))].join("\n") + "\n";
  }

  async showStudy() {
    const { t } = this;
    const asking = (this.asking = {});
    const boards = this.boards.map((board, i) => (this.puzzle.samples.includes(board.name) ? { sample: board.name } : { name: this.nameOf(board, i), board: board.board, options: board.options }));
    const reply = await this.carrier.ask({ do: "study", puzzle: this.puzzle.name, boards, searches: this.searches, limits: this.form.limits }).reply;
    if (this.left || asking !== this.asking || reply.is !== "study") return;
    this.study.hidden = false;
    const button = h("button", { type: "button", class: "quiet", "aria-label": `${t("copy")}: ${t("study_file")}`, onclick: () => copy(reply.text, button) }, icon("copy"));
    clear(this.study, h("figure", { class: "code" }, h("figcaption", {}, t("study_file"), button), h("pre", { tabindex: "0", id: "study-lines" }, h("code", {}, reply.text))), h("p", { class: "help" }, t("study_help")));
  }

  // The address

  fields() {
    const known = (board) => this.puzzle.samples.includes(board.name);
    const [only] = this.boards;
    const where = this.boards.length === 1 ? (known(only) ? { sample: only.name } : { board: only.board, options: only.options }) : { boards: JSON.stringify(this.boards.map((board) => (known(board) ? { sample: board.name } : { board: board.board, options: board.options }))) };
    const usual = JSON.stringify(this.searches) === JSON.stringify(this.puzzle.compared);
    return { activity: "compare", puzzle: this.puzzle.name, ...where, ...this.form.fields(), with: usual ? "" : this.searches.join("; ") };
  }

  remember() {
    if (this.boards.length && !this.left) address.write(this.fields());
  }
}

// The boards that an address names.
function boardsOf({ boards, board, sample, options }) {
  if (sample) return [{ sample }];
  if (board !== undefined) return [{ board, options }];
  try {
    const found = JSON.parse(boards ?? "[]");
    return Array.isArray(found) ? found.filter((one) => one && typeof one === "object").slice(0, MOST_BOARDS) : [];
  } catch {
    return [];
  }
}

const superscript = (power) => [...String(power)].map((letter) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)]).join("");
