// Sudoku in a page: cells to write and pencil in, a pad of digits for fingers, candidates to look at.

export const phrases = {
  en: {
    name: "Sudoku",
    step: ["{n} digit", "{n} digits"],
    empty_grid: "Empty",
    candidates: "Candidates",
    pencil: "Pencil",
    erase: "Erase",
    refuse: "Refuse clashes",
    side: "Size",
    cell: "row {row}, column {column}",
    nothing: "empty",
    keys_play: "Click a cell and type a digit; arrows move, Delete clears, P pencils.",
    keys_edit: "Click a cell and type a digit; arrows move, Delete clears.",
    board_label: "Sudoku, {side} by {side}",
    made: "Moves",
  },
  pt: {
    name: "Sudoku",
    step: ["{n} algarismo", "{n} algarismos"],
    empty_grid: "Vazio",
    candidates: "Candidatos",
    pencil: "Lápis",
    erase: "Apagar",
    refuse: "Recusar conflitos",
    side: "Tamanho",
    cell: "linha {row}, coluna {column}",
    nothing: "vazia",
    keys_play: "Clique numa célula e escreva um algarismo; as setas movem, Delete apaga, P escreve a lápis.",
    keys_edit: "Clique numa célula e escreva um algarismo; as setas movem, Delete apaga.",
    board_label: "Sudoku, {side} por {side}",
    made: "Jogadas",
  },
};

