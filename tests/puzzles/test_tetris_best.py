"""``best``: as many points as exhaustive search makes, proved where it ends, with a bound where it does not."""

from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from tetris_boards import LOOKS, T25, boards

from procura import InputError, Limits, Outcome, Tetris, solve
from procura.control import Control
from procura.puzzles.tetris import beams, best_search, layers

relaxed = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def most_points(problem, state=None):
    """The most points of all games from a state on, by trying every placement; None if every game is lost."""

    @cache
    def most(state):
        if problem.is_goal(state):
            return 0
        found = [
            (after[problem.rows + 1] - state[problem.rows + 1], most(after))
            for _, after, _ in problem.successors(state)
        ]
        return max((gained + rest for gained, rest in found if rest is not None), default=None)

    return most(state or problem.initial)


def answer(problem, **keywords):
    return solve(problem, "best", engine="compiled", **keywords)


@st.composite
def small(draw, most_pieces=4):
    rows, columns = draw(st.sampled_from([(6, 4), (7, 5), (8, 4), (5, 6)]))
    letters = draw(st.lists(st.sampled_from(sorted(LOOKS)), min_size=1, max_size=most_pieces))
    cost = draw(st.sampled_from(["quality", "opportunity"]))
    points = draw(st.sampled_from(["0,100,300,500,800", "0,40,100,300,1200", "0,0,0,0,1", "0,7,7,7,7"]))
    return Tetris(draw(boards(rows, columns)), letters, cost, rows=rows, columns=columns, points=points)


def check(problem, result):
    most = most_points(problem)
    if most is None:
        assert result.outcome is Outcome.NO_SOLUTION
    else:
        points = problem.points(result.final)
        assert (result.outcome, points, result.optimal, result.bound) == (Outcome.SOLVED, most, True, result.cost)


@given(small())
@relaxed
def test_it_makes_as_many_points_as_exhaustive_search(problem):
    check(problem, answer(problem))


@pytest.mark.slow
@given(small(most_pieces=5), st.integers(1, 3))
@settings(relaxed, max_examples=300)
def test_it_makes_as_many_points_as_exhaustive_search_with_five_pieces(problem, jobs):
    check(problem, answer(problem, jobs=jobs))


@given(small(), st.integers(0, 60))
@relaxed
def test_ended_early_it_claims_no_more_than_is_true(problem, nodes):
    result, most = answer(problem, limits=Limits(nodes=nodes)), most_points(problem)
    lost = problem.data.maxima_left[0] if problem.cost_name == "opportunity" else 0
    assert result.stats.expanded <= nodes
    if result.solved:
        assert problem.points(result.final) <= most
        assert not result.optimal or problem.points(result.final) == most
    if most is not None:
        assert result.outcome is not Outcome.NO_SOLUTION
        assert result.bound is None or result.bound <= lost - most


def run_of(problem):
    return best_search.Run(best_search.Best(problem, Control(), 0), lambda: False)


@given(small(), st.integers(1, 3))
@relaxed
def test_beams_alone_are_never_above_exhaustive_search(problem, width):
    assume(not problem.board[-1])
    found = run_of(problem).beam(beams.WEIGHTS, width, -1)
    most = most_points(problem)
    assert found is None or (most is not None and found[0] <= most)
    if found is not None:
        state = problem.initial
        for move in found[1]:
            state = problem.result(state, move)
        assert problem.is_goal(state) and problem.points(state) == found[0]


