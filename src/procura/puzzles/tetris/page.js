// Tetris with known pieces in a page: cells to paint, a queue of pieces, a piece in hand that shows where it lands.

export const phrases = {
  en: {
    name: "Tetris",
    step: ["{n} piece", "{n} pieces"],
    pieces: "Pieces in order",
    add: "Add {piece}",
    remove: "Remove {piece}, piece {n}",
    empty_board: "Empty board",
    rows: "Rows",
    columns: "Columns",
    next: "Next",
    turn: "Turn",
    left: "Left",
    right: "Right",
    drop: "Drop",
    none_left: "All pieces are placed.",
    cell: "row {row}, column {column}",
    filled: "filled",
    free: "free",
    in_hand: "{piece} in hand, column {column}",
    keys_play: "Left and right move, up turns, space drops; or point and click.",
    keys_edit: "Click or draw over cells to fill them; with keys, arrows and space. Letters i l j o s z t add pieces, Backspace removes the last.",
    board_label: "Tetris board, {rows} rows, {columns} columns",
    made: "Placed",
  },
  pt: {
    name: "Tetris",
    step: ["{n} peça", "{n} peças"],
    pieces: "Peças por ordem",
    add: "Acrescentar {piece}",
    remove: "Tirar {piece}, peça {n}",
    empty_board: "Tabuleiro vazio",
    rows: "Linhas",
    columns: "Colunas",
    next: "A seguir",
    turn: "Rodar",
    left: "Esquerda",
    right: "Direita",
    drop: "Largar",
    none_left: "Todas as peças estão colocadas.",
    cell: "linha {row}, coluna {column}",
    filled: "cheia",
    free: "livre",
    in_hand: "{piece} na mão, coluna {column}",
    keys_play: "Esquerda e direita movem, cima roda, espaço larga; ou aponte e clique.",
    keys_edit: "Clique ou desenhe sobre as células para as encher; com teclas, setas e espaço. As letras i l j o s z t acrescentam peças, Backspace tira a última.",
    board_label: "Tabuleiro de Tetris, {rows} linhas, {columns} colunas",
    made: "Colocadas",
  },
};

