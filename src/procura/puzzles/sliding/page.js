// The sliding puzzle in a page: tiles that slide, a board to shuffle or swap, arrows and touch.

export const phrases = {
  en: {
    name: "Sliding puzzle",
    step: ["{n} move", "{n} moves"],
    slide: "Slide",
    swap: "Swap",
    size: "Size",
    shuffle: "Shuffle",
    goal: "Goal",
    blank: "blank",
    keys_play: "Click a tile beside the blank, or press an arrow to move a tile that way.",
    keys_edit: "Slide: click a tile beside the blank, or press arrows. Swap: choose one tile, then another.",
    board_label: "Sliding puzzle, {rows} by {columns}",
  },
  pt: {
    name: "Puzzle deslizante",
    step: ["{n} jogada", "{n} jogadas"],
    slide: "Deslizar",
    swap: "Trocar",
    size: "Tamanho",
    shuffle: "Baralhar",
    goal: "Objetivo",
    blank: "vazio",
    keys_play: "Clique numa peça ao lado do vazio, ou use uma seta para mover uma peça nessa direção.",
    keys_edit: "Deslizar: clique numa peça ao lado do vazio, ou use as setas. Trocar: escolha uma peça e depois outra.",
    board_label: "Puzzle deslizante, {rows} por {columns}",
  },
};

