// A guided tour of the 15-puzzle report: where each step leads, and what it says.
export const tours = [
  {
    id: "fifteen",
    at: [
      "#/play/sliding?sample=moodle-4",
      "#/compare/sliding?sample=moodle-4&with=astar%3Areport_h1%2Cties%3Dfifo%3B+astar%3Areport_h2%2Cties%3Dfifo%3B+astar%3Areport_h3%2Cties%3Dfifo%3B+astar%3Areport_h4%2Cties%3Dfifo%3B+astar%3Areport_h5%2Cties%3Dfifo%3B+astar%3Amanhattan",
      "#/watch/sliding?board=1+2+3+4+12+13+14+5+11+15+0+6+10+9+8+7&o.goal=spiral&with=astar%3Areport_h3",
      "#/watch/sliding?sample=moodle-4&with=astar%3Amanhattan&beside=idastar%3Amanhattan",
    ],
    en: {
      title: "The 15-puzzle with the spiral goal",
      about: "Five heuristics, and why none of them proved its answer.",
      steps: [
        "The tiles are to lie in a spiral. Make some moves yourself, or take a hint: what makes a board look nearly done?",
        "The report compares five heuristics; its list gives the oldest of equal f first, ties=fifo. Press Run all. All find 13 moves, but only Manhattan proves it, and with the fewest nodes.",
        "This board is one move from its goal, and h is 2: h3 counts the blank like a tile, and the last move brings both home. A heuristic that can say too much is not admissible.",
        "A* on the left, IDA* beside it: go to the next iteration a few times. A* keeps every state it has met; IDA* keeps one path, and raises a bound on f.",
      ],
      questions: [
        ["Why is h3 not admissible, though it sums distances?", "It counts the blank as a tile: one move can bring two things home, and h falls by 2 for a step of cost 1."],
        ["Is the largest of three admissible heuristics admissible?", "Yes: none of them says too much, so neither does the one that says most. It is at least as good as each."],
        ["Can a mean with weights that add up to 1 be better than its largest part?", "No. It is never larger than that part, so A* expands at least about as much with it."],
      ],
    },
    pt: {
      title: "O puzzle de 15 com objetivo em espiral",
      about: "Cinco heurísticas, e porque nenhuma provou a sua resposta.",
      steps: [
        "As peças devem ficar em espiral. Faça algumas jogadas, ou peça uma dica: o que faz um tabuleiro parecer quase resolvido?",
        "O relatório compara cinco heurísticas; a sua lista dá primeiro o mais antigo de igual f, ties=fifo. Carregue em Correr todas. Todas encontram 13 jogadas, mas só a de Manhattan o prova, e com menos nós.",
        "Este tabuleiro está a uma jogada do objetivo, e h é 2: h3 conta o vazio como peça, e a última jogada leva os dois ao lugar. Uma heurística que pode dizer demais não é admissível.",
        "O A* à esquerda, o IDA* ao lado: vá algumas vezes à próxima iteração. O A* guarda todos os estados que viu; o IDA* guarda um caminho, e sobe um limite de f.",
      ],
      questions: [
        ["Porque não é h3 admissível, se soma distâncias?", "Conta o vazio como peça: uma jogada pode levar duas coisas ao lugar, e h desce 2 por um passo de custo 1."],
        ["A maior de três heurísticas admissíveis é admissível?", "É: nenhuma diz demais, logo a que diz mais também não. É pelo menos tão boa como cada uma."],
        ["Uma média com pesos que somam 1 pode ser melhor do que a sua maior parte?", "Não. Nunca é maior do que essa parte, e por isso o A* expande com ela pelo menos cerca do mesmo."],
      ],
    },
  },
];
