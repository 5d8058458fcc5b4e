// Learn: guided tours. A tour is a card above the other activities that leads from one to the next, with three questions.
import { clear, h } from "./dom.js";
import { language } from "./phrases.js";

const PLACE = "procura-tour";

// The tours of all puzzles, in the order of the puzzles.
export async function loadTours(puzzles) {
  const found = await Promise.all(puzzles.filter(({ page }) => page).map(({ page }) => import(`./${page.replace("page.js", "tours.js")}`)));
  return found.flatMap(({ tours }) => tours);
}

export class Learn {
  constructor(main, { t, studio }) {
    const card = (tour, i) => {
      const { title, about, steps } = tour[language];
      return h(
        "section",
        { class: "stage", ...(i === 0 && { id: "stage" }), tabindex: "-1" },
        h("h2", {}, title),
        h("p", {}, about),
        h("p", { class: "help" }, t("tour_steps", { n: steps.length })),
        h("div", { class: "bar" }, h("button", { type: "button", class: "primary", "data-tour": tour.id, onclick: () => studio.tour.begin(tour) }, t("tour_begin"))),
      );
    };
    clear(main, h("div", { class: "tours" }, studio.tours.map(card)));
  }

  leave() {}
}

export class TourCard {
  constructor(host, t, tours) {
    Object.assign(this, { host, t, tours });
    try {
      const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
      this.tour = tours.find(({ id }) => id === kept?.id) ?? null;
      this.step = Math.min(kept?.step ?? 0, (this.tour?.at.length ?? 1) - 1);
    } catch {
      this.tour = null;
    }
    this.draw();
  }

  begin(tour) {
    this.tour = tour;
    this.go(0);
  }

  go(step) {
    this.step = step;
    sessionStorage.setItem(PLACE, JSON.stringify({ id: this.tour.id, step }));
    this.draw();
    location.hash = this.tour.at[step];
    this.host.querySelector("h2").focus();
  }

  end() {
    this.tour = null;
    sessionStorage.removeItem(PLACE);
    this.draw();
  }

  draw() {
    const { t, tour, step } = this;
    this.host.hidden = !tour;
    if (!tour) return;
    const { title, steps, questions } = tour[language];
    const last = step === steps.length - 1;
    const button = (id, name, run, extra = {}) => h("button", { type: "button", id, onclick: run, ...extra }, t(name));
    clear(
      this.host,
      h("div", { class: "bar" }, h("h2", { tabindex: "-1" }, title), h("span", { class: "space" }), h("span", { class: "help" }, t("step_of", { n: step + 1, all: steps.length })), button("tour-end", "tour_end", () => this.end(), { class: "quiet" })),
      h("p", {}, steps[step]),
      last && h("div", { class: "questions" }, h("h3", {}, t("tour_questions")), questions.map(([question, answer]) => h("details", {}, h("summary", {}, question), h("p", {}, answer)))),
      h("div", { class: "bar" }, step > 0 && button("tour-back", "tour_back", () => this.go(step - 1)), !last && button("tour-next", "tour_next", () => this.go(step + 1), { class: "primary" })),
    );
  }
}
