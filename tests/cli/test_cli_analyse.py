"""``procura analyse``: values for people and for programs, and what cannot be analysed."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import is_one_sentence, objects, run

from procura.cli import progress
from procura.record import ANALYSIS_FIELDS

OWN = f"{Path(__file__).parents[2] / 'examples' / 'tic_tac_toe.py'}:TicTacToe"
SMALL = "(((0) (0)) ((1) (0)))"


def test_json_has_the_fixed_fields_in_their_order():
    told = objects(run("analyse", "dots", SMALL, "--for", "two", "--json"))[0]
    assert list(told) == [
        "schema", "version", "puzzle", "algorithm", "value", "proved", "moves", "generated", "expanded", "seconds",
        "stopped_by", "error",
    ]  # fmt: skip
    assert list(told) == list(ANALYSIS_FIELDS)
    assert (told["schema"], told["puzzle"], told["value"], told["proved"]) == (1, "dots", 1, True)
    assert told["moves"] == [
        {"action": action, "value": 1, "proved": True} for action in (["h", 0, 0], ["h", 1, 0], ["v", 1, 0])
    ]


def test_people_read_who_wins_and_the_moves_by_value():
    result = run("analyse", "dots", "--size", "2x2", "--with", "chains", "--ascii")
    assert result.exit_code == 0
    assert "the player to move wins by 2, proved" in result.stdout
    assert "  +2  h0,0 h0,1 h2,0 h2,1 v0,0 v0,1 v2,0 v2,1\n   0  h1,0 h1,1 v1,0 v1,1\n" in result.stdout


def test_a_file_of_several_problems_is_a_batch(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text(f"((A 1 {SMALL})\n (B 7 {SMALL})\n (C {SMALL}))")
    result = run("analyse", "dots", str(file), "--json")
    told = objects(result)
    assert [one["value"] for one in told] == [1, None, 1] and result.exit_code == 2
    assert told[1]["moves"] is None and "problem B" in told[1]["error"]


def test_nothing_that_is_not_known_is_called_a_draw():
    result = run("analyse", "dots", "--size", "4x4", "--limit", "nodes=0", "--engine", "python")
    assert "not known: the limit on nodes ended the search" in result.stdout and "draw" not in result.stdout
    assert "Try a higher limit, or --with mcts" in result.stdout and "unknown" not in result.stdout


def test_a_limit_that_leaves_no_value_has_its_status():
    result = run("analyse", "dots", "--size", "4x4", "--limit", "nodes=100", "--json")
    told = objects(result)[0]
    assert result.exit_code == 3 and told["stopped_by"] == "nodes" and not told["proved"]
    assert told["value"] is None and all(move["value"] is None for move in told["moves"])


def test_a_game_of_ones_own_is_analysed():
    result = run("analyse", OWN, "XX. OO. ...", "--json", "-o", "table=100", "--with", "alphabeta")
    told = objects(result)[0]
    assert told["puzzle"] == "TicTacToe" and told["value"] == 1 and told["proved"]
    assert {move["action"]: move["value"] for move in told["moves"]}[2] == 1
    assert "a draw, proved" in run("analyse", OWN).stdout


def test_each_game_says_what_is_best_for_it(tmp_path, monkeypatch):
    path = Path(OWN.rpartition(":")[0])
    best = "\n\nclass Own(TicTacToe):\n    @property\n    def auto(self):\n        return 'minimax'\n"
    (tmp_path / "own.py").write_text(path.read_text() + best)
    labels = []
    monkeypatch.setattr(progress, "watched", lambda info: labels.append(info.name) or progress.PlainProgress())
    result = run("analyse", f"{tmp_path}/own.py:Own", "XX. OO. ...", "--json")
    assert result.exit_code == 0 and objects(result)[0]["algorithm"] == "minimax"
    run("analyse", "dots", "--size", "9x9", "--limit", "nodes=1", "--engine", "python")
    assert labels == ["minimax", "alphabeta"]


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["sudoku"], "sudoku is no game for two"),
        (["dots"], "expected a board, or the size of an empty one, such as 3x3"),
        (["dots", SMALL, "--with", "bfs"], "no algorithm for games 'bfs'"),
        (["dots", SMALL, "--with", "alphabeta,width=3"], "alphabeta has no option 'width'"),
        (["dots", SMALL, "--heuristic", "half"], "a game has an estimate of its own"),
        (["dots", "--size", "9x9", "--with", "chains"], "chains takes at most 62"),
        (["dots", "rubbish"], "rubbish"),
        ([OWN, "XXXXXXXXX"], "expected as many X as O"),
        ([OWN.replace("TicTacToe", "Missing")], "has no class 'Missing'"),
    ],
)
def test_what_cannot_be_analysed_is_said_in_a_sentence(arguments, why):
    result = run("analyse", *arguments)
    assert result.exit_code == 2 and why in result.stderr and is_one_sentence(result.stderr)


def test_who_wants_a_game_solved_hears_what_takes_it():
    result = run("solve", OWN)
    assert result.exit_code == 2 and "it is a game for two, which procura analyse, play and watch take" in result.stderr