// What Python says of it, in Portuguese.
export const sentences = {
  "fill the grid so that rows, columns and blocks hold each digit once": "preencha a grelha de modo que linhas, colunas e blocos tenham cada algarismo uma vez",
  "the cell to fill: fewest (default) or first": "a casa a preencher: fewest (por omissão) ou first",
  "clues that look the same after half a turn": "pistas iguais depois de meia volta",
  "the number of empty cells": "o número de casas vazias",
  "Sudoku on bitboards: locked candidates and singles by table, guesses at pairs of candidates": "Sudoku em bitboards: candidatos presos e únicos por tabela, palpites em pares de candidatos",
  "complete; with solutions=2 it proves that a solution is the only one": "completa; com solutions=2 prova que uma solução é a única",
  "the grid is full and right": "a grelha está cheia e certa",
  "with that digit the grid cannot be solved": "com esse algarismo a grelha não tem solução",
  "a solution of the grid as it stands has it": "uma solução da grelha como está tem-no",
  "the board has no solution, which is proved": "está provado que o tabuleiro não tem solução",
  "{a} at row {b}, column {c}": "{a} na linha {b}, coluna {c}",
  "hidden single": "único escondido",
  "naked single": "único à vista",
  "in row {a} only {b} can hold {c}": "na linha {a} só {b} pode ter {c}",
  "in column {a} only {b} can hold {c}": "na coluna {a} só {b} pode ter {c}",
  "in block {a} only {b} can hold {c}": "no bloco {a} só {b} pode ter {c}",
  "{a} has no candidate but {b}": "{a} não tem outro candidato senão {b}",
  "clear row {b}, column {c}": "limpar linha {b}, coluna {c}",
  "{a} stands in row {b} already, at row {c}, column {d}": "{a} já está na linha {b}: linha {c}, coluna {d}",
  "{a} stands in column {b} already, at row {c}, column {d}": "{a} já está na coluna {b}: linha {c}, coluna {d}",
  "{a} stands in block {b} already, at row {c}, column {d}": "{a} já está no bloco {b}: linha {c}, coluna {d}",
  "{a}; then {b}": "{a}; depois, {b}",
  "the clues it has: 30 on 9x9, 6 on 4x4, 130 on 16x16": "as pistas que tem: 30 em 9x9, 6 em 4x4, 130 em 16x16",
  "4, 9 or 16 cells a side": "4, 9 ou 16 casas de lado",
  "no clue can be spared; of a symmetric board, no pair": "nenhuma pista se pode dispensar; num tabuleiro simétrico, nenhum par",
  "as procura explain rates it": "como o procura explain o classifica",
  "solutions to look for; from 2 on they are counted, and listed": "soluções a procurar; a partir de 2 são contadas e listadas",
  "the report's iterative deepening: the first empty cell, digits from 1": "o aprofundamento iterativo do relatório: a primeira casa vazia, algarismos a partir de 1",
  "the report's A*: the first empty cell, digits from 1, h = empty cells": "o A* do relatório: a primeira casa vazia, algarismos a partir de 1, h = casas vazias",
  "the report's annealing: after 100 rounds that ended no lower, 2 degrees more a round until one does": "o recozimento do relatório: depois de 100 rondas que não acabaram mais baixo, mais 2 graus por ronda até uma acabar",
  "the report's genetic algorithm for easy boards: tournaments of 5; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros fáceis: torneios de 5; termina na primeira solução, onde o do relatório continuava",
  "the report's genetic algorithm for easy boards: roulette; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros fáceis: roleta; termina na primeira solução, onde o do relatório continuava",
  "the report's genetic algorithm for medium boards: tournaments of 5; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros médios: torneios de 5; termina na primeira solução, onde o do relatório continuava",
  "the report's genetic algorithm for medium boards: roulette; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros médios: roleta; termina na primeira solução, onde o do relatório continuava",
  "the report's genetic algorithm for diabolic boards: tournaments of 5; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros diabólicos: torneios de 5; termina na primeira solução, onde o do relatório continuava",
  "the report's genetic algorithm for diabolic boards: roulette; ends at the first solution, where the report's went on": "o algoritmo genético do relatório para tabuleiros diabólicos: roleta; termina na primeira solução, onde o do relatório continuava",
  "depth first, the cell with the fewest candidates": "em profundidade, a casa com menos candidatos",
  "annealing at the one temperature that solves quickest": "recozimento à temperatura única que resolve mais depressa",
  "the same cooler, for boards of about 17 clues": "o mesmo mais frio, para tabuleiros de cerca de 17 pistas",
  "the better bands or stacks of two parents, and a new population when it gets stuck": "as melhores faixas ou colunas de blocos de dois pais, e uma população nova quando fica preso",
  "locked candidates": "candidatos presos",
  "naked pair": "par à vista",
  "naked triple": "trio à vista",
  "naked quad": "quarteto à vista",
  "hidden pair": "par escondido",
  "hidden triple": "trio escondido",
  "hidden quad": "quarteto escondido",
  "simple colouring": "coloração simples",
  guess: "palpite",
  "{a} all places for {b} lie {c}, {D}: {e}": "{a} todos os lugares para {b} ficam {c}, {D}: {e}",
  "{a}, {B} hold {C} between them: {d}": "{a}, {B} têm {C} entre si: {d}",
  "{a} the digits {B} have no places but {C}: {d}": "{a} os algarismos {B} só têm lugar em {C}: {d}",
  "{a} has no places in {b} but those in {c}: {d}": "{a} não tem lugares nas {b} senão os das {c}: {d}",
  "{a} is {B}, {c} {D}, {e} {F}: whichever {g} is, {h} or {i} is {j}, and {k}": "{a} é {B}, {c} é {D}, {e} é {F}: seja {g} qual for, {h} ou {i} é {j}, e {k}",
  "{a} stands either in {B} or in {C}; {D} of the second see each other: {e}": "{a} está ou em {B} ou em {C}; {D}, dos segundos, veem-se: {e}",
  "{a} stands either in {B} or in {C}; {D} sees both: {e}": "{a} está ou em {B} ou em {C}; {D} vê ambos: {e}",
  "{a} stands either in {B} or in {C}; {D} see both: {e}": "{a} está ou em {B} ou em {C}; {D} veem ambos: {e}",
  "suppose {a} is {b}: then {c} follow, and {d}; {e}": "suponha que {a} é {b}: então seguem-se {c}, e {d}; {e}",
  "suppose {a} is {b}: then {d}; {e}": "suponha que {a} é {b}: então {d}; {e}",
  "{a} and {B} more": "{a} e mais {B}",
  "{a} has no candidate": "{a} não tem candidatos",
  "row {A} has no place for {b}": "a linha {A} não tem lugar para {b}",
  "column {A} has no place for {b}": "a coluna {A} não tem lugar para {b}",
  "block {A} has no place for {b}": "o bloco {A} não tem lugar para {b}",
  "{a} is {b}: a search of {c} finds no solution with {D} there, and no shorter reason was found": "{a} é {b}: uma procura de {c} não encontra solução com {D} ali, e não se achou razão mais curta",
  "{A} guess": "{A} palpite",
  "{A} guesses": "{A} palpites",
  "{A} goes from {B}, {c}": "{A} sai de {B}, {c}",
  "{A} go from {B}, {c}": "{A} saem de {B}, {c}",
  "{A} goes from {B}": "{A} sai de {B}",
  "{A} go from {B}": "{A} saem de {B}",
  "in row {A}": "na linha {A}",
  "in column {A}": "na coluna {A}",
  "in block {A}": "no bloco {A}",
  "rows {A}": "linhas {A}",
  "columns {A}": "colunas {A}",
  "row {A}": "linha {A}",
  "column {A}": "coluna {A}",
  "block {A}": "bloco {A}",
  "{a} holds {b} from the start: it stays": "{a} tem {b} desde o início: fica",
  "{a} holds {b}: clear it to pencil in it": "{a} tem {b}: limpe-a para escrever a lápis",
  "{a} holds {b} already": "{a} já tem {b}",
  "{a} is empty already": "{a} já está vazia",
  "row {a}, column {b}": "linha {a}, coluna {b}",
  "{A} digit": "{A} algarismo",
  "{A} digits": "{A} algarismos",
  "{A} cell": "{A} casa",
  "{A} cells": "{A} casas",
  "solved in {a}, {b}": "resolvido em {a}, {b}",
  "{a}, {b} left to fill": "{a}, {b} por preencher",
  "{a}, {b} empty and digits that clash": "{a}, {b} vazias e algarismos em conflito",
  "board has {a} cells: expected 16, 81 or 256": "o tabuleiro tem {a} casas: esperavam-se 16, 81 ou 256",
  "row {a} has {b} cells: expected {c}": "a linha {a} tem {b} casas: esperavam-se {c}",
  "{a} and {b}: {c} is given twice {d}": "{a} e {b}: {c} é dado duas vezes {d}",
  "{a} is not one of 1 to {b}, nor {c} for empty": "{a} não é um de 1 a {b}, nem {c} para vazia",
  "'.' or '0'": "'.' ou '0'",
  "side={a}: expected 4, 9 or 16": "side={a}: esperava-se 4, 9 ou 16",
  "difficulty={a}: expected {B}": "difficulty={a}: esperava-se {B}",
  "clues={a}: expected {b} to {c} on a board of {d}": "clues={a}: esperavam-se {b} a {c} num tabuleiro de {d}",
  "clues={a}: boards of so few clues exist, but random ones are too rare to be met: expected {b} or more": "clues={a}: há tabuleiros com tão poucas pistas, mas são raros demais para aparecerem ao acaso: esperavam-se {b} ou mais",
};

