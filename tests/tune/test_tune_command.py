"""The command: what it prints and saves, and one sentence for whatever cannot be used."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from tune_helpers import SMALL, result, run

from procura.cli import cli
from procura.errors import InputError
from procura.heuristics import heuristic

QUICK = ("sliding", *SMALL, "--population", "4", "--trials", "8", "--jobs", "1")


def invoke(*arguments):
    return CliRunner().invoke(cli, ["tune", *map(str, arguments)], prog_name="procura")


def test_the_saved_weights_are_read_back_by_solve(tmp_path):
    out = tmp_path / "weights.txt"
    told = result(run(*QUICK, "--out", out, "--json"))
    assert str(heuristic(f"@{out}")) == told["heuristic"]
    comments = [line for line in out.read_text().splitlines() if line.startswith("#")]
    text = " ".join(comments)
    for part in ("procura tune sliding", "cmaes", "seed 0", "8 trials", "training, 4 boards", "validation, 3 boards"):
        assert part in text
    arguments = ["solve", "sliding", "1 2 3 0 4 5", "--size", "2x3", "--with", "astar", "--heuristic", f"@{out}"]
    solved = CliRunner().invoke(cli, [*arguments, "--engine", "python", "--json"])
    assert solved.exit_code == 0 and json.loads(solved.stdout)["outcome"] == "solved"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no disk that is always full")
def test_a_full_disk_does_not_cost_what_was_found():
    done = run(*QUICK, "--out", "/dev/full")
    assert done.returncode == 2
    assert "found" in done.out and "/dev/full" not in done.out
    assert "procura: --out '/dev/full' cannot be written: no space left on device" in done.err


def test_a_run_prints_both_means_with_intervals_beside_the_reference():
    done = run(*QUICK)
    assert done.returncode == 0, done.err
    for part in ("found", "reference", "difference", "4 training", "3 validation", "8 trials"):
        assert part in done.out
    assert "generation 0, 4 trials" in done.err


def test_json_is_one_object_with_all_figures():
    told = result(run(*QUICK, "--json", "--against", "manhattan", "--heuristic", "misplaced + manhattan"))
    assert told["reference"]["weights"] == {"misplaced": 0.0, "manhattan": 1.0}
    assert sum(told["best"]["weights"].values()) == pytest.approx(1)
    for name in ("train", "validate"):
        mean = told["best"][name]
        assert mean["low"] <= mean["mean"] <= mean["high"]
        assert told["difference"][name]["mean"] == pytest.approx(mean["mean"] - told["reference"][name]["mean"])
    assert told["convergence"][-1][1] == told["best"]["train"]["mean"]


def test_training_and_validation_boards_are_apart():
    from procura.reading.puzzles import choose_puzzle
    from procura.tune.supply import random_boards

    options = {"size": "2x3", "moves": 8}
    train, validate = random_boards(choose_puzzle("sliding"), options, ({},), {}, 1, 5, 5)
    texts = [board.text for board in (*train, *validate)]
    assert len(set(texts)) == 10
    with pytest.raises(InputError, match="100 boards are more than there are"):
        random_boards(choose_puzzle("sliding"), options, ({},), {}, 1, 100, 0)


def test_boards_of_a_file_are_divided(tmp_path):
    boards = tmp_path / "boards.txt"
    boards.write_text("1 2 3 4 0 5\n1 2 3 0 4 5\n1 0 3 4 2 5\n0 1 3 4 2 5\n1 2 0 4 5 3\n")
    arguments = ("--size", "2x3", "--engine", "python", "--trials", 2, "--jobs", 1, "--json", "--method", "random")
    told = result(run("sliding", "--boards", boards, *arguments))
    assert (told["best"]["train"]["count"], told["best"]["validate"]["count"]) == (3, 2)


def test_no_board_of_a_file_is_in_both_sets(tmp_path):
    boards, others = tmp_path / "boards.txt", tmp_path / "others.txt"
    boards.write_text("1 2 3 4 0 5\n1 2 3 0 4 5\n" * 5)
    arguments = ("sliding", "--boards", boards, "--size", "2x3", "--engine", "python", "--trials", 2, "--jobs", 1)
    told = result(run(*arguments, "--method", "random", "--json"))
    assert (told["best"]["train"]["count"], told["best"]["validate"]["count"]) == (1, 1)
    others.write_text("1 2 0 4 5 3\n1 2 3 0 4 5\n")
    done = invoke(*arguments, "--validate-boards", others)
    assert done.exit_code == 2 and "is in --boards too" in done.stderr


def test_few_boards_give_no_verdict():
    assert "too few validation boards for a verdict: expected 6 or more" in run(*QUICK).out
    assert "too few" not in run(*QUICK, "--validate", 6).out


def test_boards_that_are_all_for_training_keep_their_order(tmp_path):
    from procura.tune.boards import Board
    from procura.tune.supply import divided

    boards = [Board(str(number)) for number in range(9)]
    assert divided(boards, None, 0, 1) == (boards, [])
    train, validate = divided(boards, None, None, 1)
    assert len(train) == 5 and sorted(board.text for board in train + validate) == [board.text for board in boards]
    assert train + validate != boards
    with pytest.raises(InputError, match="there are 9"):
        divided(boards, 8, 2, 1)


def test_a_terminal_shows_the_generation_the_best_and_the_curve():
    from procura.cli.convergence import Screen
    from procura.tune.jobs import Job
    from procura.tune.tuning import Generation

    shown = []

    class Live:
        def update(self, text):
            shown.append(text.plain)

    screen = Screen("points", Live())
    job = Job("0.0", (0.5,), {}, 0)
    screen.phase("generation 0", 2)
    screen.started(job)
    assert "generation 0, 0 of 2, 1 running here" in shown[-1]
    screen.ended(Job("0.1", (0.5,), {}, 0), None)
    assert "1 of 2, 1 running here" in shown[-1], "another process ended that one"
    screen.failed(job, "it burst")
    screen.ended(job, None)
    for number, value in enumerate((1.0, 2.0)):
        screen.generation(Generation(number, 4, 1, {"a": 0.25}, value, value))
    assert "4 trials (1 stopped early), best points 2" in shown[-1]
    assert "a 0.25" in shown[-1] and "▁█" in shown[-1] and "trial 0.0 failed: it burst" in shown[-1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sliding", "--method", "cma"), "there is no method 'cma'"),
        (("sliding", "--objective", "points"), "sliding counts none"),
        (("sliding", "--objective", "speed"), "there is no objective 'speed'"),
        (("sliding", "--space", "cube"), "there is no space 'cube'"),
        (("sliding", "--heuristic", "max(misplaced, manhattan)"), "expected a weighted sum"),
        (("sliding", "--heuristic", "manhatan"), "did you mean 'manhattan'?"),
        (("sliding", "--with", "astr"), "there is no algorithm 'astr'"),
        (("sliding", "--with", "bfs"), "bfs uses no heuristic"),
        (("sliding", "--against", "linear_conflict"), "these weights have no 'linear_conflict'"),
        (("sliding", "--start", "nowhere.log"), "start 'nowhere.log' cannot be read"),
        (("sliding", "--boards", "nowhere.txt"), "there is no file 'nowhere.txt'"),
        (("sliding", "--validate-boards", "x.txt"), "expected --boards too"),
        (("sliding", "--out", "nowhere/x.txt"), "--out 'nowhere/x.txt' cannot be written"),
        (("sliding", "--journal", os.devnull), "cannot be written"),
        (("sudoku",), "expected a weighted sum to tune"),
        (("sliding", "--journal", "nowhere/x.log"), "journal 'nowhere/x.log' cannot be opened"),
        (("sliding", "--limit", "nodes"), "expected name=value"),
        (("sliding", "--preset", "report"), "the method is cmaes unless --method says otherwise"),
        (("sliding", "--preset", "report", "--method", "tpe"), "only the method genetic has presets, and the method"),
        (("sliding", "--preset", "reprot"), "the method genetic has no preset 'reprot'"),
        (("sliding", "--boards", "1 2 3 0 4 5", "--size", "2x3", "--validate", "3"), "there is 1 board"),
        (("sliding", "--clues", "3"), "--clues: sliding takes"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_sentence(arguments, told):
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert told in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--journal", "buy milk\n"),
        ("--start", "{]\n"),
        ("--start", "a +\n"),
        ("--heuristic", "a +\n"),
        ("--against", "linear_conflict\n"),
    ],
)
def test_a_broken_file_is_told_in_one_sentence(option, content, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    done = invoke(*QUICK, option, f"@{path}" if option in ("--heuristic", "--against") else path)
    assert done.exit_code == 2 and done.stderr.startswith("procura: ") and done.stderr.count("\n") == 1
    assert "notes.txt" in done.stderr and path.read_text() == content


def test_an_empty_file_of_boards_is_told(tmp_path):
    (tmp_path / "none.txt").write_text("\n")
    done = invoke("sliding", "--boards", tmp_path / "none.txt")
    assert done.exit_code == 2 and "none.txt: it is empty: expected boards" in done.stderr


@pytest.mark.parametrize("written", ["--out", "--journal"])
@pytest.mark.parametrize("option", ["--start", "--boards", "--validate-boards", "--heuristic", "--against", "--with"])
def test_a_file_that_is_read_is_never_written(written, option, tmp_path):
    path, link = tmp_path / "mine.txt", tmp_path / "link.txt"
    path.write_text("0.5*misplaced + 0.5*manhattan\n")
    link.symlink_to(path)
    given = {"--heuristic": f"@{path}", "--against": f"@{path}", "--with": f"astar:@{path}"}.get(option, path)
    done = invoke("sliding", option, given, written, link)
    assert done.exit_code == 2 and f"{written} {str(link)!r}: {option} reads that file" in done.stderr
    assert path.read_text() == "0.5*misplaced + 0.5*manhattan\n"


def test_the_journal_is_never_written_over(tmp_path):
    path = tmp_path / "kept.log"
    for exists in (False, True):
        done = invoke(*QUICK, "--journal", path, "--out", tmp_path / "." / "kept.log")
        assert done.exit_code == 2 and "it is the --journal" in done.stderr
        assert path.exists() == exists
        path.touch()


def test_a_controller_is_no_heuristic_and_the_other_way_round(tmp_path):
    sums, controller = tmp_path / "sum.txt", tmp_path / "player.toml"
    sums.write_text("0.5*holes_share + 0.5*relief_share\n")
    controller.write_text("holes = -1.0\n")
    for option in ("--heuristic", "--against", "--start"):
        done = invoke("tetris", option, controller if option == "--start" else f"@{controller}")
        assert done.exit_code == 2 and "player.toml': a controller of endless play" in done.stderr
    study = tmp_path / "study.toml"
    study.write_text('name = "nightly"\n[limits]\nseconds = 3\n')
    done = invoke("tetris", "--heuristic", f"@{study}")
    assert done.exit_code == 2 and "study.toml': heuristic " in done.stderr
    done = CliRunner().invoke(cli, ["endless", "tune", "--start", str(sums)], prog_name="procura")
    assert done.exit_code == 2 and "sum.txt': the weights of a heuristic" in done.stderr


def test_a_run_that_solves_nothing_says_so_and_names_a_reference_outside_the_space():
    done = run(*QUICK, "--limit", "nodes=1", "--validate", 6)
    assert "all boards were solved neither by the weights found nor by the reference" in done.out
    assert "no clear difference" not in done.out
    assert "the reference lies outside what was searched" in run(*QUICK, "--against", "2*report_h1").out


def test_the_command_that_uses_the_weights_has_what_they_were_tuned_with(tmp_path):
    out = tmp_path / "weights.txt"
    goal = ("--size", "3x3", "--moves", 6, "--goal", "spiral", "--engine", "python", "--train", 2, "--validate", 1)
    done = run("sliding", *goal, "--trials", 4, "--jobs", 1, "--out", out)
    command = f"procura solve sliding BOARD --goal spiral --size 3x3 --with astar,ties=high_g --heuristic @{out}"
    assert f"use them by: {command}" in done.out and "1 validation board\n" in done.out, done.err
    assert f"# use them by: {command.replace(str(out), out.name)}" in out.read_text().splitlines()


OWN = """
from procura import Problem
from procura.problem import Estimate

