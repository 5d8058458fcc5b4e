// The form that says which search: algorithm, heuristic with its weights, options, limits, engine, seed.
import { clear, h } from "./dom.js";
import { field, options } from "./fields.js";

export class SearchForm {
  // With a prefix its fields have names of their own beside another form; who is watching needs searches that tell steps.
  constructor({ welcome, puzzle, t, told }, wanted, changed, { prefix = "", watching = false, auto = true } = {}) {
    Object.assign(this, { welcome, puzzle, t, told, changed, prefix, watching, hasAuto: auto });
    this.limits = Object.keys(wanted.limits).length ? { ...wanted.limits } : { ...welcome.limits };
    this.engine = welcome.engines.includes(wanted.engine) ? wanted.engine : welcome.engines[0];
    this.seed = wanted.seed ?? "";
    this.read(wanted.with ?? "auto");
    this.element = h("form", { class: "search", onsubmit: (event) => event.preventDefault() });
    this.draw();
  }

  // A configuration as text, taken apart: NAME[:HEURISTIC][,option=value...].
  read(text) {
    const parts = [""];
    let depth = 0;
    for (const letter of text) {
      depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
      if (letter === "," && depth === 0) parts.push("");
      else parts[parts.length - 1] += letter;
    }
    const [name, ...heuristic] = parts[0].split(":");
    this.algorithm = name.trim();
    this.heuristic = heuristic.join(":").trim();
    this.values = Object.fromEntries(parts.slice(1).map((part) => part.split("=").map((word) => word.trim())));
    this.composing = this.heuristic !== "" && !this.puzzle.heuristics.some((known) => known.name === this.heuristic);
  }

  get algorithms() {
    const fits = ({ watchable, local }) => (watchable || !this.watching) && (this.puzzle.local || !local);
    return [...this.puzzle.specialists, ...this.welcome.algorithms].filter(fits);
  }

  get info() {
    return this.algorithms.find(({ name }) => name === this.algorithm);
  }

  // What is to be asked, as the session takes it.
  get asked() {
    const used = this.heuristic && this.info?.heuristic ? `:${this.heuristic}` : "";
    const pairs = Object.entries(this.values).map(([name, value]) => `,${name}=${value}`);
    return this.algorithm + used + pairs.join("");
  }

  request() {
    const request = { with: this.asked, limits: this.limits, engine: this.engine };
    if (this.info?.local && this.seed !== "") request.seed = Number(this.seed);
    return request;
  }

  fields() {
    const usual = JSON.stringify(this.limits) === JSON.stringify(this.welcome.limits);
    return {
      with: this.asked === "auto" ? "" : this.asked,
      limits: usual ? {} : this.limits,
      engine: this.engine === this.welcome.engines[0] ? "" : this.engine,
      seed: this.info?.local ? this.seed : "",
    };
  }

  update(redraw = true) {
    if (redraw) this.draw();
    this.changed();
  }

