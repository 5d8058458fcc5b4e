"""The menu from start to end: each puzzle in a terminal of 60 columns, wrong answers, back, pipes, what it keeps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise

import pytest
from pseudo_terminal import Terminal

from procura import Dots, Sliding
from procura.cli.menu.flow import problem_words
from procura.reading.puzzles import choose_puzzle
from procura.texts import Task

ONE_MOVE = "1 2 3 4 5 6 7 0 8"
SMALL = ".14.3......1.23."
NEXT = "What next?"
PROBLEMS = "A 3 (((0 1) (0 1) (0 0)) ((0 0) (1 1) (0 1)))\n"


class Talk(Terminal):
    """A terminal with the menu, answered question by question."""

    def __init__(self, folder, *arguments, **keywords):
        self.folder = folder
        env = {"XDG_STATE_HOME": str(folder / "state"), **keywords.pop("env", {})}
        super().__init__(*arguments, env=env, cwd=folder, **keywords)
        self.mark = 0

    def asked(self, question):
        """Wait for a question and its prompt, after the last answer."""
        self.until(lambda text: question in self.since and text.splitlines()[-1].endswith(":"), question)

    def answer(self, question, *answers):
        """Wait for a question, and answer it line by line."""
        self.asked(question)
        self.mark = len(self.raw)
        for answer in answers:
            self.send(answer + "\r")

    def press(self, question, key):
        self.asked(question)
        self.mark = len(self.raw)
        self.send(key)

    @property
    def since(self):
        """All that was written since the last answer, its white space single, without colours."""
        return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", self.raw[self.mark :]).split())


def results(folder):
    return (folder / "procura-results.txt").read_text(encoding="utf-8")


def broken_lines(talk):
    """The lines that go on in the middle of a word on the next one, as those do that are too long."""
    lines = talk.all.splitlines()
    full = [(line, after) for line, after in pairwise(lines) if len(line) == talk.display.columns]
    return [line for line, after in full if line[-1].isalnum() and after[:1].isalnum()]


def test_sliding_typed(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sliding")
        talk.answer("Which sliding problem?", "typed")
        talk.answer("Type the board", "1 2 3", "4 5 6", "7 0 8", "")
        talk.answer("Options of sliding", "")
        talk.answer("Which algorithm?", "astar")
        talk.answer("Options of astar", "ties=fifo")
        talk.answer("ties=fifo", "engine=python")
        talk.answer("engine=python", "")
        talk.answer("Which heuristic?", "several")
        talk.answer("which, by number or name", "misplaced manhattan")
        talk.answer("weight of misplaced [0.5]", "0.25")
        talk.answer("weight of manhattan [0.5]", "")
        talk.answer("Limits", "")
        talk.answer("Results", "procura-results.txt")
        talk.asked(NEXT)
        told = talk.since
        assert "0.25*misplaced + 0.5*manhattan: admissible" in talk.all
        assert "solved in 1 move, proved optimal" in told
        assert "astar with 0.25*misplaced + 0.5*manhattan, ties=fifo, python" in told
        assert "added to procura-results.txt" in told
        talk.answer(NEXT, "steps")
        talk.asked(NEXT)
        assert "1. R" in talk.since
        talk.answer(NEXT, "")
        assert talk.end() == 0
        assert talk.restored()
        assert broken_lines(talk) == []
    assert re.search(r"^algorithm +astar with 0.25\*misplaced \+ 0.5\*manhattan", results(tmp_path), re.MULTILINE)


def test_sudoku_sample_by_annealing(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "2")
        talk.answer("Which sudoku problem?", "1")
        talk.answer("Which sample?", "small")
        talk.answer("Options of sudoku", "")
        talk.answer("Which algorithm?", "annealing")
        talk.answer("Options of annealing", "engine=python")
        talk.answer("engine=python", "seed")
        talk.answer("seed, a whole number", "x")
        talk.answer("option seed='x': expected a whole number", "5")
        talk.answer("seed=5", "")
        talk.answer("Limits", "none")
        talk.answer("Results", "procura-results.txt")
        talk.asked(NEXT)
        assert "solved in 10 digits" in talk.since
        assert "seed 5" in talk.since
        talk.answer(NEXT, "quit")
        assert talk.end() == 0
        assert broken_lines(talk) == []
    assert "annealing, seed 5, python" in results(tmp_path)


def test_tetris_random_with_watching(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "tetris")
        talk.answer("Which tetris problem?", "random")
        talk.answer("A random tetris problem", "pieces=ti")
        talk.answer("pieces=ti", "seed=3")
        talk.answer("seed=3", "")
        talk.answer("Which algorithm?", "dfs")
        talk.answer("Options of dfs", "engine=python")
        talk.answer("engine=python", "")
        talk.answer("Limits", "")
        talk.answer("Results", "none")
        talk.asked(NEXT)
        assert "solved in 2 pieces" in talk.since
        assert "added to" not in talk.since
        talk.answer(NEXT, "watch")
        talk.until("before the search")
        talk.send("g")
        talk.until("the search has ended: solved")
        talk.mark = len(talk.raw)
        talk.send("q")
        talk.answer(NEXT, "quit")
        assert talk.end() == 0
        assert talk.restored()
    assert not (tmp_path / "procura-results.txt").exists()


def test_dots_of_a_file_with_the_courses_base(tmp_path):
    board = "(((0 1) (0 1) (0 0)) ((0 0) (1 1) (0 1)))"
    (tmp_path / "problems.dat").write_text(f"(A 2 {board})\n(B 3 {board})\n")
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "dots")
        talk.answer("Which dots problem?", "file")
        talk.answer("file", "nothing.dat")
        talk.answer("there is no file 'nothing.dat'", "problems.dat")
        talk.answer("Options of dots", "")
        talk.asked("problem [1]")
        assert "1. A target 2" in talk.since and "2. B target 3" in talk.since
        talk.answer("problem [1]", "3")
        talk.answer("'3': expected a number from 0 (back) to 2", "B")
        talk.answer("Which algorithm?", "idastar")
        talk.answer("Options of idastar", "engine=python")
        talk.answer("engine=python", "")
        talk.asked("Which heuristic?")
        assert "the course's base" in talk.since
        talk.answer("Which heuristic?", "base")
        talk.answer("Limits", "")
        talk.answer("Results", "mine.txt")
        talk.asked(NEXT)
        assert "solved in" in talk.since
        talk.answer(NEXT, "quit")
        assert talk.end() == 0
        assert broken_lines(talk) == []
    record = (tmp_path / "mine.txt").read_text(encoding="utf-8")
    assert re.search(r"^name +B$", record, re.MULTILINE)
    assert Dots(board, 3).target == 3


def test_wrong_answers_are_asked_again_with_what_was_expected(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "chess")
        talk.answer("'chess': expected a number from 0 to 5, or a name from the list", "9")
        talk.answer("'9': expected a number from 0 to 5", "1")
        talk.answer("Which sliding problem?", "typed")
        talk.answer("Type the board", "1 2 3 4 4 5 6 7 0", "")
        talk.asked("4 is already at row 2")
        talk.answer("Options of sliding", "colour=red")
        talk.answer("'colour=red': expected a number from 0 to 2, name=value, or Enter to go on", "")
        talk.asked("no option was changed, so back")
        talk.answer("Type the board", ONE_MOVE, "")
        talk.answer("Options of sliding", "")
        talk.answer("Which algorithm?", "astar")
        talk.answer("Options of astar", "weight=-1")
        talk.answer("option weight='-1': expected a number from 0", "")
        talk.answer("Which heuristic?", "typed")
        talk.answer("heuristic", "max(manhatan")
        talk.answer("expected", "manhatan")
        talk.answer("sliding has no heuristic 'manhatan'", "manhattan*0.5")
        talk.answer("Limits", "seconds=soon")
        talk.answer("limit seconds=soon: expected a number of seconds", "depth=9")
        talk.answer("Results", "no/such/folder.txt")
        talk.asked("cannot be written: there is no such folder")
        talk.interrupt()
        assert talk.end() == 130
        assert talk.restored()


def test_what_a_typed_board_lacks_is_told_at_once_in_the_words_of_the_menu(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "dots")
        talk.answer("Which dots problem?", "typed")
        talk.answer("Type the board", "(((1) (0)) ((1) (0)))", "")
        talk.asked("the problem has no target: expected boxes=..., the number of boxes to close")
        talk.answer("Options of dots", "boxes=1")
        talk.answer("Options of dots", "")
        talk.answer("Which algorithm?", "q")
        assert talk.end() == 0


def test_the_goal_of_a_sample_is_told(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sliding")
        talk.answer("Which sliding problem?", "sample")
        talk.answer("10 9 8 7, goal spiral", "q")
        assert talk.end() == 0


def test_back_leads_through_every_step(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sliding")
        talk.answer("Which sliding problem?", "sample")
        talk.answer("Which sample?", "moodle-5")
        talk.answer("Options of sliding", "")
        talk.answer("Which algorithm?", "astar")
        talk.answer("Options of astar", "")
        talk.answer("Which heuristic?", "manhattan")
        talk.answer("Limits", "")
        for question in ("Results", "Limits", "Which heuristic?", "Options of astar"):
            talk.press(question, "escape")
        talk.answer("Which algorithm?", "bfs")
        talk.answer("Options of bfs", "")
        talk.answer("Limits", "")
        for question in ("Results", "Limits", "Options of bfs", "Which algorithm?", "Which sliding problem?"):
            talk.answer(question, "0")
        talk.press("Which puzzle?", "escape")
        assert talk.end() == 0
        assert talk.restored()


def test_ctrl_c_ends_a_search_with_its_best_and_the_menu_goes_on(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sliding")
        talk.answer("Which sliding problem?", "sample")
        talk.answer("Which sample?", "moodle-6")
        talk.answer("Options of sliding", "")
        talk.answer("Which algorithm?", "idastar")
        talk.answer("Options of idastar", "engine=python")
        talk.answer("engine=python", "")
        talk.answer("Which heuristic?", "misplaced")
        talk.answer("Limits", "none")
        talk.answer("Results", "none")
        talk.until("expanded (", "progress")
        talk.interrupt()
        talk.asked(NEXT)
        assert "no solution found: interrupted" in talk.since
        talk.answer(NEXT, "quit")
        assert talk.end() == 0


def test_ctrl_c_at_a_question_ends_with_130(tmp_path):
    with Talk(tmp_path) as talk:
        talk.asked("Which puzzle?")
        talk.interrupt()
        assert talk.end() == 130
        assert talk.restored()


def test_a_line_can_be_mended_while_it_is_typed(tmp_path):
    with Talk(tmp_path) as talk:
        talk.asked("Which puzzle?")
        talk.send("dotz\x7fs")
        talk.until("dots")
        talk.send("\x15")
        talk.answer("Which puzzle?", "sudoku")
        talk.answer("Which sudoku problem?", "q")
        assert talk.end() == 0


def test_q_leaves_at_every_question(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sudoku")
        talk.answer("Which sudoku problem?", "1")
        talk.answer("Which sample?", "small")
        talk.answer("Options of sudoku", "")
        talk.answer("Which algorithm?", "hill")
        talk.answer("Options of hill", "engine=python")
        talk.answer("engine=python", "")
        talk.answer("Limits", "none")
        talk.answer("Results", "q")
        assert talk.end() == 0
    assert not (tmp_path / "q").exists()
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "sudoku")
        talk.answer("Which sudoku problem?", "typed")
        talk.answer("Type the board", "q")
        assert talk.end() == 0


def test_a_plain_terminal_takes_lines(tmp_path):
    with Talk(tmp_path, env={"TERM": "dumb"}) as talk:
        talk.answer("Which puzzle?", "sliding")
        talk.answer("Which sliding problem?", "0")
        talk.answer("Which puzzle?", "0")
        assert talk.end() == 0
        assert "\x1b[" not in talk.raw


def test_tetris_without_end_is_played_and_the_menu_asks_again(tmp_path):
    with Talk(tmp_path) as talk:
        talk.answer("Which puzzle?", "endless")
        talk.until("p pause")
        talk.mark = len(talk.raw)
        talk.send("q")
        talk.press("Which puzzle?", "escape")
        assert talk.end() == 0 and talk.restored()
    done = piped(tmp_path, "endless", "0")
    assert "expected a terminal" in " ".join(done.stdout.split())


def piped(folder, *answers, arguments=()):
    env = {"XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(
        [sys.executable, "-m", "procura", *arguments], input="".join(f"{answer}\n" for answer in answers),
        capture_output=True, text=True, timeout=120, cwd=folder, env={**os.environ, **env},
    )  # fmt: skip


FIRST = [
    "sliding",
    "typed",
    ONE_MOVE,
    "",
    "",
    "astar",
    "engine=python",
    "",
    "misplaced",
    "nodes=100",
    "procura-results.txt",
]


def test_over_a_pipe_the_answers_stand_behind_the_questions(tmp_path):
    done = piped(tmp_path, *FIRST)
    assert (done.returncode, done.stderr) == (0, "")
    assert "number [1 sliding]: sliding\n" in done.stdout
    assert "solved in 1 move, proved optimal" in done.stdout
    assert "\x1b" not in done.stdout
    assert "misplaced" in results(tmp_path)


def test_the_last_choices_are_the_defaults_of_the_next_time(tmp_path):
    piped(tmp_path, *FIRST)
    done = piped(tmp_path, *[""] * 12)
    assert done.returncode == 0
    assert "number [3 typed]" in done.stdout
    assert f"takes the last one:\n{ONE_MOVE}\n" in done.stdout
    assert "limits [nodes=100]" in done.stdout
    assert "astar with misplaced, python" in done.stdout
    assert results(tmp_path).count("astar with misplaced, python") == 2


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"puzzle": 7, "sliding": [], "results": {}}', "\x00\xff"])
def test_a_broken_memory_is_ignored(tmp_path, content):
    place = tmp_path / "state" / "procura" / "menu.json"
    place.parent.mkdir(parents=True)
    place.write_text(content, encoding="latin-1")
    done = piped(tmp_path, *FIRST)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(place.read_text())["sliding"]["search"]["heuristic"] == "misplaced"


def test_a_memory_that_cannot_be_written_does_no_harm(tmp_path):
    (tmp_path / "state").write_text("a file where a folder should be")
    done = piped(tmp_path, *FIRST)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_end_of_the_answers_ends_it_quietly(tmp_path):
    for count in (0, 1, 3, 6, len(FIRST) - 1):
        done = piped(tmp_path, *FIRST[:count])
        assert (done.returncode, done.stderr) == (0, "")
        assert "solved" not in done.stdout


def test_a_random_problem_has_the_next_seed_next_time(tmp_path):
    answers = ["sliding", "random", "size=2x2", "", "bfs", "engine=python", "", "", "none"]
    done = piped(tmp_path, *answers)
    assert "solved in" in done.stdout
    assert "seed=1" in piped(tmp_path, *answers).stdout
    assert Sliding.generate(0, size="2x2").name == "Sliding"


def test_what_the_search_refuses_leads_back_to_the_algorithm(tmp_path):
    answers = ["tetris", "sample", "test-24", "", "ucs", "engine=python", "", "", "none", "dfs", "engine=python"]
    done = piped(tmp_path, *answers, "", "", "", "")
    assert "negative costs, which ucs cannot order" in done.stderr + done.stdout
    assert "solved in 1 piece" in done.stdout


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "answers",
    [
        [DIGITS, "sliding", DIGITS, "sample", DIGITS],
        ["sliding", "random", DIGITS, f"{DIGITS}=1", f"seed={DIGITS}", "seed=1e3", "", "astar", DIGITS],
        ["sliding", "typed", ONE_MOVE, "", DIGITS, "", "astar", "", DIGITS, "several", f"1 {DIGITS}"],
        ["sudoku", "typed", SMALL, "", "", "annealing", f"seed={DIGITS}", "seed=1e3", "engine=python", "", "", "none"],
        ["dots", "file", "boxes.dat", "", DIGITS, "1", "bfs"],
    ],
)
def test_a_number_of_any_length_gets_an_answer(tmp_path, answers):
    (tmp_path / "boxes.dat").write_text("(A 1 (((1) (0)) ((1) (0))))\n(B 1 (((1) (0)) ((1) (0))))\n")
    done = piped(tmp_path, *answers)
    assert (done.returncode, done.stderr) == (0, "")
    assert "expected" in done.stdout


def test_a_closed_pipe_ends_it_quietly(tmp_path):
    command = [sys.executable, "-m", "procura", "menu"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"sliding\n0\n" * 2000)
        process.stdin.close()
        assert process.wait(120) == 0
        assert process.stderr.read() == b""


def test_without_anybody_to_ask_there_is_help():
    command = [sys.executable, "-m", "procura"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: procura")


def sudoku_run(talk):
    """Answer every question up to the end of a run of the small sample."""
    talk.answer("Which puzzle?", "sudoku")
    talk.answer("Which sudoku problem?", "sample")
    talk.answer("Which sample?", "small")
    talk.answer("Options of sudoku", "")
    talk.answer("Which algorithm?", "auto")
    talk.answer("Options of auto", "engine=python")
    talk.answer("engine=python", "")
    talk.answer("Limits", "")
    talk.answer("Results", "")
    talk.asked(NEXT)


def test_the_menu_shows_the_command_and_writes_no_file_unless_asked(tmp_path):
    with Talk(tmp_path) as talk:
        sudoku_run(talk)
        shown = " ".join(talk.all.replace("\\", " ").split())
        assert "procura solve sudoku --sample small --limit seconds=60 --engine python" in shown
        talk.answer(NEXT, "quit")
        assert talk.end() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_the_menu_compares_and_lets_the_problem_be_played(tmp_path):
    with Talk(tmp_path) as talk:
        sudoku_run(talk)
        talk.answer(NEXT, "compare")
        talk.asked(NEXT)
        assert "annealing_constant" in talk.all
        talk.answer(NEXT, "play")
        talk.until(lambda text: "sudoku" in text.lower() and "undo" in text, "the game")
        talk.send("q")
        talk.until(lambda text: NEXT in text, NEXT)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Sliding("1 2 3 4 5 6 7 0 8"), ["1 2 3 4 5 6 7 0 8"]),
        (Sliding("1 2 3 4 5 6 7 0 8", goal="blank-first"), ["1 2 3 4 5 6 7 0 8", "--goal", "blank-first"]),
    ],
)
def test_a_problem_that_is_no_sample_is_named_by_its_board(problem, words):
    assert problem_words(choose_puzzle("sliding"), Task(lambda: problem, None, "typed"), problem) == words
