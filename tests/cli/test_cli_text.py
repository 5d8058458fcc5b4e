"""What people read: help, lists, boards, outcomes in words, statistics, steps."""

from __future__ import annotations

import io
import threading

import click
import pytest
from helpers import EASY, ONE_MOVE, is_one_sentence, run

from procura import Limits, Sliding, Tetris, __version__, catalog, solve, words
from procura.cli import COMMANDS
from procura.cli.options import puzzle_options
from procura.cli.progress import Progress, Waiting, describe
from procura.cli.render import picture
from procura.control import Event
from procura.reading.puzzles import choose_puzzle

TEN_MOVES = "5 8 2 1 0 3 4 7 6"


def test_procura_alone_prints_help():
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout


def test_the_version_is_told():
    assert run("--version").stdout == f"procura {__version__}\n"


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_help_has_a_sentence_and_two_examples(command):
    result = CliHelp(run(*command, "--help").stdout)
    assert result.sentence.endswith(".")
    assert result.examples >= 2


class CliHelp:
    """The parts of a help page."""

    def __init__(self, text):
        paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
        self.sentence = paragraphs[1]
        self.examples = text.partition("Examples:")[2].count("\n    procura ")


def test_short_help_says_what_the_command_says():
    for name, line in COMMANDS.items():
        assert line in run("--help").stdout
        assert run(name, "--help").exit_code == 0


def test_options_of_puzzles_come_from_the_catalog():
    told = " ".join(run("solve", "--help-all").stdout.split())
    for puzzle in catalog.PUZZLES.values():
        for option in puzzle.options:
            assert f"--{option.name.replace('_', '-')} " in told
            assert f"{puzzle.name}: {option.about.split()[0]}" in told


def test_puzzles_that_share_an_option_share_its_help(monkeypatch):
    first = catalog.Puzzle("first", "", "", (catalog.Option("side", "int", None, "cells a side"),))
    second = catalog.Puzzle("second", "", "", (catalog.Option("side", "choice", None, "whose side", ("a", "b")),))
    monkeypatch.setattr(catalog, "PUZZLES", {"first": first, "second": second})
    command = puzzle_options(click.Command("try"))
    context = click.Context(command)
    assert [option.get_help_record(context) for option in command.params[:1]] == [
        ("--side VALUE", "first: cells a side; second: whose side.")
    ]
    assert len(command.params) == 1


def test_play_tells_of_an_option_what_it_means_for_every_puzzle_and_no_default_but_its_own():
    told = " ".join(run("play", "--help").stdout.split())
    assert "--size SIZE sliding: ROWSxCOLS; dots: ROWSxCOLS of boxes." in told
    assert "--p X tetris: probability that a cell of the bottom row is filled." in told


def test_lists_name_everything():
    text = run("list").stdout
    for name in (*catalog.PUZZLES, *catalog.ALGORITHMS, "manhattan", "polyomino", "quality_bound", "moodle-10", "dt10"):
        assert name in text
    assert "astar" not in run("list", "puzzles").stdout
    assert "ties=lifo" in run("list", "algorithms").stdout
    assert all(f"\n  {name}" in text for name in ("alphabeta", "mcts", "chains"))
    assert "positions that are remembered" in run("list", "algorithms", "alphabeta").stdout
    one = run("list", "algorithms", "beam").stdout
    assert "width=1000" in one and "16777216" in one and "astar" not in one
    only = run("list", "heuristics", "sudoku").stdout
    assert "empty" in only
    assert "manhattan" not in only
    assert run("list", "heuristics", "chess").exit_code == 2
    assert run("list", "puzzles", "sudoku").exit_code == 2
    assert run("list", "games").exit_code == 2
    assert "holes -4" in " ".join(run("list", "controllers", "tetris").stdout.split())
    assert run("list", "controllers", "sliding").stdout == "sliding has none\n"


def test_heuristics_say_under_which_options_they_are_admissible():
    tetris = " ".join(run("list", "heuristics", "tetris").stdout.split())
    assert "minus the most points still possible (admissible)" in tetris
    assert "opportunity that must still be lost (admissible with --cost opportunity)" in tetris
    sudoku = " ".join(run("list", "heuristics", "sudoku").stdout.split())
    assert "(admissible)" in sudoku and "(admissible with" not in sudoku
    sliding = " ".join(run("list", "heuristics", "sliding").stdout.split())
    assert "largest max(misplaced, sequence, manhattan) (admissible)" in sliding
    assert "report_h5 max(report_h1, report_h2, report_h3)" in sliding
    assert "report_h3) (admissible)" not in sliding


