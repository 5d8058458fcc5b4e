// How a search ended and what it counted, in words and figures.
import { h } from "./dom.js";
import { number } from "./phrases.js";

export const short = (value) => (value === null ? "" : number(Number(value.toPrecision(3))));

export function figures(rows, t) {
  return h(
    "dl",
    { class: "figures" },
    rows.filter(([, value]) => value !== "").map(([name, value]) => h("div", {}, h("dt", {}, t(name)), h("dd", {}, value))),
  );
}

export function outcome(record, t) {
  if (record.outcome === "no_solution") return t("no_solution");
  const why = record.stopped_by ? t(`by_${record.stopped_by}`) : null;
  if (record.outcome === "not_found") return [t("not_found"), why ?? t("gave_up")].join(": ");
  const parts = [record.length === null ? t("solved") : t("solved_in", { steps: t("step", { n: record.length }) })];
  if (record.points !== null) parts.push(t("points", { n: record.points }));
  else if (record.length !== null && record.cost !== record.length) parts.push(t("cost_is", { n: record.cost }));
  if (record.optimal !== null) parts.push(t(record.optimal ? "proved" : "not_proved"));
  if (why) parts.push(why);
  return parts.join(", ");
}
