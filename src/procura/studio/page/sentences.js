// What Python says, in Portuguese. {a} is a part that is told by itself, {A} a word or a list of words, 1, 2 and 3. What is
// not listed stays English and says so.
import { language, PHRASES } from "./phrases.js";

export const SENTENCES = {
  // Algorithms
  "breadth-first search: the oldest node first": "procura em largura: primeiro o nó mais antigo",
  "complete on finite spaces; optimal when every step costs 1": "completa em espaços finitos; ótima quando cada passo custa 1",
  "depth-first search: the newest node first": "procura em profundidade: primeiro o nó mais recente",
  "complete on finite spaces unless tree=true or a depth limit cuts; not optimal": "completa em espaços finitos, a não ser com tree=true ou um limite de profundidade que corte; não é ótima",
  "iterative deepening: depth-first searches under a depth limit that rises": "aprofundamento iterativo: procuras em profundidade com um limite que sobe",
  "finds a shortest solution if there is one; optimal when every step costs 1": "encontra uma solução mais curta, se houver; ótima quando cada passo custa 1",
  "uniform-cost search: the least cost so far first": "procura de custo uniforme: primeiro o menor custo até agora",
  "complete and optimal": "completa e ótima",
  "greedy best-first search: the least h first, whatever it cost": "procura gulosa: primeiro o menor h, custe o que custar",
  "complete on finite spaces; not optimal": "completa em espaços finitos; não é ótima",
  "A*: the least f = g + h first": "A*: primeiro o menor f = g + h",
  "optimal when the heuristic is admissible and the weight is 1": "ótima quando a heurística é admissível e o peso é 1",
  "iterative-deepening A*: depth-first within a bound on f that rises": "A* com aprofundamento iterativo: em profundidade, dentro de um limite de f que sobe",
  "optimal when the heuristic is admissible; memory for one path only": "ótima quando a heurística é admissível; memória só para um caminho",
  "beam search: level by level, only the best nodes of each level are kept": "procura em feixe: nível a nível, só se guardam os melhores nós de cada nível",
  "memory for width nodes a level; optimal when nothing it dropped could have been better, which it tells": "memória para width nós por nível; ótima quando nada do que deixou cair podia ser melhor, o que diz",
  "beams that get wider find answers, A* or IDA* proves them: an answer soon, a better one later": "feixes cada vez mais largos encontram respostas, o A* ou o IDA* prova-as: uma resposta cedo, uma melhor depois",
  "optimal when the heuristic is admissible; always with its bound, if a limit ends it": "ótima quando a heurística é admissível; sempre com o seu limite inferior, se um limite a terminar",
  "hill climbing: random changes, taken if they are no worse, and new starts": "subida de encosta: mudanças ao acaso, aceites se não forem piores, e novos começos",
  "none; finds energy 0 or goes on until a limit": "nenhuma; encontra energia 0 ou continua até um limite",
  "simulated annealing: random changes, bad ones taken less and less often": "recozimento simulado: mudanças ao acaso, as más aceites cada vez menos",
  "genetic algorithm: a population of states that are selected, crossed and mutated": "algoritmo genético: uma população de estados que são escolhidos, cruzados e mutados",
  "none; ends at energy 0, after its rounds or at a limit": "nenhuma; termina com energia 0, depois das suas rondas ou num limite",

  // Their options
  "test for the goal when a state is generated, not when taken": "testar o objetivo quando um estado é gerado, não quando é retirado",
  "search a tree: recognise no state": "procurar numa árvore: não reconhecer estados",
  "search a tree: keep no states, recognise none": "procurar numa árvore: não guardar nem reconhecer estados",
  "keep no states, recognise none": "não guardar nem reconhecer estados",
  "which successor of a node goes first": "qual dos sucessores de um nó vai primeiro",
  "which of equal f goes first": "qual dos nós de igual f vai primeiro",
  "which successor of a node goes first where ties are equal; the last, with fifo the first": "qual dos sucessores de um nó vai primeiro em caso de empate; o último, com fifo o primeiro",
  "queue a closed state again when reached at less cost": "voltar a pôr na fila um estado fechado quando alcançado a menor custo",
  "what h counts in f = g + weight h": "quanto conta h em f = g + peso h",
  "drop nodes whose f is above this": "deixar cair os nós cujo f está acima disto",
  "do not queue states without moves that are no goals": "não pôr na fila estados sem jogadas que não são objetivo",
  "threads to search on, if compiled": "fios de execução da procura, se compilada",
  "threads to search on": "fios de execução da procura",
  "nodes kept of each level": "nós guardados de cada nível",
  "what the best have least of: f = g + h, or h alone": "o que é menor nos melhores: f = g + h, ou só h",
  "start anew with twice the width until the answer is proved": "recomeçar com o dobro da largura até a resposta estar provada",
  "what raises the bound: astar, or idastar in little memory": "o que sobe o limite inferior: astar, ou idastar com pouca memória",
  "the heuristic that beams go by; none: the same": "a heurística dos feixes; none: a mesma",
  "nodes that beams expand for each one of the proof": "nós que os feixes expandem por cada um da prova",
  "nodes kept of each level by the first beam": "nós guardados de cada nível pelo primeiro feixe",
  "moves without a lower energy that end an attempt": "mudanças sem energia menor que terminam uma tentativa",
  "take moves that keep the energy": "aceitar mudanças que mantêm a energia",
  "new starts before it gives up; none: no end": "novos começos antes de desistir; none: sem fim",
  "the first temperature; none: measured": "a primeira temperatura; none: medida",
  "moves at each temperature": "mudanças em cada temperatura",
  "temperature of a round over that of the last": "temperatura de uma ronda sobre a da anterior",
  "stuck rounds that end an attempt": "rondas sem progresso que terminam uma tentativa",
  "no new best when cold, or not below last round": "sem novo melhor quando fria, ou não abaixo da última ronda",
  "instead of ending an attempt, add this to the temperature": "em vez de terminar uma tentativa, somar isto à temperatura",
  individuals: "indivíduos",
  "rounds of an attempt; none: no end": "rondas de uma tentativa; none: sem fim",
  "how parents are chosen": "como se escolhem os pais",
  "individuals of whom a tournament takes the best": "indivíduos dos quais um torneio escolhe o melhor",
  "individuals, the best, that live on": "indivíduos, os melhores, que continuam",
  "one of the puzzle's crossovers by name; none: its first": "um dos cruzamentos do quebra-cabeças, pelo nome; none: o primeiro",
  "probability that a child is mutated": "probabilidade de um filho ser mutado",
  "random individuals that join in each round": "indivíduos ao acaso que entram em cada ronda",
  "end at energy 0, not after the rounds": "terminar com energia 0, não depois das rondas",
  "rounds without a better state that end an attempt": "rondas sem um estado melhor que terminam uma tentativa",

  // Searches of games
  "every line of play to the end, or to the depth limit": "todas as linhas de jogo até ao fim, ou até ao limite de profundidade",
  "exact if no limit ends it; memory for one line of play only": "exato se nenhum limite a terminar; memória só para uma linha de jogo",
  "deeper and deeper minimax that leaves out what cannot matter and remembers positions": "minimax cada vez mais fundo, que deixa de fora o que não pode contar e se lembra das posições",
  "exact once no line of play is cut off by its depth; before that the estimates of the last depth": "exato quando nenhuma linha de jogo é cortada pela profundidade; antes disso, as estimativas da última profundidade",
  "a value for every move, or only for the best one": "um valor para cada jogada, ou só para a melhor",
  "positions that are remembered": "posições lembradas",
  "Monte Carlo tree search: random games, more of them where they go well": "procura em árvore de Monte Carlo: jogos ao acaso, mais onde correm bem",
  "nothing is proved; with more games the best move comes out": "nada fica provado; com mais jogos aparece a melhor jogada",
  "random games": "jogos ao acaso",
  "how much moves with few games are favoured": "quanto se favorecem as jogadas com poucos jogos",

  // Answers
  "a solution makes at most {a}": "uma solução faz no máximo {a}",
  "any solution costs at least {a}": "qualquer solução custa pelo menos {a}",
  "least energy seen {a}": "menor energia vista: {a}",
  "Try {a}; or {b}.": "Experimente {a}; ou {b}.",
  "Try {a}.": "Experimente {a}.",
  "leave the algorithm out: that takes {a} here": "escolha auto, que aqui é {a}",
  "a higher limit on seconds": "um limite de segundos mais alto",
  "a higher limit on nodes": "um limite de nós mais alto",
  "a higher limit on memory": "um limite de memória mais alto",
  "a higher limit on depth, or none": "um limite de profundidade mais alto, ou nenhum",
  "another seed, or more restarts": "outra semente, ou mais recomeços",
  "a wider beam, such as width={A}, or widen=true": "um feixe mais largo, como width={A}, ou widen=true",
  "a cut above {A}, or none": "um corte acima de {A}, ou nenhum",
  "bfs looks for the fewest steps, not for the least cost": "bfs procura o menor número de passos, não o menor custo",
  "iddfs looks for the fewest steps, not for the least cost": "iddfs procura o menor número de passos, não o menor custo",
  "the heuristic is not admissible": "a heurística não é admissível",
  "the heuristic weighs {a} times, and costs can be negative": "a heurística pesa {a} vezes, e os custos podem ser negativos",
  "part of the space lies beyond the depth limit": "parte do espaço fica além do limite de profundidade",
  "part of the space was left out": "parte do espaço ficou de fora",
  "closed states were not reopened": "os estados fechados não foram reabertos",
  "the heuristic weighs {a} times": "a heurística pesa {a} vezes",
  "the heuristic is not what it says": "a heurística não é o que diz",
  "{a} does not look for the least cost": "{a} não procura o menor custo",
  "the bounds of idastar may rise by many small steps: {a}": "os limites do idastar podem subir em muitos passos pequenos: {a}",
  "the heuristic is neither whole nor admissible": "a heurística não é inteira nem admissível",
  "costs are not whole": "os custos não são inteiros",
  "{a} runs compiled only": "{a} só corre compilado",
  "{a} ran interpreted to its end: {b}": "{a} correu interpretado até ao fim: {b}",
  "{a}: {b}: {c} ran instead": "{a}: {b}; correu {c} em seu lugar",
  "{a}: {b} ran instead": "{a}; correu {b} em seu lugar",

  // Games
  "the game is over: there is nothing left to do": "o jogo acabou: não há mais nada a fazer",
  "it begins a best solution of what is left, {a} long": "começa uma melhor solução do que falta: {a}",
  "it begins a solution of {a}, the best found in a few seconds": "começa uma solução de {a}, a melhor encontrada em poucos segundos",
  "the search was stopped": "a procura foi parada",
  "no solution can be reached from here, which is proved: take a move back": "está provado que daqui não se chega a uma solução: desfaça uma jogada",
  "a few seconds of search found no solution from here": "em poucos segundos a procura não encontrou solução a partir daqui",
  "there is no move to take back": "não há jogada para desfazer",
  "there is nothing to make again": "não há nada para refazer",
  "{a} is not a legal move here": "{a} não é uma jogada possível aqui",
  "the computer plays": "joga o computador",
  "solved in {a} and {b}; no solution is shorter": "resolvido em {a} e {b}; nenhuma solução é mais curta",
  "solved in {a} and {b}; the fewest is {c}": "resolvido em {a} e {b}; o mínimo é {c}",
  "solved in {a} and {b}": "resolvido em {a} e {b}",

  "{a} in {b}, not solved": "{a} em {b}, por resolver",
  "{A} with {b}": "{A} com {b}",
  "{a} and {b} shown": "{a} e ajuda em {b}",
  "{a} shown": "ajuda em {a}",
  "{A} hint": "{A} dica",
  "{A} hints": "{A} dicas",
  "the game is over": "o jogo acabou",
  "move {A}": "jogada {A}",

  // Input
  "line {A}, column {B}": "linha {A}, coluna {B}",
  "line {A}": "linha {A}",
  "problem {A}": "problema {A}",
  "problem {A}, {b}": "problema {A}, {b}",
  "did you mean {a}?": "queria dizer {a}?",
  "expected one of {a}": "esperava-se um de {a}",
  "expected {A}": "esperava-se {A}",
  "expected {a}": "esperava-se {a}",
  "a number, a name or '('": "um número, um nome ou '('",
  "a whole number": "um número inteiro",
  "a whole number from {A} to {B}": "um número inteiro de {A} a {B}",
  "a whole number from {A}": "um número inteiro a partir de {A}",
  "a number": "um número",
  "a number from {A} to {B}": "um número de {A} a {B}",
  "a number from {A}": "um número a partir de {A}",
  "{a} or none": "{a}, ou none",
  "true or false": "true ou false",
  "rows and columns, such as 3x4": "linhas e colunas, como 3x4",
  "limit {a}: expected a number of seconds": "limite {a}: esperava-se um número de segundos",
  "limit {a}: expected a whole number from 0": "limite {a}: esperava-se um número inteiro a partir de 0",
  "limit {a}: expected a number below 1e18, or no limit at all": "limite {a}: esperava-se um número abaixo de 1e18, ou nenhum limite",
  "limit {a}: expected a size such as 500MB (KB, MB or GB)": "limite {a}: esperava-se um tamanho como 500MB (KB, MB ou GB)",
  "option {a}": "opção {a}",
  "size {a}": "tamanho {a}",
  "configuration {a}: expected ALGORITHM[:HEURISTIC][,option=value...]": "configuração {a}: esperava-se ALGORITMO[:HEURÍSTICA][,opção=valor...]",
  "{a} uses no heuristic: leave {b} out or take another algorithm": "{a} não usa heurística: tire {b} ou escolha outro algoritmo",
  "heuristic {a}, character {b}: {c} is no number, name or operator": "heurística {a}, carácter {b}: {c} não é número, nome nem operador",
  "heuristic {a}, character {b}: {c} was not expected here": "heurística {a}, carácter {b}: {c} não se esperava aqui",
  "heuristic {a}, character {b}: {c} is too large": "heurística {a}, carácter {b}: {c} é grande demais",
  "heuristic {a}, character {b}: expected {c}": "heurística {a}, carácter {b}: esperava-se {c}",
  "heuristic {a} is not for this board: {b}": "a heurística {a} não é para este tabuleiro: {b}",
  "heuristic {a} is not for this board": "a heurística {a} não é para este tabuleiro",
  "{a} has no whole states to improve, which local search needs: energy, propose and change": "{a} não tem estados completos para melhorar, de que a procura local precisa",
  "{a} has negative costs, which ucs cannot order: take astar": "{a} tem custos negativos, que o ucs não pode ordenar: use astar",
  "{a} has negative costs and states that recur: take astar with tree=true": "{a} tem custos negativos e estados que se repetem: use astar com tree=true",
  "{a} has negative costs: astar needs reopen=true or tree=true": "{a} tem custos negativos: o astar precisa de reopen=true ou tree=true",
  "the text has {a} characters: expected at most {b}": "o texto tem {a} caracteres: esperavam-se no máximo {b}",
  "the code has {a} characters: expected at most {b}": "o código tem {a} caracteres: esperavam-se no máximo {b}",
  "the code has no class derived from procura.Problem or ArrayProblem: expected one": "o código não tem nenhuma classe derivada de procura.Problem ou ArrayProblem: esperava-se uma",
  "file {a}: there is no such file in the studio's folder": "ficheiro {a}: não existe na pasta do estúdio",
  "no end after {A} seconds of computing: is there an endless loop?": "sem fim ao fim de {A} segundos de cálculo: há um ciclo sem fim?",
  "the process that ran the puzzle's code has ended": "o processo que corria o código terminou",
  "there is no puzzle {a}": "não há quebra-cabeças {a}",
  "there is no algorithm {a}": "não há algoritmo {a}",
  "{a} has no heuristic {b}: expected one of {c}": "{a} não tem heurística {b}: esperava-se uma de {c}",
  "{a} has no option {b}: expected one of {c}": "{a} não tem opção {b}: esperava-se uma de {c}",
  "{a} has no option {b}: did you mean {c}?": "{a} não tem opção {b}: queria dizer {c}?",
  "{a} has no heuristic {b}: did you mean {c}?": "{a} não tem heurística {b}: queria dizer {c}?",
  "{A} point": "{A} ponto",
  "{A} points": "{A} pontos",
  "{A} move": "{A} jogada",
  "{A} moves": "{A} jogadas",
};

