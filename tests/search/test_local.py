"""Local search: hill climbing, annealing and the genetic algorithm on complete states."""

import pytest

from procura import ArrayProblem, Data, InputError, Limits, Outcome, Sliding, Sudoku, catalog, kernel, solve
from procura.rng import below
from procura.search.annealing import Schedule
from procura.search.genetic import Generations, wheel_top

EASY = catalog.PUZZLES["sudoku"].samples()["easy"]
LOCAL = ["hill", "annealing", "genetic"]
ENGINES = ["python", "compiled"]


class Ones(ArrayProblem):
    """Turn on all of twenty switches; energy is the number that are off."""

    def __init__(self):
        super().__init__(size=20, max_moves=20, data=Data(none=[0]))

    def start(self):
        return [0] * 20

    @kernel
    def solved(s, data, work):
        for i in range(20):
            if s[i] == 0:
                return False
        return True

    @kernel
    def randomise(s, data, work, rng):
        for i in range(20):
            s[i] = below(rng, 2)

    @kernel
    def propose(s, data, work, rng):
        return below(rng, 20)

    @kernel
    def change(s, data, work, move):
        s[move] = 1 - s[move]
        return 1 - 2 * s[move]

    @kernel
    def revert(s, data, work, move):
        s[move] = 1 - s[move]

    @kernel
    def energy(s, data, work):
        total = 0
        for i in range(20):
            total += 1 - s[i]
        return total

    @kernel
    def cross(a, b, child, data, work, rng):
        for i in range(20):
            child[i] = a[i] if below(rng, 2) else b[i]


class Foreseen(Ones):
    """The same, whose moves need not be made to know what they change."""

    @kernel
    def preview(s, data, work, move):
        return 2 * s[move] - 1


class Steep(Ones):
    """The same with an energy of large and broken steps."""

    @kernel
    def change(s, data, work, move):
        s[move] = 1 - s[move]
        return (1 - 2 * s[move]) * (0.25 + 3 * move)

    @kernel
    def energy(s, data, work):
        total = 0.0
        for i in range(20):
            total += (1 - s[i]) * (0.25 + 3 * i)
        return total


def first_parent(a, b, child, data, work, rng):
    for i in range(20):
        child[i] = a[i]


class Named(Ones):
    crossovers = {"first": first_parent}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("configuration", LOCAL)
def test_each_solves_a_problem_that_is_only_a_local_view(configuration, engine):
    result = solve(Ones(), configuration, engine=engine, seed=5, limits=Limits(nodes=200_000))
    assert (result.outcome, result.cost, result.final) == (Outcome.SOLVED, 0, (1,) * 20)
    assert (result.optimal, result.stats.penetrance, result.stats.branching_factor) == (None, None, None)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("configuration", ["hill,sideways=false", "annealing"])
def test_a_preview_changes_nothing_but_the_work(configuration, engine):
    plain, foreseen = (
        solve(problem, configuration, engine=engine, seed=7, limits=Limits(nodes=2000))
        for problem in (Ones(), Foreseen())
    )
    assert (plain.stats.generated, plain.stats.expanded) == (foreseen.stats.generated, foreseen.stats.expanded)
    assert (plain.cost, plain.final) == (foreseen.cost, foreseen.final)


@pytest.mark.parametrize("temperature", [0.5, 30.0])
def test_annealing_takes_the_same_moves_on_both_engines_whatever_they_cost(temperature):
    runs = [
        solve(Steep(), "annealing", temperature=temperature, engine=engine, seed=2, limits=Limits(nodes=2000))
        for engine in ENGINES
    ]
    counts = [(run.stats.generated, run.stats.expanded, run.cost, run.final) for run in runs]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("configuration", LOCAL)
def test_the_seed_decides_everything(configuration):
    runs = [solve(Ones(), configuration, seed=seed, limits=Limits(nodes=3000)) for seed in (1, 1, 2)]
    counts = [(run.stats.generated, run.stats.expanded, run.final) for run in runs]
    assert counts[0] == counts[1] != counts[2]


