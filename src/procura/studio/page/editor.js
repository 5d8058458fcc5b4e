// An editor for code: line numbers, indentation kept, a line that is marked as wrong. Escape lets Tab leave it.
import { clear, h } from "./dom.js";

const INDENT = "    ";

export class Editor {
  constructor({ t, changed }) {
    this.changed = changed;
    this.numbers = h("div", { class: "numbers", "aria-hidden": "true" });
    this.area = h("textarea", {
      id: "code", class: "code", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", "aria-label": t("code"), "aria-describedby": "code-keys",
      oninput: () => this.edited(),
      onscroll: () => (this.numbers.scrollTop = this.area.scrollTop),
      onkeydown: (event) => this.key(event),
    });
    this.element = h("div", { class: "editor" }, this.numbers, this.area);
  }

  get text() {
    return this.area.value;
  }

  open(text) {
    this.area.value = text;
    this.mark(null);
  }

  edited() {
    this.mark(null);
    this.changed();
  }

  // Marks a line as wrong, and shows it; null for none.
  mark(line) {
    this.wrong = line;
    const count = this.text.split("\n").length;
    clear(this.numbers, Array.from({ length: count }, (_, i) => h("span", { class: i + 1 === line ? "wrong" : "" }, String(i + 1))));
    this.area.setAttribute("aria-invalid", String(line !== null));
    if (line !== null) {
      const high = parseFloat(getComputedStyle(this.area).lineHeight);
      this.area.scrollTop = Math.max(0, (line - 4) * high);
    }
    this.numbers.scrollTop = this.area.scrollTop;
  }

  key(event) {
    if (event.key === "Escape") this.leaving = true;
    else if (event.key === "Tab" && !this.leaving) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.newLine();
    }
    if (event.key !== "Escape") this.leaving = false;
  }

  put(text, start, end) {
    this.area.setSelectionRange(start, end);
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, start, end, "end");
      this.edited();
    }
  }

  newLine() {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const line = this.text.slice(this.text.lastIndexOf("\n", start - 1) + 1, start);
    this.put(`\n${/^ */.exec(line)[0]}${/:\s*(#.*)?$/.test(line) ? INDENT : ""}`, start, end);
  }

  // The lines of the selection one step in or out; without a selection, spaces up to the next step.
  indent(out) {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const first = this.text.lastIndexOf("\n", start - 1) + 1;
    if (start === end && !out) return this.put(" ".repeat(INDENT.length - ((start - first) % INDENT.length)), start, end);
    const before = this.text.slice(first, end);
    const after = before.replace(/^/gm, out ? "" : INDENT).replace(out ? /^ {1,4}/gm : /^(?!)/, "");
    if (after === before) return null;
    this.put(after, first, end);
    this.area.setSelectionRange(start === end ? Math.max(first, start + after.length - before.length) : first, first + after.length);
    return null;
  }
}
