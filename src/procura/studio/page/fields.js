// Fields of forms, made from what the catalog says of an option.
import { h } from "./dom.js";

let count = 0;

// A field; what it is about is {text, lang}.
export function field(label, control, about) {
  const id = (control.id ||= `field-${++count}`);
  const help = about?.text ? h("small", { id: `${id}-about`, lang: about.lang }, about.text) : null;
  if (help) control.setAttribute("aria-describedby", help.id);
  const tick = control.type === "checkbox";
  return h("div", { class: tick ? "field tick" : "field" }, h("label", { for: id }, label), control, help);
}

// The control of an option; its value as text, "" where it is the default.
export function control(option, value, changed, t) {
  const shown = value ?? "";
  if (option.kind === "bool") {
    const box = h("input", { type: "checkbox", checked: shown === "" ? option.default === true : shown === "true", onchange: () => changed(String(box.checked)) });
    return box;
  }
  if (option.kind === "choice") {
    const select = h(
      "select",
      { onchange: () => changed(select.value) },
      h("option", { value: "" }, option.default === null ? `(${t("defaults")})` : `${option.default} (${t("defaults")})`),
      option.choices.filter((choice) => choice !== option.default).map((choice) => h("option", { value: choice, selected: choice === shown }, choice)),
    );
    return select;
  }
  const numeric = option.kind === "int" || option.kind === "float";
  const input = h("input", {
    type: "text",
    inputmode: numeric ? "decimal" : "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: option.default === null ? "" : String(option.default),
    value: shown,
    onchange: () => changed(input.value.trim()),
  });
  return input;
}

export function options(list, values, changed, { t, told }) {
  return list.map((option) =>
    field(
      option.name.replaceAll("_", " "),
      control(
        option,
        values[option.name],
        (value) => {
          if (value === "" || value === String(option.default)) delete values[option.name];
          else values[option.name] = value;
          changed(option.name);
        },
        t,
      ),
      told(option.about),
    ),
  );
}
