"""``procura watch`` as people use it: keys in a terminal of 60 columns, commands over a pipe, every way to leave."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pseudo_terminal import Terminal

ROOT = Path(__file__).parents[2]
TEN_MOVES = "5 8 2 1 0 3 4 7 6"
SLIDING = ("sliding", TEN_MOVES, "--with")
SUDOKU = ("sudoku", "--sample", "small", "--seed", "1", "--with")
ENDLESS = ("sliding", "--sample", "moodle-6", "--with", "idastar:misplaced")
KEYS = "n next  b back"
FAMILIES = [
    (*SLIDING, "bfs"),
    (*SLIDING, "dfs", "--limit", "depth=12"),
    ("sliding", "1 2 3 4 0 6 7 5 8", "--with", "iddfs"),
    (*SLIDING, "ucs"),
    (*SLIDING, "greedy:manhattan"),
    (*SLIDING, "astar:manhattan"),
    (*SLIDING, "idastar:manhattan"),
    (*SLIDING, "beam:manhattan,width=4"),
    (*SUDOKU, "hill"),
    (*SUDOKU, "annealing,moves=5"),
    (*SUDOKU, "genetic,population=20"),
]


def screen(text):
    """A screen without the number of steps known so far, which grows."""
    return re.sub(r"^(step [\d,]+) of [\d,]+\+?( *)", r"\1 ", text).replace("  ", " ")


def at_step(number):
    return lambda text: re.match(rf"step {number} of ", text) and text.splitlines()[-1].startswith(KEYS)


@pytest.mark.parametrize("arguments", FAMILIES, ids=lambda arguments: arguments[-1])
def test_next_back_and_goal_in_a_terminal(arguments):
    with Terminal("watch", *arguments) as terminal:
        first = screen(terminal.until(at_step(0)))
        terminal.send(" ")
        second = screen(terminal.until(at_step(1)))
        terminal.send("right")
        terminal.until(at_step(2))
        terminal.send("left")
        assert screen(terminal.until(at_step(1))) == second
        terminal.send("b")
        assert screen(terminal.until(at_step(0))) == first
        terminal.send("g")
        terminal.until("the search has ended: solved")
        terminal.send("q")
        assert terminal.end() == 0
        assert terminal.restored()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*SLIDING, "astar:manhattan"), ["f 10  g 0  h 10  depth 0", "expanded     1", "frontier     4, at most 4"]),
        ((*SLIDING, "idastar:misplaced"), ["begins with bound on f", "path, the end first"]),
        ((*SUDOKU, "annealing,moves=5"), ["energy", "temperature"]),
        ((*SUDOKU, "genetic,population=20"), ["best of the population", "mean", "worst", "population   20", "round"]),
    ],
    ids=["astar", "idastar", "annealing", "genetic"],
)
def test_a_frame_tells_what_belongs_to_its_search(arguments, told):
    done = piped(*arguments, text="n\n" * 12)
    for words in told:
        assert words in done.stdout


def test_jump_run_help_and_wrong_keys():
    with Terminal("watch", *SLIDING, "idastar:misplaced") as terminal:
        terminal.until(at_step(0))
        terminal.send("r")
        terminal.until("begins with bound on f 8")
        terminal.send("r")
        terminal.until(lambda text: "begins with bound on f" in text and "bound on f 8" not in text)
        terminal.send("j", "4")
        terminal.until("jump to step 4_")
        terminal.send("enter")
        terminal.until(at_step(4))
        terminal.send("7", "enter")
        terminal.until(at_step(7))
        terminal.send("?")
        terminal.until("run to the next bound")
        terminal.send("x")
        terminal.until(at_step(7))
        terminal.send("x")
        terminal.until("x: expected n (next)")
        terminal.send("0", "enter")
        terminal.until(at_step(0))
        terminal.send("b")
        terminal.until("this is the first step there is")
        terminal.send("escape")
        assert terminal.end() == 0
        assert terminal.restored()


@pytest.mark.parametrize(
    "arguments",
    [
        (*SLIDING, "astar:manhattan"),
        ("sudoku", "--sample", "large", "--with", "dfs"),
        ("tetris", "--sample", "test-25", "--with", "dfs"),
        ("dots", "--sample", "sparse-7x7", "--with", "idastar:polyomino"),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("rows", [24, 12])
def test_a_terminal_of_60_columns_is_not_overrun(arguments, rows):
    with Terminal("watch", *arguments, columns=60, rows=rows) as terminal:
        terminal.until(at_step(0))
        terminal.send("n", "n")
        text = terminal.until(at_step(2))
        assert "node " in text
        assert not terminal.display.scrolled and not terminal.display.overrun
        assert terminal.display.lines[-1].startswith(KEYS)
        terminal.send("q")
        assert terminal.end() == 0


def test_a_terminal_that_changes_its_size_is_drawn_again():
    with Terminal("watch", *SLIDING, "bfs", env={"COLUMNS": "50"}) as terminal:
        text = terminal.until(at_step(0))
        assert max(map(len, text.splitlines())) <= 50
        terminal.send("q")
        assert terminal.end() == 0


def test_ctrl_c_ends_with_130_and_restores_the_terminal():
    with Terminal("watch", *SLIDING, "bfs") as terminal:
        terminal.until(at_step(0))
        terminal.interrupt()
        assert terminal.end() == 130
        assert terminal.restored()


def test_a_long_run_is_stopped_by_a_key_and_ended_by_ctrl_c():
    with Terminal("watch", *ENDLESS) as terminal:
        terminal.until(at_step(0))
        terminal.send("g")
        terminal.until("running: any key stops it")
        terminal.send("x")
        terminal.until(lambda text: "running" not in text)
        terminal.send("g")
        terminal.until("running: any key stops it")
        terminal.interrupt()
        assert terminal.end() == 130
        assert terminal.restored()


SLOW = """
import time
from procura import Game

