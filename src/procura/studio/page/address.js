// The address: activity, puzzle, board, search and step, so that what one sees can be sent as a link.

import { packedOf } from "./own.js";

export function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [activity, puzzle] = path.split("/");
  const fields = { activity, puzzle: puzzle && decodeURIComponent(puzzle), options: {}, limits: {} };
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.startsWith("o.")) fields.options[name.slice(2)] = value;
    else if (name.startsWith("l.")) fields.limits[name.slice(2)] = value;
    else if (["board", "boards", "sample", "with", "engine", "seed", "step", "against", "number", "beside", "players", "code"].includes(name)) fields[name] = value;
  }
  return fields;
}

export function hash({ activity, puzzle, options = {}, limits = {}, ...rest }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined && value !== null && value !== "") query.set(name, value);
  for (const [name, value] of Object.entries(options)) if (value !== null && value !== "") query.set(`o.${name}`, value);
  for (const [name, value] of Object.entries(limits)) if (value !== null && value !== "") query.set(`l.${name}`, value);
  const code = packedOf(puzzle);
  if (code) query.set("code", code);
  const text = query.toString();
  return `#/${activity}/${encodeURIComponent(puzzle)}${text ? `?${text}` : ""}`;
}

// The link that can be sent: never with the token, which is the first part of the path on the local carrier.
export function link(fields) {
  const local = document.documentElement.dataset.carrier === "socket";
  return location.origin + (local ? "/" : location.pathname) + hash(fields);
}

let last = null;
export function write(fields, push = false) {
  const next = hash(fields);
  if (next === location.hash || next === last) return;
  last = next;
  try {
    history[push ? "pushState" : "replaceState"](null, "", next);
  } catch {
    /* too many changes in a short time: the next one will do */
  }
}