// What Python says of it, in Portuguese.
export const sentences = {
  "place a known list of pieces without reaching the top": "coloque uma lista conhecida de peças sem chegar ao topo",
  "what a step costs; quality by default": "quanto custa um passo; quality por omissão",
  "empty cells with a filled one straight above (report 1)": "casas vazias com uma cheia logo acima (relatório 1)",
  "empty cells with a filled one anywhere above (report 2's holes)": "casas vazias com uma cheia algures acima (os buracos do relatório 2)",
  "the greatest difference in height of neighbouring columns": "a maior diferença de altura entre colunas vizinhas",
  "the column heights, summed": "a soma das alturas das colunas",
  "filled cells of the board": "casas cheias do tabuleiro",
  "minus the points made so far": "menos os pontos feitos até agora",
  "minus the most points still possible": "menos o máximo de pontos ainda possível",
  "opportunity that must still be lost": "oportunidade que ainda se tem de perder",
  "Tetris by beams that find many points and layers of all boards that prove how many there can be": "Tetris por feixes que encontram muitos pontos e camadas de todos os tabuleiros que provam quantos pode haver",
  "an answer soon, better ones later, each with a bound; optimal if it comes to an end": "uma resposta cedo, melhores depois, cada uma com um limite; ótima se chegar ao fim",
  "it leads to {a} in all, the most that can still be had": "leva a {a} ao todo, o máximo que ainda se pode ter",
  "it leads to {a} in all, the most that a few seconds of search found": "leva a {a} ao todo, o máximo que poucos segundos de procura encontraram",
  "{a} in rotation {b} at column {c}": "{a} na rotação {b}, coluna {c}",
  'the pieces in order, such as "t i l l", if the board does not say': "as peças por ordem, como t i l l, se o tabuleiro não as disser",
  "rows of the board, 18 by default": "linhas do tabuleiro, 18 por omissão",
  "columns of the board, 10 by default": "colunas do tabuleiro, 10 por omissão",
  "points for 0 to 4 rows at once; 0,100,300,500,800 by default": "pontos por 0 a 4 linhas de uma vez; 0,100,300,500,800 por omissão",
  "probability that a cell of the bottom row is filled": "probabilidade de uma casa da linha de baixo estar cheia",
  "how much that falls from row to row; the course's own is 0.05": "quanto isso desce de linha para linha; na disciplina é 0.05",
  "rows of the board": "linhas do tabuleiro",
  "columns of the board": "colunas do tabuleiro",
  "the pieces, or how many random ones": "as peças, ou quantas ao acaso",
  "draw again while the top row is filled": "sortear de novo enquanto a linha de cima tiver casas cheias",
  "differences in height of neighbouring columns, summed (report 2's total slope)": "soma das diferenças de altura entre colunas vizinhas (o declive total do relatório 2)",
  "opportunity lost so far: maxima of the pieces placed, less the points": "oportunidade perdida até agora: máximos das peças colocadas, menos os pontos",
  "minus the most points still possible, over 4800": "menos o máximo de pontos ainda possível, sobre 4800",
  threads: "fios de execução",
  "the first report's search: tree A* by four features with the weights it chose, cost -points/4800": "a procura do primeiro relatório: A* em árvore com quatro características e os pesos que escolheu, custo -pontos/4800",
  "the same with the first report's other set of weights, which scored as much": "a mesma com os outros pesos do primeiro relatório, que pontuaram o mesmo",
  "the second report's search: tree A* by holes, points and higher slope; nothing above f = 2500 is kept": "a procura do segundo relatório: A* em árvore com buracos, pontos e maior declive; nada acima de f = 2500 é guardado",
  "the second report's search without its cut, which made it miss solutions": "a procura do segundo relatório sem o seu corte, que a fazia perder soluções",
  "the course's depth-first search: a tree, the last generated first": "a procura em profundidade da disciplina: em árvore, primeiro o último gerado",
  "the course's A* without a heuristic: a tree, the most recent of equal f first": "o A* da disciplina sem heurística: em árvore, primeiro o mais recente dos de igual f",
  "the top row is filled: the game is lost, but a move can be taken back": "a linha de cima tem casas cheias: o jogo está perdido, mas pode desfazer uma jogada",
  "all pieces are placed": "todas as peças estão colocadas",
  "the piece in hand is {a}, not {b}": "a peça da vez é {a}, não {b}",
  "all {a} placed: {b} in {c}; no more can be had": "{a}, todas colocadas: {b} em {c}; não é possível ter mais",
  "all {a} placed: {b} in {c}; the most is {d}": "{a}, todas colocadas: {b} em {c}; o máximo é {d}",
  "all {a} placed: {b} in {c}": "{a}, todas colocadas: {b} em {c}",
  "the top row is filled: lost with {a} of {b} placed, {c} in {d}": "a linha de cima tem casas cheias: perdido com {a} de {b} colocadas, {c} em {d}",
  "{a} of {b} placed, {c} in {d}": "{a} de {b} colocadas, {c} em {d}",
  "{A} piece": "{A} peça",
  "{A} pieces": "{A} peças",
  "the board is blank: expected rows of '.' and '#', or the word empty": "o tabuleiro está em branco: esperavam-se linhas de '.' e '#', ou a palavra empty",
  "the board has {a} rows: expected at most {b}": "o tabuleiro tem {a} linhas: esperavam-se no máximo {b}",
  "row {a} has {b} cells: expected {c}": "a linha {a} tem {b} casas: esperavam-se {c}",
  "row {a}: {b} is neither '.' nor '#'": "linha {a}: {b} não é '.' nem '#'",
  "piece {a}: {b} is not one of {c}": "peça {a}: {b} não é uma de {c}",
  "there are no pieces: expected letters such as 't i l l', {b}": "não há peças: esperavam-se letras como 't i l l'",
  "there are no pieces: expected letters such as 't i l l'": "não há peças: esperavam-se letras como 't i l l'",
  "the line {a}: stands twice before the board": "a linha {a}: está duas vezes antes do tabuleiro",
  "points {a}: expected {b}": "pontos {a}: esperava-se outra coisa, como 0,100,300,500,800",
  "a board of {a} rows and {b} columns: expected 4 to 64 rows, 4 to 31 columns": "um tabuleiro de {a} linhas e {b} colunas: esperavam-se 4 a 64 linhas, 4 a 31 colunas",
  "{a} random pieces: expected {b}": "{a} peças ao acaso: esperavam-se {b}",
};

