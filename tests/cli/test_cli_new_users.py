"""What a new user types on the first day, and what comes of it."""

from __future__ import annotations

import pytest
from helpers import is_one_sentence, objects, run

PROLOG = "[[1,-,3,4],[3,4,1,-],[2,1,4,3],[4,3,2,1]]."
OWN = """
from procura import Estimate, Problem
class Steps(Problem):
    initial = 0
    def __init__(self, far=3):
        self.far = far
        self.heuristics = {"left": Estimate(lambda s: far - s, about="steps left")}
    def actions(self, s): return [1]
    def result(self, s, a): return s + a
    def is_goal(self, s): return s == self.far
"""


def test_a_file_of_numbered_boards_with_their_optima_is_read(tmp_path):
    file = tmp_path / "korf.txt"
    file.write_text("1  1 2 3 4 5 6 7 0 8  1\n2  1 2 3 4 5 6 0 7 8  2\n3  1 2 3 4 5 6 7 8 8  0\n")
    first, second, third = objects(run("solve", "sliding", file, "--json"))
    assert [(told["name"], told["length"]) for told in (first, second)] == [("1", 1), ("2", 2)]
    assert "line 3" in third["error"]
    (alone,) = objects(run("solve", "sliding", "2  1 2 3 4 5 6 0 7 8  2", "--json"))
    assert (alone["name"], alone["length"]) == ("2", 2)


def test_a_board_that_cannot_reach_its_goal_says_which_it_can():
    korf = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    assert "this one can reach blank-first" in run("solve", "sliding", korf).stdout
    assert "this one can reach" not in run("solve", "sliding", "1 2 3 4 5 6 8 7 0").stdout


def test_threads_for_one_board_are_pointed_to_its_search():
    told = run("solve", "sliding", "1 2 3 0", "--jobs", "2").stderr
    assert told.count("\n") == 1 and "-o jobs=2" in told


@pytest.mark.parametrize("board", [PROLOG, PROLOG.replace("-", "_"), PROLOG.replace("-", "0"), PROLOG.rstrip(".")])
def test_a_sudoku_may_be_a_list_of_lists(board):
    (told,) = objects(run("solve", "sudoku", board, "--json"))
    assert told["actions"] == [[0, 1, 2], [1, 3, 2]]


def test_prolog_boards_may_stand_one_a_line_or_over_several(tmp_path):
    file = tmp_path / "boards.pl"
    file.write_text(f"{PROLOG}\n{PROLOG}\n")
    assert len(objects(run("solve", "sudoku", file, "--json"))) == 2
    file.write_text(PROLOG.replace("],[", "],\n["))
    assert len(objects(run("solve", "sudoku", file, "--json"))) == 1


def test_sliding_and_tetris_boards_may_be_lists_too():
    (sliding,) = objects(run("solve", "sliding", "[[1,2,3],[4,5,6],[7,-,8]].", "--json"))
    assert sliding["actions"] == ["R"]
    row = "(T T T T NIL T T T T T)"
    (tetris,) = objects(run("solve", "tetris", f"#2A({row})", "--pieces", "i", "--json"))
    assert tetris["points"] == 100


def test_a_wrong_cell_of_a_list_is_named():
    result = run("solve", "sudoku", PROLOG.replace("-", "x"))
    assert is_one_sentence(result.stderr) and "row 1, column 2: 'x'" in result.stderr


def test_an_empty_dots_board_needs_only_its_size():
    (told,) = objects(run("solve", "dots", "--size", "2x2", "--boxes", 1, "--json"))
    assert (told["cost"], told["options"]["puzzle"]) == (4, {"boxes": 1})
    assert "expected boxes" in run("solve", "dots", "--size", "2x2").stderr
    assert "takes no BOARD" in run("solve", "dots", "(((1) (0)) ((1) (0)))", "--size", "2x2").stderr


def test_start_end_and_target_stand_on_the_screen():
    lines = run("solve", "dots", "--size", "2x2", "--boxes", 1).stdout.splitlines()
    assert any(line.split() == ["target", "1", "box"] for line in lines)
    assert any(line.startswith("started, ended  ") and line.count(":") == 4 for line in lines)


def test_a_large_sudoku_names_digits_as_it_draws_them():
    text = run("solve", "sudoku", "--sample", "large").stdout
    assert "=C" in text and "=12" not in text


def test_the_heuristics_of_an_own_class_are_listed_if_they_are_made_with_it(tmp_path):
    file = tmp_path / "steps.py"
    file.write_text(OWN)
    assert "steps left" in run("list", "heuristics", f"{file}:Steps").stdout


def test_so_few_clues_are_refused_at_once():
    result = run("generate", "sudoku", "--clues", 17)
    assert result.exit_code == 2 and is_one_sentence(result.stderr) and "expected 20 or more" in result.stderr


@pytest.mark.parametrize("command", [("solve", "--boxes", 1), ("analyse",)])
def test_an_empty_board_without_boxes_is_refused_by_its_size(command):
    told = run(command[0], "dots", "--size", "0x3", *command[1:]).stderr
    assert is_one_sentence(told) and "size 0x3: expected at least 1x1" in told
