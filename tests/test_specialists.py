"""Specialists: algorithms that a puzzle brings itself are algorithms like any other, and serve no other puzzle."""

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from arriving import Arriving, kernels
from spaces import Counter

from procura import (
    Configuration,
    InputError,
    KernelError,
    Limits,
    Outcome,
    Problem,
    Sliding,
    Sudoku,
    catalog,
    kernel,
    solve,
    solve_many,
)
from procura.algorithm import Algorithm, Option, Proof
from procura.control import Found
from procura.errors import ReplayError

RUSH_HOUR = f"{Path(__file__).parents[1]}/examples/rush_hour.py:RushHour"
EASY = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."


def leap(problem, control, h, *, wrong, last):
    """The fewest steps to the target: by twos, and one step of 1 where that is odd; a node each."""
    path, left = [], problem.data.target[0]
    for nodes in control.slices():
        take = min(nodes, left // 2)
        path += [2] * take
        left -= 2 * take
        control.stats.expanded += nodes if left > 1 else take
        control.stats.generated = control.stats.expanded
        control.progress_value = left
        if left <= 1:
            steps = [*path, *[1] * left, *[1] * wrong]
            return Found(path=steps, cost=len(steps), bound=len(steps) if last else None)
    return Found()


LEAP = Algorithm(
    name="leap",
    about="as far as it goes, by twos",
    requires="the rules of Leaps",
    guarantees="optimal",
    python=leap,
    stand_in="idastar",
    options=(Option("wrong", "int", 0, "steps too many", low=0), Option("last", "bool", True, "tell the bound")),
    proof=lambda ended: Proof(ended.cost is not None, ended.found.bound),
)


class Leaps(Counter):
    """Count up to a target."""

    auto = "leap"
    specialists = (LEAP,)


def compiled_only(function, **changes):
    """A class like Leaps whose specialist runs ``function``, compiled only."""

    class Compiled(Counter):
        auto = "leap"
        specialists = (replace(LEAP, python=None, compiled=function, **changes),)

    return Compiled


class TestASpecialistIsAnAlgorithm:
    def test_it_solves_and_proves_and_is_named(self):
        result = solve(Leaps(7), "leap")
        assert (result.outcome, result.cost, result.optimal, result.bound) == ("solved", 4, True, 4)
        assert (result.algorithm, result.engine, result.notes) == ("leap", "python", ())
        assert result.configuration == Configuration.parse("leap").resolve(Leaps)

    def test_auto_may_be_one(self):
        assert solve(Leaps(7)).algorithm == "leap"
        assert solve(Leaps(7), last=False).options == {"wrong": 0, "last": False}

    def test_its_options_are_read(self):
        assert str(Configuration.parse("leap,last=no,wrong=0").resolve(Leaps)) == "leap,last=false"
        with pytest.raises(InputError, match="leap has no option 'lost': did you mean 'last'"):
            solve(Leaps(7), "leap,lost=1")
        with pytest.raises(InputError, match="option wrong='x': expected a whole number from 0"):
            Configuration.parse("leap,wrong=x").resolve(Leaps)
        with pytest.raises(InputError, match="leap uses no heuristic"):
            solve(Leaps(7), "leap:zero")

    @pytest.mark.parametrize(
        ("limits", "why"), [({"seconds": 0.1}, "time"), ({"nodes": 77}, "nodes"), ({"memory": 1}, "memory")]
    )
    def test_limits_end_it(self, limits, why):
        result = solve(Leaps(1 << 60), limits=Limits(**limits))
        assert (result.outcome, result.stopped_by, result.optimal) == (Outcome.NOT_FOUND, why, None)
        assert why != "nodes" or result.stats.expanded == 77

    def test_it_can_be_cancelled(self):
        cancel = threading.Event()
        seen = []
        threading.Timer(0.3, cancel.set).start()
        result = solve(Leaps(1 << 60), cancel=cancel, on_event=seen.append, events=["progress"])
        assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "cancelled")
        assert {event.kind for event in seen} <= {"progress"}

    def test_a_wrong_answer_is_refused(self):
        with pytest.raises(ReplayError, match="the solution's last state is no goal"):
            solve(Leaps(7), "leap,wrong=1")

    def test_what_is_no_answer_is_refused(self):
        with pytest.raises(InputError, match=r"a search returns None: expected Found\(path"):
            solve(compiled_only(lambda problem, control, h, **options: None)(7), engine="compiled")

    def test_batches_and_portfolios_take_it(self):
        assert solve_many(Leaps, [3, 4, 5], "leap").cost == [2, 2, 3]
        assert solve(Leaps(9), "leap | idastar", engine="python").cost == 5


