"""BOARD: text, files, standard input and samples; one problem or several."""

from __future__ import annotations

import pytest
from helpers import EASY, ONE_MOVE, is_one_sentence, objects, run

from procura import catalog

DOTS = """
; two problems
((A 1 (((1) (1)) ((1) (0))))
 (B 1 (((1) (0)) ((1) (0)))))
"""


def told(*arguments, **keywords):
    return objects(run("solve", *arguments, "--json", **keywords))


def test_a_file_goes_before_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1 2 3 0").write_text(ONE_MOVE)
    assert told("sliding", "1 2 3 0")[0]["initial"] == "1 2 3\n4 5 6\n7 . 8"
    assert told("sliding", "1 2 0 3")[0]["initial"] == "1 2\n. 3"


def test_standard_input_is_a_dash():
    assert told("sliding", "-", text=ONE_MOVE)[0]["outcome"] == "solved"


def test_files_of_windows_read_the_same(tmp_path):
    (tmp_path / "board.txt").write_bytes(b"\xef\xbb\xbf1 2 3\r\n4 5 6\r\n7 0 8\r\n")
    assert told("sliding", tmp_path / "board.txt")[0]["actions"] == ["R"]


def test_a_comment_above_a_board_is_no_part_of_it():
    for puzzle, board in (("sliding", ONE_MOVE), ("sudoku", EASY), ("sliding", "1 2 3\n4 0 5")):
        assert told(puzzle, "-", text=f"# from a book\n{board}\n")[0]["outcome"] == "solved"


def test_a_file_that_is_no_text_is_bad_input(tmp_path):
    (tmp_path / "board.txt").write_bytes(b"\xff\xfe")
    result = run("solve", "sliding", tmp_path / "board.txt")
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert "board.txt, byte 0: expected text in UTF-8" in result.stderr


@pytest.mark.parametrize("content", [f"{EASY}\n{EASY}\n".encode("utf-16"), b"\x7fELF\x02\0\xff\n" + b"\0\n" * 100])
def test_a_file_that_is_no_text_has_one_sentence_also_where_each_line_could_be_a_board(tmp_path, content):
    (tmp_path / "boards.txt").write_bytes(content)
    result = run("solve", "sudoku", tmp_path / "boards.txt")
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert "boards.txt, byte " in result.stderr and "expected text in UTF-8" in result.stderr


def test_a_bad_file_is_named(tmp_path):
    (tmp_path / "board.txt").write_text("1 2 3\n4 5 6\n7 8 8\n")
    result = run("solve", "sliding", tmp_path / "board.txt")
    assert "board.txt: board, row 3, column 3: 8 is already at" in result.stderr


GRID = "\n".join(EASY[i : i + 9] for i in range(0, 81, 9))


@pytest.mark.parametrize(
    "text, boards",
    [
        (EASY, 1),
        (GRID, 1),
        (f"# a comment\n{GRID}\n", 1),
        (f"# a comment\n{EASY}\n", 1),
        (f"{EASY}\n{EASY}\n", 2),
        (f"# two\n{EASY}\n\n# more\n{EASY}\n", 2),
        (f"{EASY}\nbad\nworse\n", 3),
        ("1234341221434321\n" * 2, 2),
        ("1234\n3412\n2143\n4321", 1),
        ("................\n" * 16, 1),
        (GRID.replace("8", "x"), 1),
        ("", 1),
    ],
)
def test_sudoku_files_hold_one_board_or_one_a_line(text, boards):
    assert len(told("sudoku", "-", "--limit", "nodes=100", text=text)) == boards


@pytest.mark.parametrize(
    "text, options, boards",
    [
        ("1 2 3\n4 5 6\n7 0 8", [], 1),
        ("1 2 3\n4 0 5", [], 1),
        (f"{ONE_MOVE}\n{ONE_MOVE}\n", [], 2),
        (f"{ONE_MOVE}\n1 2\n1 2 0 3", [], 3),
        ("1 2 3 0\n1 2 0 3\n1 0 3 2\n0 1 3 2", [], 4),
        ("1 2 3 4 0 5\n1 2 3 4 5 0", ["--size", "2x3"], 2),
        ("1 2 3\n4 5 6\n7 8 8", [], 1),
    ],
)
def test_sliding_files_hold_one_board_or_one_a_line(text, options, boards):
    assert len(told("sliding", "-", *options, "--limit", "nodes=100", text=text)) == boards


def test_sliding_boards_of_several_lines_stand_apart_by_blank_lines():
    text = "# two boards\n1 2 3\n4 0 5\n\n# the second\n1 2 3\n0 4 5\n"
    assert [item["initial"] for item in told("sliding", "-", text=text)] == ["1 2 3\n4 . 5", "1 2 3\n. 4 5"]
    tricky = "1 2 3 0\n5 6 7 4\n9 10 11 8\n13 14 15 12\n\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n"
    assert [item["length"] for item in told("sliding", "-", text=tricky)] == [3, 1]


