"""Tetris keeps the rules: against a slow game on cells, the answers of the course, and exhaustive search."""

from __future__ import annotations

import heapq
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tetris_boards import GAINS, LOOKS, MAXIMUM, T25, boards, cells_of, filled, pieces_lists

from procura.errors import InputError
from procura.problem import DEAD
from procura.puzzles.tetris import Tetris
from procura.puzzles.tetris.pieces import POINTS, most_lines


class SlowGame:
    """Tetris on a set of (row, column) cells."""

    def __init__(self, masks: list[int], rows: int, columns: int) -> None:
        self.rows, self.columns, self.points = rows, columns, 0
        self.cells = {(r, c) for r, mask in enumerate(masks) for c in range(columns) if mask >> c & 1}

    def lost(self) -> bool:
        return any((self.rows - 1, c) in self.cells for c in range(self.columns))

    def placements(self, letter: str) -> list[list[Any]]:
        found = []
        for rotation in range(len(LOOKS[letter])):
            width = 1 + max(c for _, c in cells_of(letter, rotation))
            found += [[letter, rotation, column] for column in range(self.columns - width + 1)]
        return found

    def drop(self, letter: str, rotation: int, column: int) -> int:
        shape = [(r, c + column) for r, c in cells_of(letter, rotation)]
        base = self.rows
        while base > 0 and not any((r + base - 1, c) in self.cells for r, c in shape):
            base -= 1
        self.cells |= {(r + base, c) for r, c in shape if r + base < self.rows}
        if self.lost():
            return 0
        full = [r for r in range(self.rows) if all((r, c) in self.cells for c in range(self.columns))]
        self.cells = {(r - sum(f < r for f in full), c) for r, c in self.cells if r not in full}
        gained = GAINS[min(len(full), 4)]
        self.points += gained
        return gained


def some_move(problem: Tetris, state: Any, data: Any) -> int:
    """Any move, or now and then the one that gains most."""
    moves = problem.actions(state)
    if data.draw(st.booleans()):
        return max(moves, key=lambda move: problem.points(problem.result(state, move)))
    return int(data.draw(st.sampled_from(moves)))


def masks_of(cells: set[tuple[int, int]], rows: int) -> tuple[int, ...]:
    return tuple(sum(1 << c for r, c in cells if r == row) for row in range(rows))


def dfs(problem: Tetris) -> list[Any] | None:
    """Tree search, the last generated first."""
    stack: list[tuple[Any, list[Any]]] = [(problem.initial, [])]
    while stack:
        state, path = stack.pop()
        if problem.is_goal(state):
            return path
        stack += [(s, [*path, problem.action_to_json(m)]) for m, s, _ in problem.successors(state)]
    return None


def astar(problem: Tetris, heuristic: str | None = None) -> tuple[Any, list[Any]] | None:
    """Tree search by f, the most recent first among equals; the goal is tested when taken."""

    def h(state: Any) -> Any:
        return problem.estimate(heuristic, state) if heuristic else 0

    serial = 0
    queue: list[Any] = [(h(problem.initial), 0, 0, problem.initial, [])]
    while queue:
        _, _, g, state, path = heapq.heappop(queue)
        if problem.is_goal(state):
            return state, path
        for move, after, cost in problem.successors(state):
            serial += 1
            if (rest := h(after)) < DEAD:
                entry = (g + cost + rest, -serial, g + cost, after, [*path, problem.action_to_json(move)])
                heapq.heappush(queue, entry)
    return None


@settings(deadline=None)
@given(boards(18, 10), pieces_lists, st.sampled_from(["quality", "opportunity"]), st.data())
def test_every_play_is_that_of_the_slow_game(masks: list[int], letters: list[str], cost: str, data: Any) -> None:
    problem, slow = Tetris(masks, letters, cost), SlowGame(masks, 18, 10)
    state = problem.initial
    for placed, letter in enumerate(letters):
        actions = [problem.action_to_json(move) for move in problem.actions(state)]
        assert actions == ([] if slow.lost() else slow.placements(letter))
        assert not problem.is_goal(state)
        if slow.lost():
            return
        move = some_move(problem, state, data)
        before = state
        state, step_cost = problem.step(state, move)
        gained = slow.drop(*problem.action_to_json(move))
        assert state == (*masks_of(slow.cells, 18), placed + 1, slow.points, len(slow.cells))
        assert step_cost == (MAXIMUM[letter] if cost == "opportunity" else 0) - gained
        assert problem.points(state) == problem.points(before) + gained
    assert problem.actions(state) == []
    assert problem.is_goal(state) == (not slow.lost())


