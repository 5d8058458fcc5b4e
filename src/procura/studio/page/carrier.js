// Carries messages to the session: over a WebSocket to `procura studio`, or to a worker in which Pyodide runs it.
// ask() gives {reply, stop}: a promise of the last message, and what ends the work early.

const VERSION = 1;
const LONG = 1500; // milliseconds

class Carrier {
  constructor(status) {
    this.status = status; // told {state: "loading" | "ready" | "lost", part}
    this.asked = new Map();
    this.next = 1;
  }

  ask(message, progress) {
    const id = this.next++;
    const reply = new Promise((resolve) => this.asked.set(id, { resolve, progress, message }));
    this.send({ v: VERSION, id, ...message });
    return { reply, stop: () => this.stop(id) };
  }

  take(message) {
    const asked = this.asked.get(message.id);
    if (!asked) return;
    if (!message.last) asked.progress?.(message);
    else {
      this.asked.delete(message.id);
      asked.resolve(message);
    }
  }

  fail(text) {
    for (const { resolve } of this.asked.values()) resolve({ is: "error", lost: true, text });
    this.asked.clear();
  }
}

export class Socket extends Carrier {
  constructor(status) {
    super(status);
    this.waiting = [];
    this.connect();
  }

  connect() {
    const address = new URL("session", location.href.replace(/[?#].*/, "").replace(/[^/]*$/, ""));
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.onopen = () => {
      this.status({ state: "ready" });
      for (const message of this.waiting.splice(0)) this.socket.send(message);
    };
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    this.socket.onclose = ({ code, reason }) => {
      this.status({ state: "lost", code, reason });
      this.fail(reason || "the connection to procura studio was lost");
      setTimeout(() => this.connect(), 2000);
    };
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.waiting.push(text);
  }

  stop(id) {
    this.send({ v: VERSION, id: this.next++, do: "stop", of: id });
  }
}

export class Pyodide extends Carrier {
  constructor(status) {
    super(status);
    this.worker = this.start(true);
    this.spare = null;
  }

  start(first) {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.ready = false;
    worker.onmessage = ({ data }) => {
      if (typeof data === "string") return this.take(JSON.parse(data));
      if (data.state === "ready") worker.ready = true;
      if (worker === this.worker || first) this.status(data);
    };
    worker.onerror = (event) => {
      this.status({ state: "lost", reason: event.message });
      this.fail(event.message || "Python could not be started");
    };
    return worker;
  }

  send(message) {
    this.worker.postMessage(JSON.stringify(message));
    setTimeout(() => this.asked.has(message.id) && this.prepare(), LONG);
  }

  // What takes long may be stopped: then another worker is at hand.
  prepare() {
    if (this.worker.ready) this.spare ??= this.start(false);
  }

  // Python in a page cannot be interrupted: its worker is ended, and the spare one takes its place and what waited.
  stop(id) {
    if (!this.asked.has(id)) return;
    this.worker.terminate();
    this.worker = this.spare ?? this.start(true);
    this.spare = null;
    if (!this.worker.ready) this.status({ state: "loading", part: 0 });
    this.asked.get(id).resolve({ is: "stopped" });
    this.asked.delete(id);
    for (const [waiting, { message }] of this.asked) this.send({ v: VERSION, id: waiting, ...message });
  }
}
