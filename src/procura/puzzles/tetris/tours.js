// Guided tours of the two Tetris reports: where each step leads, and what it says.
export const tours = [
  {
    id: "tetris-first",
    at: [
      "#/play/tetris?sample=test-25",
      "#/solve/tetris?sample=test-25&with=course_dfs&step=4",
      "#/compare/tetris?sample=test-25&with=course_dfs%3B+course_astar%3B+report1_best%3B+report2_best%3B+astar%3Aquality_bound",
      "#/watch/tetris?sample=test-25&with=course_dfs&beside=astar%3Aquality_bound",
    ],
    en: {
      title: "Tetris, the first report",
      about: "What an answer means depends on whether h is admissible.",
      steps: [
        "The pieces are known in advance and fall straight down: place all of them for the most points. There is a pit, three columns wide. How many points can you make?",
        "Depth-first search expands the newest node, here always the last placement of the list, far right. It builds a tower and ignores the pit: four nodes, and no points.",
        "Press Run all. Points are costs with a minus, so compare points, not costs. The features of report1_best say what a good board looks like; quality_bound never promises too few points, so its answer is proved.",
        "Both side by side: step forward and watch the right one. Its f is a bound on what can still be had; the first solution that it takes out is the best there is.",
      ],
      questions: [
        ["Why is h = 0 not harmless when costs are negative?", "It claims that no more points are to come. That is wrong, so the first solution taken out need not be the best."],
        ["What does a weighted sum of holes and heights prove?", "Nothing. It guides the search to boards that look good; it is no bound on the points."],
        ["Must a proof be expensive?", "No: here the search with the proof expands fewer nodes than the second report's without one."],
      ],
    },
    pt: {
      title: "Tetris, o primeiro relatório",
      about: "O que uma resposta quer dizer depende de h ser admissível.",
      steps: [
        "As peças são conhecidas e caem a direito: coloque-as todas com o máximo de pontos. Há um poço de três colunas. Quantos pontos consegue?",
        "A procura em profundidade expande o nó mais recente, aqui sempre a última colocação da lista, à direita. Faz uma torre e ignora o poço: quatro nós, e nenhum ponto.",
        "Carregue em Correr todas. Os pontos são custos com sinal menos: compare pontos, não custos. As medidas de report1_best dizem como é um bom tabuleiro; quality_bound nunca promete pontos a menos, e a sua resposta está provada.",
        "As duas lado a lado: avance e observe a da direita. O seu f é um limite do que ainda se pode ter; a primeira solução que retira é a melhor que há.",
      ],
      questions: [
        ["Porque não é h = 0 inofensiva com custos negativos?", "Afirma que não vêm mais pontos. Isso é falso, e a primeira solução retirada pode não ser a melhor."],
        ["O que prova uma soma com pesos de buracos e alturas?", "Nada. Guia a procura para tabuleiros com bom aspeto; não é um limite dos pontos."],
        ["Uma prova tem de ser cara?", "Não: aqui a procura com prova expande menos nós do que a do segundo relatório sem ela."],
      ],
    },
  },
  {
    id: "tetris-second",
    at: [
      "#/solve/tetris?sample=report2-3&with=report2_best",
      "#/compare/tetris?sample=report2-3&with=report2_best%3B+report2_best%2Ccut%3D1000%3B+astar%3Aquality_bound",
      "#/compare/tetris?sample=report2-7&with=course_dfs%3B+report2_best%3B+astar%3Aquality_bound",
    ],
    en: {
      title: "Tetris, the second report",
      about: "Weights rank, bounds prove; and a cut may cut the solution.",
      steps: [
        "This report weighs a hole by 500 and the highest step by 10, and drops every node whose f is above 2500, to save memory. Press Solve.",
        "The same in small, with a cut at 1000. Press Run all: one finds nothing, yet there is a solution. Not found is not the same as no solution.",
        "Three pieces in the pit: 0, 100 and 100 points. Try your own weights: choose astar, a composed heuristic, move the sliders, and add this search.",
      ],
      questions: [
        ["What may go wrong when nodes above some f are dropped?", "The only solutions may lie above it: then the search ends without one, though there is one."],
        ["What is the difference between not found and no solution?", "No solution is a proof that there is none; not found only says that this search met none."],
        ["Why are steps that cost a lost opportunity easier to search than minus points?", "They are never negative: A* and its proofs hold without further care."],
      ],
    },
    pt: {
      title: "Tetris, o segundo relatório",
      about: "Pesos ordenam, limites provam; e um corte pode cortar a solução.",
      steps: [
        "Este relatório pesa um buraco com 500 e o maior degrau com 10, e deixa cair os nós com f acima de 2500, para poupar memória. Carregue em Resolver.",
        "O mesmo em pequeno, com corte em 1000. Carregue em Correr todas: uma não encontra nada, mas há solução. Não encontrar não é o mesmo que não haver.",
        "Três peças no poço: 0, 100 e 100 pontos. Tente os seus pesos: escolha astar, uma heurística composta, mova os cursores, e junte esta procura.",
      ],
      questions: [
        ["O que pode correr mal quando se deixam cair nós acima de um f?", "As únicas soluções podem estar acima: então a procura termina sem nenhuma, embora haja."],
        ["Que diferença há entre não encontrar e não haver solução?", "Não haver é uma prova de que não há; não encontrar só diz que esta procura não viu nenhuma."],
        ["Porque são passos que custam oportunidade perdida mais fáceis de procurar do que menos pontos?", "Nunca são negativos: o A* e as suas provas valem sem mais cuidados."],
      ],
    },
  },
];
