"""Random instances of the five puzzles. Rows of one puzzle have one width, so that its kernels compile once."""

from hypothesis import strategies as st
from rush_hour import CELLS, RushHour

from procura import Dots, Sliding, Sudoku, Tetris
from procura.rng import below, stream


def walk(problem, seed, length):
    """A state ``length`` random moves away from the start."""
    rng, state = [stream(seed)], problem.initial
    for _ in range(length):
        actions = problem.actions(state)
        if actions:
            state = problem.result(state, actions[below(rng, len(actions))])
    return state


@st.composite
def sliding(draw):
    goal = draw(st.sampled_from(["blank-last", "blank-first", "spiral"]))
    solved = Sliding(Sliding("1 2 3 4 5 6 7 8 0", goal=goal).goal, goal=goal)
    state = walk(solved, draw(st.integers(0, 10**6)), draw(st.integers(0, 25)))
    return Sliding(list(state[:9]), goal=goal)


@st.composite
def tetris(draw):
    height = draw(st.sampled_from([0, 1, 2, 4, 15]))
    masks = [draw(st.integers(0, 1023)) for _ in range(height)] + [0] * (18 - height)
    rows = [[bool(mask >> column & 1) for column in range(10)] for mask in masks]
    pieces = draw(st.text("iljoszt", min_size=1, max_size=3))
    return Tetris(rows, pieces, cost=draw(st.sampled_from(["quality", "opportunity"])))


@st.composite
def dots(draw):
    bits = draw(st.lists(st.integers(0, 1), min_size=12, max_size=12))
    board = [[bits[0:2], bits[2:4], bits[4:6]], [bits[6:8], bits[8:10], bits[10:12]]]
    return Dots(board, draw(st.integers(0, 4)), order=draw(st.sampled_from(["canonical", "any"])))


@st.composite
def sudoku(draw):
    solution = "1234341221434321"
    kept = draw(st.lists(st.booleans(), min_size=16, max_size=16))
    board = "".join(digit if keep else "." for digit, keep in zip(solution, kept, strict=True))
    return Sudoku(board, choice=draw(st.sampled_from(["first", "fewest"])))


@st.composite
def rush_hour(draw):
    """The red car and three others, wherever they fit."""
    cells = ["."] * CELLS
    cells[12:14] = "AA"
    for name in "BCD":
        lanes = []
        for length in (2, 3):
            lanes += [[r * 6 + c + i for i in range(length)] for r in range(6) for c in range(7 - length) if r != 2]
            lanes += [[(r + i) * 6 + c for i in range(length)] for r in range(7 - length) for c in range(6)]
        free = [lane for lane in lanes if all(cells[i] == "." for i in lane)]
        for i in draw(st.sampled_from(free)):
            cells[i] = name
    return RushHour("".join(cells))


PUZZLES = {"sliding": sliding(), "tetris": tetris(), "dots": dots(), "sudoku": sudoku(), "rush_hour": rush_hour()}
HEURISTICS = {
    "sliding": ("manhattan", "report_h1"),
    "tetris": ("opportunity", "quality_bound"),
    "dots": ("base", "polyomino"),
    "sudoku": ("empty",),
    "rush_hour": ("blocking",),
}