@given(boards(8, 5), st.data())
@relaxed
def test_a_board_is_packed_and_unpacked_as_it_was(masks, data):
    rows, columns = 8, 5
    masks = [*masks, *[0] * (rows - len(masks))]
    per = 62 // columns
    words = -(-rows // per)
    keys, board = np.zeros(words, np.int64), np.zeros(rows, np.int64)
    layers.pack(masks, rows, columns, per, words, keys, 0)
    layers.unpack(keys, 0, per, rows, columns, board)
    assert list(board) == masks


@pytest.mark.parametrize(
    ("board", "pieces", "most"),
    [
        ("empty", "t", 0), ("empty", "tl", 0), ("empty", "tlj", 0), ("empty", "tlji", 100), ("empty", "tljil", 100),
        ("empty", "tljili", 200), (T25, "t", 100), (T25, "tl", 300), (T25, "tlj", 400), (T25, "tlji", 600),
        (T25, "tljil", 600), (T25, "tljili", 900), (T25, "till", 600), (T25, "tlli", 800),
    ],
)  # fmt: skip
def test_known_maxima_are_proved(board, pieces, most):
    result = answer(Tetris(board, pieces))
    assert (-result.cost, result.optimal) == (most, True)


def test_ten_pieces_on_the_empty_board_are_proved():
    result = answer(Tetris("empty", "otlosisliz"))
    assert (-result.cost, result.optimal) == (500, True)


def test_twenty_nine_pieces_have_an_answer_with_its_bound_under_any_limit():
    problem = Tetris.generate(1, d=0.2, pieces="tissiizojsootzssstzooootttzot")
    few, short = (answer(problem, limits=limits) for limits in (Limits(nodes=3000), Limits(seconds=1)))
    for result in (few, short):
        assert result.solved and result.bound < result.cost and not result.optimal
    assert few.cost < -500


def test_two_threads_prove_the_same():
    problem = Tetris("empty", "tljili")
    for result in (answer(problem, jobs=2), answer(problem)):
        assert (result.cost, result.optimal) == (-200, True)


def test_what_a_listener_raises_ends_all_threads():
    class Enough(Exception):
        pass

    def listen(event):
        raise Enough

    with pytest.raises(Enough):
        answer(Tetris("empty", "tissiizojsootzssst"), jobs=2, on_event=listen, events=["improve"])


def test_several_threads_hold_a_limit_on_nodes():
    result = answer(Tetris("empty", "tissiizojsootzssst"), jobs=3, limits=Limits(nodes=5000))
    assert result.stats.expanded <= 5000 and result.stopped_by == "nodes"


def test_it_ends_when_cancelled_with_its_best_so_far():
    seen = []
    result = answer(
        Tetris("empty", "tissiizojsootzssst"), on_event=seen.append, events=["improve"], cancel=lambda: len(seen) > 0
    )
    assert (result.outcome, result.stopped_by) == (Outcome.SOLVED, "cancelled")


@pytest.mark.parametrize(("rows", "columns"), [(64, 31), (5, 31), (64, 4)])
def test_boards_of_the_greatest_sizes(rows, columns):
    full = (1 << columns) - 1
    problem = Tetris([full ^ 1] * 4, "i", rows=rows, columns=columns, points="0,1,2,3,1000")
    result = answer(problem)
    assert (result.cost, result.optimal) == (-1000, True)


def test_a_depth_limit_below_the_pieces_ends_it():
    result = answer(Tetris("empty", "til"), limits=Limits(depth=2))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "depth")


def test_a_filled_top_has_no_solution():
    assert answer(Tetris([1] * 18, "t")).outcome is Outcome.NO_SOLUTION


@pytest.mark.slow
def test_costs_of_the_first_report_are_searched_by_their_bound():
    problem = Tetris(T25, "till", cost="report1")
    assert solve(problem, engine="compiled").algorithm == "anytime"
    with pytest.raises(InputError, match="best does not solve tetris with these rules"):
        solve(problem, "best", engine="compiled")


@given(small())
@relaxed
def test_no_board_comes_to_more_than_its_cells_dealt_out_freely(problem):
    by_cells = beams.most_by_cells(problem)
    for _, after, _ in problem.successors(problem.initial):
        most = most_points(problem, after)
        assert most is None or most <= by_cells[1][after[problem.rows + 2]]


@given(small(), st.integers(1, 10))
@relaxed
def test_a_beam_keeps_the_boards_of_highest_rank_however_little_room_it_has(problem, width):
    """The second layer is made of all boards of the first, with room for not many more than one of them makes."""
    assume(not problem.board[-1] and len(problem.pieces) > 1)
    run, weights = run_of(problem), np.array(beams.WEIGHTS)
    first = run.beam_layer(run.start(), 1, -1, weights, 1000, run._store(1000, np.float64))
    store = run._store(10_000, np.float64)
    every = run.beam_layer(first, 2, -1, weights, 10_000, store)
    ranks = dict(zip(keys_of(every, run), store.values.tolist(), strict=False))
    kept = run.beam_layer(first, 2, -1, weights, width, run._store(width + 4 * problem.columns, np.float64))
    highest = sorted(ranks.values(), reverse=True)[:width]
    assert sorted((ranks[key] for key in keys_of(kept, run)), reverse=True) == highest


def keys_of(layer, run):
    return list(map(tuple, layer.keys.reshape(-1, run.words).tolist()))