const CELL = 60;
const SYMBOLS = ".123456789ABCDEFG";
const read = (text) => [...text.replace(/[\s|+-]/g, "")].map((symbol) => Math.max(0, SYMBOLS.indexOf(symbol.toUpperCase())));

export class Board {
  constructor(host, tools) {
    Object.assign(this, { host, ...tools });
    this.cell = 0;
    this.pencil = false;
    this.marks = [];
    this.clashing = new Set();
    const { h, s, t } = this;
    this.svg = s("svg", {
      class: "sudoku",
      role: "application",
      tabindex: this.mode === "show" ? null : "0",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.press(event),
    });
    this.pad = h("div", { class: "pad", role: "group" });
    host.append(this.svg);
    if (this.mode === "show") return;
    host.append(this.pad, this.toolbar(), h("p", { class: "help" }, t(`keys_${this.mode}`)));
  }

  toolbar() {
    const { h, t } = this;
    const toggle = (name, run) => {
      const button = h("button", { type: "button", "aria-pressed": "false", onclick: () => run(button) }, t(name));
      return button;
    };
    const flip = (button, on) => button.setAttribute("aria-pressed", String(on));
    const candidates = toggle("candidates", (button) => {
      this.showsCandidates = !this.showsCandidates;
      flip(button, this.showsCandidates);
      this.draw();
    });
    if (this.mode === "play") {
      this.pencilButton = toggle("pencil", () => this.setPencil(!this.pencil));
      this.strictButton = toggle("refuse", () => this.set({ strict: !this.strict }));
      return h("div", { class: "bar tools" }, this.pencilButton, candidates, this.strictButton);
    }
    this.side_ = h("select", { "aria-label": t("side"), onchange: () => this.resize(Number(this.side_.value)) }, [4, 9, 16].map((n) => h("option", { value: n }, `${n}×${n}`)));
    const empty = h("button", { type: "button", onclick: () => this.resize(this.side) }, t("empty_grid"));
    return h("div", { class: "bar tools" }, this.side_, empty, candidates);
  }