// What Python says of it, in Portuguese.
export const sentences = {
  "slide tiles into the blank until they stand in order": "deslize as peças para o vazio até ficarem em ordem",
  "blank-last (default), blank-first, spiral or numbers": "blank-last (por omissão), blank-first, spiral ou números",
  "ROWSxCOLS, if the board is no square": "LINHASxCOLUNAS, se o tabuleiro não for quadrado",
  "random moves from the goal; none: any board": "jogadas ao acaso a partir do objetivo; none: qualquer tabuleiro",
  "rows plus columns from each tile to its goal": "linhas mais colunas de cada peça ao seu objetivo",
  "tiles that are not at their goal": "peças fora do seu objetivo",
  "half the pairs of neighbours in the goal's order that are broken, rounded up": "metade dos pares de vizinhos da ordem do objetivo que estão quebrados, arredondada para cima",
  "Manhattan, plus 2 for each tile that must let others of its line pass": "Manhattan, mais 2 por cada peça que tem de deixar passar outras da sua linha",
  "least moves when rows forget their columns, plus columns their rows (4x4 only)": "menos jogadas quando as linhas esquecem as colunas, mais as colunas as linhas (só 4x4)",
  "moves of the tiles of a few patterns, by pattern databases (boards of up to 25 cells)": "jogadas das peças de alguns padrões, por bases de dados de padrões (até 25 casas)",
  "iterative-deepening A* on additive pattern databases, with the region of the blank and a reflected view": "A* com aprofundamento iterativo sobre bases de dados de padrões aditivas, com a região do vazio e uma vista refletida",
  "optimal; memory for one path, beside the databases": "ótima; memória para um caminho, além das bases de dados",
  "by parity: half of all boards cannot reach this goal": "por paridade: metade dos tabuleiros não chega a este objetivo",
  "tile {a} goes up": "a peça {a} sobe",
  "tile {a} goes down": "a peça {a} desce",
  "tile {a} goes left": "a peça {a} vai para a esquerda",
  "tile {a} goes right": "a peça {a} vai para a direita",
  "blank-last, blank-first, spiral or numbers": "blank-last, blank-first, spiral ou números",
  ROWSxCOLS: "LINHASxCOLUNAS",
  "the report's h1: misplaced, the blank counted too": "o h1 do relatório: peças fora do lugar, contando também o vazio",
  "the report's h2: pairs that are broken in the goal's order": "o h2 do relatório: pares quebrados na ordem do objetivo",
  "the report's h3: Manhattan, the blank counted too": "o h3 do relatório: Manhattan, contando também o vazio",
  "sizes of the patterns, such as 6-6-3 or 7-8; auto: the best that is built": "tamanhos dos padrões, como 6-6-3 ou 7-8; auto: o melhor que está construído",
  "the report's A* by h1, cells that are wrong; the oldest of equal f": "o A* do relatório com h1, casas erradas; o mais antigo dos de igual f",
  "the report's A* by h2, pairs of tiles out of sequence; the oldest of equal f": "o A* do relatório com h2, pares de peças fora de sequência; o mais antigo dos de igual f",
  "the report's A* by h3, Manhattan distance; the oldest of equal f": "o A* do relatório com h3, distância de Manhattan; o mais antigo dos de igual f",
  "the report's A* by h4, its weighted mean of the three; the oldest of equal f": "o A* do relatório com h4, a sua média pesada dos três; o mais antigo dos de igual f",
  "the report's A* by h5, the greatest of the three; the oldest of equal f": "o A* do relatório com h5, o maior dos três; o mais antigo dos de igual f",
  "the blank cannot move {a}: it is {b}": "o vazio não pode ir {a}: está {b}",
  "no tile can move {a}: the blank is {b}": "nenhuma peça pode ir {a}: o vazio está {b}",
  up: "para cima",
  down: "para baixo",
  left: "para a esquerda",
  right: "para a direita",
  "in the top row": "na linha de cima",
  "in the bottom row": "na linha de baixo",
  "in the left column": "na coluna da esquerda",
  "in the right column": "na coluna da direita",
  "board, row {a}, column {b}": "tabuleiro, linha {a}, coluna {b}",
  "goal, row {a}, column {b}": "objetivo, linha {a}, coluna {b}",
  "row {a}, column {b}": "linha {a}, coluna {b}",
  board: "tabuleiro",
  goal: "objetivo",
  "{a} is already at {b}": "{a} já está em {b}",
  "{a} is not one of 0 to {b}": "{a} não é um de 0 a {b}",
  "{a} has {b} numbers: expected a square such as 9 or 16, equal lines or a size": "{a} tem {b} números: esperava-se um quadrado como 9 ou 16, linhas iguais ou um tamanho",
  "{a} has {b} numbers: expected {c} for size {d}": "{a} tem {b} números: esperavam-se {c} para o tamanho {d}",
  "{a} has {b} numbers: expected at most {c}": "{a} tem {b} números: esperavam-se no máximo {c}",
  "{a}, row {b} has {c} numbers: expected {d} as in row 1": "{a}, a linha {b} tem {c} números: esperavam-se {d} como na linha 1",
  "goal {a}: expected {b} or numbers": "objetivo {a}: esperava-se {b} ou números",
  "size {a}: expected at least 2x2": "tamanho {a}: esperava-se pelo menos 2x2",
  "size {a}: expected at most {b} cells": "tamanho {a}: esperavam-se no máximo {b} casas",
};

const CELL = 100;
const BLANK = { ArrowUp: "D", ArrowDown: "U", ArrowLeft: "R", ArrowRight: "L" };
const STEP = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
const numbers = (text) => text.trim().split(/\s+/).map((word) => (word === "." ? 0 : Number(word)));

export class Board {
  static handles = ["size"];

  constructor(host, tools) {
    Object.assign(this, { host, ...tools });
    this.swapping = false;
    this.chosen = null;
    const { h, s, t } = this;
    this.svg = s("svg", {
      class: "sliding",
      role: "application",
      tabindex: this.mode === "show" ? null : "0",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.press(event),
      onpointerup: (event) => this.release(event),
    });
    this.goalHost = h("div", { class: "goal" });
    host.append(h("div", { class: "with-goal" }, this.svg, this.goalHost));
    if (this.mode === "edit") host.append(this.editTools());
    if (this.mode !== "show") host.append(h("p", { class: "help" }, t(`keys_${this.mode}`)));
  }

