// Elements made, texts copied, files saved, sentences spoken: what every part of the page needs of the browser.

const SVG = "http://www.w3.org/2000/svg";

function made(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, properties, ...children) => made(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => made(document.createElementNS(SVG, tag), properties, children);
export const icon = (name) => s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  play: "M7 4.5v15l13-7.5z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  done: "M4 12.5 9.5 18 20 6.5",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 3v12M7 10l5 5 5-5M4 20h16",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.5 11v1.5h-7V14A6 6 0 0 1 12 3z",
  dice: "M4 4h16v16H4zM8.5 8.5v.01M15.5 15.5v.01M12 12v.01M15.5 8.5v.01M8.5 15.5v.01",
  stop: "M6 6h12v12H6z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  down: "M12 4v14M6 12l6 6 6-6",
  turn: "M19 12a7 7 0 1 1-2.5-5.4M17 3v4h-4",
  erase: "M9 5h11v14H9l-6-7zM12 9l5 6M17 9l-5 6",
  pencil: "M4 20l1-4L16 5l3 3L8 19z",
  edit: "M4 20l1-4L16 5l3 3L8 19zM13 8l3 3",
};

export function say(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  setTimeout(() => (live.textContent = text), 30);
}

export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { value: text, class: "unseen" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  if (!button) return;
  const before = [...button.childNodes];
  button.replaceChildren(icon("done"), ...before.slice(1));
  setTimeout(() => button.replaceChildren(...before), 1400);
}

export function save(name, text, type = "image/svg+xml") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// What a board holds, for who does not see it.
export const describe = (host, text) => host.querySelector("svg[role=application]")?.setAttribute("aria-description", text ?? "");

// The stage is busy until its first board is there.
export function busyUntil(done) {
  const stage = document.getElementById("stage");
  stage.setAttribute("aria-busy", "true");
  done.finally(() => stage.removeAttribute("aria-busy"));
}

export const clear = (element, ...children) => element.replaceChildren(...children.flat(3).filter(Boolean));

export function later(wait, run) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), wait);
  };
}
