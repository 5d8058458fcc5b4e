// A worker in which Pyodide runs the session, interpreted; what it loads is counted, so that the page can show how far it is.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;
const plainFetch = self.fetch.bind(self);
let loaded = 0;
let total = 1;

self.fetch = async (...request) => {
  const response = await plainFetch(...request);
  if (!response.body || !response.ok) return response;
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        postMessage({ state: "loading", part: Math.min(loaded / total, 0.95) });
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status: response.status, headers: response.headers });
};

const waiting = [];
self.onmessage = ({ data }) => waiting.push(data);

total = (await (await plainFetch(here("sizes.json"))).json()).bytes;
const [python, source] = await Promise.all([
  loadPyodide({ indexURL: here("pyodide/") }),
  fetch(here("procura.zip")).then((response) => response.arrayBuffer()),
]);
python.unpackArchive(new Uint8Array(source), "zip", { extractDir: "/procura" });
const handle = python.runPython(`
import json, sys
sys.path.insert(0, "/procura")
from procura.studio.session import Session

session = Session(engines=("python",), limits={"seconds": "20", "nodes": "200000"}, code=True)

def handle(text, send):
    session.handle(json.loads(text), lambda message: send(json.dumps(message)))

handle
`);
const run = (data) => handle(data, (text) => postMessage(text));
waiting.forEach(run);
self.onmessage = ({ data }) => run(data);
postMessage({ state: "ready", part: 1 });