const CELL = 30;
const HEAD = 4;
const LETTERS = "iljoszt";

export class Board {
  static handles = ["pieces", "rows", "columns"];

  constructor(host, tools) {
    Object.assign(this, { host, ...tools });
    this.cursorCell = [0, 0];
    const { h, s, t } = this;
    this.svg = s("svg", {
      class: "tetris",
      role: "application",
      tabindex: this.mode === "show" ? null : "0",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.press(event),
      onpointermove: (event) => this.hover(event),
      onpointerup: (event) => this.release(event),
      onpointerleave: () => (this.painting = null),
    });
    this.queue = h("div", { class: "queue" });
    host.append(h("div", { class: "with-queue" }, this.svg, this.queue));
    if (this.mode === "edit") host.append(this.editTools());
    if (this.mode === "play") host.append(this.playTools());
    if (this.mode !== "show") host.append(h("p", { class: "help" }, t(`keys_${this.mode}`)));
  }

  editTools() {
    const { h, t } = this;
    this.palette = h("div", { class: "palette", role: "group", "aria-label": t("pieces") });
    const empty = h("button", { type: "button", onclick: () => this.clearBoard() }, t("empty_board"));
    const size = (low, high) => h("input", { type: "number", min: low, max: high, onchange: () => this.resize() });
    this.rowsField = size(4, 64);
    this.columnsField = size(4, 31);
    this.rowsField.setAttribute("aria-label", t("rows"));
    this.columnsField.setAttribute("aria-label", t("columns"));
    return h("div", { class: "bar tools" }, this.palette, h("span", { class: "sizes" }, this.rowsField, "×", this.columnsField), empty);
  }

  playTools() {
    const { h, t, icon } = this;
    const button = (name, picture, run) => h("button", { type: "button", "aria-label": t(name), title: t(name), onclick: run }, icon(picture));
    return h(
      "div",
      { class: "bar tools big" },
      button("left", "left", () => this.shift(-1)),
      button("turn", "turn", () => this.turn(1)),
      button("right", "right", () => this.shift(1)),
      button("drop", "down", () => this.drop()),
    );
  }

  // What is shown

  open({ start, facts }) {
    this.facts = facts;
    this.rows = facts.rows;
    this.columns = facts.columns;
    this.pieces = facts.pieces;
    this.start = this.grid(start.text);
    this.cells = this.start;
    this.upcoming = facts.pieces;
    this.build();
    this.draw();
    if (this.rowsField) {
      this.rowsField.value = this.rows;
      this.columnsField.value = this.columns;
    }
  }

  resize() {
    const within = (field, low, high) => Math.max(low, Math.min(high, Number(field.value) || low));
    this.rows = within(this.rowsField, 4, 64);
    this.columns = within(this.columnsField, 4, 31);
    this.cells = Array.from({ length: this.rows }, () => Array(this.columns).fill(""));
    this.tell(true);
  }

  learn({ facts }) {
    this.facts = facts;
    this.pieces = facts.pieces;
  }

  // Rows from the top; a cell is "" or the letter of its piece, "#" where it was filled from the start.
  grid(text) {
    return text.split("\n").map((line) => [...line].map((symbol) => (symbol === "#" ? "#" : "")));
  }