def test_lists_go_by_puzzle():
    samples = run("list", "samples", "sliding").stdout
    assert "moodle-10" in samples and "--goal spiral" in samples
    assert "report_astar" in run("list", "presets", "sudoku").stdout
    assert "report_astar" in run("list", "presets").stdout
    indent = " " * 12
    assert f"easy      36 clues\n{indent}{EASY}\n" in run("list", "samples", "sudoku").stdout
    tetris = run("list", "samples", "tetris").stdout
    indent = " " * 23
    drawn = f"{indent}pieces: t\n{indent}###...####\n{indent}###...####\n{indent}####.#####\n"
    assert f"  test-24              one piece that fills three lines\n{drawn}" in tetris
    assert "--pieces" not in tetris and "--cost opportunity" in tetris
    none = run("list", "controllers", "sliding")
    assert (none.exit_code, none.stdout) == (0, "sliding has none\n")


def test_samples_stand_by_their_source_easy_and_hard_ones_first():
    text = run("list", "samples", "sliding").stdout
    first, *rest = [line for line in text.splitlines() if line.startswith("Samples of")]
    assert first == "Samples of sliding: to begin with:" and len(rest) == 2
    assert text.index("easy") < text.index("hard") < text.index("runcodes-1") < text.index("moodle-10")


@pytest.mark.parametrize("puzzle", catalog.PUZZLES)
def test_every_sample_is_told_in_a_word_and_every_word_is_of_a_sample(puzzle):
    chosen = choose_puzzle(puzzle)
    named = [name for group in chosen.cls.sample_groups.values() for name in group]
    assert sorted(named) == sorted([*chosen.samples(), *chosen.cls.sample_aliases])
    assert {"easy", "hard"} <= set(named)
    assert all(chosen.sample(name) for name in named)


def test_the_short_help_and_list_name_the_long_ones():
    brief, full = run("solve", "--help").stdout, run("solve", "--help-all").stdout
    assert "--help-all" in brief and "--goal" in brief and "--tree-nodes" not in brief
    assert "--tree-nodes" in full and len(full.splitlines()) > len(brief.splitlines()) + 25
    assert "--all" in run("list").stdout and "ties=lifo" in run("list", "--all").stdout

    assert "there is no file 'nowhere'" in run("list", "problems", "nowhere").stderr
    for arguments in (["presets", "chess"], ["algorithms", "sudoku"], ["problems"], ["puzzles", "--puzzle", "dots"]):
        result = run("list", *arguments)
        assert result.exit_code == 2
        assert is_one_sentence(result.stderr)


DOTS = "((A 1 (((1) (1)) ((1) (0))))\n (B 9 (((1) (0)) ((1) (0))))\n (C (((1) (0)) ((1) (0)))))"


def test_the_problems_of_a_file_are_numbered_and_drawn_with_their_targets(tmp_path):
    (tmp_path / "some.dat").write_text(DOTS)
    result = run("list", "problems", tmp_path / "some.dat", "--ascii")
    assert result.stdout == "1. A target 1 box\n.---.\n|\n.---.\n\n3. C\n.---.\n|\n.   .\n"
    assert is_one_sentence(result.stderr)
    assert "problem B: line 2: the target is 9" in result.stderr
    assert result.exit_code == 2


def test_problems_of_other_puzzles_can_be_listed(tmp_path):
    (tmp_path / "boards").write_text(f"{ONE_MOVE}\n{TEN_MOVES}\n")
    text = run("list", "problems", tmp_path / "boards", "--puzzle", "sliding", "--ascii").stdout
    assert "1. target 1 2 3 4 5 6 7 8 0\n1 2 3\n4 5 6\n7 . 8\n\n2. " in text


def test_a_run_shows_boards_outcome_actions_and_statistics():
    text = run("solve", "sliding", ONE_MOVE, "--ascii").stdout
    lines = text.splitlines()
    assert lines[:3] == ["1 2 3", "4 5 6", "7 . 8"]
    assert "solved in 1 move, proved optimal" in lines
    assert "R" in lines
    assert "1 2 3\n4 5 6\n7 8 ." in text
    for label in ("algorithm", "cost", "generated", "expanded", "penetrance", "branching factor", "search", "memory"):
        assert label in text
    assert "\x1b" not in text


def test_ascii_boards_of_tetris_tell_the_pieces():
    lines = run("solve", "tetris", "#########.", "--pieces", "i o", "--ascii").stdout.splitlines()
    assert lines[17:20] == ["#########.", "next: i o", ""]


def test_steps_show_every_board():
    text = run("solve", "sliding", "1 2 3 4 0 5 7 8 6", "--steps", "--ascii").stdout
    assert "1. R\n1 2 3\n4 5 .\n7 8 6\n" in text
    assert "2. D\n1 2 3\n4 5 6\n7 8 .\n" in text