class Count(Problem):
    # counts down from a number; to_text is not what from_text reads
    heuristics = {"left": Estimate(lambda state: state), "none": Estimate(lambda state: 0)}

    def __init__(self, first):
        self.initial = first

    @classmethod
    def from_text(cls, text):
        return cls(int(text))

    def to_text(self, state):
        return f"{state} left"

    def actions(self, state):
        return ["down"]

    def result(self, state, action):
        return state - 1

    def is_goal(self, state):
        return state == 0
"""


def test_a_class_of_ones_own_needs_files_of_boards_only(tmp_path):
    (tmp_path / "count.py").write_text(OWN)
    puzzle = (f"{tmp_path / 'count.py'}:Count", "--with", "astar:left + none", "--trials", 2, "--method", "random")
    done = invoke(*puzzle)
    assert done.exit_code == 2 and "Count makes no random boards: expected --boards FILE" in done.stderr
    for number in range(3):
        (tmp_path / str(number)).write_text(f"{number + 3}\n")
    boards = [word for number in range(3) for word in ("--boards", tmp_path / str(number))]
    told = result(run(*puzzle, *boards, "--jobs", 1, "--json"))
    assert (told["best"]["train"]["count"], told["best"]["validate"]["count"]) == (1, 2)


def test_what_is_prepared_is_told_if_it_takes_long_and_equal_failures_once(capsys, monkeypatch):
    from procura.cli import convergence
    from procura.tune.jobs import Job

    monkeypatch.setattr(convergence, "QUIET_SECONDS", 0.0)
    with convergence.followed("points") as lines:
        lines.phase("compiling", 0)
        lines._preparing.join()
        lines.phase("generation 0", 3)
        for number in range(3):
            lines.failed(Job(f"0.{number}", (), {}), "it burst")
    told = capsys.readouterr().err.splitlines()
    assert told == ["compiling", "trial 0.0 failed: it burst", "trial 0.0 failed: it burst (3 times in all)"]


def test_without_optuna_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    done = invoke(*QUICK)
    assert done.exit_code == 2 and "pip install 'procura[tune]'" in done.stderr


def test_optuna_is_not_imported_before_it_is_needed():
    program = (
        "import sys, procura, procura.cli, procura.cli.commands.tune, procura.tune.boards, procura.tune.methods\n"
        "sys.exit(bool({'optuna', 'cmaes', 'numpy'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_phase_that_makes_no_generation_is_reported_when_it_begins(capsys):
    from procura.cli import convergence

    lines = convergence.Lines("points")
    lines.phase("generation 1", 3)
    lines.phase("final games", 12)
    assert capsys.readouterr().err == "0 s: final games, 12 to do\n"
