"""Every way to end: the exit status, and one sentence on stderr when something is wrong."""

from __future__ import annotations

import pytest
from helpers import EASY, NO_FILL, ODD, ONE_MOVE, is_one_sentence, objects, run

from procura import catalog
from procura.cli.status import BY_SEVERITY, worse
from procura.reading.limits import read_limits


def test_an_answer_ends_with_0():
    assert run("solve", "sliding", ONE_MOVE).exit_code == 0


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["sliding", "1 2 3 4 5 6 7 0 0"], "row 3, column 3: 0 is already at"),
        (["sudoku", "12"], "board has 2 cells"),
        (["sudoku", "puzzles.txt"], "there is no file 'puzzles.txt'"),
        (["sudokku", EASY], "did you mean 'sudoku'?"),
        (["sudoku"], "expected either BOARD or --sample NAME"),
        (["sudoku", EASY, "--sample", "easy"], "expected either BOARD or --sample NAME"),
        (["sudoku", "--sample", "eazy"], "did you mean 'easy'?"),
        (["tetris", "--sample", "x"], "tetris has no sample 'x'"),
        (["sudoku", EASY, "--goal", "spiral"], "--goal: sudoku takes --choice"),
        (["tetris", "empty"], "there are no pieces: expected letters such as 't i l l', by --pieces"),
        (["tetris", "empty", "--pieces", "t", "--cost", "gold"], "cost='gold'"),
        (["sliding", ONE_MOVE, "--with", "astra"], "did you mean 'astar'?"),
        (["sliding", ONE_MOVE, "--with", "astar:manhattan,ties=random"], "option ties='random'"),
        (["sliding", ONE_MOVE, "--with", "astar", "-o", "ties"], "expected option=value"),
        (["sliding", ONE_MOVE, "--with", "astar", "-o", "engine=python"], "astar has no option 'engine'"),
        (["sliding", ONE_MOVE, "--heuristic", "manhatan"], "did you mean 'manhattan'?"),
        (["sliding", ONE_MOVE, "--heuristic", "2*"], "heuristic '2*', character 3"),
        (["sliding", ONE_MOVE, "--heuristic", "@nowhere"], "heuristic file 'nowhere' cannot be read: no such file"),
        (["sliding", ONE_MOVE, "--with", "astar:manhattan", "--heuristic", "misplaced"], "names a heuristic already"),
        (["sliding", ONE_MOVE, "--with", "bfs", "--heuristic", "misplaced"], "bfs uses no heuristic"),
        (["sliding", ONE_MOVE, "--with", "annealing"], "Sliding has no whole states to improve"),
        (["sliding", ONE_MOVE, "--limit", "seconds"], "expected name=value"),
        (["sliding", ONE_MOVE, "--limit", "seconds=soon"], "expected a number of seconds"),
        (["sliding", ONE_MOVE, "--limit", "seconds=nan"], "expected a number from 0"),
        (["sliding", ONE_MOVE, "--limit", "nodes=-1"], "expected a whole number from 0"),
        (["sliding", ONE_MOVE, "--limit", "memory=500MiB"], "expected a size such as 500MB"),
        (["sliding", ONE_MOVE, "--limit", "secnds=3"], "there is no limit 'secnds': did you mean 'seconds'?"),
        (["sliding", ONE_MOVE, "--limit", "nodes=3,nodes=4"], "nodes is given twice"),
        (["sliding", ONE_MOVE, "--with", "bfs", "--with", "dfs"], "--with is given 2 times: solve takes one"),
        (["sliding", ONE_MOVE, "--with", "astar", "-o", "ties=fifo", "-o", "ties=lifo"], "ties is given twice"),
        (["sliding", ONE_MOVE, "--with", "astar,ties=fifo,ties=lifo"], "ties is given twice"),
        (["sliding", ONE_MOVE, "--with", "astar,ties=fifo", "-o", "ties=lifo"], "ties is given twice"),
        (["sliding", ONE_MOVE, "--with", "astar:walking_distance"], "'walking_distance' is not for this board"),
        (["dots", "--sample", "small-3x3", "--problem", "1"], "--problem goes with BOARD, not with --sample"),
        (["sudoku", EASY, "--with", "fewest", "--choice", "first"], "--choice first: fewest sets --choice fewest"),
        (["sudoku", EASY, "--with", "genetic,crossover=x"], "Sudoku has blocks, bands"),
        (["sudoku", EASY, "--with", "beam,width=1e9"], "expected a whole number from 1 to 16777216"),
        (["sliding", ONE_MOVE, "--limit", "nodes=1.5"], "expected a whole number from 0"),
        (["sliding", ONE_MOVE, "--limit", "nodes=1.25e1"], "expected a whole number from 0"),
        (["sliding", ONE_MOVE, "--limit", "depth=1e99"], "expected a number below 1e18"),
        (["sudoku", EASY, "--choice", "last"], "option choice='last': expected first or fewest"),
        (["dots", "(A 1 (((1) (1)) ((1) (0))))", "--boxes", "two"], "option boxes='two': expected a whole number"),
        (["sudoku", EASY, "--with", "report_asta"], "did you mean 'report_astar'?"),
        (["sudoku", EASY, "--with", "report_astar:empty"], "report_astar names a heuristic already"),
        (["sudoku", EASY, "--with", "report_astar", "--heuristic", "empty"], "names a heuristic already"),
        (["sudoku", EASY, "--with", "report_astar,ties=last"], "option ties='last'"),
        (["sliding", ONE_MOVE, "--solutions", "2"], "--solutions: sliding counts none"),
        (["sliding", ONE_MOVE, "--solutions", "0"], "0 is not in the range"),
        (["sliding", ONE_MOVE, "--log", "/no/such/folder/log"], "--log '/no/such/folder/log' cannot be written"),
        (["sliding", ONE_MOVE, "--trace", "/no/such/folder/x"], "--trace '/no/such/folder/x' cannot be written"),
        (["sliding", ONE_MOVE, "--tree", "/no/such/folder/x.gv"], "--tree '/no/such/folder/x.gv' cannot be written"),
        (["sliding", ONE_MOVE, "--tree", "tree.png"], "--tree 'tree.png': expected a name that ends in .dot or .gv"),
        (["sliding", ONE_MOVE, "--engine", "rust"], "--engine 'rust': expected one of auto, compiled, python"),
        (["sliding", ONE_MOVE, "--seed", "x"], "'x' is not a whole number (see"),
        (["sliding", ONE_MOVE, "--solutions", "x"], "'x' is not a whole number (see"),
        (["sliding", ONE_MOVE, "--sead", "1"], "--sead"),
        (["sliding", ONE_MOVE, "--seconds", "3"], "No such option '--seconds': a limit is written --limit seconds=20"),
        (["sliding", "1", "2", "3", "0"], "(2 3 0): a board with spaces needs quotes around it"),
        (["sliding", ONE_MOVE, "--with", "A*"], "there is no algorithm 'A*': did you mean 'astar'?"),
        (["sliding", ONE_MOVE, "--with", "ida*:manhattan"], "did you mean 'idastar'?"),
        ([], "PUZZLE"),
    ],
)
def test_bad_input_and_usage_end_with_2_and_a_sentence(arguments, told):
    result = run("solve", *arguments)
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "text, nodes", [("1e6", 10**6), ("2.5E3", 2500), ("1_000", 1000), ("12e+1", 120), ("0", 0), ("1.50e2", 150)]
)
def test_counts_may_have_an_exponent(text, nodes):
    assert read_limits([f"nodes={text}"]).nodes == nodes