  editTools() {
    const { h, t } = this;
    const way = (name) =>
      h(
        "button",
        { type: "button", "aria-pressed": String((name === "swap") === this.swapping), onclick: () => this.setWay(name) },
        t(name),
      );
    this.ways = h("div", { class: "segments small", role: "group" }, way("slide"), way("swap"));
    const sizes = Array.from({ length: 5 }, (_, i) => i + 2);
    const select = (name) =>
      h("select", { "aria-label": `${t("size")} ${name}`, onchange: () => this.resize() }, sizes.map((n) => h("option", { value: n }, n)));
    this.rowsField = select("rows");
    this.columnsField = select("columns");
    const shuffle = h("button", { type: "button", onclick: () => this.shuffle() }, t("shuffle"));
    return h("div", { class: "bar tools" }, this.ways, h("span", { class: "sizes" }, this.rowsField, "×", this.columnsField), shuffle);
  }

  setWay(name) {
    this.swapping = name === "swap";
    [...this.ways.children].forEach((button, i) => button.setAttribute("aria-pressed", String((i === 1) === this.swapping)));
    this.choose(null);
  }

  // What is shown

  open({ start, facts }) {
    const lines = start.text.trim().split("\n");
    this.rows = lines.length;
    this.columns = numbers(lines[0]).length;
    this.start = numbers(start.text);
    this.goal = facts.goal;
    this.build();
    this.place(this.start);
    if (this.rowsField) {
      this.rowsField.value = this.rows;
      this.columnsField.value = this.columns;
    }
  }

  learn({ facts }) {
    this.goal = facts.goal;
    this.place(this.cells);
    this.drawGoal();
  }

  build() {
    const { s, rows, columns, t } = this;
    const width = columns * CELL;
    const height = rows * CELL;
    this.svg.setAttribute("viewBox", `-8 -8 ${width + 16} ${height + 16}`);
    this.svg.setAttribute("aria-label", t("board_label", { rows, columns }));
    this.svg.style.setProperty("--ratio", columns / rows);
    this.tiles = new Map();
    const tray = s("rect", { x: -8, y: -8, width: width + 16, height: height + 16, rx: 18, class: "tray" });
    const tiles = Array.from({ length: rows * columns - 1 }, (_, i) => {
      const group = s("g", { class: "tile", "data-tile": i + 1 }, s("rect", { x: 4, y: 4, width: CELL - 8, height: CELL - 8, rx: 12 }), s("text", { x: CELL / 2, y: CELL / 2 + 13 }, String(i + 1)));
      this.tiles.set(i + 1, group);
      return group;
    });
    this.svg.replaceChildren(tray, ...tiles);
    this.drawGoal();
  }

  drawGoal() {
    const { s, h, t, rows, columns } = this;
    const usual = this.goal.every((tile, i) => tile === (i + 1) % (rows * columns));
    this.goalHost.hidden = usual;
    if (usual) return;
    const cells = this.goal.map((tile, i) => s("text", { x: (i % columns) * 20 + 10, y: Math.floor(i / columns) * 20 + 14 }, tile || "·"));
    const small = s("svg", { viewBox: `0 0 ${columns * 20} ${rows * 20}`, role: "img", "aria-label": `${t("goal")}: ${this.goal.join(" ")}` }, cells);
    this.goalHost.replaceChildren(h("span", {}, t("goal")), small);
  }

  place(cells) {
    this.cells = [...cells];
    cells.forEach((tile, i) => {
      if (tile === 0) return;
      const group = this.tiles.get(tile);
      group.style.transform = `translate(${(i % this.columns) * CELL}px, ${Math.floor(i / this.columns) * CELL}px)`;
      group.classList.toggle("home", this.goal[i] === tile);
    });
  }

  answer(frames) {
    this.frames = frames.map(({ text }) => numbers(text));
  }

  show(step) {
    this.place(this.frames[step]);
  }