class Slow(Game):
    initial = (30, 0)
    def actions(self, state):
        return [taken for taken in (1, 2) if taken <= state[0]]
    def result(self, state, action):
        time.sleep(0.004)
        return (state[0] - action, 1 - state[1])
    def to_move(self, state):
        return state[1]
    def is_over(self, state):
        return not state[0]
    def score(self, state):
        return 0 if state[0] else 1 if state[1] else -1
"""


@pytest.fixture
def slow_game(tmp_path):
    """A game so slow that to get to step 250 again, or to record ahead of it, takes longer than a key waits."""
    (tmp_path / "slow.py").write_text(SLOW)
    with Terminal("watch", f"{tmp_path}/slow.py:Slow", "--with", "alphabeta") as terminal:
        terminal.until(at_step(0))
        terminal.send("2", "5", "0", "enter")
        terminal.until(at_step(250))
        yield terminal
        assert terminal.end() == 0
        assert terminal.restored()


@pytest.mark.parametrize("wait", [0.0, 0.5])
def test_a_key_pressed_after_a_run_has_arrived_is_obeyed(slow_game, wait):
    slow_game.quiet(wait)
    slow_game.send("b")
    slow_game.until(at_step(249))
    slow_game.send("2", "6", "0", "enter")
    slow_game.until(at_step(260))
    slow_game.send("q")


def test_a_key_that_is_held_makes_a_step_each_time(slow_game):
    for key in ["n", " ", "right"] * 15:
        slow_game.send(key)
        slow_game.quiet(0.05)
    slow_game.until(at_step(295))
    assert "last step" not in slow_game.raw
    slow_game.send("q")


def test_a_step_under_way_gives_way_to_another_key(slow_game):
    slow_game.send("2", "0", "0", "0", "enter")
    slow_game.until("running: any key stops it")
    slow_game.send("x")
    slow_game.until(lambda text: "running" not in text)
    slow_game.send("n", "n", "n")
    slow_game.until("running: any key but n stops it")
    slow_game.send("q")
    slow_game.end()
    assert "last step" not in slow_game.raw


def test_a_signal_that_ends_it_leaves_the_terminal_in_order():
    with Terminal("watch", *SLIDING, "bfs") as terminal:
        terminal.until(at_step(0))
        terminal.terminate()
        assert terminal.end() == 143
        assert terminal.restored()


def test_a_plain_terminal_takes_lines():
    with Terminal("watch", *SLIDING, "bfs", env={"TERM": "dumb"}) as terminal:
        terminal.until("before the search")
        terminal.line("n")
        terminal.until("expands a node")
        terminal.line("q")
        assert terminal.end() == 0
        assert "\x1b[?1049h" not in terminal.raw


def piped(*arguments, text, **keywords):
    command = [sys.executable, "-m", "procura", "watch", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, **keywords)


def frames(done):
    return re.findall(r"^step (\d+) of \d+\+? +(.*?)(?:  .*)?$", done.stdout, re.MULTILINE)


def test_commands_over_a_pipe_print_a_frame_each():
    done = piped(*SLIDING, "astar:manhattan", text="n\n\nb\nr\ng\nb\nj 5\n3\nq\nn\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert [int(number) for number, _ in frames(done)] == [0, 1, 2, 1, 14, 14, 13, 5, 3]
    assert "\x1b" not in done.stdout
    assert "the search has ended: solved in 10 moves, proved optimal" in done.stdout


def test_the_same_step_is_printed_the_same():
    done = piped(*SLIDING, "astar:manhattan", text="g\n6\n9\n6\n")
    shown = re.split(r"^(?=step )", done.stdout, flags=re.MULTILINE)
    assert next(part for part in shown if part.startswith("step 6 ")) == shown[-1]


def test_wrong_commands_are_told_what_was_expected():
    done = piped(*SLIDING, "bfs", text=f"zz\n{'9' * 5000}\n?\n")
    assert done.returncode == 0
    assert "'zz': expected n (next), b (back), r (run), g (goal), a step's number, ? or q" in done.stdout
    assert "run to the next depth" in done.stdout


def test_the_end_of_the_commands_ends_it_quietly():
    for text in ("", "n\n"):
        done = piped(*ENDLESS, text=text)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_pipe_ends_it_quietly():
    command = [sys.executable, "-m", "procura", "watch", *SLIDING, "bfs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"step 0")
        process.stdout.close()
        process.stdin.write(b"n\n" * 2000 + b"q\n")
        process.stdin.close()
        assert process.wait(120) == 0
        assert process.stderr.read() == b""


def test_figures_stand_below_each_other_and_numbers_do_not_run_together(tmp_path):
    (tmp_path / "sums.py").write_text(SUMS)
    done = piped(f"{tmp_path}/sums.py:Sums", "--with", "bfs", text="3\n")
    assert "  7         g 2" in done.stdout and "  100000000 g 2" in done.stdout
    assert "2  7 7\n" in done.stdout


def test_one_ctrl_c_ends_rules_that_never_return(tmp_path):
    (tmp_path / "sums.py").write_text(SUMS.replace("return state + action", "while True: print('here', flush=True)"))
    command = [sys.executable, "-m", "procura", "watch", f"{tmp_path}/sums.py:Sums", "--with", "bfs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        assert process.returncode == 130


SUMS = """
from procura import Problem