  build() {
    const { s, rows, columns, t } = this;
    const head = this.mode === "play" ? HEAD : 0;
    const [width, height] = [columns * CELL, rows * CELL];
    this.svg.setAttribute("viewBox", `-6 ${-head * CELL - 6} ${width + 12} ${height + head * CELL + 12}`);
    this.svg.style.setProperty("--ratio", (columns * CELL + 12) / ((rows + head) * CELL + 12));
    this.svg.setAttribute("aria-label", t("board_label", { rows, columns }));
    const lines = [...Array.from({ length: rows + 1 }, (_, i) => `M0 ${i * CELL}H${width}`), ...Array.from({ length: columns + 1 }, (_, i) => `M${i * CELL} 0V${height}`)];
    this.layer = s("g", {});
    this.ghost = s("g", { class: "ghost" });
    this.svg.replaceChildren(
      s("rect", { x: 0, y: 0, width, height, class: "well" }),
      s("path", { d: lines.join(""), class: "grid" }),
      this.layer,
      this.ghost,
      s("path", { d: `M-3 0V${height + 3}H${width + 3}V0`, class: "wall" }),
    );
    if (this.palette && !this.palette.children.length) this.buildPalette();
  }

  buildPalette() {
    const { h, t } = this;
    this.palette.replaceChildren(
      ...[...LETTERS].map((piece) => h("button", { type: "button", class: "piece", "aria-label": t("add", { piece }), title: t("add", { piece }), onclick: () => this.setPieces(this.pieces + piece) }, this.small(piece))),
    );
  }

  small(piece) {
    const { s } = this;
    const shape = this.facts.rotations[piece][0];
    const rows = [...shape].reverse();
    const cells = rows.flatMap((line, r) => [...line].map((symbol, c) => symbol === "#" && s("rect", { x: c * 10 + 0.5, y: r * 10 + 0.5, width: 9, height: 9, rx: 2, class: `piece-${piece}` })));
    return s("svg", { viewBox: `0 0 ${rows[0].length * 10} ${rows.length * 10}`, class: "small", style: `--w:${rows[0].length};--h:${rows.length}`, "aria-hidden": "true" }, cells);
  }

  square(row, column, kind, extra = "") {
    return this.s("rect", { x: column * CELL + 1.5, y: row * CELL + 1.5, width: CELL - 3, height: CELL - 3, rx: 5, class: `cell ${kind === "#" ? "heap" : `piece-${kind}`} ${extra}` });
  }

  draw(fresh = new Set()) {
    const squares = [];
    this.cells.forEach((line, row) => line.forEach((kind, column) => kind && squares.push(this.square(row, column, kind, fresh.has(row * this.columns + column) ? "fresh" : ""))));
    if (this.mode === "edit") {
      const [row, column] = this.cursorCell;
      squares.push(this.s("rect", { x: column * CELL + 1, y: row * CELL + 1, width: CELL - 2, height: CELL - 2, class: "cursor" }));
    }
    this.layer.replaceChildren(...squares);
    this.drawQueue();
    this.drawGhost();
  }

  drawQueue() {
    const { h, t } = this;
    const label = h("span", { class: "label" }, this.mode === "edit" ? t("pieces") : t("next"));
    const points = this.points === undefined || this.points === null || this.mode === "edit" ? null : h("strong", { class: "points" }, t("points", { n: this.points }));
    const chips = [...(this.mode === "edit" ? this.pieces : this.upcoming)].slice(0, 60).map((piece, i) =>
      this.mode === "edit"
        ? h("button", { type: "button", class: "piece", "aria-label": t("remove", { piece, n: i + 1 }), title: t("remove", { piece, n: i + 1 }), onclick: () => this.setPieces(this.pieces.slice(0, i) + this.pieces.slice(i + 1)) }, this.small(piece))
        : h("span", { class: i === 0 ? "piece first" : "piece", role: "img", "aria-label": piece }, this.small(piece)),
    );
    this.queue.replaceChildren(...[points, (chips.length > 0 || this.mode === "edit") && label, h("div", { class: "chips" }, chips)].filter(Boolean));
  }

  // The answer: each step keeps the colours of the pieces placed before it, as long as they agree with the boards.

  answer(frames, actions) {
    this.frames = frames;
    this.steps = colours(this.start, frames.map(({ text }) => this.grid(text)), actions, this.facts.rotations);
    this.landed = this.steps.map(({ fresh }) => fresh);
  }