def test_tetris_boards_stand_apart_by_blank_lines():
    board = "#########.\n" * 2
    told_all = told("tetris", "-", "--pieces", "i", text=f"{board}\n{board}\n\nempty\n")
    assert [item["points"] for item in told_all] == [300, 300, 0]
    drawn = "│ · · ·██│\n└────────┘\nnext: i\n"
    bad = told("tetris", "-", "--columns", "4", text=f"{drawn}\n{drawn}\n###\n")
    assert "standard input, board 3 (line 9): " in bad[2]["error"]
    bad = told("tetris", "-", "--pieces", "i", text=f"{board}\n###\n")
    assert "standard input, board 2 (line 4): " in bad[1]["error"]


def test_tetris_boards_can_begin_with_their_pieces():
    board = "#########.\n" * 2
    for gap in ("", "\n"):
        text = f"pieces: i\n{board}{gap}pieces: o i\n{gap}{board}"
        assert [item["length"] for item in told("tetris", "-", text=text)] == [1, 2]


def test_dots_files_are_solved_whole_in_their_order():
    assert [(item["name"], item["length"]) for item in told("dots", "-", text=DOTS)] == [("A", 1), ("B", 2)]


def test_dots_can_be_asked_for_one_problem():
    assert [item["name"] for item in told("dots", "-", "--problem", "b", text=DOTS)] == ["B"]
    result = run("solve", "dots", "-", "--problem", "C", text=DOTS)
    assert result.exit_code == 2
    assert "expected one of A, B" in result.stderr


def test_a_bad_dots_problem_does_not_spoil_the_rest():
    for text in (DOTS.replace("(A 1", "(A 9"), DOTS.replace("((A 1", "(A 9").replace("(0)))))", "(0))))")):
        bad, good = told("dots", "-", text=text)
        assert "problem A: line 3: the target is 9" in bad["error"]
        assert good["name"] == "B"
        assert good["outcome"] == "solved"


@pytest.mark.parametrize("text", [DOTS, DOTS.replace("((A", "(A").replace("(0)))))", "(0))))")])
def test_a_missing_bracket_costs_one_dots_problem_and_is_told(text):
    more = text.replace("(A", "(C").replace("(B", "(D")
    result = run("solve", "dots", "-", "--json", text=text.replace("((1) (1)) ((1) (0))", "((1) (1)) ((1) (0)") + more)
    names = [(item["name"], item["outcome"]) for item in objects(result)]
    assert names == [("A", None), ("B", "solved"), ("C", "solved"), ("D", "solved")]
    assert result.exit_code == 2
    assert "problem A: line 3: '(' is never closed: expected ')' before the next problem, on line 4" in result.stderr


def test_a_dots_drawing_after_lists_is_solved_too():
    text = f"{DOTS}\nC 1\n.-.\n| |\n. .\n"
    assert [(item["name"], item["length"]) for item in told("dots", "-", text=text)] == [("A", 1), ("B", 2), ("C", 1)]


def test_dots_without_a_target_need_boxes():
    board = "(((1) (0)) ((1) (0)))"
    assert "expected --boxes" in told("dots", board)[0]["error"]
    (item,) = told("dots", board, "--boxes", "1", "--order", "any")
    assert (item["name"], item["length"]) == (None, 2)


@pytest.mark.parametrize("text", ["(A 1", "()", "", "((((0", ")", "(((1) (0)) ((1) (0)"])
def test_unreadable_dots_are_one_sentence(text):
    result = run("solve", "dots", "-", text=text)
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)


def test_samples_take_options_of_the_puzzle():
    (item,) = told("sliding", "--sample", "moodle-10", "--goal", "11 1 5 9 8 13 3 0 15 12 4 6 14 2 10 7")
    assert (item["name"], item["actions"]) == ("moodle-10", ["D"])


def test_several_samples_are_a_batch():
    names = [
        item["name"] for item in told("sliding", "--sample", "moodle-10", "--sample", "moodle-1", "--limit", "nodes=1")
    ]
    assert names == ["moodle-10", "moodle-1"]
    every = [item["name"] for item in told("sudoku", "--sample", "all", "--limit", "nodes=1")]
    assert every == list(catalog.puzzle("sudoku").samples())


@pytest.mark.parametrize("board", ["...............A", "12.4.A", "1 2 3/4 5 6/7 8 0", "####/#..#"])
def test_a_board_is_not_taken_for_the_name_of_a_file(board):
    assert "there is no file" not in run("solve", "sudoku", board).stderr


@pytest.mark.parametrize("name", ["puzzles.txt", "boards/easy", "../some-boards.tar.gz", "my boards.txt", "./b2.sdk"])
def test_the_name_of_a_file_that_is_missing_is_told(name):
    assert f"there is no file {name!r}, and as a board: " in run("solve", "sudoku", name).stderr


def test_a_folder_is_told(tmp_path):
    assert "is a folder, and as a board: " in run("solve", "sudoku", tmp_path).stderr


def test_a_board_of_tetris_keeps_its_lines_of_blocks():
    text = "##########\n#########.\n"
    assert told("tetris", "-", "--pieces", "o", text=text)[0]["initial"].endswith("##########\n#########.")
