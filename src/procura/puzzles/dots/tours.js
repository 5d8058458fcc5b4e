// A guided tour of the Dots and Boxes report: where each step leads, and what it says.
export const tours = [
  {
    id: "dots",
    at: [
      "#/play/dots?sample=small-3x3",
      "#/compare/dots?sample=small-3x3&with=bfs%3B+astar%3Abase%3B+astar%3Apolyomino",
      "#/solve/dots?sample=small-3x3&with=astar%3Apolyomino",
      "#/watch/dots?sample=small-3x3&with=bfs&beside=astar%3Apolyomino",
      "#/play/dots?against=computer",
    ],
    en: {
      title: "Dots and Boxes",
      about: "Before a better heuristic, look for a smaller space.",
      steps: [
        "Draw the fewest lines that close a given number of boxes. Try it: which boxes share a line?",
        "Press Run all. Breadth-first search proves its answer without a heuristic, and pays with nodes. One line can close two boxes, so base, the number of boxes missing, says too much and proves nothing; polyomino never does.",
        "The order in which lines are drawn does not matter, yet six lines have 720 orders. Under Options of the puzzle set order to any, solve, and compare what was generated with canonical, one order only.",
        "Both searches in step. How wide is the frontier of breadth-first search when A* is done?",
        "The game itself is for two: who closes a box draws again. Can you beat the computer? Watch has minimax, alpha-beta and random games on small boards.",
      ],
      questions: [
        ["Why is the number of missing boxes not admissible?", "One line can close two boxes, so two boxes may take only one line."],
        ["What does a penetrance near 1 say?", "That the search hardly looked aside. It says nothing about how good the answer is."],
        ["What does drawing lines in one order only change?", "Every set of lines is made once, not once for each order: the space shrinks, the answers stay."],
      ],
    },
    pt: {
      title: "Pontos e Caixas",
      about: "Antes de uma heurística melhor, procure um espaço mais pequeno.",
      steps: [
        "Desenhe o menor número de linhas que fecha um dado número de caixas. Tente: que caixas partilham uma linha?",
        "Carregue em Correr todas. A procura em largura prova a resposta sem heurística, e paga em nós. Uma linha pode fechar duas caixas: base, as caixas em falta, diz demais e não prova nada; polyomino nunca o faz.",
        "A ordem por que se desenham as linhas não importa, mas seis linhas têm 720 ordens. Nas opções do quebra-cabeças ponha order em any, resolva, e compare o que foi gerado com canonical, uma só ordem.",
        "As duas procuras a par. Que largura tem a fronteira da procura em largura quando o A* acaba?",
        "O jogo em si é para dois: quem fecha uma caixa joga outra vez. Ganha ao computador? Em Observar há minimax, alfa-beta e jogos ao acaso em tabuleiros pequenos.",
      ],
      questions: [
        ["Porque não é admissível o número de caixas em falta?", "Uma linha pode fechar duas caixas, e duas caixas podem custar só uma linha."],
        ["O que diz uma penetrância perto de 1?", "Que a procura quase não olhou para o lado. Nada diz sobre a qualidade da resposta."],
        ["O que muda desenhar linhas por uma só ordem?", "Cada conjunto de linhas faz-se uma vez, não uma por ordem: o espaço encolhe, as respostas ficam."],
      ],
    },
  },
];