@given(small())
@relaxed
def test_the_rank_of_a_board_is_its_points_hopes_and_looks(problem):
    """Heights, cells and rows are taken over from the board before; here they are counted anew."""
    assume(not problem.board[-1])
    rows, columns, left = problem.rows, problem.columns, len(problem.pieces) - 1
    run = run_of(problem)
    store = run._store(1000, np.float64)
    layer = run.beam_layer(run.start(), 1, -1, np.array(beams.WEIGHTS), 1000, store)
    fade = min(1.0, left / 2)
    hopes = beams.hopes_of(run.shared.by_cells[1], left) * beams.WEIGHTS[beams.CELLS]
    board = np.zeros(rows, np.int64)
    for at in range(len(layer.points)):
        layers.unpack(layer.keys, at * run.words, run.per, rows, columns, board)
        cells = sum(mask.bit_count() for mask in board.tolist())
        looks = plain_looks(board.tolist(), columns, run.shared.ready[1], max(problem.point_table) / 800)
        assert store.values[at] == pytest.approx(layer.points[at] + hopes[cells] + fade * looks)


def plain_looks(board, columns, ready, worth):
    """The looks of a board by what the features mean; all but ``ready`` count so many times their weights."""
    filled = {(row, c) for row, mask in enumerate(board) for c in range(columns) if mask >> c & 1}
    heights = [max((row + 1 for row, c in filled if c == column), default=0) for column in range(columns)]
    covered = sum(heights) - len(filled)
    relief = sum(abs(a - b) for a, b in pairwise(heights))
    beside = [99, *heights, 99]
    wells = sum(max(0, min(beside[c], beside[c + 2]) - heights[c]) for c in range(columns))
    fullness = sum(mask.bit_count() ** 2 for mask in board)
    run = longest = pairs = 0
    gap = above = None
    for row in range(len(board) - 1, -1, -1):
        empty = [c for c in range(columns) if (row, c) not in filled]
        is_open = len(empty) == 1 and heights[empty[0]] <= row
        run = (run + 1 if empty == gap else 1) if is_open else 0
        gap = empty if is_open else None
        longest = max(longest, run)
        lacking = len(empty) if all(heights[c] <= row for c in empty) else None
        paired = above is not None and lacking is not None and above + lacking <= 4
        pairs += paired
        above = None if paired else lacking
    weights = beams.WEIGHTS
    shape = (
        weights[beams.FULLNESS] * fullness + weights[beams.PAIRS] * pairs - weights[beams.COVERED] * covered
        - weights[beams.RELIEF] * relief - weights[beams.HEIGHT] * sum(heights) - weights[beams.WELLS] * wells
    )  # fmt: skip
    return worth * shape + weights[beams.READY] * ready[min(longest, 4)]


def test_no_weights_are_tried_twice_with_one_width():
    shared = best_search.Best(Tetris("empty", "tisz"), Control(), 0)
    seen = []
    for task in islice(best_search._schedule(shared), 40):
        if task.func is best_search._beam:
            _, weights, width = task.args
            seen.append((weights, width))
            shared.weights.append((7 * len(seen) % 5, width, weights))
    assert len(set(seen)) == len(seen) > 30
    assert {beams.SURFACE, beams.WEIGHTS} <= {weights for weights, _ in seen[:2]}


@pytest.mark.parametrize(
    ("rows", "ready"),
    [
        ([".#########"] * 3, 3),
        ([".#########"] * 2 + ["#.########"], 1),
        (["..########", ".#########"], 1),
        ([".#########", "#........."], 0),
        ([], 0),
    ],
)
def test_rows_that_lack_the_same_open_cell_count_by_the_points_of_filling_them(rows, ready, monkeypatch):
    monkeypatch.setattr(beams, "bit_count", lambda word: int(word).bit_count())
    problem = Tetris("\n".join(reversed(rows)) or "empty", "i")
    heights = np.zeros(10, np.int64)
    layers.column_heights(problem.board, problem.rows, 10, heights)
    points = (0, 100, 300, 500, 800)
    assert beams.looks(problem.board, heights, np.zeros(8), points, 10, len(rows), problem.filled) == points[ready]


@pytest.mark.parametrize(("pieces", "worth"), [("io", 300), ("ol", 500), ("oi", 800), ("oo", 300)])
def test_rows_that_no_piece_left_completes_at_once_are_worth_less(pieces, worth):
    assert run_of(Tetris("empty", pieces)).shared.ready[1][4] == worth
