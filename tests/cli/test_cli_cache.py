"""``procura cache warm`` for searches and classes of one's own, and how compiling is shown."""

from __future__ import annotations

import io

import pytest
from helpers import ROOT, run

from procura import solving
from procura.cli import progress
from procura.control import Control, Event

RUSH_HOUR = f"{ROOT / 'examples' / 'rush_hour.py'}:RushHour"
COMPILING = Event("progress", 0, 0, 0, 0.0, figures={"preparing": "compiling: 3 of 46 functions"})
SEARCHING = Event("progress", 10, 20, 3, 2.0, figures={"preparing": "compiling: 3 of 46 functions"})


def test_searches_of_a_puzzle_are_compiled_in_advance():
    result = run("cache", "warm", "sudoku", "--with", "dfs", "--with", "hill")
    assert result.exit_code == 0
    assert [line.partition(" ready")[0] for line in result.stdout.splitlines()] == [
        "sudoku 9x9: dfs",
        "sudoku 9x9: hill",
    ]


@pytest.mark.slow
def test_the_game_of_a_puzzle_is_compiled_with_it():
    result = run("cache", "warm", "dots")
    assert [line.partition(" ready")[0] for line in result.stdout.splitlines()] == [
        "dots 4x5: profile",
        "dots 3x3 for two: chains",
    ]


@pytest.mark.slow
def test_searches_of_both_are_told_apart_by_their_algorithms():
    result = run("cache", "warm", "dots", "--with", "profile", "--with", "chains")
    assert [line.partition(" ready")[0] for line in result.stdout.splitlines()] == [
        "dots 3x3 for two: chains",
        "dots 4x5: profile",
    ]


def test_those_of_a_class_of_ones_own_too():
    result = run("cache", "warm", RUSH_HOUR, "BCC... B..... AA...D .....D ...... ......", "--with", "bfs")
    assert (result.exit_code, result.stdout.partition(" ready")[0]) == (0, "RushHour: bfs")


def test_a_board_that_a_search_cannot_take_does_not_keep_it_from_the_others(monkeypatch):
    monkeypatch.setattr(solving, "prepare", lambda what, progress: Control())
    result = run("cache", "warm", "sliding", "--with", "pdb,partition=7-8")
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "sliding 3x3: partition '7-8': expected patterns of 8 tiles in all, such as 8",
            "sliding 4x4: pdb,partition=7-8 ready, 0.0 s",
        ],
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("warm", "--with", "bfs"), "expected a puzzle as well"),
        (("warm", "sudoko"), "did you mean 'sudoku'?"),
        (("warm", "sudoku", "--with", "best_first"), "there is no algorithm"),
        (("warm", "dots", "--with", "alphabeta,width=3"), "alphabeta has no option 'width'"),
        (("warm", f"{ROOT / 'examples' / 'jugs.py'}:Jugs"), "is not an ArrayProblem: only those run compiled"),
        (("warm", f"{ROOT / 'examples' / 'tic_tac_toe.py'}:TicTacToe"), "is not an ArrayGame: only those run compiled"),
        (("clear", "sudoku"), "cache clear: expected nothing after it"),
        (("where", "--with", "bfs"), "cache where: expected nothing after it"),
        (("warm", "--only", "tables"), "cache warm --only tables: expected list or clear with --only"),
        (("warm", "sliding", "--with", "pdb,partition=9-9"), "expected patterns of 15 tiles in all"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(arguments, sentence):
    result = run("cache", *arguments)
    assert result.exit_code == 2 and sentence in result.stderr


def test_a_class_without_a_board_has_nothing_to_compile_for(tmp_path):
    (tmp_path / "own.py").write_text(
        "from procura import ArrayProblem\nclass Own(ArrayProblem):\n    def __init__(self, board): pass\n"
    )
    result = run("cache", "warm", f"{tmp_path / 'own.py'}:Own")
    assert result.exit_code == 2 and "Own has no usual_boards and no samples" in result.stderr


def test_on_a_terminal_compiling_is_a_line_by_itself_or_beside_the_search(monkeypatch):
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.0)
    stream = io.StringIO()
    with progress.Progress(stream) as line:
        line(COMPILING)
        assert stream.getvalue() == "\rcompiling: 3 of 46 functions"
    assert progress.describe(SEARCHING) == (
        "2.0 s: 10 expanded (5/s), 20 generated, 3 in the frontier; compiling: 3 of 46 functions"
    )


def test_elsewhere_compiling_is_told_now_and_then_and_nothing_else(monkeypatch, capsys):
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.0)
    with progress.PlainProgress() as line:
        line(Event("progress", 10, 20, 3, 2.0))
        line(COMPILING)
        line(COMPILING)
    assert capsys.readouterr().err == "procura: compiling: 3 of 46 functions\n"