  show(step) {
    this.cells = this.steps[step].cells;
    this.upcoming = this.pieces.slice(step);
    this.points = this.frames[step].points;
    this.draw(this.steps[step].fresh);
  }

  // A game

  game(reply) {
    const { game, view } = reply;
    if (this.of !== game.board || !this.facts) {
      this.of = game.board;
      this.open({ start: { text: reply.start }, facts: reply.facts });
    }
    const grid = this.grid(view.text);
    this.cells = replay(this.start, game.moves, this.facts.rotations, grid);
    this.upcoming = this.pieces.slice(game.moves.length);
    this.points = view.points;
    this.over = reply.over;
    if (game.moves.length !== this.madeMoves) {
      this.rotation = 0;
      this.column = Math.floor((this.columns - this.width()) / 2);
    }
    this.madeMoves = game.moves.length;
    this.hint = reply.hint;
    if (this.hint) [, this.rotation, this.column] = this.hint;
    this.draw();
  }

  form() {
    return this.facts.rotations[this.upcoming[0]][this.rotation];
  }

  width() {
    return this.upcoming ? this.facts.rotations[this.upcoming[0]][this.rotation][0].length : 0;
  }

  drawGhost() {
    const holding = this.mode === "play" && this.upcoming && !this.over && this.rotation !== undefined;
    if (!holding) return this.ghost.replaceChildren();
    const shape = this.form();
    const piece = this.upcoming[0];
    const row = landing(this.cells, shape, this.column);
    const at = (base, extra) => cellsOf(shape, base, this.column).map(([r, c]) => this.square(r, c, piece, extra));
    return this.ghost.replaceChildren(...at(row, this.hint ? "landing hinted" : "landing"), ...at(-1, "held"));
  }

  spoken() {
    const { t } = this;
    return this.upcoming ? t("in_hand", { piece: this.upcoming[0], column: this.column + 1 }) : t("none_left");
  }

  shift(by) {
    if (!this.upcoming || this.over) return;
    this.column = Math.max(0, Math.min(this.columns - this.width(), this.column + by));
    this.hint = null;
    this.drawGhost();
    this.say(this.spoken());
  }

  turn(by) {
    if (!this.upcoming || this.over) return;
    const count = this.facts.rotations[this.upcoming[0]].length;
    this.rotation = (this.rotation + by + count) % count;
    this.shift(0);
  }

  drop() {
    if (this.upcoming && !this.over) this.move([this.upcoming[0], this.rotation, this.column]);
  }

