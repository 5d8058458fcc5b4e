"""What Python says, told in Portuguese by the page: descriptions, hints and their reasons, faults of input, advice."""

from __future__ import annotations

import pytest
from browsing import Visit

from procura import catalog
from procura.puzzles.sudoku import Sudoku
from procura.puzzles.sudoku.explaining import explain
from procura.studio.session import Session

pytestmark = pytest.mark.slow

WRONG = {
    "sliding": ["1 2 x", "1 2 3", "1 2 3 4 5 6 7 8 8", "1 2 3\n4 5\n6 7 8 0", "2 1 3 4 5 6 7 8 0"],
    "sudoku": ["1 2 x", "1", "11" + "." * 79, "x" + "." * 80],
    "tetris": ["1 2 x", "pieces: q\nempty", "empty", "pieces: t\n###", "pieces: t\n" + "..........\n" * 30],
    "dots": ["(5", "((0 1) (1 0))", "(99 (((0 1) (1 0)) ((0 0) (0 1))))", "(1 (((0 1) (1 0)) ((0 0) (0 1))))"],
}
SEARCHES = ["astr:zero", "astar:mis", "astar:1+", "dfs:zero", "astar,ties=x", "astar,weight=x", "bfs", "beam,width=1"]
TELL = """async ([page, sentences]) => {
  const { teller } = await import(new URL("sentences.js", document.baseURI));
  const told = teller((await import(new URL(page, document.baseURI))).sentences);
  return sentences.map((sentence) => told(sentence));
}"""


def said(name):
    """Sentences about a puzzle, as the page gets them."""
    session, replies = Session(engines=("python",)), []

    def ask(do, **fields):
        session.handle({"v": 1, "id": 1, "do": do, "puzzle": name, **fields}, replies.append)
        return replies[-1]

    first = next(puzzle["first"] for puzzle in ask("hello")["puzzles"] if puzzle["name"] == name)
    board = {"board": first["board"], "options": first["options"]}
    for text in WRONG[name]:
        reply = ask("board", board=text, options={})
        yield reply.get("text") or reply["unsolvable"]
    for asked in SEARCHES:
        reply = ask("solve", **board, **{"with": asked}, limits={"nodes": "20"})
        yield from [reply["text"]] if reply["is"] == "error" else [reply["advice"], reply["unproved"], *reply["notes"]]
    for limits in ({"seconds": "x"}, {"nodes": "-1"}, {"memory": "3x"}):
        yield ask("solve", **board, limits=limits)["text"]
    game = ask("play", act="start", **board)["game"]
    yield ask("play", act="hint", game=game)["says"]
    yield ask("play", act="show", game=game)["summary"]
    if name == "sudoku":
        for sample in ("easy", "medium", "diabolic"):
            board = catalog.PUZZLES["sudoku"].samples()[sample]
            yield from (f"{step.technique}: {step.reason}" for step in explain(Sudoku(**board).givens).steps)


@pytest.mark.parametrize("puzzle", WRONG)
def test_what_python_says_is_told_in_portuguese(browser, studio, puzzle):
    visit = Visit(browser, studio, locale="pt-PT")
    page = visit.open("#/learn")
    sentences = [sentence for sentence in dict.fromkeys(said(puzzle)) if sentence and " " in sentence]
    told = page.evaluate(TELL, [f"puzzles/{puzzle}/page.js", sentences])
    english = {" the ", " is ", " and ", " expected ", " of "}
    for sentence, one in zip(sentences, told, strict=True):
        assert one["lang"] == "pt" and not any(word in one["text"] for word in english), (sentence, one["text"])
    assert len(told) > 10 and visit.wrong == []
    visit.context.close()