@pytest.mark.parametrize("configuration", ["hill", "annealing"])
def test_sudoku_is_filled_right(configuration):
    result = solve(Sudoku(**EASY), configuration, seed=3)
    assert result.solved
    assert result.final_text.replace("\n", "").replace(" ", "").replace("|", "").replace("-", "").replace("+", "") == (
        "157946832284573196396128745672351984549287613831469257415692378763815429928734561"
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("configuration", ["hill,patience=1", "annealing,moves=1,patience=1,cooling=1",
                                           "genetic,population=4,rounds=1"])  # fmt: skip
def test_giving_up_leaves_the_best_state_seen(configuration, engine):
    restarts = {} if "genetic" in configuration else {"restarts": 0}
    result = solve(Sudoku(**EASY), configuration, engine=engine, seed=1, **restarts)
    assert (result.outcome, result.stopped_by, result.actions) == (Outcome.NOT_FOUND, None, None)
    assert result.cost > 0 and result.final is not None


def test_without_sideways_moves_only_better_states_are_taken():
    result = solve(Ones(), "hill,sideways=false", seed=1)
    plateau = solve(Sudoku(**EASY), "hill,sideways=false,patience=50,restarts=0", seed=1)
    assert result.solved
    assert plateau.stats.expanded < solve(Sudoku(**EASY), "hill,patience=50,restarts=0", seed=1).stats.expanded


class TestSchedule:
    """Temperatures are powers of two, so that they are exact."""

    @staticmethod
    def played(schedule, start, ends):
        """The temperature after each round, given the energy it ended with; None where the attempt is given up."""
        schedule.begin_attempt(start)
        best, temperatures = start, []
        for last in ends:
            best = min(best, last)
            given_up = schedule.end_round(best, last)
            temperatures.append(None if given_up else schedule.temperature)
        return temperatures

    def test_by_the_best_a_round_is_stuck_only_when_cold_and_heat_comes_once(self):
        schedule = Schedule(first=16, cooling=0.5, patience=2, reheat=8)
        assert self.played(schedule, 9, [9, 9, 9, 9]) == [8, 4, 2, 1], "hot: nothing counts"
        cold = self.played(schedule, 9, [9, 9, 9, 9, 9, 9, 9, 9])
        assert cold == [8, 4, 2, 1, 0.5, 8.5, 4.25, 2.125]

    def test_by_the_best_a_new_best_starts_the_count_anew(self):
        schedule = Schedule(first=16, cooling=1, patience=2, reheat=0)
        assert self.played(schedule, 9, [9, 9, 8, 9, 7, 7, 7]) == [16, 16, 16, 16, 16, 16, None]

    def test_by_the_round_heat_comes_every_round_until_one_ends_lower(self):
        schedule = Schedule(first=16, cooling=0.5, patience=3, reheat=4, rule="round")
        ends = [9, 10, 10, 11, 10, 10, 12, 12, 12]
        assert self.played(schedule, 9, ends) == [8, 4, 4, 4, 2, 1, 0.5, 2.25, 3.125]

    def test_by_the_round_the_start_is_what_the_first_round_is_held_to(self):
        schedule = Schedule(first=16, cooling=0.5, patience=1, reheat=0, rule="round")
        assert self.played(schedule, 9, [9]) == [None]
        assert self.played(schedule, 9, [8, 7, 7]) == [8, 4, None]

    def test_the_reports_rule_adds_two_degrees_from_the_hundred_and_first_stuck_round_on(self):
        schedule = Schedule(first=4, cooling=1, patience=101, reheat=2, rule="round")
        assert self.played(schedule, 5, [5] * 103)[-4:] == [4, 6, 8, 10]


class TestGenetic:
    def test_with_elitism_the_best_energy_never_rises(self):
        for elitism, rises in ((1, False), (0, True)):
            seen = []
            for rounds in range(12):
                options = {"population": 6, "rounds": rounds, "elitism": elitism, "mutation": 1.0}
                problem = Watched()
                solve(problem, "genetic", engine="python", seed=8, early_stop=False, **options)
                seen.append(min(problem.energies[-6:]))
            assert (seen != sorted(seen, reverse=True)) == rises

    def test_each_round_makes_the_children_and_newcomers_that_elitism_leaves(self):
        options = {"population": 10, "rounds": 7, "elitism": 2, "newcomers": 3, "early_stop": False}
        for engine in ENGINES:
            assert solve(Ones(), "genetic", engine=engine, **options).stats.generated == 10 + 7 * 8

    @pytest.mark.slow
    def test_rounds_go_on_after_a_solution_without_early_stop(self):
        options = {"population": 60, "rounds": 40, "seed": 2}
        stopped, full = (solve(Ones(), "genetic", early_stop=stop, **options) for stop in (True, False))
        assert stopped.solved and full.solved
        assert stopped.stats.generated < full.stats.generated == 60 + 40 * 59

    def test_a_crossover_can_be_chosen_by_name(self):
        for engine in ENGINES:
            copies = solve(Named(), "genetic,crossover=first,mutation=0,rounds=50", engine=engine, seed=1)
            assert not copies.solved, "copies of the first population never get better"
        with pytest.raises(InputError, match=r"crossover='last': Named has first"):
            solve(Named(), "genetic,crossover=last")

    def test_a_population_without_room_for_children_is_refused(self):
        with pytest.raises(InputError, match="more than elitism and newcomers"):
            solve(Ones(), "genetic,population=4,elitism=2,newcomers=2")

    def test_patience_and_restarts_begin_new_populations(self):
        options = {"population": 4, "patience": 2, "mutation": 0.0, "seed": 1}
        one, three = (solve(Ones(), "genetic", restarts=restarts, **options) for restarts in (0, 2))
        assert one.stats.generated < three.stats.generated

    def test_the_wheel_leaves_everyone_a_share_and_counts_against_the_perfect_score(self):
        assert wheel_top(Ones(), 3.0) == 4.0
        scored = Ones()
        scored.perfect_score = 20
        assert (wheel_top(scored, 3.0), wheel_top(scored, 50.0)) == (20.0, 51.0)

    def test_a_crossover_need_not_write_what_is_fixed(self):
        for engine in ENGINES:
            result = solve(Fixed(), "genetic,population=30", engine=engine, seed=4, limits=Limits(nodes=50_000))
            assert (result.outcome, result.final[0]) == (Outcome.SOLVED, 1)

    def test_a_tournament_of_more_than_everybody_is_refused(self):
        with pytest.raises(InputError, match="no more than the population"):
            solve(Ones(), "genetic,population=4,tournament=5")

    def test_generations_end_after_their_rounds(self):
        generations = Generations(rounds=2, patience=None, early_stop=True)
        generations.begin_attempt()
        assert [generations.over(5.0) for _ in range(3)] == [False, False, True]


class Fixed(Ones):
    """The first switch is on from the start, and only the others are ever written."""

    def start(self):
        return [1] + [0] * 19

    @kernel
    def randomise(s, data, work, rng):
        for i in range(1, 20):
            s[i] = below(rng, 2)

    @kernel
    def propose(s, data, work, rng):
        return 1 + below(rng, 19)

    @kernel
    def cross(a, b, child, data, work, rng):
        for i in range(1, 20):
            child[i] = a[i] if below(rng, 2) else b[i]


class Watched(Ones):
    """Remembers every energy it was asked for."""

    def __init__(self):
        super().__init__()
        self.energies = energies = []

        def energy(s, data, work):
            energies.append(20 - sum(s))
            return energies[-1]

        self.energy = energy


def test_a_problem_without_a_local_view_is_told():
    for configuration in LOCAL:
        with pytest.raises(InputError, match="no whole states to improve"):
            solve(Sliding("1 2 3 0"), configuration)
