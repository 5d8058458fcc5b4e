// A guided tour of the Sudoku report: where each step leads, and what it says.
export const tours = [
  {
    id: "sudoku",
    at: [
      "#/play/sudoku?sample=medium",
      "#/compare/sudoku?sample=medium&with=report_astar%3B+iddfs%3B+dfs",
      "#/watch/sudoku?sample=small&with=dfs",
      "#/watch/sudoku?sample=small&with=annealing%2Cmoves%3D50&seed=1",
    ],
    en: {
      title: "Sudoku: what is a search here?",
      about: "Four ways to fill a grid, and what f is made of.",
      steps: [
        "Fill some cells, or take a hint and read its reason. Which cell would you fill next, and why that one?",
        "Two of the report's answers fill one cell after the other. Press Run all: the report's A* has h = empty cells, so g + h is the same for every node, and it is depth-first search under another name.",
        "Watch depth-first search on a small grid: the cell with the fewest candidates is taken, so a wrong digit is found out at once. Look at the successors: how often is there only one?",
        "Simulated annealing fills the whole grid and swaps digits; the energy counts repeated ones. Drag the slider: at a high temperature bad swaps are taken often, later seldom.",
      ],
      questions: [
        ["Why does iterative deepening waste its time here?", "Every solution fills the same number of cells, so all rounds but the last are in vain."],
        ["What does h = number of empty cells tell A*?", "Nothing: each step fills one cell and costs 1, so f is equal everywhere."],
        ["Why do annealing and genetic algorithms need many runs?", "They draw random numbers: one run is an anecdote. A seed makes each run repeatable."],
      ],
    },
    pt: {
      title: "Sudoku: o que é aqui uma procura?",
      about: "Quatro maneiras de encher uma grelha, e de que é feito f.",
      steps: [
        "Preencha algumas casas, ou peça uma dica e leia a razão. Que casa preencheria a seguir, e porquê essa?",
        "Duas das respostas do relatório preenchem uma casa de cada vez. Carregue em Correr todas: o A* do relatório tem h = casas vazias, logo g + h é igual em todos os nós, e é procura em profundidade com outro nome.",
        "Observe a procura em profundidade numa grelha pequena: toma-se a casa com menos candidatos, e um algarismo errado descobre-se logo. Veja os sucessores: quantas vezes há só um?",
        "O recozimento simulado enche a grelha toda e troca algarismos; a energia conta os repetidos. Arraste o cursor: a temperatura alta aceita muitas trocas más, depois poucas.",
      ],
      questions: [
        ["Porque perde o aprofundamento iterativo aqui o seu tempo?", "Todas as soluções preenchem o mesmo número de casas, e todas as rondas menos a última são em vão."],
        ["O que diz ao A* h = número de casas vazias?", "Nada: cada passo preenche uma casa e custa 1, e f é igual em todo o lado."],
        ["Porque precisam o recozimento e os algoritmos genéticos de muitas corridas?", "Usam números ao acaso: uma corrida é um caso. Uma semente torna cada corrida repetível."],
      ],
    },
  },
];