  setPencil(on) {
    this.pencil = on;
    this.pencilButton.setAttribute("aria-pressed", String(on));
  }

  // What is shown

  open({ start }) {
    this.take(read(start.text), read(start.text));
    if (this.side_) this.side_.value = this.side;
  }

  take(digits, givens) {
    const side = Math.round(Math.sqrt(digits.length));
    const other = side !== this.side;
    Object.assign(this, { digits, givens, side, block: Math.round(Math.sqrt(side)) });
    if (other) {
      this.build();
      this.cell = Math.max(0, givens.indexOf(0));
    }
    this.draw();
  }

  build() {
    const { h, s, t, side, block, icon } = this;
    const span = side * CELL;
    this.svg.setAttribute("viewBox", `-4 -4 ${span + 8} ${span + 8}`);
    this.svg.style.setProperty("--ratio", 1);
    this.svg.setAttribute("aria-label", t("board_label", { side }));
    const lines = (step) => Array.from({ length: side / step + 1 }, (_, i) => `M0 ${i * step * CELL}H${span}M${i * step * CELL} 0V${span}`).join("");
    this.squares = Array.from({ length: side * side }, (_, i) => {
      const [row, column] = [Math.floor(i / side), i % side];
      const odd = (Math.floor(row / block) + Math.floor(column / block)) % 2;
      return s("rect", { x: column * CELL, y: row * CELL, width: CELL, height: CELL, class: odd ? "square odd" : "square" });
    });
    this.inks = this.squares.map((_, i) => s("g", { transform: `translate(${(i % side) * CELL} ${Math.floor(i / side) * CELL})` }));
    this.svg.replaceChildren(
      s("rect", { x: -4, y: -4, width: span + 8, height: span + 8, rx: 8, class: "paper" }),
      ...this.squares,
      s("path", { d: lines(1), class: "thin" }),
      s("path", { d: lines(block), class: "thick" }),
      ...this.inks,
    );
    const digit = (n) => h("button", { type: "button", onclick: () => this.write(n), "aria-label": n ? null : t("erase") }, n ? SYMBOLS[n] : icon("erase"));
    this.pad.replaceChildren(...Array.from({ length: side }, (_, i) => digit(i + 1)), digit(0));
    this.pad.style.setProperty("--keys", side > 9 ? 9 : side + 1);
  }

  draw() {
    const { s, side, block } = this;
    const same = this.mode === "show" ? 0 : this.digits[this.cell];
    const clashing = this.mode === "play" ? this.clashing : this.clashes();
    this.digits.forEach((digit, i) => {
      const ink = this.inks[i];
      const classes = this.squares[i].classList;
      classes.toggle("here", this.mode !== "show" && i === this.cell);
      classes.toggle("same", same > 0 && digit === same && i !== this.cell);
      classes.toggle("hinted", i === this.hinted);
      classes.toggle("new", this.mode === "show" && i === this.newest);
      const kind = clashing.has(i) ? "clash" : this.givens[i] ? "given" : "filled";
      if (digit) ink.replaceChildren(s("text", { x: CELL / 2, y: CELL / 2 + 12, class: `digit ${kind}` }, SYMBOLS[digit]));
      else {
        const small = this.showsCandidates ? this.candidates(i) : (this.marks[i] ?? []);
        const step = CELL / block;
        ink.replaceChildren(
          ...small.map((n) => s("text", { x: ((n - 1) % block + 0.5) * step, y: (Math.floor((n - 1) / block) + 0.5) * step + step * 0.27, class: "mark", "font-size": step * 0.72 }, SYMBOLS[n])),
        );
      }
    });
  }

