// The page: chooses a carrier, an activity and a puzzle by the address, and puts them together.
import * as address from "./address.js";
import { Pyodide, Socket } from "./carrier.js";
import { Compare } from "./compare.js";
import { clear, h, icon } from "./dom.js";
import { Learn, loadTours, TourCard } from "./learn.js";
import * as own from "./own.js";
import { language, otherLanguage, speaker } from "./phrases.js";
import { PlainBoard } from "./plain.js";
import { Play } from "./play.js";
import { teller } from "./sentences.js";
import { Solve } from "./solve.js";
import { Watch } from "./watch.js";
import { Write } from "./write.js";

const ACTIVITIES = { solve: Solve, play: Play, watch: Watch, compare: Compare, write: Write, learn: Learn };
const WITHOUT_PUZZLE = ["write", "learn"];
const local = document.documentElement.dataset.carrier === "socket";
const t = speaker();
const at = (id) => document.getElementById(id);
let shows = 0;
const studio = { carrier: null, welcome: null, modules: {}, ready: false, current: null };

function status({ state, part = 0, reason }) {
  const banner = at("banner");
  studio.ready = state === "ready";
  document.documentElement.dataset.state = state;
  banner.hidden = studio.ready;
  banner.classList.toggle("trouble", state === "lost");
  if (state === "lost") clear(banner, h("span", {}, local ? t("lost") : (reason ?? "Python could not be started")));
  else if (state === "loading") {
    const percent = Math.round(part * 100);
    let bar = banner.querySelector("progress");
    if (!bar) {
      bar = h("progress", { max: 100, "aria-label": "Python" });
      clear(banner, h("span", {}), bar);
    }
    bar.value = percent;
    banner.firstChild.textContent = t("loading", { percent });
  }
}

async function welcome() {
  if (local) return studio.carrier.ask({ do: "hello" }).reply;
  return (await fetch("welcome.json")).json();
}

async function pageOf(puzzle) {
  const found = puzzle.page ? await import(`./${puzzle.page}`) : { Board: PlainBoard, phrases: {} };
  return (studio.modules[puzzle.name] ??= { Board: found.Board, t: speaker(found.phrases), told: teller(found.sentences) });
}

// A puzzle of one's own is one of the others once its code was checked; another takes its place by its name.
studio.learn = (puzzle) => {
  studio.unlearn(puzzle.name);
  studio.welcome.puzzles.push(puzzle);
};
studio.unlearn = (name) => {
  studio.welcome.puzzles = studio.welcome.puzzles.filter((one) => one.name !== name || one.code === undefined);
};

// The puzzle of an address. One's own is learnt from its code, which a link may bring: on this machine such code is
// shown before it is run, in a page it has the browser's sandbox around it.
async function puzzleOf(wanted) {
  const code = wanted.code ? await own.unpack(wanted.code) : own.codeOf(wanted.puzzle);
  const known = studio.welcome.puzzles.findLast((one) => (wanted.code ? one.code === code : one.name === wanted.puzzle));
  if (known || !code || !studio.welcome.code) return known ?? (wanted.code ? null : studio.welcome.puzzles[0]);
  if (local && !own.trusts(code)) return null;
  const { reply: found } = own.tryOut(studio.carrier, code);
  const reply = await found;
  if (reply.is !== "written") return null;
  await own.note(reply.puzzle.name, code, false);
  studio.learn({ ...reply.puzzle, code });
  return studio.welcome.puzzles.at(-1);
}

// Messages about a puzzle of one's own carry its code.
function carrierFor(puzzle) {
  if (puzzle.code === undefined) return studio.carrier;
  return { ask: (message, progress) => studio.carrier.ask({ ...message, code: puzzle.code }, progress) };
}

async function show() {
  const turn = ++shows;
  const wanted = address.read();
  const found = WITHOUT_PUZZLE.includes(wanted.activity) ? studio.welcome.puzzles[0] : await puzzleOf(wanted);
  const activity = !found ? "write" : wanted.activity in ACTIVITIES ? wanted.activity : "solve";
  const alone = WITHOUT_PUZZLE.includes(activity);
  const puzzle = found ?? studio.welcome.puzzles[0];
  const module = await pageOf(puzzle);
  if (activity === "learn") await tours();
  if (turn !== shows) return;
  studio.current?.leave();
  document.title = `${alone ? "" : `${module.t("name")} · `}${t(activity)} · procura studio`;
  showActivities(activity, puzzle.name);
  showPuzzles(alone ? "solve" : activity, alone ? null : puzzle.name);
  const context = { studio, local, welcome: studio.welcome, puzzle, carrier: carrierFor(puzzle), ...module };
  studio.current = new ACTIVITIES[activity](at("main"), context, wanted);
  document.documentElement.dataset.shown = turn;
}

function showActivities(activity, puzzle) {
  clear(
    at("activities"),
    Object.keys(ACTIVITIES).map((name) =>
      h("a", { href: WITHOUT_PUZZLE.includes(name) ? `#/${name}` : address.hash({ activity: name, puzzle }), "aria-current": name === activity && "page" }, t(name)),
    ),
  );
}

async function showPuzzles(activity, chosen) {
  const modules = await Promise.all(studio.welcome.puzzles.map(pageOf));
  clear(
    at("puzzles"),
    studio.welcome.puzzles.map(({ name }, i) =>
      h(
        "a",
        { href: address.hash({ activity, puzzle: name }), "aria-current": name === chosen && "true" },
        modules[i].t("name") === "name" ? name : modules[i].t("name"),
      ),
    ),
  );
}

// The tours, loaded when the first board is there or when they are asked for.
function tours() {
  studio.toursLoaded ??= loadTours(studio.welcome.puzzles).then((found) => {
    studio.tours = found;
    studio.tour = new TourCard(at("tour"), t, found);
  });
  return studio.toursLoaded;
}

function tools() {
  const dark = () => getComputedStyle(document.documentElement).getPropertyValue("--is-dark").trim() === "1";
  const theme = h("button", { type: "button", class: "quiet", onclick: () => set(dark() ? "light" : "dark") });
  const set = (name) => {
    if (name) {
      document.documentElement.dataset.theme = name;
      localStorage.setItem("procura-theme", name);
    }
    const other = dark() ? "light" : "dark";
    theme.setAttribute("aria-label", t(other));
    theme.title = t(other);
    clear(theme, icon(other === "light" ? "sun" : "moon"));
  };
  set(localStorage.getItem("procura-theme"));
  const other = language === "en" ? "pt" : "en";
  clear(at("tools"), h("button", { type: "button", class: "quiet", lang: other, title: t("language"), "aria-label": t("language"), onclick: otherLanguage }, other.toUpperCase()), theme);
}

async function start() {
  tools();
  for (const element of document.querySelectorAll("[data-phrase]")) element.textContent = t(element.dataset.phrase);
  at("activities").setAttribute("aria-label", t("activities"));
  at("puzzles").setAttribute("aria-label", t("puzzles"));
  if (local) localStorage.setItem("procura-door", location.pathname);
  studio.carrier = local ? new Socket(status) : new Pyodide(status);
  if (!local) status({ state: "loading", part: 0 });
  studio.welcome = await welcome();
  const words = t(local ? "foot_local" : "foot_static", { version: studio.welcome.version });
  clear(at("foot"), h("p", {}, words, language === "en" ? "" : ` ${t("english")}`));
  window.addEventListener("popstate", show);
  await show();
  await tours();
}

start();
