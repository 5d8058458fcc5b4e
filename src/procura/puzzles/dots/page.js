// Dots and Boxes in a page: lines to draw with mouse, finger or keys, boxes that fill when they close.

export const phrases = {
  en: {
    name: "Dots and Boxes",
    step: ["{n} line", "{n} lines"],
    size: "Boxes",
    to_close: "Boxes to close",
    clear_lines: "No lines",
    line: "{kind} line, row {row}, column {column}",
    horizontal: "horizontal",
    vertical: "vertical",
    is_drawn: "drawn",
    is_free: "not drawn",
    closed: "{n} of {all} boxes closed",
    keys_play: "Click between two dots to draw a line; with keys, arrows and space.",
    keys_edit: "Click between two dots to draw or remove a line; with keys, arrows and space.",
    board_label: "Dots and Boxes, {rows} by {columns} boxes",
    made: "Drawn",
    duel_aim: "You and the computer draw lines in turn. Who closes a box owns it and draws again; most boxes win.",
  },
  pt: {
    name: "Pontos e caixas",
    step: ["{n} linha", "{n} linhas"],
    size: "Caixas",
    to_close: "Caixas a fechar",
    clear_lines: "Sem linhas",
    line: "linha {kind}, fila {row}, coluna {column}",
    horizontal: "horizontal",
    vertical: "vertical",
    is_drawn: "traçada",
    is_free: "por traçar",
    closed: "{n} de {all} caixas fechadas",
    keys_play: "Clique entre dois pontos para traçar uma linha; com teclas, setas e espaço.",
    keys_edit: "Clique entre dois pontos para traçar ou tirar uma linha; com teclas, setas e espaço.",
    board_label: "Pontos e caixas, {rows} por {columns} caixas",
    made: "Traçadas",
    duel_aim: "Você e o computador traçam linhas à vez. Quem fecha uma caixa fica com ela e joga de novo; ganha quem tiver mais.",
  },
};

