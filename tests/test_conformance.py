"""check() passes on the five puzzles, and catches every promise that a definition can break."""

import pytest
from hypothesis import HealthCheck, given, settings
from instances import PUZZLES
from rush_hour import RushHour
from spaces import Graph, table_h

from procura import (
    DEAD,
    ArrayProblem,
    Data,
    Dots,
    Estimate,
    InputError,
    Problem,
    Sliding,
    Sudoku,
    Tetris,
    kernel,
    solve,
    testing,
)
from procura.rng import below

SHIPPED = {
    "sliding": lambda: Sliding("1 2 3 4 0 6 7 5 8"),
    "tetris by quality": lambda: Tetris("empty", "t i l"),
    "tetris by opportunity": lambda: Tetris("####.#####", "s o", cost="opportunity"),
    "dots canonical": lambda: Dots([[[0, 0], [0, 1], [0, 0]], [[0, 1], [0, 0], [0, 0]]], 2),
    "dots in any order": lambda: Dots([[[0, 0], [0, 1], [0, 0]], [[0, 1], [0, 0], [0, 0]]], 2, order="any"),
    "sudoku, first cell": lambda: Sudoku("1.......3.......", choice="first"),
    "sudoku, fewest candidates": lambda: Sudoku("1.......3......."),
    "rush hour": lambda: RushHour("..BB......C.AA.DC....D......EE......"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_the_five_puzzles_conform(name):
    report = testing.check(SHIPPED[name]())
    assert report.states > 20 and report.runs


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_random_instances_conform(puzzle):
    @given(problem=PUZZLES[puzzle])
    @settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
    def conforms(problem):
        testing.check(problem, walks=4, length=8, engines=False)

    conforms()


class Ladder(ArrayProblem):
    """Climb from 0 to 9 by ones; a sound problem that each test breaks in one place."""

    def __init__(self, **options):
        super().__init__(**{"size": 2, "key": 1, "max_moves": 2, "data": Data(top=[9]), "scratch": 1, **options})

    def start(self):
        return [0, 0]

    @kernel
    def moves(s, data, work, out):
        count = 0
        if s[0] > 0:
            out[count] = 0
            count += 1
        if s[0] < data.top[0]:
            out[count] = 1
            count += 1
        return count

    @kernel
    def apply(s, data, work, move):
        s[0] += 2 * move - 1
        return 1

    @kernel
    def inverse(data, move):
        return 1 - move

    @kernel
    def solved(s, data, work):
        return s[0] == data.top[0]


def left(s, data, work):
    return data.top[0] - s[0]


class GoodLadder(Ladder):
    heuristics = {"left": Estimate(left, admissible=True, consistent=True)}


class WrongInverse(Ladder):
    @kernel
    def inverse(data, move):
        return move


class NegativeMove(Ladder):
    inverse = None

    @kernel
    def moves(s, data, work, out):
        out[0] = -1 if s[0] > 0 else 1
        return 1

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 1


class ChangesState(Ladder):
    @kernel
    def moves(s, data, work, out):
        out[0] = 1
        s[1] += 1
        return 1


class ReliesOnScratch(Ladder):
    @kernel
    def moves(s, data, work, out):
        out[0] = 0 if work[0] < 0 and s[0] > 0 else 1
        return 1


class PayloadDecides(Ladder):
    inverse = None

    @kernel
    def apply(s, data, work, move):
        s[0] += 2 * move - 1
        s[1] = (s[1] + 1) % 4
        return 1

    @kernel
    def solved(s, data, work):
        return s[1] == 3


class WrongCost(Ladder):
    @kernel
    def apply(s, data, work, move):
        s[0] += 2 * move - 1
        return 2


class Overflows(Ladder):
    inverse = None

    @kernel
    def apply(s, data, work, move):
        s[0] += 2 * move - 1
        s[1] = 300
        return 1


class TooManyMoves(Ladder):
    def __init__(self):
        super().__init__(max_moves=1)


def too_high(s, data, work):
    return 2 * (data.top[0] - s[0])


def wrong_step(s, data, work, move, h):
    return h


def no_way(s, data, work):
    return DEAD


class NotAcyclic(Ladder):
    acyclic = True


def with_heuristic(estimate):
    problem = Ladder()
    problem.heuristics = {"mine": estimate}
    return problem


BROKEN = {
    "does not lead back": WrongInverse,
    "expected different integers from 0": NegativeMove,
    "changes the state": ChangesState,
    "depends on what it finds in the scratch row": ReliesOnScratch,
    "the same key but not the same moves": PayloadDecides,
    "but costs = 'unit' means 1": WrongCost,
    "goes outside a row": TooManyMoves,
    "declared acyclic": NotAcyclic,
    "declared admissible, but is": lambda: with_heuristic(Estimate(too_high, admissible=True)),
    "declared consistent": lambda: with_heuristic(Estimate(too_high, admissible=True, consistent=True)),
    "300 does not fit": Overflows,
    "step gives": lambda: with_heuristic(Estimate(left, step=wrong_step)),
    "proves a dead end": lambda: with_heuristic(Estimate(no_way)),
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_promise_is_caught(message):
    with pytest.raises(testing.ConformanceError, match=message):
        testing.check(BROKEN[message](), engines=False)


class Up(Problem):
    """Count to 3: the plain problem that the faulty ones below are made of."""

    initial = 0

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state == 3


def faulty(**rules):
    return type("Faulty", (Up,), rules)()


FAULTY = {
    "Faulty raises KeyError: 'boo' .test_conformance.py, line ": lambda: faulty(actions=lambda self, s: {}["boo"]),
    "Faulty raises IndexError: list index out of range": lambda: faulty(result=lambda self, s, action: [][s]),
    "Faulty raises TypeError: unhashable type: 'list', and states": lambda: faulty(result=lambda self, s, action: [s]),
    "Faulty raises TypeError: unhashable type: 'dict'": lambda: faulty(initial={}),
    "Faulty raises ZeroDivisionError": lambda: faulty(heuristics={"h": Estimate(lambda s: 1 // s)}),
    "Faulty defines no is_goal": lambda: faulty(is_goal=Problem.is_goal),
    "Faulty.is_goal returns None in 0: expected True or False": lambda: faulty(is_goal=lambda self, s: None),
    "Faulty.actions returns None in 0: expected the legal actions": lambda: faulty(actions=lambda self, s: None),
    "Faulty.costs is 'units': expected 'unit'": lambda: faulty(costs="units"),
    "there is no algorithm 'astr': did you mean 'astar'": lambda: faulty(auto="astr"),
    "Problem has no initial state": Problem,
    "check needs a Problem or a Game, not 3": lambda: 3,
}


@pytest.mark.parametrize("message", FAULTY)
def test_whatever_a_faulty_class_raises_is_told_in_a_sentence(message):
    testing.check(Up())
    with pytest.raises(testing.ConformanceError, match=message):
        testing.check(FAULTY[message]())


@pytest.mark.parametrize("start", [None, "ab", 7])
def test_a_start_that_is_no_row_is_told(start):
    class Startless(Ladder):
        def start(self):
            return start

    with pytest.raises(InputError, match=rf"Startless.start gives {start!r}: expected the integers"):
        solve(Startless(), "bfs")


@pytest.mark.parametrize("search", ["bfs", "dfs", "astar", "idastar", "beam"])
def test_actions_that_are_no_list_name_the_rule_and_the_state(search):
    for listed in (None, 0.5):
        with pytest.raises(InputError, match=rf"Faulty.actions returns {listed} in 2: expected the legal actions"):
            solve(faulty(actions=lambda self, s, listed=listed: [1] if s < 2 else listed), search)


def test_what_is_sound_passes():
    report = testing.check(GoodLadder(), engines=False)
    assert report.heuristics["left"] > 5


class Coin(Ladder):
    """A local view whose energy differences can be made wrong."""

    @kernel
    def randomise(s, data, work, rng):
        s[0] = below(rng, 10)

    @kernel
    def propose(s, data, work, rng):
        return below(rng, 2)

    @kernel
    def change(s, data, work, move):
        s[0] = (s[0] + 1 + 8 * move) % 10
        return 1

    @kernel
    def revert(s, data, work, move):
        s[0] = (s[0] + 9 - 8 * move) % 10

    @kernel
    def energy(s, data, work):
        return data.top[0] - s[0]


class Foretold(Coin):
    """One whose previews can be made wrong."""

    @kernel
    def change(s, data, work, move):
        before = s[0]
        s[0] = (s[0] + 1 + 8 * move) % 10
        return before - s[0]


class FalselyForetold(Foretold):
    @kernel
    def preview(s, data, work, move):
        return 7


class Meddling(Foretold):
    @kernel
    def preview(s, data, work, move):
        s[0] = (s[0] + 1) % 10
        return 0


def test_a_false_preview_is_caught():
    with pytest.raises(testing.ConformanceError, match=r"preview says 7 for move \d in .*, and change "):
        testing.check(FalselyForetold(), engines=False)
    with pytest.raises(testing.ConformanceError, match=r"preview changes the state"):
        testing.check(Meddling(), engines=False)


def test_a_false_energy_difference_is_caught():
    with pytest.raises(testing.ConformanceError, match=r"change says"):
        testing.check(Coin(), engines=False)


def test_engines_that_differ_are_caught(monkeypatch):
    """An interpreted kernel that is not the compiled one: what a silent defect of an engine would look like."""
    problem = Graph(4, {(0, 0): (1, 1), (1, 0): (2, 1), (2, 0): (3, 1)}, h=[3, 2, 1, 0])
    original = problem.heuristic_value
    monkeypatch.setattr(problem, "heuristic_value", lambda name, state: original(name, state) + (state[0] == 1))
    with pytest.raises(testing.ConformanceError, match="interpreted"):
        testing.assert_same_on_both_engines(problem, "idastar:table")
    assert table_h([0], problem.data, None) == 3