@settings(deadline=None)
@given(st.integers(5, 9), st.integers(4, 7), pieces_lists, st.data())
def test_other_sizes_keep_the_rules(rows: int, columns: int, letters: list[str], data: Any) -> None:
    masks = data.draw(boards(rows, columns))
    problem, slow = Tetris(masks, letters, rows=rows, columns=columns), SlowGame(masks, rows, columns)
    state = problem.initial
    while moves := problem.actions(state):
        assert len(moves) <= problem.max_moves
        move = some_move(problem, state, data)
        slow.drop(*problem.action_to_json(move))
        state = problem.result(state, move)
        assert state[:rows] == masks_of(slow.cells, rows)


def test_a_piece_has_as_many_placements_as_the_walls_allow() -> None:
    counts = {letter: len(p.actions(p.initial)) for letter in LOOKS for p in [Tetris("empty", letter)]}
    assert counts == {"i": 17, "l": 34, "j": 34, "o": 9, "s": 17, "z": 17, "t": 34}


def test_rotations_come_in_order_and_columns_inside_them() -> None:
    problem = Tetris("empty", "i")
    actions = [problem.action_to_json(move) for move in problem.actions(problem.initial)]
    assert actions == [["i", 0, c] for c in range(10)] + [["i", 1, c] for c in range(7)]


def test_a_piece_never_slides_under_an_overhang() -> None:
    problem = Tetris("##########\n".replace("#", ".", 9) + "..........", "o")
    state = problem.result(problem.initial, problem.action_from_json(["o", 0, 8]))
    assert state[:4] == (0, 1 << 9, 3 << 8, 3 << 8)


def test_row_16_may_be_full_of_cells_but_row_17_may_hold_none() -> None:
    assert Tetris([0] * 16 + [1023], "t").actions(Tetris([0] * 16 + [1023], "t").initial)
    blocked = Tetris([0] * 17 + [1], "t")
    assert blocked.actions(blocked.initial) == [] and dfs(blocked) is None


def test_a_losing_piece_counts_as_placed_and_clears_nothing() -> None:
    problem = Tetris([0x3FE] * 17, "i i", "opportunity")
    state, cost = problem.step(problem.initial, problem.action_from_json(["i", 1, 3]))
    assert state[:17] == (0x3FE,) * 17 and state[17] == 0b1111000
    assert state[18:20] == (1, 0) and cost == 800
    assert problem.actions(state) == [] and not problem.is_goal(state)


def test_an_old_full_row_waits_for_the_first_piece() -> None:
    problem = Tetris([1023, 0x3FE], "i")
    assert problem.initial[0] == 1023
    assert problem.points(problem.result(problem.initial, problem.action_from_json(["i", 0, 5]))) == 100
    assert problem.points(problem.result(problem.initial, problem.action_from_json(["i", 0, 0]))) == 300


def test_old_full_rows_make_opportunity_costs_negative_and_are_declared() -> None:
    problem = Tetris([1023] * 4, "o", "opportunity")
    assert problem.costs == "any"
    assert problem.step(problem.initial, problem.actions(problem.initial)[0])[1] == 300 - 800
    assert Tetris("empty", "o", "opportunity").costs == "nonnegative"
    assert Tetris("empty", "o").costs == "any"


def test_the_most_rows_of_a_piece_follow_from_its_shape() -> None:
    for letter, looks in LOOKS.items():
        most = 0
        for rotation in range(len(looks)):
            cells = cells_of(letter, rotation)
            lowest = {c: min(r for r, d in cells if d == c) for _, c in cells}
            rows = {r for r, _ in cells}
            # A row can get full unless it leaves a cell free straight above a cell of the piece.
            clear = [r for r in rows if all(low >= r or (r, c) in cells for c, low in lowest.items())]
            most = max(most, len(clear))
        assert most_lines(letter) == most and POINTS[most] == MAXIMUM[letter]


@pytest.mark.parametrize(
    ("board", "pieces", "answer"),
    [
        ([], "jltozsi", "7j3 7l3 8t3 8o0 8z1 8s1 6i1"),
        (filled(3, 1, 9), "ooooollttjjii", "8o0 8o0 8o0 8o0 8o0 7l3 7l3 5t3 5t3 4j3 4j3 5i1 1i1"),
        (filled(17, 2, 9), "oltsz", "0o0 7l3 0t3 5s1 3z1"),
    ],
)
def test_dfs_gives_the_answers_of_the_course(board: list[int], pieces: str, answer: str) -> None:
    found = dfs(Tetris(board, pieces))
    assert found is not None
    assert " ".join(f"{column}{letter}{rotation}" for letter, rotation, column in found) == answer