class Sums(Problem):
    initial = 0
    def actions(self, state):
        return [7, 100000000]
    def result(self, state, action):
        return state + action
    def is_goal(self, state):
        return state == 100000014
"""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--with", "alphabeta"),
            ["looks 3 moves ahead", "window       alpha -2, beta +2", "cuts off the other moves"],
        ),
        (("--with", "minimax", "--limit", "nodes=30"), ["first player, maximises", "the game is over", "line of play"]),
        (("--with", "mcts,playouts=9", "--seed", "1"), ["plays a random game", "moves of the root", "1 visit, mean"]),
        (("--for", "two"), ["chains runs compiled only: alphabeta ran instead", "looks 1 move ahead"]),
        (("--with", "chains"), ["chains runs compiled only: alphabeta ran instead", "looks 1 move ahead"]),
    ],
    ids=["alphabeta", "minimax", "mcts", "auto", "chains"],
)
def test_games_for_two_are_watched(arguments, told):
    done = piped("dots", "--size", "1x2", *arguments, text="n\n" * 90 + "g\n")
    assert (done.returncode, done.stderr) == (0, "")
    for words in told:
        assert words in done.stdout
    assert re.search("the search has ended: (a draw, proved|.*estimated|not known: the limit on nodes)", done.stdout)


def test_a_game_of_ones_own_is_watched():
    own = "examples/tic_tac_toe.py:TicTacToe"
    done = piped(own, "XOX .O. ...", "--with", "alphabeta", text="g\n", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the search has ended: a draw, proved" in done.stdout


def test_next_and_back_through_a_game_in_a_terminal():
    with Terminal("watch", "dots", "--size", "1x2", "--with", "alphabeta") as terminal:
        terminal.until(at_step(0))
        for depth in ("1 move", "2 moves", "3 moves"):
            terminal.send("r")
            terminal.until(f"looks {depth} ahead")
        terminal.send("n", "n")
        second = screen(terminal.until("lists a position's moves"))
        terminal.send("n")
        terminal.until(lambda text: screen(text) != second)
        terminal.send("?")
        terminal.until("run to the next depth")
        terminal.send("x", "q")
        assert terminal.end() == 0
        assert terminal.restored()


def test_a_search_without_a_solution_is_watched_to_its_end():
    done = piped("sliding", "1 2 3 4 5 6 8 7 0", "--with", "bfs", text="g\n")
    assert done.returncode == 0
    assert "no solution: proved that there is none" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sliding", "-"], "BOARD -: watch reads its commands from standard input: expected a file or the board"),
        (["sliding", "--sample", "all"], "12 problems: watch expected one"),
        (["dots", "--sample", "all"], "6 problems: watch expected one, such as with --problem NAME"),
        ([*SLIDING, "bfs|dfs"], "--with 'bfs|dfs': expected one configuration"),
        ([*SLIDING, "astra"], "there is no algorithm 'astra'"),
        ([*SLIDING, "annealing"], "Sliding has no whole states to improve"),
        (["sliding", "1 2 3"], "3 numbers"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_sentence(arguments, sentence):
    done = piped(*arguments, text="")
    assert done.returncode == 2
    assert done.stderr.startswith("procura: ") and done.stderr.count("\n") == 1
    assert sentence in done.stderr


def test_a_preset_and_an_option_that_it_sets_otherwise_are_refused():
    done = piped("tetris", "--sample", "test-25", "--cost", "quality", "--with", "report1_best", text="")
    assert (done.returncode, done.stderr) == (2, "procura: --cost quality: report1_best sets --cost report1\n")


def test_a_fault_of_ones_own_class_is_told_with_its_place(faulty_class):
    done = piped(faulty_class, "x", "--with", "bfs", text="g\n")
    assert (done.returncode, done.stderr) == (2, "procura: Faulty raises KeyError: 'oh' (faulty.py, line 11)\n")
