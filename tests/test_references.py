"""Answers the course's public tests pin down, action for action, on both engines; and the problems in ``../shared``."""

from pathlib import Path

import pytest

from procura import Dots, Limits, Outcome, Tetris, solve, testing
from procura.puzzles.dots.formats import read_problems

ENGINES = ["python", "compiled"]


def rows(count, empty):
    """``count`` rows from the floor, filled but for the columns in ``empty``."""
    return [[column not in empty for column in range(10)] for _ in range(count)]


DFS_ANSWERS = [
    ([], "jltozsi", "7j3 7l3 8t3 8o0 8z1 8s1 6i1"),
    (rows(3, {0}), "ooooollttjjii", "8o0 8o0 8o0 8o0 8o0 7l3 7l3 5t3 5t3 4j3 4j3 5i1 1i1"),
    (rows(17, {0, 1}), "oltsz", "0o0 7l3 0t3 5s1 3z1"),
]
ASTAR_ANSWERS = [
    ([], "ts", "quality", "8t3 8s1"),
    ([], "li", "opportunity", "0l0 6i1"),
    (rows(10, {8, 9}), "lj", "quality", "8l2 8j2"),
    (rows(10, {8, 9}), "jl", "opportunity", "8j2 8l2"),
    (rows(16, {8, 9}), "olj", "quality", "8o0 8l2 8j2"),
    (rows(16, {7, 8, 9}), "lj", "opportunity", "7l2 7j3"),
]


def told(result):
    return " ".join(f"{column}{piece}{rotation}" for piece, rotation, column in result.actions)


def full_board(lower):
    return lower + [[False] * 10 for _ in range(18 - len(lower))]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("lower", "pieces", "answer"), DFS_ANSWERS)
@pytest.mark.parametrize("tree", [True, False])
def test_tetris_by_dfs(engine, lower, pieces, answer, tree):
    assert told(solve(Tetris(full_board(lower), pieces), "dfs", tree=tree, engine=engine)) == answer


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("lower", "pieces", "cost", "answer"), ASTAR_ANSWERS)
def test_tetris_by_tree_astar(engine, lower, pieces, cost, answer):
    result = solve(Tetris(full_board(lower), pieces, cost=cost), "astar", tree=True, ties="lifo", engine=engine)
    assert told(result) == answer


@pytest.mark.parametrize("engine", ENGINES)
def test_tetris_boards_that_cannot_be_survived(engine):
    lost = solve(Tetris(full_board(rows(17, {9})), "ts"), "astar", tree=True, engine=engine)
    assert lost.outcome is Outcome.NO_SOLUTION
    top = [*full_board([])[:17], [True] + [False] * 9]
    for algorithm in ("dfs", "astar"):
        result = solve(Tetris(top, "jltozsi"), algorithm, engine=engine)
        assert (result.outcome, result.stats.generated) == (Outcome.NO_SOLUTION, 0)


def test_the_board_of_test_25_has_a_proved_maximum():
    board = full_board([*rows(1, {4, 5}), *rows(3, {3, 4, 5})])
    result = solve(Tetris(board, "till"), "astar:quality_bound")
    assert (result.cost, result.optimal, result.problem.points(result.final)) == (-600, True, 600)


def test_the_empty_4x5_dots_board_needs_27_arcs_for_10_boxes():
    board = [[[0] * 5 for _ in range(5)], [[0] * 4 for _ in range(6)]]
    result = testing.assert_same_on_both_engines(Dots(board, 10), "idastar:polyomino", limits=Limits())
    assert (result.cost, result.optimal) == (27, True)


SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data, which is not part of the repository")
@pytest.mark.parametrize(("name", "arcs"), [("A", 2), ("B", 1), ("C", 8), ("D", 27), ("E", 16), ("F", 79)])
def test_dots_problems_a_to_f(name, arcs):
    text = (SHARED / "dots" / "problems.dat").read_text()
    assert len(read_problems(text)) == 6
    result = solve(Dots.from_text(text, problem=name), "idastar:polyomino", engine="compiled")
    assert (result.cost, result.optimal) == (arcs, True)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data, which is not part of the repository")
@pytest.mark.parametrize(("name", "lines"), [("A", 6), ("B", 1), ("C", 13), ("E", 30), ("F", 93)])
def test_the_reports_depth_first_search_draws_the_reports_lines(name, lines):
    text = (SHARED / "dots" / "problems.dat").read_text()
    assert len(solve(Dots.from_text(text, problem=name), "report_dfs", engine="python").actions) == lines


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data, which is not part of the repository")
def test_the_reports_breadth_first_search_has_72_nodes_open_and_5_closed_on_a():
    text = (SHARED / "dots" / "problems.dat").read_text()
    result = solve(Dots.from_text(text, problem="A"), "report_bfs", engine="python")
    opened, closed = result.stats.max_frontier, result.stats.expanded - 1
    assert (opened, opened + closed, len(result.actions)) == (72, 77, 2)  # its expanded, generated and length


COURSE = SHARED / "tetris" / "course-boards.txt"


def course_boards(names):
    """The boards of that name and their pieces."""
    found = {}
    for line in COURSE.read_text().splitlines():
        name, pieces, masks = (part.strip() for part in line.split("|")[:3]) if "|" in line else ("", "", "")
        if name in names:
            rows = [[bool(int(mask) >> column & 1) for column in range(10)] for mask in masks.split(",")]
            found[name] = rows, pieces
    return [found[name] for name in names]


@pytest.mark.slow
@pytest.mark.skipif(not COURSE.is_file(), reason="needs ../shared/data, which is not part of the repository")
def test_the_first_reports_search_makes_the_row_of_its_annex_5():
    points = []
    for board, pieces in course_boards([f"g{number}" for number in range(9)]):
        result = solve(Tetris(board, pieces), "report1_best", engine="compiled")
        points.append(None if result.final is None else result.problem.points(result.final))
    assert points == [100, 100, 100, 200, 200, 200, 0, None, 0]


@pytest.mark.slow
@pytest.mark.skipif(not COURSE.is_file(), reason="needs ../shared/data, which is not part of the repository")
def test_the_courses_depth_first_search_makes_the_reports_points_where_it_solved_29_pieces():
    points = []
    for board, pieces in course_boards([f"p{number}.1" for number in (2, 3, 4, 9)]):
        result = solve(Tetris(board, pieces), "course_dfs", engine="compiled")
        points.append(result.problem.points(result.final))
    assert points == [500, 300, 500, 400]
