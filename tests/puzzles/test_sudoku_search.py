"""Every algorithm that fits Sudoku on the report's boards, each answer the known one, and the named searches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from slowly import slow

from procura import InputError, Limits, Outcome, Sudoku, solve, testing
from procura.configuration import Configuration
from procura.puzzles.sudoku.presets import PRESETS
from procura.puzzles.sudoku.samples import samples

SOLUTIONS = {
    "easy": "157946832284573196396128745672351984549287613831469257415692378763815429928734561",
    "medium": "538674219162958734479312685254863197913247568687195342345781926726439851891526473",
    "diabolic": "613794258987251364542683791356942817874516932129378546435127689791865423268439175",
}
NO_FILL = "123. ...4 .... ...."
"""No contradiction among the givens, and no digit for the last cell of row 1."""


def assert_solved(result, name):
    """The known solution, by fills in their JSON form."""
    assert result.outcome is Outcome.SOLVED
    assert "".join(map(str, result.final[:81])) == SOLUTIONS[name]
    cells = list(samples[name]["board"])
    for row, column, digit in result.actions:
        assert cells[row * 9 + column] == "."
        cells[row * 9 + column] = str(digit)
    assert "".join(cells) == SOLUTIONS[name]


@pytest.mark.parametrize("choice", ["first", "fewest"])
@pytest.mark.parametrize("algorithm", ["dfs", *slow("iddfs"), "astar:empty"])
@pytest.mark.parametrize("name", SOLUTIONS)
def test_searches_find_the_solution_whichever_cell_is_filled_first(name, algorithm, choice):
    assert_solved(solve(Sudoku(**samples[name], choice=choice), algorithm), name)


@pytest.mark.parametrize("algorithm", ["dfs", "iddfs", "astar:empty"])
@pytest.mark.parametrize("name", SOLUTIONS)
def test_interpreted_searches_find_it_too(name, algorithm):
    result = solve(Sudoku(**samples[name], choice="fewest"), algorithm, engine="python")
    assert_solved(result, name)
    assert result.engine == "python"


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("algorithm", ["annealing", "annealing_constant", "report_annealing"])
@pytest.mark.parametrize("name", SOLUTIONS)
def test_annealing_finds_the_solution(name, algorithm, seed):
    result = solve(Sudoku(**samples[name]), algorithm, seed=seed, limits=Limits(nodes=50_000_000))
    assert_solved(result, name)
    assert result.seed == seed


@pytest.mark.parametrize("name", ["easy", "medium"])
def test_hill_climbing_finds_the_solution(name):
    assert_solved(solve(Sudoku(**samples[name]), "hill", seed=1, limits=Limits(nodes=50_000_000)), name)


@pytest.mark.parametrize(("name", "seed"), [*slow(("easy", 1), ("easy", 2)), ("easy", 3), *slow(("medium", 2))])
def test_a_genetic_algorithm_finds_the_solution(name, seed):
    result = solve(Sudoku(**samples[name]), "genetic_bands", seed=seed, limits=Limits(nodes=20_000_000))
    assert_solved(result, name)


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "seeds"), [("report_genetic_easy", (6, 30)), ("report_roulette_easy", (0, 30))])
def test_the_reports_genetic_algorithm_solves_its_easy_board_with_some_seeds(algorithm, seeds):
    limits = Limits(nodes=300_000)
    results = (solve(Sudoku(**samples["easy"]), algorithm, seed=seed, limits=limits) for seed in range(*seeds))
    assert_solved(next(result for result in results if result.outcome is Outcome.SOLVED), "easy")


@pytest.mark.slow
def test_a_genetic_algorithm_finds_the_diabolic_solution():
    assert_solved(solve(Sudoku(**samples["diabolic"]), "genetic_bands", seed=1), "diabolic")


def test_annealing_interpreted_and_compiled_make_the_same_moves():
    problem = Sudoku(**samples["easy"])
    both = [solve(problem, "annealing_constant", seed=1, engine=engine) for engine in ("python", "compiled")]
    assert_solved(both[0], "easy")
    assert both[0].stats.generated == both[1].stats.generated


@pytest.mark.parametrize("choice", ["first", "fewest"])
@pytest.mark.parametrize("algorithm", ["dfs", "iddfs", "astar:empty"])
def test_a_board_without_solution_is_proved_to_have_none(algorithm, choice):
    problem = Sudoku(NO_FILL, choice)
    assert solve(problem, algorithm, engine="python").outcome is Outcome.NO_SOLUTION
    assert problem.count_solutions(2) == 0


def test_local_search_proves_nothing():
    result = solve(Sudoku(NO_FILL), "annealing", engine="python", limits=Limits(nodes=2000))
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "nodes")


@pytest.mark.parametrize(
    ("name", "algorithm", "engine"),
    [
        ("small", "dfs", "python"),
        ("small", "annealing_constant", "python"),
        ("large", "fewest", "python"),
        ("large", "annealing_constant", "compiled"),
    ],
)
def test_the_other_sizes_are_solved(name, algorithm, engine):
    problem = Sudoku(**samples[name])
    result = solve(problem, algorithm, seed=1, engine=engine)
    assert result.outcome is Outcome.SOLVED
    assert len(result.actions) == problem.givens.count(0)


@settings(max_examples=15, deadline=None)
@given(st.permutations("123456789"), st.booleans(), st.sampled_from(list(SOLUTIONS)))
def test_a_board_relabelled_and_transposed_has_the_answer_so_changed(digits, transposed, name):
    def changed(text):
        cells = text.translate(str.maketrans("123456789", "".join(digits)))
        return "".join(cells[k::9] for k in range(9)) if transposed else cells

    result = solve(Sudoku(changed(samples[name]["board"]), "fewest"), "dfs", engine="python")
    assert "".join(map(str, result.final[:81])) == changed(SOLUTIONS[name])


@pytest.mark.parametrize("name", PRESETS)
def test_every_named_search_is_one_that_the_catalog_can_run(name):
    search = Configuration.parse(name).resolve(Sudoku)
    assert PRESETS[name].about
    assert search.all_options.get("crossover") in (None, *Sudoku("." * 16).local().crossovers)
    result = solve(Sudoku(**samples["small"]), name, engine="python", seed=1, limits=Limits(nodes=500))
    assert result.algorithm == search.algorithm


@pytest.mark.parametrize("name", ["report_iddfs", "report_astar"])
def test_the_reports_searches_fill_the_first_empty_cell(name):
    result = solve(Sudoku(**samples["easy"], choice="fewest"), name, engine="python")
    assert_solved(result, "easy")
    assert result.actions == tuple(sorted(result.actions))


def test_the_report_settings_are_those_of_the_report():
    for difficulty, population, rounds in (("easy", 500, 2000), ("medium", 2000, 8000), ("diabolic", 10_000, 10_000)):
        for kind, selection in (("genetic", "tournament"), ("roulette", "roulette")):
            told = Configuration.parse(PRESETS[f"report_{kind}_{difficulty}"].configuration).all_options
            assert (told["population"], told["rounds"], told["selection"]) == (population, rounds, selection)
            assert (told["tournament"], told["mutation"], told["elitism"], told["crossover"]) == (5, 0.1, 0, "blocks")


def test_options_can_be_changed_on_the_same_board():
    problem = Sudoku(**samples["easy"])
    other = problem.with_options(choice="first")
    assert other.givens == problem.givens
    assert (problem.choice, other.choice, other.with_options().choice) == ("fewest", "first", "first")
    assert problem.actions(problem.initial) != other.actions(other.initial)
    with pytest.raises(InputError, match="choice 'last'"):
        problem.with_options(choice="last")
    with pytest.raises(InputError, match="takes no option 'choise': did you mean 'choice'"):
        problem.with_options(choise="first")


def test_left_to_itself_a_large_board_takes_few_nodes():
    assert solve(Sudoku(**samples["large"]), engine="python").stats.expanded < 1000


def test_both_views_conform_on_the_reports_boards():
    for name in SOLUTIONS:
        problem = Sudoku(**samples[name], choice="fewest")
        assert testing.check(problem, walks=4, length=8, engines=False).steps > 20
        assert testing.check(problem.local(), walks=3, length=5, engines=False).steps > 10


@pytest.mark.parametrize(("name", "boards"), [("easy", 158), ("medium", 390), ("diabolic", 10_221)])
def test_the_reports_astar_tries_digits_from_1(name, boards):
    result = solve(Sudoku(**samples[name]), "report_astar", engine="python")
    assert (result.outcome, result.stats.expanded) == (Outcome.SOLVED, boards)