class TestNothingIsProvedFalsely:
    def test_a_bound_above_the_cost_is_refused(self):
        class Boastful(Leaps):
            specialists = (replace(LEAP, proof=lambda ended: Proof(True, ended.cost + 1)),)

        with pytest.raises(ReplayError, match="leap says that no solution costs less than 5, of 4"):
            solve(Boastful(7))

    def test_an_answer_without_a_proof_is_not_optimal(self):
        class Modest(Leaps):
            specialists = (replace(LEAP, proof=None),)

        result = solve(Modest(7))
        assert (result.optimal, result.unproved) == (False, "leap does not look for the least cost")

    def test_a_run_that_was_ended_proves_only_what_its_bound_does(self):
        def early(problem, control, h, **options):
            control.stopped_by = "time"
            return Found(path=[1] * problem.data.target[0], cost=problem.data.target[0])

        class Late(Leaps):
            specialists = (replace(LEAP, python=early),)

        assert (solve(Late(4)).outcome, solve(Late(4)).optimal) == ("solved", False)

    def test_a_run_that_was_ended_does_not_prove_that_there_is_no_solution(self):
        def hasty(problem, control, h, **options):
            control.stopped_by = "time"
            return Found(exhausted=True)

        class Hasty(Leaps):
            specialists = (replace(LEAP, python=hasty),)

        assert solve(Hasty(4)).outcome is Outcome.NOT_FOUND


class TestItServesItsPuzzleOnly:
    def test_another_puzzle_refuses_it_in_one_sentence(self):
        with pytest.raises(InputError, match=r"^bands solves sudoku only, not sliding$"):
            solve(Sliding("1 2 3 4 5 6 7 0 8"), "bands")
        with pytest.raises(InputError, match=r"^bands solves sudoku only, not Counter$"):
            Configuration.parse("bands").resolve(Counter)
        with pytest.raises(InputError, match=r"^bands solves sudoku only$"):
            catalog.algorithm("bands")
        with pytest.raises(InputError, match="there is no algorithm 'leap'"):
            solve(Counter(7), "leap")

    def test_who_refuses_it_imports_no_puzzle(self):
        code = "import sys; from procura import catalog\ntry: catalog.algorithm('bands')\nexcept ValueError: pass\n"
        code += "print([name for name in sys.modules if name.startswith(('procura.puzzles', 'numba', 'numpy'))])"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        assert run.stdout == "[]\n"

    def test_the_catalog_names_those_that_its_classes_have(self):
        for entry in catalog.PUZZLES.values():
            assert tuple(specialist.name for specialist in entry.load().specialists) == entry.specialists

    def test_a_class_with_other_rules_does_not_inherit_it(self):
        class Backwards(Leaps):
            @kernel
            def moves(s, data, work, out):
                out[0], out[1] = 2, 1
                return 2

        assert "leap" not in catalog.algorithms(Backwards)
        assert solve(Backwards(3), engine="python").algorithm == "idastar"
        with pytest.raises(InputError, match="there is no algorithm 'leap'"):
            solve(Backwards(3), "leap")

    def test_a_class_with_the_same_rules_inherits_it(self):
        class Named(Leaps):
            step_noun = "leap"

        assert solve(Named(3)).algorithm == "leap"

    def test_the_name_of_a_generic_algorithm_is_taken(self):
        class Clash(Leaps):
            specialists = (replace(LEAP, name="bfs"),)

        with pytest.raises(InputError, match=r"Clash.specialists: there is an algorithm 'bfs' already"):
            catalog.algorithms(Clash)

    def test_an_algorithm_needs_a_function(self):
        with pytest.raises(InputError, match="algorithm leap: expected a function to run it"):
            replace(LEAP, python=None)