// What Python says of it, in Portuguese.
export const sentences = {
  "draw the fewest lines that close a given number of boxes": "desenhe o menor número de linhas que fecha um dado número de caixas",
  "the boxes to close, in place of the problem's target": "as caixas a fechar, em vez das do problema",
  "draw lines in one order only, in any, or in any as the report lists them": "desenhar linhas só por uma ordem, por qualquer uma, ou como o relatório as lista",
  "boxes missing: the course's base": "caixas em falta: a base da disciplina",
  "half the boxes missing": "metade das caixas em falta",
  "lines of the cheapest boxes, shared ones half": "linhas das caixas mais baratas, as partilhadas por metade",
  "lines of the most compact boxes, or half_sharing": "linhas das caixas mais compactas, ou half_sharing",
  "Dots by dynamic programming over which of the last boxes along the shorter side are closed": "Pontos por programação dinâmica sobre quais das últimas caixas ao longo do lado menor estão fechadas",
  "optimal up to 16 boxes wide, if memory suffices; else an answer and a bound": "ótima até 16 caixas de largura, se a memória chegar; senão uma resposta e um limite",
  "what the computer would draw in your place": "o que o computador desenharia no seu lugar",
  "the line {a} is drawn already": "a linha {a} já está desenhada",
  "{A} line": "{A} linha",
  "{A} lines": "{A} linhas",
  "one problem of a file of several": "um problema de um ficheiro com vários",
  "an empty board of ROWSxCOLS boxes, in place of BOARD": "um tabuleiro vazio de LINHASxCOLUNAS caixas",
  "ROWSxCOLS of boxes": "LINHASxCOLUNAS de caixas",
  "the lines drawn: how many or, below 1, what part of all": "as linhas traçadas: quantas ou, abaixo de 1, que parte de todas",
  "the boxes to close; none: those closed and half of the rest": "as caixas a fechar; none: as fechadas e metade do resto",
  "masks kept for each number of boxes, on boards too wide": "máscaras guardadas por cada número de caixas, em tabuleiros largos demais",
  "the report's depth-first search: the first line first, a goal seen as soon as it is drawn": "a procura em profundidade do relatório: a primeira linha primeiro, um objetivo visto logo que é traçado",
  "the report's breadth-first search: it recognises no board again": "a procura em largura do relatório: não reconhece tabuleiros repetidos",
  "In a drawing, a row without bars is a line with a space.": "Num desenho, uma fila sem barras é uma linha com um espaço.",
  "the computer draws": "o computador traça",
  "of the boxes left you get {a}, which is proved": "das caixas que faltam fica com {a}, o que está provado",
  "as many as the computer": "tantas como o computador",
  "{a} more than the computer": "mais {a} do que o computador",
  "{a} fewer than the computer": "menos {a} do que o computador",
  "you win: {a} after {b}": "ganhou: {a} ao fim de {b}",
  "the computer wins: {a} after {b}": "o computador ganha: {a} ao fim de {b}",
  "a draw: {a} after {b}": "empate: {a} ao fim de {b}",
  "you {A}, computer {B}": "você {A}, computador {B}",
  "{a} closed with {b} and {c}; no fewer lines do it": "{a}, fechadas com {b} e {c}; menos linhas não bastam",
  "{a} closed with {b} and {c}; the fewest is {d}": "{a}, fechadas com {b} e {c}; o mínimo é {d}",
  "{a} of {b} closed with {c} and {d}": "{a} de {b}, fechadas com {c} e {d}",
  "{a} closed with {b} and {c}": "{a}, fechadas com {b} e {c}",
  "{A} box": "{A} caixa",
  "{A} boxes": "{A} caixas",
  "(horizontals verticals) or (NAME TARGET (horizontals verticals))": "(horizontais verticais) ou (NOME ALVO (horizontais verticais))",
  "expected a name, a target and a board: (NAME TARGET (horizontals verticals))": "esperava-se um nome, um alvo e um tabuleiro: (NOME ALVO (horizontais verticais))",
  "'(' is never closed: expected ')' before {a}": "'(' nunca se fecha: esperava-se ')' antes de {a}",
  "')' closes nothing: expected '('": "')' não fecha nada: esperava-se '('",
  "the end of the text": "acabar o texto",
  "{A} vertical lists: expected {B}, one more than the columns": "{A} listas verticais: esperavam-se {B}, mais uma do que as colunas",
  "rows and columns of boxes, such as 3x4": "linhas e colunas de caixas, como 3x4",
  "the text has no board: expected {a}": "o texto não tem tabuleiro: esperava-se {a}",
  "the target is {b}: expected a number of boxes": "o alvo é {b}: esperava-se um número de caixas",
  "the target is {b}: expected 0 to {c}, the boxes of the board": "o alvo é {b}: esperava-se 0 a {c}, as caixas do tabuleiro",
  "the problem has no target: expected {a}": "o problema não tem alvo: esperava-se o número de caixas a fechar",
  "size {a}: expected at least 1x1": "tamanho {a}: esperava-se pelo menos 1x1",
  "a board of {a} boxes has {b} lines: expected at most {c}, or one step of a search takes too long for its limits to hold": "um tabuleiro de {a} caixas tem {b} linhas: esperavam-se no máximo {c}, ou um passo de uma procura demora demais para os seus limites",
  "drawn {a}: expected a part below 1, or a number of lines up to {b}": "drawn {a}: esperava-se uma parte abaixo de 1, ou um número de linhas até {b}",
};

const CELL = 80;

// Lines by name: "h,i,j" goes right from dot j of row i, "v,i,j" goes down from dot j of column i.
function read(text) {
  const lines = text.split("\n");
  const columns = (lines[0].length - 1) / 4;
  const rows = (lines.length - 1) / 2;
  const drawn = new Set();
  lines.forEach((line, y) => {
    if (y % 2 === 0) for (let j = 0; j < columns; j++) line[4 * j + 1] === "-" && drawn.add(`h,${y / 2},${j}`);
    else for (let i = 0; i <= columns; i++) line[4 * i] === "|" && drawn.add(`v,${i},${(y - 1) / 2}`);
  });
  return { rows, columns, drawn };
}

export class Board {
  static handles = ["boxes", "problem"];

  constructor(host, tools) {
    Object.assign(this, { host, ...tools });
    this.at = "h,0,0";
    const { h, s, t } = this;
    this.svg = s("svg", { class: "dots", role: "application", tabindex: this.mode === "show" ? null : "0", onkeydown: (event) => this.key(event), onclick: (event) => this.click(event) });
    this.count = h("p", { class: "count" });
    host.append(this.svg, this.count);
    if (this.mode === "edit") host.append(this.editTools());
    if (this.mode !== "show") host.append(h("p", { class: "help" }, t(`keys_${this.mode}`)));
  }