  // What is done

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
  }

  inside([row, column]) {
    return row >= 0 && column >= 0 && row < this.rows && column < this.columns;
  }

  press(event) {
    const place = this.at(event);
    if (this.mode !== "edit" || !this.inside(place)) return;
    this.painting = this.cells[place[0]][place[1]] ? "" : "#";
    event.preventDefault();
    this.svg.focus({ preventScroll: true });
    this.paint(place);
  }

  hover(event) {
    const place = this.at(event);
    if (this.mode === "edit" && this.painting !== null && this.painting !== undefined && this.inside(place)) this.paint(place);
    if (this.mode === "play" && this.upcoming && !this.over && event.pointerType === "mouse") {
      this.column = Math.max(0, Math.min(this.columns - this.width(), place[1] - Math.floor((this.width() - 1) / 2)));
      this.hint = null;
      this.drawGhost();
    }
  }

  release(event) {
    this.painting = null;
    if (this.mode !== "play" || !this.upcoming || this.over) return;
    const place = this.at(event);
    if (place[1] < 0 || place[1] >= this.columns) return;
    if (event.pointerType === "mouse") return this.drop();
    this.column = Math.max(0, Math.min(this.columns - this.width(), place[1] - Math.floor((this.width() - 1) / 2)));
    this.hint = null;
    return this.drawGhost();
  }

  paint([row, column]) {
    this.cursorCell = [row, column];
    if (this.cells[row][column] === this.painting) return this.draw();
    this.cells = this.cells.map((line, r) => (r === row ? line.map((kind, c) => (c === column ? this.painting : kind)) : line));
    this.start = this.cells;
    this.draw();
    return this.tell();
  }

  tell(reopen = false) {
    const lines = this.cells.map((line) => line.map((kind) => (kind ? "#" : ".")).join(""));
    const size = this.rows === 18 && this.columns === 10 ? [] : [`size: ${this.rows}x${this.columns}`];
    this.change([`pieces: ${[...this.pieces].join(" ")}`, ...size, ...lines].join("\n"), {}, reopen);
  }

  setPieces(pieces) {
    this.pieces = pieces;
    this.drawQueue();
    this.tell();
  }

  clearBoard() {
    this.cells = this.cells.map((line) => line.map(() => ""));
    this.start = this.cells;
    this.draw();
    this.tell();
  }

  key(event) {
    if (this.mode === "show" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.mode === "play") {
      const run = { ArrowLeft: () => this.shift(-1), ArrowRight: () => this.shift(1), ArrowUp: () => this.turn(1), ArrowDown: () => this.turn(-1), " ": () => this.drop(), Enter: () => this.drop() }[event.key];
      if (!run) return;
      event.preventDefault();
      run();
      return;
    }
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const [row, column] = this.cursorCell;
    if (event.key in steps) {
      event.preventDefault();
      const next = [row + steps[event.key][0], column + steps[event.key][1]];
      if (this.inside(next)) this.cursorCell = next;
      this.draw();
      const { t } = this;
      this.say(`${t("cell", { row: this.cursorCell[0] + 1, column: this.cursorCell[1] + 1 })}: ${t(this.cells[this.cursorCell[0]][this.cursorCell[1]] ? "filled" : "free")}`);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      this.painting = this.cells[row][column] ? "" : "#";
      this.paint([row, column]);
      this.painting = null;
    } else if (LETTERS.includes(event.key.toLowerCase()) && event.key.length === 1) this.setPieces(this.pieces + event.key.toLowerCase());
    else if (event.key === "Backspace") this.setPieces(this.pieces.slice(0, -1));
  }
}

// The rules, as far as a picture needs them: a shape's rows stand from the bottom up, a board's from the top down.

function cellsOf(shape, base, column) {
  return shape.flatMap((line, up) => [...line].map((symbol, across) => symbol === "#" && [base - up, column + across])).filter(Boolean);
}

function landing(cells, shape, column) {
  const free = (base) => cellsOf(shape, base, column).every(([r, c]) => r < 0 || (r < cells.length && !cells[r][c]));
  let base = -1;
  while (free(base + 1)) base++;
  return base;
}

function placed(cells, [piece, rotation, column], rotations) {
  const shape = rotations[piece][rotation];
  const base = landing(cells, shape, column);
  const grid = cells.map((line) => [...line]);
  const fresh = [];
  for (const [r, c] of cellsOf(shape, base, column))
    if (r >= 0) {
      grid[r][c] = piece;
      fresh.push([r, c]);
    }
  const kept = grid.map((line, r) => [line, r]).filter(([line]) => !line.every(Boolean));
  const gone = grid.length - kept.length;
  const after = [...Array.from({ length: gone }, () => grid[0].map(() => "")), ...kept.map(([line]) => line)];
  const where = new Map(kept.map(([, r], i) => [r, i + gone]));
  return { cells: after, fresh: new Set(fresh.filter(([r]) => where.has(r)).map(([r, c]) => where.get(r) * grid[0].length + c)) };
}

const alike = (a, b) => a.every((line, r) => line.every((kind, c) => Boolean(kind) === Boolean(b[r]?.[c])));

function colours(start, grids, actions, rotations) {
  const steps = [{ cells: grids[0] ?? start, fresh: new Set() }];
  for (let i = 1; i < grids.length; i++) {
    const next = placed(steps[i - 1].cells, actions[i - 1], rotations);
    steps.push(alike(next.cells, grids[i]) ? next : { cells: grids[i], fresh: new Set() });
  }
  return steps;
}

function replay(start, moves, rotations, grid) {
  let cells = start;
  for (const move of moves) cells = placed(cells, move, rotations).cells;
  return alike(cells, grid) ? cells : grid;
}
