"""Anytime search: an answer soon, better ones later, honest bounds, and never much more work than the proof alone."""

import random

import pytest
from spaces import Graph, least_costs, random_graph, true_h

from procura import Dots, Estimate, InputError, Limits, Outcome, Sliding, Sudoku, Tetris, solve
from procura.search import anytime

BOARD = Sliding("8 6 7 2 5 4 3 0 1")
HARD = Sliding("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", goal="blank-first")
PROOFS = ("astar", "idastar")


def improvements(problem, configuration, **limits):
    """The better and better answers of a run, and its result."""
    seen = []
    limits = Limits(**limits)
    result = solve(problem, configuration, engine="python", limits=limits, on_event=seen.append, events=["improve"])
    return seen, result


@pytest.mark.parametrize("prove", PROOFS)
def test_each_improvement_is_cheaper_and_has_a_bound_that_does_not_fall(prove):
    seen, result = improvements(BOARD, f"anytime:manhattan,prove={prove}")
    costs, bounds = [event.value for event in seen], [event.figures["bound"] for event in seen]
    assert costs == sorted(costs, reverse=True) and len(set(costs)) == len(costs) >= 2
    assert bounds == sorted(bounds) and all(bound <= result.cost for bound in bounds)
    assert all(event.figures["gap"] == event.value - event.figures["bound"] for event in seen)
    assert (result.cost, result.optimal, result.gap) == (31, True, 0)


@pytest.mark.parametrize("prove", PROOFS)
@pytest.mark.parametrize("share", [0.02, 0.5, 2])
def test_it_takes_no_more_than_its_share_beyond_the_proof_alone(prove, share):
    alone = solve(BOARD, f"{prove}:linear_conflict", engine="python")
    both = solve(BOARD, f"anytime:linear_conflict,prove={prove},share={share}", engine="python")
    assert both.optimal and both.cost == alone.cost
    assert both.stats.expanded <= (1 + share) * alone.stats.expanded


def test_a_hard_board_has_an_answer_where_the_proof_alone_has_none():
    limits = Limits(nodes=20_000)
    assert not solve(HARD, "idastar:manhattan", engine="python", limits=limits).solved
    result = solve(HARD, "anytime:manhattan,prove=idastar", engine="python", limits=limits)
    assert result.solved and result.stopped_by == "nodes" and 0 < result.bound <= 80 <= result.cost


def test_a_guide_need_not_be_admissible():
    result = solve(BOARD, "anytime:manhattan,guide=9*report_h1", engine="python")
    assert (result.cost, result.optimal) == (31, True)


def test_an_inadmissible_heuristic_proves_nothing():
    seen, result = improvements(BOARD, "anytime:3*manhattan")
    assert result.solved and result.optimal is False and result.bound is None
    assert all(event.figures == {} for event in seen)


@pytest.mark.parametrize("prove", PROOFS)
def test_a_bound_above_the_answer_shows_that_the_heuristic_is_not_what_it_says(prove, monkeypatch):
    monkeypatch.setattr(anytime, "FIRST_TURN", 1)
    problem = Graph(4, {(0, 0): (1, 1), (1, 0): (2, 1), (2, 0): (3, 1)}, [50, 49, 48, 0])
    problem.heuristics = {"table": Estimate(problem.heuristics["table"].function, admissible=True)}
    result = solve(problem, f"anytime:table,prove={prove},share=10", engine="python")
    assert (result.cost, result.optimal, result.bound) == (3, False, None)


@pytest.mark.parametrize("prove", PROOFS)
@pytest.mark.parametrize("seed", range(40))
def test_what_is_proved_is_true_whoever_has_the_turn(prove, seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(anytime, "FIRST_TURN", rng.choice([1, 2, 5]))
    monkeypatch.setattr(anytime, "FIRST_LEVELS", rng.choice([1, 3, 256]))
    low = rng.choice([0, -5])
    _, arcs = random_graph(seed, low=low, acyclic=low < 0)
    least = least_costs(12, arcs)
    problem, _ = random_graph(seed, low=low, acyclic=low < 0, h=true_h(seed, least, rng.choice([0, 5])))
    problem.heuristics = {"table": Estimate(problem.heuristics["table"].function, admissible=True)}
    result = solve(problem, f"anytime:table,prove={prove},width=1", engine="python", limits=Limits(nodes=500))
    assert not result.optimal or result.cost == least[0]
    assert result.bound is None or least[0] is None or result.bound <= least[0]
    assert result.outcome is not Outcome.NO_SOLUTION or least[0] is None


def test_where_any_solution_will_do_the_first_one_ends_it():
    board = Sudoku("1234341221434321".replace("4", "."))
    result = solve(board, "anytime", engine="python")
    assert result.solved and result.optimal is None


def test_what_astar_cannot_order_is_refused():
    problem = Graph(2, {(0, 0): (1, -1)}, costs="any")
    with pytest.raises(InputError, match="negative costs and states that recur"):
        solve(problem, "anytime", engine="python")


def test_beams_end_with_the_space():
    """Once nothing is dropped there is nothing more to look for: the proof goes on alone."""
    result = solve(Sliding("1 2 3 4 5 0", size="2x3"), "anytime,share=1e6", engine="python")
    assert result.solved


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [
        HARD,
        Sliding.generate(1, size="5x5"),
        Tetris.generate(1, pieces="29"),
        Dots.generate(1, size="8x8", boxes=32),
    ],
    ids=lambda problem: problem.name,
)
def test_there_is_an_answer_and_its_bound_where_no_proof_is_in_reach(problem):
    """By what auto stands for, or stands in for its specialist."""
    nodes = {Sliding: 1_000_000, Tetris: 2_000, Dots: 5_000}[type(problem)]
    configuration = next((specialist.stand_in for specialist in problem.specialists), problem.auto)
    result = solve(problem, configuration, engine="compiled", limits=Limits(nodes=nodes))
    assert result.solved and result.stopped_by == "nodes" and result.gap > 0
