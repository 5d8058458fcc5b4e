// An answer step by step: back, forward, speed, a slider, and the moves to choose from.
import { clear, h, icon } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8];

export class Player {
  constructor({ t, show, changed }) {
    Object.assign(this, { t, showStep: show, changed });
    this.step = 0;
    this.count = 0;
    this.speed = 1;
    this.timer = null;
    const button = (name, picture, run) =>
      h("button", { type: "button", class: "quiet", "aria-label": t(name), title: t(name), onclick: run }, icon(picture));
    this.toggle = button("play_it", "play", () => (this.timer ? this.pause() : this.play()));
    this.toggle.classList.add("main");
    this.range = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, class: "scrub", oninput: () => this.go(Number(this.range.value)) });
    this.label = h("span", { class: "step" });
    const speed = h(
      "select",
      { "aria-label": t("speed"), title: t("speed"), onchange: () => ((this.speed = Number(speed.value)), this.timer && this.play()) },
      SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value}×`)),
    );
    this.moves = h("div", { class: "moves", role: "group", "aria-label": t("moves") });
    this.element = h(
      "div",
      { class: "player", onkeydown: (event) => this.key(event) },
      h(
        "div",
        { class: "controls" },
        button("first_step", "first", () => this.go(0)),
        button("back", "back", () => this.go(this.step - 1)),
        this.toggle,
        button("forward", "forward", () => this.go(this.step + 1)),
        button("last_step", "last", () => this.go(this.count)),
        this.range,
        speed,
      ),
      this.label,
      this.moves,
    );
  }

  open(moves, step = 0) {
    this.pause();
    this.count = moves.length;
    this.range.max = this.count;
    this.range.disabled = this.count === 0;
    const button = (text, i) => h("button", { type: "button", "data-step": i + 1, onclick: () => this.go(i + 1) }, text);
    this.moves.hidden = moves.length === 0;
    clear(this.moves, moves.slice(0, 400).map(button));
    this.go(step, true);
  }

  // There are more steps than before.
  extend(count) {
    this.count = count;
    this.range.max = count;
    this.range.disabled = count === 0;
    this.go(this.step, true);
  }

  go(step, quiet = false) {
    if (!this.playing && !quiet) this.pause();
    this.step = Math.max(0, Math.min(step, this.count));
    this.range.value = this.step;
    const words = this.t("step_of", { n: this.step, all: this.count });
    this.range.setAttribute("aria-valuetext", words);
    this.range.setAttribute("aria-label", words);
    this.label.textContent = words;
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = this.moves.children[this.step - 1];
    now?.setAttribute("aria-current", "step");
    if (now) this.moves.scrollTo({ top: now.offsetTop - this.moves.clientHeight / 2, behavior: "instant" });
    this.showStep(this.step);
    if (!quiet) this.changed(this.step);
  }

  play() {
    clearInterval(this.timer);
    if (this.step >= this.count) this.go(0);
    this.timer = setInterval(() => {
      this.playing = true;
      this.go(this.step + 1);
      this.playing = false;
      if (this.step >= this.count) this.pause();
    }, 700 / this.speed);
    this.mark(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.mark(false);
  }

  mark(playing) {
    const name = this.t(playing ? "pause" : "play_it");
    this.toggle.setAttribute("aria-label", name);
    this.toggle.title = name;
    clear(this.toggle, icon(playing ? "pause" : "play"));
  }

  key(event) {
    if (event.target.tagName === "SELECT") return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps && event.target !== this.range) {
      event.preventDefault();
      this.go(this.step + steps[event.key]);
    }
  }
}