// A function that gives a sentence of Python's as {text, lang}; a puzzle adds sentences of its own, and what the page
// itself says is left as it is.
const DEEPEST = 6;

export function teller(own = {}) {
  if (language !== "pt") return (text) => ({ text, lang: "en" });
  const rules = Object.entries({ ...own, ...SENTENCES }).map(([from, to]) => [pattern(from), to]);
  const part = (text, name, depth) =>
    name < "a" ? text.replaceAll(" and ", " e ").replaceAll(" or ", " ou ") : (depth < DEEPEST && translated(text, depth + 1)) || text;
  const translated = (text, depth = 0) => {
    for (const [from, to] of rules) {
      const found = from.exec(text);
      if (found) return to.replace(/\{(\w)\}/g, (_, name) => part(found.groups[name], name, depth));
    }
    const [head, ...tail] = text.split(": ");
    if (!tail.length || depth === DEEPEST) return null;
    const [one, other] = [translated(head, DEEPEST), translated(tail.join(": "), depth + 1)];
    return other === null || (one === null && /\s/.test(head)) ? null : `${one ?? head}: ${other}`;
  };
  const ours = new Set(Object.values(PHRASES.pt));
  return (text) => {
    const found = text && !ours.has(text) ? translated(text) : text;
    return found === null ? { text, lang: "en" } : { text: found, lang: "pt" };
  };
}

// A rule fits the whole sentence; of a list, "1,234" is one word.
function pattern(sentence) {
  const word = "[^\\s,]+(?:,\\d{3})*";
  const kinds = (name) => (name < "a" ? `(?<${name}>${word}(?:(?:,| and| or) ${word})*)` : `(?<${name}>.+?)`);
  const parts = sentence.split(/\{(\w)\}/).map((part, i) => (i % 2 ? kinds(part) : part.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&")));
  return new RegExp(`^${parts.join("")}$`, "s");
}