  game(reply) {
    const cells = numbers(reply.view.text);
    if (!this.tiles || cells.length !== this.cells.length || reply.game.board !== this.of) {
      const lines = reply.view.text.trim().split("\n");
      this.rows = lines.length;
      this.columns = numbers(lines[0]).length;
      this.goal = reply.facts.goal;
      this.of = reply.game.board;
      this.build();
    }
    this.place(cells);
    this.mark(reply.hint);
  }

  mark(hint) {
    for (const tile of this.tiles.values()) tile.classList.remove("hinted");
    if (hint === null) return;
    const tile = this.cells[this.neighbour(hint)];
    this.tiles.get(tile)?.classList.add("hinted");
  }

  spoken() {
    const { columns, t } = this;
    const words = this.cells.map((tile) => tile || t("blank"));
    return words.map((word, i) => (i % columns === columns - 1 ? `${word};` : word)).join(" ");
  }

  // What is done

  neighbour(way) {
    const blank = this.cells.indexOf(0);
    const row = Math.floor(blank / this.columns) + STEP[way][0];
    const column = (blank % this.columns) + STEP[way][1];
    return row < 0 || column < 0 || row >= this.rows || column >= this.columns ? -1 : row * this.columns + column;
  }

  go(way) {
    if (this.mode === "play") return this.move(way);
    const at = this.neighbour(way);
    if (at >= 0) this.swap(at, this.cells.indexOf(0));
    return null;
  }

  swap(a, b) {
    const cells = [...this.cells];
    [cells[a], cells[b]] = [cells[b], cells[a]];
    this.place(cells);
    this.tell();
    this.say(this.spoken());
  }

  tell(reopen = false) {
    const size = this.rows === this.columns ? null : `${this.rows}x${this.columns}`;
    this.change(this.cells.join(" "), { size }, reopen);
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const column = Math.floor(point.x / CELL);
    const row = Math.floor(point.y / CELL);
    return row < 0 || column < 0 || row >= this.rows || column >= this.columns ? -1 : row * this.columns + column;
  }

  press(event) {
    if (this.mode !== "show") this.pressed = this.at(event);
  }

  release(event) {
    const from = this.pressed;
    const to = this.at(event);
    this.pressed = null;
    if (this.mode === "show" || from === null || from === undefined || from < 0 || to < 0) return;
    if (this.mode === "edit" && this.swapping) {
      if (from !== to) {
        this.choose(null);
        this.swap(from, to);
      } else this.pick(to);
      return;
    }
    const way = "UDLR".split("").find((name) => this.neighbour(name) === from);
    if (way) this.go(way);
  }

  pick(cell) {
    if (this.chosen === null) return this.choose(cell);
    const other = this.chosen;
    this.choose(null);
    if (other !== cell) this.swap(other, cell);
    return null;
  }

  choose(cell) {
    this.chosen = cell;
    for (const tile of this.tiles?.values() ?? []) tile.classList.remove("chosen");
    if (cell !== null) this.tiles.get(this.cells[cell])?.classList.add("chosen");
  }

  key(event) {
    if (this.mode === "show" || !(event.key in BLANK)) return;
    event.preventDefault();
    this.go(BLANK[event.key]);
  }

  resize() {
    this.rows = Number(this.rowsField.value);
    this.columns = Number(this.columnsField.value);
    this.cells = Array.from({ length: this.rows * this.columns }, (_, i) => (i + 1) % (this.rows * this.columns));
    this.tell(true);
  }

  shuffle() {
    let last = "";
    const back = { U: "D", D: "U", L: "R", R: "L" };
    const cells = [...this.goal];
    this.cells = cells;
    for (let i = 0; i < 40 * cells.length; i++) {
      const ways = "UDLR".split("").filter((way) => way !== back[last] && this.neighbour(way) >= 0);
      last = ways[Math.floor(Math.random() * ways.length)];
      const at = this.neighbour(last);
      const blank = cells.indexOf(0);
      [cells[at], cells[blank]] = [cells[blank], cells[at]];
    }
    this.place(cells);
    this.tell();
  }
}