class Drawn(Sliding):
    """Draws what ASCII cannot."""

    def draw(self, state):
        return "→ " + self.to_text(state).replace("\n", "|")


@pytest.mark.parametrize(
    "encoding, ascii_only, told",
    [("utf-8", False, "→ 1 2|. 3"), ("utf-8", True, "1 2\n. 3"), ("ascii", False, "1 2\n. 3")],
)
def test_boards_are_drawn_as_far_as_stdout_can_show_them(monkeypatch, encoding, ascii_only, told):
    problem = Drawn("1 2 0 3")
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert picture(problem, problem.initial, ascii_only) == told


def test_long_actions_are_not_broken_when_nobody_looks():
    text = run("solve", "sudoku", EASY).stdout
    assert any(line.count("=") == 43 for line in text.splitlines())


def test_a_batch_names_its_boards_and_sums_up():
    result = run("solve", "sudoku", "-", text=f"{EASY}\nbad\n{EASY}\n")
    assert "== standard input, line 3 ==" in result.stdout
    assert "3 problems: 2 solved, 1 in error" in result.stdout
    assert result.stdout.startswith("== ")
    assert "instead\n\n== standard input, line 3" in result.stdout
    assert "standard input, line 2" in result.stderr


@pytest.mark.parametrize(
    "configuration, limits, told",
    [
        ("astar:manhattan", {}, "solved in 10 moves, proved optimal"),
        ("bfs", {}, "solved in 10 moves, proved optimal"),
        ("astar:report_h3", {}, "optimality not proved (the heuristic is not admissible)"),
        ("greedy:manhattan", {}, "optimality not proved (greedy does not look for the least cost)"),
        ("dfs", {"depth": 12}, "optimality not proved (dfs does not look for the least cost)"),
        ("bfs", {"nodes": 5}, "no solution found: the limit on nodes ended the search"),
        ("bfs", {"depth": 3}, "no solution found: none within the depth limit"),
        ("astar:manhattan", {"nodes": 2}, "any solution costs at least"),
    ],
)
def test_outcomes_in_words(configuration, limits, told):
    problem = Sliding(TEN_MOVES)
    assert told in words.outcome(solve(problem, configuration, limits=Limits(**limits), engine="python"))


def test_points_and_costs_in_words():
    result = solve(Tetris("#########.", "i"), engine="python")
    assert words.outcome(result) == "solved in 1 piece, 100 points, proved optimal"
    assert words.actions(result) == "i0@9"
    other = solve(Tetris("#########.", "i", cost="opportunity"), engine="python")
    assert dict(words.statistics(other))["cost"] == "700"


def test_the_weight_of_a_heuristic_is_told():
    result = solve(Sliding("8 1 3 4 0 2 7 6 5"), "astar:manhattan,weight=5", engine="python")
    assert words.outcome(result) == "solved in 14 moves, optimality not proved (at most 4 above the least cost)"
    assert words.configuration(result) == "astar with manhattan, weight=5.0, python"


def test_progress_keeps_to_one_line_and_clears_it():
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress(Event("progress", 10, 20, 3, 0.5))
        assert stream.getvalue() == ""
        progress(Event("progress", 10, 20, 3, 2.0, value=42))
        assert stream.getvalue() == "\r" + describe(Event("progress", 10, 20, 3, 2.0, value=42))
    assert stream.getvalue().endswith(" \r")
    assert "\n" not in stream.getvalue()
    assert describe(Event("progress", 1000, 2000, 3, 2.0, value=42)) == (
        "2.0 s: 1,000 expanded (500/s), 2,000 generated, 3 in the frontier, bound 42"
    )
    assert describe(Event("progress", 10, 20, 0, 2.0, value=42), "energy").endswith("20 generated, energy 42")
    assert describe(Event("progress", 10, 20, 0, 2.0, value="-2 to 0"), "value").endswith("generated, value -2 to 0")


def test_work_that_ends_early_shows_nothing_and_long_work_its_text():
    stream = io.StringIO()
    with Waiting("making", stream):
        pass
    assert stream.getvalue() == ""
    asked = threading.Event()
    with Waiting("making", stream, after=-1.0, more=asked.set):
        assert asked.wait(60)
    assert stream.getvalue() == "\rmaking\r      \r"


def test_long_work_tells_how_far_it_is():
    asked, stream = threading.Event(), io.StringIO()
    with Waiting("making", stream, after=0.0, more=lambda: asked.set() or "3 of 9 tried"):
        assert asked.wait(60)
    assert stream.getvalue().startswith("\rmaking: 3 of 9 tried\r")