  editTools() {
    const { h, t } = this;
    const sizes = Array.from({ length: 8 }, (_, i) => i + 1);
    const select = (name) => h("select", { "aria-label": `${t("size")} ${name}`, onchange: () => this.resize() }, sizes.map((n) => h("option", { value: n }, n)));
    this.rowsField = select("rows");
    this.columnsField = select("columns");
    this.targetField = h("input", { type: "number", min: 0, id: "boxes", "aria-label": t("to_close"), onchange: () => this.setTarget() });
    const empty = h("button", { type: "button", onclick: () => this.redraw(new Set()) }, t("clear_lines"));
    return h("div", { class: "bar tools" }, h("span", { class: "sizes" }, this.rowsField, "×", this.columnsField), h("label", { for: "boxes" }, t("to_close")), this.targetField, empty);
  }

  // What is shown

  open({ start, facts }) {
    const { rows, columns, drawn } = read(start.text);
    Object.assign(this, { rows, columns, drawn, given: this.mode === "edit" ? new Set() : drawn, target: facts.boxes, owners: null });
    this.build();
    this.draw();
    if (this.rowsField) {
      this.rowsField.value = rows;
      this.columnsField.value = columns;
      this.targetField.value = facts.boxes;
    }
  }

  build() {
    const { s, rows, columns, t } = this;
    this.svg.setAttribute("viewBox", `-20 -20 ${columns * CELL + 40} ${rows * CELL + 40}`);
    this.svg.style.setProperty("--ratio", (columns * CELL + 40) / (rows * CELL + 40));
    this.svg.setAttribute("aria-label", t("board_label", { rows, columns }));
    this.lines = new Map();
    this.boxes = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        this.boxes.push(s("g", { transform: `translate(${column * CELL} ${row * CELL})` }, s("rect", { x: 6, y: 6, width: CELL - 12, height: CELL - 12, rx: 8, class: "box" }), s("text", { x: CELL / 2, y: CELL / 2 + 9 })));
    const line = (name, x, y, across) => {
      const [dx, dy] = across ? [CELL, 0] : [0, CELL];
      const group = s("g", { class: "line", "data-line": name }, s("rect", { x: x + (across ? 8 : -17), y: y + (across ? -17 : 8), width: across ? CELL - 16 : 34, height: across ? 34 : CELL - 16, rx: 10, class: "touch" }), s("line", { x1: x + (across ? 9 : 0), y1: y + (across ? 0 : 9), x2: x + dx - (across ? 9 : 0), y2: y + dy - (across ? 0 : 9), class: "ink" }));
      this.lines.set(name, group);
    };
    for (let i = 0; i <= rows; i++) for (let j = 0; j < columns; j++) line(`h,${i},${j}`, j * CELL, i * CELL, true);
    for (let i = 0; i <= columns; i++) for (let j = 0; j < rows; j++) line(`v,${i},${j}`, i * CELL, j * CELL, false);
    const dots = [];
    for (let i = 0; i <= rows; i++) for (let j = 0; j <= columns; j++) dots.push(s("circle", { cx: j * CELL, cy: i * CELL, r: 7, class: "dot" }));
    this.svg.replaceChildren(s("rect", { x: -20, y: -20, width: columns * CELL + 40, height: rows * CELL + 40, rx: 16, class: "paper" }), ...this.boxes, ...this.lines.values(), ...dots);
    if (!this.lines.has(this.at)) this.at = "h,0,0";
  }

  sides(box) {
    const [row, column] = [Math.floor(box / this.columns), box % this.columns];
    return [`h,${row},${column}`, `h,${row + 1},${column}`, `v,${column},${row}`, `v,${column + 1},${row}`];
  }

