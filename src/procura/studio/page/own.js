// Puzzles written in this page: their code, kept in this browser, and the short form of it that links carry.

const PLACE = "procura-written";
// Seconds that the check of a code may take; on this machine its process is told to end sooner, by the time it computed.
export const PATIENCE = document.documentElement.dataset.carrier === "socket" ? 60 : 15;
const own = new Map(); // by name: {code, packed}

export const names = () => Object.keys(kept());

function kept() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

export const codeOf = (name) => own.get(name)?.code ?? kept()[name];
export const packedOf = (name) => own.get(name)?.packed;
export const trusts = (code) => Object.values(kept()).includes(code);

// Makes the code that of this name in links from here on; kept in the browser if it is one's own.
export async function note(name, code, keep) {
  own.set(name, { code, packed: await pack(code) });
  if (keep) localStorage.setItem(PLACE, JSON.stringify({ ...kept(), [name]: code }));
}

export function forget(name) {
  own.delete(name);
  const { [name]: _, ...rest } = kept();
  localStorage.setItem(PLACE, JSON.stringify(rest));
}

// Has code checked; what takes too long once it was begun is stopped, and the reply says that it was late.
export function tryOut(carrier, code) {
  let late = false;
  let timer = null;
  const begun = () => (timer = setTimeout(() => ((late = true), run.stop()), PATIENCE * 1000));
  const run = carrier.ask({ do: "write", code }, begun);
  const reply = run.reply.then((found) => {
    clearTimeout(timer);
    return { ...found, late };
  });
  return { reply, stop: run.stop };
}

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function pack(code) {
  const bytes = await through(new TextEncoder().encode(code), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The code of a link; null if it is none.
export async function unpack(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}