def test_whole_numbers_of_options_may_have_an_exponent():
    assert run("solve", "sliding", ONE_MOVE, "--with", "beam,width=1e3").exit_code == 0


def test_an_unknown_command_ends_with_2_and_the_nearest():
    result = run("slove")
    assert result.exit_code == 2
    assert result.stderr == "procura: there is no command 'slove': did you mean 'solve'?\n"
    within = run("endless", "pley")
    assert within.exit_code == 2
    assert within.stderr == "procura: there is no command 'pley': did you mean 'play'? (see procura endless --help)\n"


@pytest.mark.parametrize(
    "limit, stopped_by", [("nodes=3", "nodes"), ("depth=2", "depth"), ("seconds=0", "time"), ("memory=1KB", "memory")]
)
def test_a_limit_ends_with_3(limit, stopped_by):
    result = run("solve", "sliding", "--sample", "moodle-10", "--with", "bfs", "--limit", limit, "--json")
    assert result.exit_code == 3
    (told,) = objects(result)
    assert (told["outcome"], told["stopped_by"]) == ("not_found", stopped_by)


def test_a_method_that_gives_up_ends_with_3():
    options = "annealing,restarts=0,moves=1,patience=1,temperature=1"
    result = run("solve", "sudoku", "--sample", "diabolic", "--with", options, "--json")
    assert result.exit_code == 3
    (told,) = objects(result)
    assert (told["outcome"], told["stopped_by"]) == ("not_found", None)
    assert len(told["final"].split()) == 27  # the best fill, block by block