  draw() {
    const { t, puzzle, welcome } = this;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.id : null;
    const choice = h(
      "select",
      {
        id: `${this.prefix}algorithm`,
        onchange: () => {
          this.read(choice.value);
          this.update();
        },
      },
      this.hasAuto && h("option", { value: "auto", selected: this.algorithm === "auto" }, `auto: ${t("best_for_puzzle")}`),
      h("optgroup", { label: t("algorithms") }, this.algorithms.map(({ name }) => h("option", { value: name, selected: name === this.algorithm }, name))),
      puzzle.presets.length > 0 &&
        h("optgroup", { label: t("presets") }, puzzle.presets.map(({ name }) => h("option", { value: name, selected: name === this.algorithm }, name))),
    );
    const list = this.info?.options ?? [];
    const few = list.length <= 2;
    clear(
      this.element,
      field(t("search"), choice, this.words()),
      this.info?.heuristic && this.drawHeuristic(),
      list.length > 0 &&
        h(
          "details",
          { open: this.showsOptions || few || Object.keys(this.values).length > 0, ontoggle: (event) => (this.showsOptions = event.target.open) },
          h("summary", {}, t("options")),
          h("div", { class: "fields" }, options(list, this.values, () => this.update(false), this)),
        ),
      this.drawLimits(),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  // What is said of the search that is chosen.
  words() {
    const { t, told } = this;
    const preset = this.puzzle.presets.find(({ name }) => name === this.algorithm);
    if (preset) return { text: `${told(preset.about).text} (${preset.configuration})`, lang: told(preset.about).lang };
    const info = this.algorithm === "auto" ? this.algorithms.find(({ name }) => name === this.auto) : this.info;
    if (!info) return { text: this.auto && t("auto_is", { name: this.auto }) };
    const { text, lang } = told(info.about);
    const which = this.algorithm === "auto" ? `${t("auto_is", { name: this.auto })}. ` : "";
    return { text: `${which}${sentence(text)} ${t("guarantee")}: ${told(info.guarantees).text}.`, lang };
  }

  drawHeuristic() {
    const { t, puzzle } = this;
    const select = h(
      "select",
      {
        id: `${this.prefix}heuristic`,
        onchange: () => {
          this.composing = select.value === "*";
          if (!this.composing) this.heuristic = select.value;
          else if (this.heuristic === "") this.heuristic = puzzle.heuristics[0]?.name ?? "";
          this.update();
        },
      },
      h("option", { value: "" }, t("none")),
      puzzle.heuristics.map(({ name, admissible }) =>
        h("option", { value: name, selected: !this.composing && name === this.heuristic }, admissible ? `${name} (${t("admissible")})` : name),
      ),
      puzzle.heuristics.length > 1 && h("option", { value: "*", selected: this.composing }, `${t("composed")}…`),
    );
    const chosen = puzzle.heuristics.find(({ name }) => name === this.heuristic);
    return [field(t("heuristic"), select, this.composing ? null : this.told(chosen?.about)), this.composing && this.drawWeights()];
  }

  // A slider for each heuristic, where the expression is a plain sum; the expression itself can be typed.
  drawWeights() {
    const { t, puzzle } = this;
    const simple = puzzle.heuristics.filter(({ composed }) => !composed);
    const weights = sumOf(this.heuristic);
    const expression = h("input", {
      id: `${this.prefix}expression`,
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      value: this.heuristic,
      onchange: () => {
        this.heuristic = expression.value.trim();
        this.update();
      },
    });
    const slider = ({ name, about }) => {
      const most = Math.max(1, weights?.[name] ?? 0);
      const output = h("output", {}, String(weights?.[name] ?? 0));
      const input = h("input", {
        type: "range", min: 0, max: most, step: most / 20, value: weights?.[name] ?? 0, id: `${this.prefix}weight-${name}`, title: about,
        oninput: () => {
          const all = { ...(sumOf(this.heuristic) ?? {}), [name]: Number(input.value) };
          output.textContent = String(Number(Number(input.value).toPrecision(3)));
          this.heuristic = Object.entries(all)
            .filter(([, weight]) => weight > 0)
            .map(([key, weight]) => (weight === 1 ? key : `${Number(weight.toPrecision(3))}*${key}`))
            .join(" + ");
          expression.value = this.heuristic;
          this.update(false);
        },
      });
      return h("div", { class: "weight" }, h("label", { for: input.id }, name), input, output);
    };
    return h(
      "fieldset",
      { class: "weights" },
      h("legend", {}, t("weights")),
      h("p", { class: "help" }, t("weights_help")),
      simple.map(slider),
      field(t("expression"), expression),
    );
  }

  get limitWords() {
    this.limitOutput ??= h("output", {});
    const words = Object.entries(this.limits).filter(([name]) => !this.watching || name === "nodes" || name === "depth").map(([name, value]) => `${value} ${this.t(name)}`);
    this.limitOutput.textContent = words.join(", ") || this.t("no_limit");
    return this.limitOutput;
  }

  drawLimits() {
    const { t, welcome } = this;
    const limit = (name) => {
      const input = h("input", {
        type: "text", inputmode: name === "memory" ? "text" : "decimal", autocomplete: "off", value: this.limits[name] ?? "", placeholder: t("no_limit"), id: `${this.prefix}limit-${name}`,
        onchange: () => {
          const value = input.value.trim();
          if (value === "") delete this.limits[name];
          else this.limits[name] = value;
          void this.limitWords;
          this.update(false);
        },
      });
      return field(t(name), input);
    };
    const engine = h(
      "select",
      { id: `${this.prefix}engine`, onchange: () => ((this.engine = engine.value), this.update(false)) },
      welcome.engines.map((name) => h("option", { value: name, selected: name === this.engine }, t(`engine_${name}`))),
    );
    const seed = h("input", {
      type: "text", inputmode: "numeric", id: `${this.prefix}seed`, value: this.seed, placeholder: "0",
      onchange: () => {
        this.seed = /^\d{1,15}$/.test(seed.value.trim()) ? seed.value.trim() : "";
        seed.value = this.seed;
        this.update(false);
      },
    });
    const names = this.watching ? ["nodes", "depth"] : welcome.engines.length > 1 ? ["seconds", "nodes", "memory", "depth"] : ["seconds", "nodes", "depth"];
    return h(
      "details",
      { open: this.showsLimits, ontoggle: (event) => (this.showsLimits = event.target.open) },
      h("summary", {}, t("limits"), this.limitWords),
      h(
        "div",
        { class: "fields two" },
        names.map(limit),
        welcome.engines.length > 1 && !this.watching && field(t("engine"), engine),
        this.info?.local && field(t("seed"), seed),
      ),
    );
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// The weights of an expression that is a plain sum of names with or without a weight; null if it is another.
function sumOf(text) {
  const weights = {};
  for (const part of text.split("+")) {
    const found = /^\s*(?:([\d.]+(?:e-?\d+)?)\s*\*\s*)?([a-z]\w*)\s*$/i.exec(part);
    if (!found) return null;
    weights[found[2]] = (weights[found[2]] ?? 0) + Number(found[1] ?? 1);
  }
  return weights;
}