  answer(frames, actions) {
    this.frames = frames.map(({ text }) => read(text));
    this.actions = actions;
  }

  show(step) {
    const action = this.actions[step - 1];
    this.newest = action ? action[0] * this.side + action[1] : -1;
    this.take(this.frames[step], this.givens);
  }

  game(reply) {
    this.marks = reply.view.marks;
    this.clashing = new Set(reply.view.clashing);
    this.strict = reply.view.strict;
    this.strictButton.setAttribute("aria-pressed", String(this.strict));
    this.hinted = -1;
    const digits = read(reply.view.text);
    if (reply.hint) {
      const [row, column] = reply.hint.slice(-3);
      this.hinted = row * Math.sqrt(digits.length) + column;
      this.cell = this.hinted;
    }
    this.take(digits, read(reply.game.board));
  }

  spoken() {
    const { t, side, cell } = this;
    const where = t("cell", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1 });
    return `${where}: ${this.digits[cell] ? SYMBOLS[this.digits[cell]] : t("nothing")}`;
  }

  cursor() {
    return [Math.floor(this.cell / this.side), this.cell % this.side, 0];
  }

  // The rules, for candidates and clashes

  peers(i) {
    const { side, block } = this;
    const [row, column] = [Math.floor(i / side), i % side];
    return this.digits.map((_, j) => j).filter((j) => {
      const [r, c] = [Math.floor(j / side), j % side];
      const sameBlock = Math.floor(r / block) === Math.floor(row / block) && Math.floor(c / block) === Math.floor(column / block);
      return j !== i && (r === row || c === column || sameBlock);
    });
  }

  candidates(i) {
    const held = new Set(this.peers(i).map((j) => this.digits[j]));
    return Array.from({ length: this.side }, (_, n) => n + 1).filter((n) => !held.has(n));
  }

  clashes() {
    const found = new Set();
    this.digits.forEach((digit, i) => digit && this.peers(i).some((j) => this.digits[j] === digit) && found.add(i));
    return found;
  }

  // What is done

  write(n) {
    if (n > this.side) return;
    const [row, column] = [Math.floor(this.cell / this.side), this.cell % this.side];
    if (this.mode === "play") {
      this.move(this.pencil && n ? ["mark", row, column, n] : [row, column, n]);
      return;
    }
    const digits = [...this.digits];
    digits[this.cell] = n;
    this.take(digits, digits);
    this.say(this.spoken());
    this.tell();
  }

  tell(reopen = false) {
    this.change(this.digits.map((digit) => SYMBOLS[digit]).join(""), {}, reopen);
  }

  resize(side) {
    this.take(Array(side * side).fill(0), Array(side * side).fill(0));
    this.tell();
  }

  press(event) {
    if (this.mode === "show") return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [row, column] = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
    if (row >= 0 && column >= 0 && row < this.side && column < this.side) this.go(row * this.side + column, false);
  }

  go(cell, aloud = true) {
    this.cell = cell;
    this.hinted = -1;
    this.draw();
    if (aloud) this.say(this.spoken());
  }

  wants(key) {
    return this.side === 16 && /^[a-g]$/i.test(key);
  }

  key(event) {
    if (this.mode === "show" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { side } = this;
    const steps = { ArrowUp: -side, ArrowDown: side, ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps) {
      event.preventDefault();
      this.go((this.cell + steps[event.key] + side * side) % (side * side));
    } else if (["Delete", "Backspace", "0", ".", " "].includes(event.key)) {
      event.preventDefault();
      this.write(0);
    } else if (event.key.length === 1 && SYMBOLS.indexOf(event.key.toUpperCase()) > 0) this.write(SYMBOLS.indexOf(event.key.toUpperCase()));
    else if (event.key === "p" && this.mode === "play") this.setPencil(!this.pencil);
  }
}
