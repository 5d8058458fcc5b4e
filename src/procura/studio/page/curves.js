// Curves over the steps of a local search: energy, temperature, the population's best, mean and worst.
import { h } from "./dom.js";
import { number } from "./phrases.js";

export class Curves {
  constructor({ t }) {
    this.t = t;
    this.steps = [];
    this.canvas = h("canvas", { class: "curves", role: "img", "aria-label": t("curves") });
    this.legend = h("figcaption", { class: "bar legend" });
    this.element = h("figure", { class: "tree" }, this.canvas, this.legend);
    new ResizeObserver(() => this.draw(this.at ?? 0)).observe(this.canvas);
  }

  add({ energy, best, figures }) {
    const { temperature, mean, worst } = figures ?? {};
    this.steps.push({ energy, best, mean, worst, temperature });
  }

  draw(step) {
    this.at = step;
    const { canvas, t } = this;
    const ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const paint = canvas.getContext("2d");
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    const names = ["energy", "best", "mean", "worst", "temperature"].filter((name) => this.steps.some((one) => typeof one[name] === "number"));
    const marks = names.map((name) => h("span", { class: `curve ${name}` }, `${t(`curve_${name}`)}: ${number(round(this.steps[step]?.[name])) || "–"}`));
    this.legend.replaceChildren(...marks);
    const last = Math.max(this.steps.length - 1, 1);
    const scale = (group) => Math.max(1e-9, ...group.flatMap((name) => this.steps.map((one) => one[name] ?? 0)));
    const most = { energy: scale(["energy", "best", "mean", "worst"]), temperature: scale(["temperature"]) };
    for (const name of names) this.line(paint, name, last, width, height, most[name === "temperature" ? name : "energy"], getComputedStyle(marks[names.indexOf(name)]).color);
    paint.fillStyle = getComputedStyle(canvas).color;
    paint.fillRect(4 + ((width - 8) * step) / last, 0, 1, height);
  }

  line(paint, name, last, width, height, most, colour) {
    paint.beginPath();
    paint.strokeStyle = colour;
    paint.lineWidth = 1.8;
    let pen = false;
    const every = Math.max(1, Math.floor(this.steps.length / (2 * width)));
    for (let i = 0; i < this.steps.length; i += every) {
      const value = this.steps[i][name];
      if (typeof value !== "number") continue;
      const [x, y] = [4 + ((width - 8) * i) / last, height - 6 - ((height - 14) * value) / most];
      if (pen) paint.lineTo(x, y);
      else paint.moveTo(x, y);
      pen = true;
    }
    paint.stroke();
  }
}

const round = (value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
