"""Boards as people write them: random ones of every puzzle in every format, files of several, and slips of the pen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dots_reference import boards as dots_boards, count_boxes
from hypothesis import strategies as st

from procura import Dots, Sliding, Sudoku, Tetris
from procura.puzzles.dots.formats import Problem, write_problem

ODD_CHARACTERS = "()[]{},;:=@#.-+*/ \t\x00\\\"'0123456789aAeExXtT|│└_²٣é😀"
GRIDS = {
    16: "1234341221434321",
    81: "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
}
"""Full grids, from which cells are left out."""


@dataclass(frozen=True)
class Written:
    """A problem, and one of the texts that stand for it."""

    value: Any
    text: str


@dataclass(frozen=True)
class File:
    """A text of several problems, and the line on which each begins."""

    text: str
    problems: Sequence[Written]
    lines: Sequence[int]


def slip(text: str, seed: int, newlines: bool = False) -> str:
    """The text with one to three stretches lost, doubled, moved or replaced; lines stay apart unless ``newlines``."""
    chance = random.Random(seed)
    characters = list(text)
    odd = ODD_CHARACTERS + ("\n" if newlines else "")
    for _ in range(chance.randint(1, 3)):
        a = chance.randint(0, len(characters))
        b = min(len(characters), a + chance.choice([1, 1, 1, 2, 5, 9]))
        piece = [character for character in characters[a:b] if newlines or character != "\n"]
        kept = [character for character in characters[a:b] if not newlines and character == "\n"]
        kind = chance.randrange(5)
        if kind == 0:
            characters[a:b] = kept
        elif kind == 1:
            characters[b:b] = piece
        elif kind == 2:
            characters[a:a] = chance.choice(odd)
        elif kind == 3:
            characters[a:b] = [*(chance.choice(odd) for _ in piece), *kept]
        else:
            characters[a:b] = kept
            at = chance.randint(0, len(characters))
            characters[at:at] = piece
    return "".join(characters)


seeds = st.integers(0, 2**32)


def files(
    problems: st.SearchStrategy[Written], between: str, comment: str | None, least: int = 1, most: int = 5
) -> st.SearchStrategy[File]:
    """Files of problems with ``between`` between them, and with blank lines and comments where they may stand."""

    @st.composite
    def file(draw: Any) -> File:
        gaps = ["", "\n", *([f"{comment} note (1\n"] if comment else [])]
        written = draw(st.lists(problems, min_size=least, max_size=most))
        text, lines = draw(st.sampled_from(gaps)), []
        for number, problem in enumerate(written):
            text += between if number else ""
            text += draw(st.sampled_from(gaps)) if number else ""
            lines.append(text.count("\n") + 1)
            text += problem.text + "\n"
        return File(text + draw(st.sampled_from(gaps)), written, lines)

    return file()


def slipped(file: File, which: int, seed: int, newlines: bool = False) -> File:
    """The file with a slip in the problem ``which``; the lines are those of the new text."""
    problem = file.problems[which]
    text = slip(problem.text, seed, newlines)
    before = file.text.split("\n")
    first, length = file.lines[which] - 1, problem.text.count("\n") + 1
    after = [*before[:first], *text.split("\n"), *before[first + length :]]
    moved = text.count("\n") + 1 - length
    lines = [line + moved if number > which else line for number, line in enumerate(file.lines)]
    others = [Written(problem.value, text) if number == which else one for number, one in enumerate(file.problems)]
    return File("\n".join(after), others, lines)


# Sliding


@st.composite
def _sliding_cells(draw: Any) -> tuple[int, int, tuple[int, ...]]:
    rows, columns = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)]))
    return rows, columns, tuple(draw(st.permutations(range(rows * columns))))


def _sliding(forms: Sequence[Callable[[int, int, tuple[int, ...]], str]]) -> st.SearchStrategy[Written]:
    @st.composite
    def written(draw: Any) -> Written:
        rows, columns, cells = draw(_sliding_cells())
        return Written((rows, columns, cells), draw(st.sampled_from(forms))(rows, columns, cells))

    return written()


def _words(rows: int, columns: int, cells: Sequence[int], blank: str = "0") -> list[list[str]]:
    words = [blank if tile == 0 else str(tile) for tile in cells]
    return [words[row * columns : (row + 1) * columns] for row in range(rows)]


def _slashed(rows: int, columns: int, cells: Sequence[int]) -> str:
    return " / ".join(" ".join(line) for line in _words(rows, columns, cells, "_"))


def _commas(rows: int, columns: int, cells: Sequence[int]) -> str:
    return "/".join(", ".join(line) for line in _words(rows, columns, cells))


def _together(rows: int, columns: int, cells: Sequence[int]) -> str:
    if len(cells) > 9:
        return _slashed(rows, columns, cells)
    return "/".join("".join(line) for line in _words(rows, columns, cells, "."))


def _grid(rows: int, columns: int, cells: Sequence[int]) -> str:
    return "\n".join(" ".join(line) for line in _words(rows, columns, cells, "."))


def _sliding_picture(rows: int, columns: int, cells: Sequence[int]) -> str:
    problem = Sliding(cells, size=(rows, columns))
    return problem.draw(problem.initial)


sliding_lines = _sliding([_slashed, _commas, _together])
sliding_blocks = _sliding([_grid, _sliding_picture])


# Sudoku


@st.composite
def _sudoku_digits(draw: Any, sides: Sequence[int] = (16, 81)) -> str:
    grid = GRIDS[draw(st.sampled_from(sides))]
    shown = draw(st.sets(st.integers(0, len(grid) - 1), max_size=30))
    return "".join(digit if cell in shown else "." for cell, digit in enumerate(grid))


def _sudoku_picture(digits: str) -> str:
    problem = Sudoku(digits)
    return problem.draw(problem.initial)


def _sudoku_grid(digits: str) -> str:
    problem = Sudoku(digits)
    return problem.to_text(problem.initial).replace(".", "0")


sudoku_lines = _sudoku_digits().map(lambda digits: Written(digits, digits))
sudoku_boards = st.builds(
    lambda digits, form: Written(digits, form(digits)),
    _sudoku_digits(),
    st.sampled_from([str, _sudoku_grid, _sudoku_picture]),
)


# Tetris


@st.composite
def tetris_boards(draw: Any) -> Written:
    pieces = draw(st.text("ijlostz", min_size=1, max_size=4))
    rows = tuple(draw(st.lists(st.text(".#", min_size=10, max_size=10), min_size=1, max_size=4)))
    form = draw(st.sampled_from(["plain", "sized", "drawn"]))
    problem = Tetris("\n".join(rows), pieces)
    if form == "drawn":
        return Written((pieces, rows), problem.draw(problem.initial))
    size = "size: 18x10\n" if form == "sized" else ""
    return Written((pieces, rows), f"{size}pieces: {', '.join(pieces)}\n" + "\n".join(rows))


# Dots


def _on_lines(text: str) -> str:
    """The lists over several lines, as people lay them out."""
    return text.replace(" (((", "\n  (((").replace(")) ((", "))\n   ((").replace("(((", "(\n ((", 1)


def _dots_picture(problem: Problem) -> str:
    puzzle = Dots([problem.horizontals, problem.verticals], 0)
    return puzzle.draw(puzzle.initial)


def _headed(problem: Problem, drawing: str) -> str:
    words = [str(word) for word in (problem.name, problem.target) if word is not None]
    return f"{' '.join(words)}\n{drawing}"


DOTS_LISTS: Sequence[Callable[[Problem], str]] = (write_problem, lambda problem: _on_lines(write_problem(problem)))
DOTS_DRAWINGS: Sequence[Callable[[Problem], str]] = (
    lambda problem: _headed(problem, problem.drawing),
    lambda problem: _headed(problem, _dots_picture(problem)),
)


def dots(forms: Sequence[Callable[[Problem], str]]) -> st.SearchStrategy[Written]:
    """Dots problems with a name and perhaps a target, in one of the forms."""

    @st.composite
    def written(draw: Any) -> Written:
        board = draw(dots_boards(2, 2))
        name = draw(st.from_regex(r"[A-Z][a-z0-9-]{0,5}", fullmatch=True))
        target = draw(st.none() | st.integers(0, count_boxes(board)))
        problem = Problem(name, target, *board)
        return Written(problem, draw(st.sampled_from(forms))(problem))

    return written()
