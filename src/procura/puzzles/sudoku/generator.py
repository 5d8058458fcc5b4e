"""Random Sudokus with exactly one solution and a wanted number of clues."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from procura.errors import InputError
from procura.puzzles.arguments import whole
from procura.puzzles.sudoku.counting import Counter, dig, loaded
from procura.rng import shuffled, stream


@dataclass(frozen=True)
class Size:
    """What is known and what is tried on boards of a side."""

    usual: int
    """Clues if none are asked for."""
    fewest: int
    """No board with fewer clues has one solution, as far as that is proved."""
    attempts: int
    """Full boards to dig in before giving up."""
    patience: int
    """Nodes spent on one question before the answer is taken to be no."""
    interpreted: int
    """Attempts made before the kernels are compiled, which takes longer to begin."""


SIZES = {
    4: Size(usual=6, fewest=4, attempts=1000, patience=1000, interpreted=1000),
    9: Size(usual=30, fewest=17, attempts=10_000, patience=10_000, interpreted=20),
    16: Size(usual=130, fewest=15, attempts=20, patience=500, interpreted=0),
}


def generate(seed: int, clues: int | None = None, side: int = 9, symmetric: bool = False) -> list[int]:
    """The cells of a random board with one solution and ``clues`` clues; the same for the same arguments.

    A random full board is emptied cell by cell in random order, as long as one solution is left; a board that ends
    with too many clues is thrown away. ``symmetric``: the clues look the same after half a turn.
    """
    seed = whole("seed", seed)
    size, clues = _checked(clues, side, symmetric)
    reached = side * side
    interpreted = 0 if loaded(dig) else size.interpreted
    counter = Counter(side, compiled=interpreted == 0)
    for attempt in range(size.attempts):
        if attempt == interpreted:
            counter = Counter(side, compiled=True)
        rng = [stream(seed, attempt)]
        board = full_board(rng, counter, side)
        if board is None:
            continue
        cells, left = dug(rng, counter, board, clues, size.patience, symmetric)
        if left == clues:
            return cells
        reached = min(reached, left)
    raise InputError(f"clues={clues}: {size.attempts} boards were tried, and none got below {reached} clues")


def _checked(clues: int | None, side: int, symmetric: bool) -> tuple[Size, int]:
    if whole("side", side) not in SIZES:
        raise InputError(f"side={side}: expected 4, 9 or 16")
    size, cells = SIZES[side], side * side
    clues = size.usual if clues is None else whole("clues", clues)
    if not size.fewest <= clues <= cells:
        raise InputError(f"clues={clues}: expected {size.fewest} to {cells} on a board of {side}x{side}")
    if symmetric and cells % 2 == 0 and clues % 2:
        raise InputError(f"clues={clues}: expected an even number, since a {side}x{side} board has no middle cell")
    return size, clues


def full_board(rng: list[int], counter: Counter, side: int) -> list[int] | None:
    """A random solution of the empty board; None if what it began with has none, or none that is quickly found.

    The blocks on the diagonal do not see each other: they are filled at random and the rest is searched. Then lines
    change places within bands and stacks, bands and stacks among themselves, and digits their names.
    """
    b = isqrt(side)
    cells = [0] * (side * side)
    for k in range(b):
        digits = shuffled(rng, range(1, side + 1))
        for i, digit in enumerate(digits):
            cells[(k * b + i // b) * side + k * b + i % b] = digit
    counter.begin(cells)
    if not counter.count(1, SIZES[side].patience):
        return None
    found = counter.solution
    rows, columns = _mixed_lines(rng, b), _mixed_lines(rng, b)
    names = [0, *shuffled(rng, range(1, side + 1))]
    return [names[found[row * side + column]] for row in rows for column in columns]


def _mixed_lines(rng: list[int], b: int) -> list[int]:
    """Rows or columns in a random order that keeps bands together."""
    bands = shuffled(rng, range(b))
    return [band * b + line for band in bands for line in shuffled(rng, range(b))]


def dug(
    rng: list[int], counter: Counter, board: list[int], clues: int, patience: int, symmetric: bool
) -> tuple[list[int], int]:
    """The board with cells emptied in random order, and the clues it is left with."""
    last = len(board) - 1
    order = shuffled(rng, range(len(board)))
    mate = [last - cell if symmetric else cell for cell in range(len(board))]
    if symmetric and last % 2 == 0:  # only the middle cell makes the clues odd or even
        order.remove(last // 2)
        order[:0] = [] if clues % 2 else [last // 2]
    puzzle = counter.row_of(board)
    left = counter.call(dig, puzzle, counter.row_of(order), counter.row_of(mate), clues, patience)
    return [int(digit) for digit in puzzle], int(left)