@pytest.mark.parametrize("arguments", [["sliding", ODD], ["sudoku", NO_FILL]])
def test_a_proof_that_there_is_no_solution_ends_with_4(arguments):
    result = run("solve", *arguments)
    assert result.exit_code == 4
    assert "no solution: proved that there is none" in result.stdout
    assert ("by parity" in result.stdout) == (arguments[0] == "sliding")


@pytest.fixture
def broken(monkeypatch):
    """A puzzle of the catalog that raises."""

    def raises(self, state):
        raise KeyError("oh\nno")

    monkeypatch.setattr(catalog.puzzle("sliding").load(), "actions", raises)


@pytest.mark.usefixtures("broken")
def test_a_defect_ends_with_70_and_a_sentence():
    result = run("solve", "sliding", ONE_MOVE, "--with", "bfs", env={"PROCURA_DEBUG": None})
    assert result.exit_code == 70
    assert is_one_sentence(result.stderr)
    assert "internal error: KeyError" in result.stderr


@pytest.mark.usefixtures("broken")
def test_a_defect_shows_its_traceback_in_debug():
    result = run("solve", "sliding", ONE_MOVE, "--with", "bfs", "--json", env={"PROCURA_DEBUG": "1"})
    assert result.exit_code == 70
    assert 'raise KeyError("oh' in result.stderr
    assert "KeyError" in objects(result)[0]["error"]


def test_a_batch_ends_with_the_worst():
    def batch(*boards):
        return run("solve", "sudoku", "-", "--json", text="\n".join(board.replace(" ", "") for board in boards))

    solved = "1234 3412 2143 43.."
    assert batch(solved, solved).exit_code == 0
    assert batch(NO_FILL, solved).exit_code == 4
    assert batch(solved, "1.", NO_FILL).exit_code == 2


def test_statuses_get_worse_in_the_documented_order():
    assert BY_SEVERITY == (0, 4, 3, 2, 70, 130)
    assert all(worse(a, b) == worse(b, a) == b for i, b in enumerate(BY_SEVERITY) for a in BY_SEVERITY[: i + 1])


def test_a_class_of_ones_own_that_cannot_be_made_is_bad_input(tmp_path):
    place = tmp_path / "faulty.py"
    place.write_text(
        "from procura import Problem\n\n\n"
        "class Faulty(Problem):\n    def __init__(self):\n        raise KeyError('boo')\n"
    )
    for command in ("solve", "compare", "watch", "play"):
        result = run(command, f"{place}:Faulty")
        assert result.exit_code == 2, command
        assert result.stderr == "procura: Faulty raises KeyError: 'boo' (faulty.py, line 6)\n", command


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["solve", "sliding", ONE_MOVE, "--engine", "pyton"], "--engine 'pyton': did you mean 'python'?"),
        (["solve", "sudoku", EASY, "--output", "lines"], "--output 'lines': did you mean 'line'?"),
        (["play", "dots", "--level", "strng"], "--level 'strng': did you mean 'strong'?"),
        (["list", "algoritms"], "there is no 'algoritms': did you mean 'algorithms'?"),
        (["cache", "xyz"], "there is no 'xyz': expected one of clear, list, warm, where"),
    ],
)
def test_a_word_that_is_none_of_an_options_choices_is_told_with_the_nearest(arguments, told):
    result = run(*arguments)
    assert result.exit_code == 2 and is_one_sentence(result.stderr) and told in result.stderr


@pytest.mark.parametrize("puzzle", catalog.PUZZLES)
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_file_with_nothing_in_it_is_empty_and_no_board_of_0_cells(puzzle, text, tmp_path):
    place = tmp_path / "boards.txt"
    place.write_text(text)
    result = run("solve", puzzle, place)
    assert result.exit_code == 2 and result.stderr == f"procura: {place} is empty: expected a board\n"


def test_a_value_of_very_many_digits_is_cut_in_the_sentence():
    for option in ("--boxes", "--limit"):
        value = "9" * 5000
        result = run("solve", "dots", "--size", "2x2", option, f"nodes={value}" if option == "--limit" else value)
        assert result.exit_code == 2 and len(result.stderr) < 200, option


@pytest.mark.parametrize("place", ["dask://WRONG", "dask://", "tcp://127.0.0.1:port", "tls://host:99999"])
def test_an_address_without_a_host_and_a_port_is_bad_input_at_once(place):
    result = run("solve", "sliding", ONE_MOVE, "--on", place)
    assert result.exit_code == 2
    assert result.stderr == f"procura: --on {place!r}: expected a host and a port, such as dask://127.0.0.1:8786\n"