class TestStandIns:
    def test_one_that_runs_compiled_only_is_stood_in_for_on_the_python_engine(self):
        result = solve(Sudoku("1... ..3. .2.. ...4"), engine="python", solutions=2)
        assert (result.algorithm, result.engine, result.outcome) == ("dfs", "python", "solved")
        assert result.notes == ("bands runs compiled only: dfs ran instead, without solutions=2",)
        assert result.solutions is None

    def test_one_whose_kernels_cannot_be_had_is_stood_in_for(self):
        def broken(problem, control, h, **options):
            raise KernelError("kernel x does not compile\nkernel x: no such thing")

        kind = compiled_only(broken)
        with kernels(Arriving()):
            result = solve(kind(7))
        assert (result.algorithm, result.engine, result.cost) == ("idastar", "python", 4)
        assert result.notes[0] == "leap: kernel x: no such thing: idastar ran instead"
        with pytest.raises(KernelError, match="no such thing"):
            solve(kind(7), engine="compiled")

    def test_without_numba_the_stand_in_runs(self, monkeypatch):
        monkeypatch.setattr("procura.solving.can_compile", lambda: False)
        result = solve(Sudoku("1... ..3. .2.. ...4"))
        assert (result.algorithm, result.engine) == ("dfs", "python")
        assert result.notes == ("bands needs Numba, which is not installed: dfs ran instead",)

    def test_one_without_a_stand_in_is_refused_where_it_cannot_run(self):
        kind = compiled_only(leap, stand_in=None)
        assert solve(kind(7)).engine == "compiled"
        with pytest.raises(InputError, match="leap runs compiled only: it has no stand-in"):
            solve(kind(7), engine="python")
        with pytest.raises(InputError, match="leap runs interpreted only: expected engine auto or python"):
            solve(Leaps(7), engine="compiled")

    def test_auto_takes_it_where_the_specialist_refuses_the_board(self):
        class Picky(Leaps):
            specialists = (replace(LEAP, refusal=lambda problem, options: "is too short to leap"),)

        result = solve(Picky(3), engine="python")
        assert (result.algorithm, result.notes) == ("idastar", ("Picky is too short to leap: idastar ran instead",))
        with pytest.raises(InputError, match="Picky is too short to leap"):
            solve(Picky(3), "leap")


class Plain(Problem):
    """A problem of any objects may have a specialist too, also a compiled one."""

    initial = 1
    specialists = (replace(LEAP, python=None, compiled=lambda problem, control, h, **o: Found(path=["on"] * 3)),)

    def actions(self, state):
        return ["on"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 4


def test_any_problem_may_have_a_specialist():
    result = solve(Plain(), "leap", engine="compiled")
    assert (result.actions, result.engine, result.cost) == (("on", "on", "on"), "compiled", 3)


OWN = """
from procura import Problem
from procura.algorithm import Algorithm, Proof
from procura.control import Found

def straight(problem, control, h):
    return Found(path=["on"] * 3, cost=3)

class Line(Problem):
    initial = 0
    auto = "straight"
    specialists = (
        Algorithm(name="straight", about="goes straight on", requires="a Line", guarantees="optimal",
                  python=straight, proof=lambda ended: Proof(True, ended.cost)),
    )
    def actions(self, state):
        return ["on", "back"]
    def result(self, state, action):
        return state + (1 if action == "on" else -1)
    def is_goal(self, state):
        return state == 3
"""


@pytest.fixture
def line_class(tmp_path):
    place = tmp_path / "line.py"
    place.write_text(OWN)
    return f"{place}:Line"


class TestTheCommandLine:
    @pytest.fixture(autouse=True)
    def _run(self):
        from click.testing import CliRunner

        from procura.cli import cli

        self.run = lambda *arguments: CliRunner().invoke(cli, list(map(str, arguments)), prog_name="procura")

    def test_lists_show_it(self, line_class):
        assert "bands" in self.run("list").stdout
        assert "solutions=1" in self.run("list", "algorithms", "bands").stdout
        assert "straight  goes straight on" in self.run("list", "specialists", line_class).stdout
        assert self.run("list", "specialists", RUSH_HOUR).stdout.endswith("RushHour has none\n")

    def test_solve_and_compare_take_it(self, line_class):
        told = json.loads(self.run("solve", line_class, "--json").stdout)
        assert (told["algorithm"], told["engine"], told["optimal"], told["length"]) == ("straight", "python", True, 3)
        assert "straight" in self.run("compare", line_class, "--with", "straight", "--with", "bfs").stdout

    def test_another_puzzle_refuses_it(self):
        run = self.run("solve", "sliding", "1 2 3 4 5 6 7 0 8", "--with", "bands")
        assert (run.exit_code, run.stderr) == (2, "procura: bands solves sudoku only, not sliding\n")

    def test_what_is_watched_is_the_stand_in(self):
        assert "dfs" in self.run("watch", "sudoku", "--sample", "small", "--with", "bands").stdout


def test_studies_take_it(tmp_path):
    from procura.study.plan import read_study

    study = tmp_path / "study.toml"
    study.write_text(
        f'[[problems]]\npuzzle = "sudoku"\nboards = ["{EASY}"]\n'
        '[[configurations]]\nwith = ["bands", "bands,solutions=2"]\n'
    )
    cells = read_study(str(study)).cells
    assert [cell.run.configuration for cell in cells] == ["bands", "bands,solutions=2"]
    assert cells[1].run.canonical["searches"][0]["options"] == {"solutions": 2}
