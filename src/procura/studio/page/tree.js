// The tree of a search as far as a step has got, drawn on a canvas.
import { h, icon } from "./dom.js";

const WIDE = 30; // between neighbours
const HIGH = 46; // from a level to the next
const RADIUS = 9;

export class Tree {
  constructor({ t }) {
    this.t = t;
    this.trees = []; // one for each iteration: {root, nodes by number}
    this.treeOf = []; // of each step
    this.current = []; // the node at hand of each step
    this.view = { x: 0, y: 0, scale: 1 };
    this.follow = true;
    this.fingers = new Map(); // what touches the canvas, and where
    this.canvas = h("canvas", {
      tabindex: "0", role: "img", class: "tree",
      onpointerdown: (event) => this.press(event),
      onpointermove: (event) => this.drag(event),
      onpointerup: (event) => this.release(event),
      onpointercancel: (event) => this.fingers.delete(event.pointerId),
      onwheel: (event) => this.wheel(event),
      onkeydown: (event) => this.key(event),
    });
    const button = (name, text, run) => h("button", { type: "button", class: "quiet", "aria-label": t(name), title: t(name), onclick: run }, text);
    this.following = h("button", { type: "button", class: "quiet", "aria-pressed": "true", title: t("tree_follow"), onclick: () => this.setFollow(!this.follow) }, icon("play"), t("tree_follow"));
    this.element = h(
      "figure",
      { class: "tree" },
      this.canvas,
      h("figcaption", { class: "bar" }, button("tree_in", "+", () => this.zoom(1.4)), button("tree_out", "−", () => this.zoom(1 / 1.4)), button("tree_fit", "⤢", () => this.fit()), this.following, h("span", { class: "help" }, t("tree_help"))),
    );
    new ResizeObserver(() => this.draw(this.step ?? 0)).observe(this.canvas);
  }

  // Steps as they come

  add(step) {
    const i = this.treeOf.length;
    if (step.kind === "bound" || !this.trees.length) this.trees.push({ nodes: new Map(), root: null });
    const tree = this.trees.at(-1);
    for (const one of step.line ?? []) this.node(tree, one, i);
    const at = step.node ? this.node(tree, step.node, i) : step.line?.length ? tree.nodes.get(step.line.at(-1).node) : tree.root;
    if (at && ["expand", "goal", "skip"].includes(step.kind)) at.taken = Math.min(at.taken, i);
    if (at && step.kind === "goal") at.goal = i;
    for (const one of step.successors ?? []) if (one.node !== null) this.node(tree, one, i, one.fate === "cheaper");
    if (step.line) for (const move of step.moves) if (move.node !== undefined) this.node(tree, { ...move, parent: this.parentOf(step, move) }, i);
    this.treeOf.push(tree);
    this.current.push(at ?? null);
  }

  // Moves of a game are those of the position at hand; random games list those of the root.
  parentOf(step, move) {
    const known = this.trees.at(-1).nodes.get(move.node);
    return known?.parent?.number ?? (move.visits === undefined ? step.line.at(-1)?.node : step.line[0]?.node);
  }

  node(tree, { node: number, parent, ...figures }, born, moves = false) {
    let node = tree.nodes.get(number);
    if (!node) {
      node = { number, parent: null, children: [], born, taken: Infinity, goal: Infinity, values: [], x: 0, y: 0, ...figures };
      tree.nodes.set(number, node);
      if (parent === null || parent === undefined) tree.root ??= node;
      else this.hang(node, tree.nodes.get(parent));
    } else if (moves && node.parent && node.parent.number !== parent) {
      node.parent.children.splice(node.parent.children.indexOf(node), 1);
      this.hang(node, tree.nodes.get(parent));
      Object.assign(node, figures);
    } else if (figures.h !== undefined && figures.h !== null) Object.assign(node, { h: figures.h, f: figures.f });
    if (figures.value !== undefined && figures.value !== node.values.at(-1)?.value) node.values.push({ from: born, value: figures.value });
    if (figures.fate === "valued") node.taken = Math.min(node.taken, born);
    return node;
  }