@pytest.mark.parametrize(
    ("board", "pieces", "cost", "answer"),
    [
        ([], "ts", "quality", "8t3 8s1"),
        ([], "li", "opportunity", "0l0 6i1"),
        (filled(10, 0, 7), "lj", "quality", "8l2 8j2"),
        (filled(10, 0, 7), "jl", "opportunity", "8j2 8l2"),
        (filled(16, 0, 7), "olj", "quality", "8o0 8l2 8j2"),
        (filled(16, 0, 6), "lj", "opportunity", "7l2 7j3"),
    ],
)
def test_astar_gives_the_answers_of_the_course(board: list[int], pieces: str, cost: str, answer: str) -> None:
    found = astar(Tetris(board, pieces, cost))
    assert found is not None
    assert " ".join(f"{column}{letter}{rotation}" for letter, rotation, column in found[1]) == answer


def test_a_board_too_high_for_its_pieces_has_no_solution() -> None:
    assert astar(Tetris(filled(17, 0, 8), "ts")) is None


@pytest.mark.parametrize("cost", ["quality", "opportunity"])
@pytest.mark.parametrize(("pieces", "best"), [("t", 100), ("tl", 300), ("tlj", 400), ("till", 600)])
def test_the_bound_of_each_cost_finds_the_known_maxima(cost: str, pieces: str, best: int) -> None:
    problem = Tetris(T25, pieces, cost)
    assert problem.auto.startswith(f"anytime:{cost}_bound," if cost == "report1" else "best")
    found = astar(problem, f"{cost}_bound")
    assert found is not None and problem.points(found[0]) == best


@given(st.lists(st.integers(0, 1023), max_size=18))
def test_boards_come_back_from_their_drawing(masks: list[int]) -> None:
    problem = Tetris(masks, "t")
    drawing = problem.to_text(problem.initial)
    assert len(drawing.splitlines()) == 18
    assert Tetris.from_text(drawing, pieces="t").initial == problem.initial
    cells = [[mask >> c & 1 == 1 for c in range(10)] for mask in masks]
    assert Tetris(cells, "t").initial == problem.initial


def test_pieces_and_boards_are_read_in_all_their_forms() -> None:
    kinds = Tetris("empty", "t i l l").data.pieces
    assert kinds == Tetris("empty", "TILL").data.pieces == Tetris("empty", list("till")).data.pieces
    assert Tetris(T25, "t").initial[:5] == (975, 967, 967, 967, 0)
    assert Tetris(" Empty\n", "t").initial == Tetris([], "t").initial


def test_actions_come_back_from_json() -> None:
    for letter in LOOKS:
        problem = Tetris("empty", letter)
        for move in problem.actions(problem.initial):
            assert 0 <= move < 65536
            assert problem.action_from_json(problem.action_to_json(move)) == move


@pytest.mark.parametrize(
    ("board", "pieces", "message"),
    [
        ("..........\n....q.....", "t", "row 2: 'q' is neither '.' nor '#'"),
        ("..........\n" + "#" * 11, "t", "row 2 has 11 cells: expected 10"),
        ("\n".join(["." * 10] * 30), "t", "the board has 30 rows: expected at most 18"),
        (" \n", "t", "the board is blank: expected rows"),
        ("empty", "t q", "piece 2: 'q' is not one of i l j o s z t"),
        ("empty", ["t", "ti"], "piece 2: 'ti' is not one of"),
        ("empty", ["t", 3], "piece 2: 3 is not one of"),
        ("empty", "  ", "there are no pieces"),
        ("empty", None, "there are no pieces"),
        ("empty", 4, "the pieces are 4: expected letters"),
        ([0, 1024], "t", r"board\[1\] is 1024: a row mask of 10 columns"),
        ([[0] * 10, [0] * 9], "t", r"board\[1\] has 9 cells: expected 10"),
        ([[0] * 9 + [2]], "t", r"board\[0\]\[9\] is 2: expected 0 or 1"),
        (["..........", "##########"], "t", r"board\[0\] is '..........': expected a list of cells"),
        ([True], "t", r"board\[0\] is True: expected a list"),
        (7, "t", "the board is 7: expected text or a list of rows"),
    ],
)
def test_bad_input_is_named(board: Any, pieces: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tetris(board, pieces)


def test_bad_options_and_actions_are_named() -> None:
    with pytest.raises(InputError, match="no cost 'points': expected one of"):
        Tetris("empty", "t", "points")
    with pytest.raises(InputError, match="3 rows and 10 columns"):
        Tetris("empty", "t", rows=3)
    with pytest.raises(InputError, match="there are no pieces"):
        Tetris.from_text("empty")
    problem = Tetris("empty", "t")
    for action, message in [
        ("t", "expected \\[piece, rotation, column\\]"),
        (["q", 0, 0], "the piece is not one of"),
        (["o", 1, 0], "o has rotations 0 to 0"),
        (["t", 0, 8], "the left column lies in 0 to 7"),
        (["t", 0, -1], "the left column lies in 0 to 7"),
    ]:
        with pytest.raises(InputError, match=message):
            problem.action_from_json(action)
