"""Random Sudokus with exactly one solution: of a wanted number of clues, minimal, symmetric, of a wanted difficulty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from procura.compiled.kernels import can_compile
from procura.control import in_charge
from procura.errors import InputError
from procura.puzzles.arguments import whole
from procura.puzzles.sudoku.solver import Solver, loaded
from procura.rng import shuffled, stream

DIFFICULTIES = ("easy", "medium", "hard", "diabolic")


@dataclass(frozen=True)
class Size:
    """What is known and what is tried on boards of a side."""

    usual: int
    """Clues if none are asked for."""
    fewest: int
    """No board with fewer clues has one solution, as far as that is proved."""
    rare: int
    """Random boards of fewer clues than this are not met in any time that one waits."""
    attempts: int
    """Boards to dig holes in before giving up."""
    patience: int
    """Guesses spent on one question before the answer is taken to be no; on 9x9 none needs as many."""
    interpreted: int
    """Attempts made before the kernels are compiled or loaded, which takes longer to begin."""


SIZES = {
    4: Size(usual=6, fewest=4, rare=4, attempts=1000, patience=1000, interpreted=1000),
    9: Size(usual=30, fewest=17, rare=20, attempts=20_000, patience=1_000_000, interpreted=10),
    16: Size(usual=130, fewest=15, rare=15, attempts=60, patience=200, interpreted=0),
}
LONG_PATIENCE = 100
"""How many times as many guesses are spent where the answer has to be known, since the board is to be minimal."""
DIGS = 10
"""Orders in which one full board is emptied before another is made."""


@dataclass(frozen=True)
class Request:
    """What a board has to be."""

    side: int
    clues: int | None
    """None: as many as are left when no more can be taken away."""
    symmetric: bool = False
    minimal: bool = False
    difficulty: str | None = None

    def fits(self, cells: list[int]) -> bool:
        """Whether a board from which clues were taken is one."""
        if self.clues is not None and len(cells) - cells.count(0) != self.clues:
            return False
        if self.difficulty is None:
            return True
        from procura.puzzles.sudoku.explaining import rate

        return rate(cells) == self.difficulty

    def __str__(self) -> str:
        said = {"clues": self.clues, "minimal": self.minimal or None, "difficulty": self.difficulty}
        return ", ".join(f"{name}={value}" for name, value in said.items() if value is not None)


def generate(
    seed: int,
    clues: int | None = None,
    side: int = 9,
    symmetric: bool = False,
    minimal: bool = False,
    difficulty: str | None = None,
) -> list[int]:
    """The cells of a random board with one solution; the same for the same arguments.

    - ``clues``: how many; without it the usual number, or what is left if the board is to be minimal, or harder than
      easy
    - ``symmetric``: the clues look the same after half a turn
    - ``minimal``: no clue can be taken away (of a symmetric board: no pair of clues) but that it has more solutions
    - ``difficulty``: the rating of ``explaining``: easy, medium, hard or diabolic

    A random full board is emptied cell by cell in random order, as long as one solution is left; a board that is not
    what was asked for is thrown away.
    """
    seed = whole("seed", seed)
    request = _checked(clues, side, symmetric, minimal, difficulty)
    fewest = side * side
    for rng, solver, board in _boards(seed, side):
        cells = dug(rng, solver, board, request)
        if cells is not None:
            if request.fits(cells):
                return cells
            fewest = min(fewest, len(cells) - cells.count(0))
    tried = f"{SIZES[side].attempts:,} boards were tried"
    raise InputError(f"{request}: {tried}, and none was so; the fewest clues were {fewest}")


def _checked(clues: int | None, side: int, symmetric: bool, minimal: bool, difficulty: str | None) -> Request:
    if whole("side", side) not in SIZES:
        raise InputError(f"side={side}: expected 4, 9 or 16")
    size, cells = SIZES[side], side * side
    if difficulty not in (None, *DIFFICULTIES):
        raise InputError(f"difficulty={difficulty!r}: expected {', '.join(DIFFICULTIES[:-1])} or {DIFFICULTIES[-1]}")
    if clues is not None and not size.fewest <= whole("clues", clues) <= cells:
        raise InputError(f"clues={clues}: expected {size.fewest} to {cells} on a board of {side}x{side}")
    if clues is not None and clues < size.rare:
        raise InputError(
            f"clues={clues}: boards of so few clues exist, but random ones are too rare to be met: "
            f"expected {size.rare} or more"
        )
    if clues is None and not minimal and difficulty in (None, "easy"):
        clues = size.usual
    if symmetric and cells % 2 == 0 and clues is not None and clues % 2:
        raise InputError(f"clues={clues}: expected an even number, since a {side}x{side} board has no middle cell")
    return Request(side, clues, symmetric, minimal, difficulty)


def _boards(seed: int, side: int) -> Iterator[tuple[list[int], Solver, list[int]]]:
    """Random full boards, each with its random numbers and a solver; the first attempts interpreted.

    Full boards come from the solver that finds the same first solution interpreted and compiled.
    """
    size = SIZES[side]
    interpreted = size.attempts if not can_compile() else 0 if loaded(side) else size.interpreted
    filler = Solver(side, compiled=side == 16 and interpreted == 0)
    solver = filler if interpreted else Solver(side, compiled=True)
    board: list[int] | None = None
    run = in_charge.get()
    for attempt in range(size.attempts):
        if run is not None:
            run.preparing = f"{attempt:,} of up to {size.attempts:,} boards tried"
        if attempt == interpreted:
            solver = Solver(side, compiled=True)
        rng = [stream(seed, attempt)]
        if attempt % DIGS == 0 or board is None:
            board = full_board(rng, filler)
        if board is not None:
            yield rng, solver, board


def full_board(rng: list[int], solver: Solver) -> list[int] | None:
    """A random solution of the empty board; None if what it began with has none, or none that is quickly found.

    The blocks on the diagonal do not see each other: they are filled at random and the rest is searched. Then lines
    change places within bands and stacks, bands and stacks among themselves, and digits their names.
    """
    side = solver.side
    b = isqrt(side)
    cells = [0] * (side * side)
    for k in range(b):
        digits = shuffled(rng, range(1, side + 1))
        for i, digit in enumerate(digits):
            cells[(k * b + i // b) * side + k * b + i % b] = digit
    solver.begin(cells)
    solver.run(1, SIZES[side].patience)
    if not solver.found:
        return None
    found = solver.solution()
    rows, columns = _mixed_lines(rng, b), _mixed_lines(rng, b)
    names = [0, *shuffled(rng, range(1, side + 1))]
    return [names[found[row * side + column]] for row in rows for column in columns]


def _mixed_lines(rng: list[int], b: int) -> list[int]:
    """Rows or columns in a random order that keeps bands together."""
    bands = shuffled(rng, range(b))
    return [band * b + line for band in bands for line in shuffled(rng, range(b))]


def dug(rng: list[int], solver: Solver, board: list[int], request: Request) -> list[int] | None:
    """A full board with cells emptied in random order, down to the clues asked for if it gets there.

    A cell that cannot be emptied once cannot be emptied later, so that the board is minimal if it is dug to the end
    and every question is answered; None if it is to be minimal and one is not.
    """
    cells, last = list(board), len(board) - 1
    order = shuffled(rng, range(len(board)))
    least = 0 if request.minimal or request.clues is None else request.clues
    if request.symmetric and last % 2 == 0 and least:  # only the middle cell makes the clues odd or even
        order.remove(last // 2)
        order[:0] = [] if least % 2 else [last // 2]
    left = len(board)
    patience = SIZES[solver.side].patience * (LONG_PATIENCE if request.minimal else 1)
    for cell in order:
        if left <= least:
            break
        pair = {cell, last - cell} if request.symmetric else {cell}
        if cells[cell] == 0 or left - len(pair) < least:
            continue
        held = {one: cells[one] for one in pair}
        for one in pair:
            cells[one] = 0
        solver.begin(cells)
        known = solver.run(2, patience)
        if not known and request.minimal:
            return None
        if known and solver.found == 1:
            left -= len(pair)
        else:
            for one, digit in held.items():
                cells[one] = digit
    return cells