  hang(node, parent) {
    if (!parent) return;
    node.parent = parent;
    parent.children.push(node);
  }

  // The nodes that are there at a step, each after its parent: leaves stand side by side, a parent over the middle of its
  // children.
  visible(step) {
    const root = this.treeOf[step]?.root;
    const found = root ? [root] : [];
    const stack = [...found];
    let leaves = 0;
    if (root) root.y = 0;
    while (stack.length) {
      const node = stack.pop();
      const shown = node.collapsed ? [] : node.children.filter(({ born }) => born <= step);
      node.ends = [shown[0], shown.at(-1)];
      if (!shown.length) node.x = leaves++;
      for (let i = shown.length - 1; i >= 0; i--) {
        shown[i].y = node.y + 1;
        stack.push(shown[i]);
      }
      if (node !== root) found.push(node);
    }
    for (let i = found.length - 1; i >= 0; i--) {
      const [first, last] = found[i].ends;
      if (first) found[i].x = (first.x + last.x) / 2;
    }
    return found;
  }

  // Drawing

  draw(step) {
    this.step = step;
    const { canvas, view } = this;
    const ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !this.treeOf.length) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const nodes = this.visible(step);
    const current = this.seen(this.current[step]);
    canvas.setAttribute("aria-label", this.t("tree_label", { n: nodes.length, depth: current?.y ?? 0 }));
    if (this.follow && current) {
      view.x = current.x * WIDE - width / 2 / view.scale;
      view.y = Math.max(current.y * HIGH - (height * 0.6) / view.scale, -HIGH);
    }
    const paint = canvas.getContext("2d");
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, height);
    const colours = this.colours();
    const path = new Set();
    for (let node = current; node; node = node.parent) path.add(node);
    const place = (node) => [(node.x * WIDE - view.x) * view.scale, (node.y * HIGH - view.y) * view.scale];
    const inside = ([x, y]) => x > -40 && y > -60 && x < width + 40 && y < height + 60;
    this.edges(paint, nodes, path, place, width, height, colours);
    this.placed = [];
    for (const node of nodes) {
      const at = place(node);
      if (!inside(at)) continue;
      this.placed.push([node, at]);
      this.dot(paint, node, at, step, node === current, path.has(node), colours);
    }
  }

  // A node that stands within a collapsed one is shown there.
  seen(node) {
    let shown = node;
    for (let above = node?.parent; above; above = above.parent) if (above.collapsed) shown = above;
    return shown;
  }

  edges(paint, nodes, path, place, width, height, colours) {
    for (const [bold, colour, wide] of [[false, colours.line, 1], [true, colours.accent, 2.4]]) {
      paint.beginPath();
      paint.strokeStyle = colour;
      paint.lineWidth = wide;
      for (const node of nodes) {
        if (!node.parent || (path.has(node) && path.has(node.parent)) !== bold) continue;
        const [x, y] = place(node);
        const [px, py] = place(node.parent);
        if (Math.max(x, px) < 0 || Math.min(x, px) > width || y < 0 || py > height) continue;
        paint.moveTo(px, py);
        paint.lineTo(x, y);
      }
      paint.stroke();
    }
  }

  dot(paint, node, [x, y], step, current, onPath, colours) {
    const { scale } = this.view;
    const radius = Math.max(RADIUS * scale, 1.5) * (current ? 1.25 : 1);
    const taken = node.taken <= step;
    paint.fillStyle = current ? colours.accent : node.goal <= step ? colours.gold : taken ? (onPath ? colours.accentWash : colours.sunk) : colours.card;
    paint.strokeStyle = taken || current ? colours.strong : colours.gold;
    if (radius < 3) return paint.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    paint.lineWidth = taken ? 1 : 2;
    paint.beginPath();
    paint.arc(x, y, radius, 0, 2 * Math.PI);
    paint.fill();
    paint.stroke();
    if (scale < 0.75) return;
    paint.textAlign = "center";
    paint.fillStyle = current ? colours.accentInk : colours.ink;
    paint.font = `600 ${Math.min(10 * scale, 14)}px ui-sans-serif, system-ui, sans-serif`;
    const inner = node.collapsed ? "+" : node.f ?? node.values.findLast(({ from }) => from <= step)?.value ?? node.g;
    if (inner !== null && inner !== undefined) paint.fillText(String(Number(Number(inner).toPrecision(3))).slice(0, 5), x, y + 3.5 * Math.min(scale, 1.4));
    if (scale < 1 || !node.action || String(node.action).length > 6) return;
    paint.fillStyle = colours.soft;
    paint.fillText(String(node.action), x, y - radius - 3);
  }

  colours() {
    const style = getComputedStyle(this.canvas);
    const probe = (name) => style.getPropertyValue(name);
    const theme = style.color;
    if (this.theme === theme) return this.palette;
    this.theme = theme;
    const holder = h("i", { hidden: true });
    this.element.append(holder);
    const read = (name) => {
      holder.style.color = probe(name);
      return getComputedStyle(holder).color;
    };
    this.palette = { accent: read("--accent"), accentInk: read("--accent-ink"), accentWash: read("--accent-wash"), line: read("--strong-line"), strong: read("--strong-line"), sunk: read("--line"), card: read("--card"), gold: read("--gold"), ink: read("--ink"), soft: read("--soft") };
    holder.remove();
    return this.palette;
  }

  // Pan, zoom, collapse

  setFollow(on) {
    this.follow = on;
    this.following.setAttribute("aria-pressed", String(on));
    this.draw(this.step);
  }

  zoom(by, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const { view } = this;
    const scale = Math.max(0.02, Math.min(view.scale * by, 3));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    this.draw(this.step);
  }

  fit() {
    const nodes = this.visible(this.step);
    if (!nodes.length) return;
    let [left, right, bottom] = [Infinity, -Infinity, 0];
    for (const { x, y } of nodes) [left, right, bottom] = [Math.min(left, x), Math.max(right, x), Math.max(bottom, y)];
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const scale = Math.max(0.02, Math.min(1.4, width / ((right - left + 2) * WIDE), height / ((bottom + 2) * HIGH)));
    this.view = { scale, x: ((left + right) / 2) * WIDE - width / 2 / scale, y: (bottom / 2) * HIGH - height / 2 / scale };
    this.setFollow(false);
  }

  press(event) {
    this.fingers.set(event.pointerId, event);
    this.from = { x: event.clientX, y: event.clientY, moved: this.fingers.size > 1 };
    this.canvas.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.fingers.has(event.pointerId)) return;
    if (this.fingers.size > 1) return this.pinch(event);
    const [x, y] = [event.clientX - this.from.x, event.clientY - this.from.y];
    if (!this.from.moved && Math.hypot(x, y) < 5) return;
    this.pan(-x, -y);
    this.from = { x: event.clientX, y: event.clientY, moved: true };
  }

  // Two fingers zoom about their middle.
  pinch(event) {
    const apart = () => {
      const [one, other] = [...this.fingers.values()];
      return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    };
    const before = apart();
    this.fingers.set(event.pointerId, event);
    const box = this.canvas.getBoundingClientRect();
    const [one, other] = [...this.fingers.values()];
    this.zoom(apart() / Math.max(before, 1), (one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top);
  }

  pan(x, y) {
    if (this.follow) this.setFollow(false);
    this.view.x += x / this.view.scale;
    this.view.y += y / this.view.scale;
    this.draw(this.step);
  }

  release(event) {
    const clicked = this.fingers.delete(event.pointerId) && !this.from.moved;
    const [left] = this.fingers.values();
    if (left) this.from = { x: left.clientX, y: left.clientY, moved: true };
    if (!clicked) return;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = this.placed.find(([, [nx, ny]]) => Math.hypot(nx - x, ny - y) < Math.max(RADIUS * this.view.scale, 6) + 2);
    if (found) this.toggle(found[0]);
  }

  toggle(node) {
    if (!node?.children.length) return;
    node.collapsed = !node.collapsed;
    this.draw(this.step);
  }

  wheel(event) {
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
  }

  key(event) {
    const ways = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    if (event.key in ways) this.pan(...ways[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter") this.toggle(this.seen(this.current[this.step]));
    else return;
    event.preventDefault();
  }
}
