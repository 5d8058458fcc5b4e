// Write: a puzzle of one's own in the page, checked, and then solved, played, watched and compared like the others.
import * as address from "./address.js";
import { busyUntil, clear, copy, h, icon, later, save, say } from "./dom.js";
import { Editor } from "./editor.js";
import { JUGS } from "./jugs.js";
import * as own from "./own.js";

const DRAFT = "procura-draft";

export class Write {
  constructor(main, context, wanted) {
    Object.assign(this, context);
    this.build(main);
    busyUntil(this.begin(wanted));
  }

  leave() {
    this.left = true;
    this.run?.stop();
  }

  build(main) {
    const { t } = this;
    const button = (name, picture, run, extra = {}) => h("button", { type: "button", id: name, onclick: run, ...extra }, picture && icon(picture), t(name));
    this.editor = new Editor({ t, changed: () => this.edited() });
    this.check = button("check", "done", () => this.runCode(), { class: "primary" });
    this.stopButton = button("stop", "stop", () => this.run?.stop(), { class: "primary stop", hidden: true });
    this.notice = h("p", { class: "trouble mild", hidden: true });
    this.found = h("div", { class: "result", id: "found", role: "status", "aria-live": "polite", hidden: true });
    this.list = h("ul", { class: "list", "aria-label": t("kept_puzzles") });
    const file = h("input", { type: "file", accept: ".py,text/x-python", class: "unseen", tabindex: "-1", onchange: async () => file.files[0] && this.open(await file.files[0].text()) });
    const link = h("button", { type: "button", id: "share", onclick: () => this.share(link) }, icon("link"), t("share"));
    const allowed = this.welcome.code;
    clear(
      main,
      h(
        "section",
        { class: "stage", id: "stage", tabindex: "-1", "aria-label": t("write") },
        h("div", { class: "bar" }, button("example", null, () => this.open(JUGS)), button("open_file", null, () => file.click()), file, button("save_file", "save", () => save("puzzle.py", this.editor.text, "text/x-python")), h("span", { class: "space" }), link),
        this.notice,
        this.editor.element,
        h("p", { class: "help", id: "code-keys" }, t("editor_keys")),
      ),
      h(
        "aside",
        { class: "panel", "aria-label": t("check") },
        h("p", {}, t("write_about")),
        h("p", { class: "help" }, t(this.local ? "write_local" : "write_static")),
        allowed ? h("div", { class: "run" }, this.check, this.stopButton) : h("p", { class: "trouble mild", id: "no-code" }, t("no_code"), " ", h("code", {}, "procura studio --allow-code")),
        this.found,
        h("h3", {}, t("kept_puzzles")),
        this.list,
      ),
    );
    this.drawList();
  }

  async begin(wanted) {
    const code = wanted.code ? await own.unpack(wanted.code) : null;
    if (wanted.code && code === null) this.tell("broken_link");
    else if (code !== null && !own.trusts(code)) this.tell(this.local ? "foreign_local" : "foreign_static");
    this.open(code ?? localStorage.getItem(DRAFT) ?? JUGS, false);
    if (code !== null && !this.local) await this.runCode(); // the browser's own sandbox holds it
  }

  tell(name) {
    this.notice.textContent = name ? this.t(name) : "";
    this.notice.hidden = !name;
  }

  open(code, keep = true) {
    this.editor.open(code);
    this.found.hidden = true;
    if (keep) this.edited();
  }

  edited() {
    this.found.hidden = true;
    this.tell("");
    this.keepSoon ??= later(300, async () => {
      localStorage.setItem(DRAFT, this.editor.text);
      if (!this.left) address.write({ activity: "write", puzzle: "own", code: await own.pack(this.editor.text) });
    });
    this.keepSoon();
  }

  async share(button) {
    await copy(address.link({ activity: "write", puzzle: "own", code: await own.pack(this.editor.text) }), button);
    say(this.t("shared"));
  }

  // Runs the code and shows what was found.
  async runCode() {
    if (this.run || !this.welcome.code) return;
    const code = this.editor.text;
    this.tell("");
    this.busy(true);
    const run = (this.run = own.tryOut(this.studio.carrier, code));
    const reply = await run.reply;
    this.run = null;
    if (this.left) return;
    this.busy(false);
    this.found.hidden = false;
    if (reply.is === "stopped") this.wrong(reply.late ? this.t("endless", { n: own.PATIENCE }) : this.t("stopped"), null, "");
    else if (reply.is === "error") this.wrong(this.t("code_fault"), reply.line ?? null, reply.text);
    else await this.right(reply, code);
  }

  busy(on) {
    this.check.hidden = on;
    this.stopButton.hidden = !on;
    if (on) {
      this.found.hidden = false;
      clear(this.found, h("p", {}, h("span", { class: "spin" }), this.t("checking")));
    }
  }

  wrong(title, line, text) {
    this.editor.mark(line);
    clear(this.found, h("h2", { class: "not_found" }, title), text && this.said(text));
  }

  said(sentence) {
    const { text, lang } = this.told(sentence);
    return h("p", { lang }, text);
  }

  async right({ puzzle, wrong, states, steps }, code) {
    const { t } = this;
    this.editor.mark(null);
    await own.note(puzzle.name, code, true);
    this.studio.learn({ ...puzzle, code });
    const go = (activity) => h("a", { class: "button", href: address.hash({ activity, puzzle: puzzle.name }) }, t(activity));
    clear(
      this.found,
      h("h2", { class: wrong ? "not_found" : "solved" }, wrong ? t("rule_fault") : t("rules_hold", { name: puzzle.name })),
      wrong ? this.said(wrong) : h("p", { class: "help" }, t("looked_at", { states, steps })),
      h("div", { class: "bar" }, ["solve", "play", "watch", "compare"].map(go)),
    );
    this.drawList();
  }

  drawList() {
    const { t } = this;
    const item = (name) =>
      h(
        "li",
        {},
        h("button", { type: "button", class: "quiet", onclick: () => this.open(own.codeOf(name)) }, name),
        h("button", { type: "button", class: "quiet", "aria-label": `${t("remove")}: ${name}`, title: t("remove"), onclick: () => (own.forget(name), this.studio.unlearn(name), this.drawList()) }, "×"),
      );
    clear(this.list, own.names().map(item));
  }
}
