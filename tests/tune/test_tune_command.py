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
        (("sliding", "--features", "8"), "--features: only --endless takes it"),
        (("sliding", "--endless"), "only tetris is played without end"),
        (("tetris", "--endless", "--preset", "report"), "--preset: --endless does not take it"),
        (("tetris", "--endless", "--pieces", "4"), "--pieces: --endless does not take it"),
        (("tetris", "--endless", "--engine", "python"), "--engine: --endless does not take it"),
        (("tetris", "--endless", "--validate", "0"), "--validate: --endless does not take it"),
        (("tetris", "--endless", "--trials", "3"), "trials=3: expected at least a generation, which is 20"),
        (("sliding", "--journal", os.devnull), "cannot be written"),
        (("sudoku",), "expected a weighted sum to tune"),
        (("sliding", "--journal", "nowhere/x.log"), "journal 'nowhere/x.log' cannot be opened"),
        (("sliding", "--limit", "nodes"), "expected name=value"),
        (("sliding", "--preset", "report"), "only the method genetic has presets"),
        (("sliding", "--clues", "3"), "--clues: sliding takes"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_sentence(arguments, told):
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert told in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "content"), [("--journal", "buy milk\n"), ("--start", "{]\n"), ("--start", "a +\n")]
)
def test_a_broken_file_is_told_in_one_sentence(option, content, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    done = invoke(*QUICK, option, path)
    assert done.exit_code == 2 and done.stderr.startswith("procura: ") and done.stderr.count("\n") == 1
    assert path.read_text() == content


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