  draw() {
    for (const [name, group] of this.lines) {
      const drawn = this.drawn.has(name);
      group.setAttribute("class", ["line", drawn && "drawn", drawn && this.given.has(name) && "given", name === this.newest && "newest", name === this.hinted && "hinted", this.mode !== "show" && name === this.at && "here"].filter(Boolean).join(" "));
    }
    let closed = 0;
    this.boxes.forEach((group, i) => {
      const shut = this.sides(i).every((side) => this.drawn.has(side));
      closed += shut;
      const owner = this.owners?.[i] ?? 0;
      group.setAttribute("class", shut ? `shut owner-${owner}` : "");
      group.lastChild.textContent = shut && owner ? this.t(owner === 1 ? "you" : "computer")[0] : "";
    });
    this.closed = closed;
    this.count.textContent = this.owners ? "" : this.t("closed", { n: closed, all: this.target });
  }

  answer(frames, actions) {
    this.frames = frames.map(({ text }) => read(text).drawn);
    this.actions = actions;
  }

  show(step) {
    this.drawn = this.frames[step];
    this.newest = step ? this.actions[step - 1].join(",") : null;
    this.draw();
  }

  game(reply) {
    if (this.of !== reply.game.board + reply.game.against) {
      this.of = reply.game.board + reply.game.against;
      this.open({ start: { text: reply.start }, facts: reply.facts });
    }
    this.drawn = read(reply.view.text).drawn;
    this.owners = reply.view.owners ?? null;
    this.hinted = reply.hint ? reply.hint.join(",") : null;
    if (this.hinted) this.at = this.hinted;
    const last = reply.made.at(-1);
    this.newest = last ? last.join(",") : null;
    this.draw();
  }

  spoken() {
    const [kind, i, j] = this.at.split(",");
    const across = kind === "h";
    const { t } = this;
    const place = t("line", { kind: t(across ? "horizontal" : "vertical"), row: Number(across ? i : j) + 1, column: Number(across ? j : i) + 1 });
    return `${place}: ${t(this.drawn.has(this.at) ? "is_drawn" : "is_free")}. ${this.count.textContent}`;
  }

  // What is done

  click(event) {
    const name = event.target.closest?.(".line")?.dataset.line;
    if (!name || this.mode === "show") return;
    this.at = name;
    this.svg.focus({ preventScroll: true });
    this.toggle();
  }

  toggle() {
    const [kind, i, j] = this.at.split(",");
    if (this.mode === "play") return this.move([kind, Number(i), Number(j)]);
    const drawn = new Set(this.drawn);
    if (!drawn.delete(this.at)) drawn.add(this.at);
    return this.redraw(drawn);
  }

  redraw(drawn) {
    this.drawn = drawn;
    this.draw();
    this.say(this.spoken());
    this.tell();
  }

  tell(reopen = false) {
    const list = (kind, outer, inner) =>
      `(${Array.from({ length: outer }, (_, i) => `(${Array.from({ length: inner }, (_, j) => (this.drawn.has(`${kind},${i},${j}`) ? 1 : 0)).join(" ")})`).join(" ")})`;
    const { rows, columns } = this;
    this.change(`(${this.target} (${list("h", rows + 1, columns)} ${list("v", columns + 1, rows)}))`, {}, reopen);
  }

  setTarget() {
    this.target = Number(this.targetField.value);
    this.draw();
    this.tell();
  }

  resize() {
    this.rows = Number(this.rowsField.value);
    this.columns = Number(this.columnsField.value);
    this.drawn = new Set();
    this.target = Math.ceil((this.rows * this.columns) / 2);
    this.tell(true);
  }

  key(event) {
    if (this.mode === "show" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      this.toggle();
      return;
    }
    // Lines lie in 2 * rows + 1 levels, horizontal and vertical ones in turn.
    const [kind, i, j] = this.at.split(",");
    const across = kind === "h";
    let level = across ? 2 * Number(i) : 2 * Number(j) + 1;
    let place = Number(across ? j : i);
    if (event.key === "ArrowLeft") place--;
    else if (event.key === "ArrowRight") place++;
    else if (event.key === "ArrowUp") level--;
    else if (event.key === "ArrowDown") level++;
    else return;
    event.preventDefault();
    level = (level + 2 * this.rows + 1) % (2 * this.rows + 1);
    const count = level % 2 ? this.columns + 1 : this.columns;
    place = (place + count) % count;
    this.at = level % 2 ? `v,${place},${(level - 1) / 2}` : `h,${level / 2},${place}`;
    this.draw();
    this.say(this.spoken());
  }
}
