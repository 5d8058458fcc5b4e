"""Random text at every parser raises the package's own input error, and nothing else.

Half of the texts are anything, the others are valid ones with a few characters changed. ``make test`` tries a hundred
of each, ``make test-all`` ten thousand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st

from procura import Dots, Problem, Sliding, Sudoku, Tetris, catalog
from procura.catalog import flag
from procura.cli import cli
from procura.cli.boards import read_tasks
from procura.cli.settings import read_settings
from procura.configuration import Configuration
from procura.errors import InputError
from procura.heuristics import BoundHeuristic, heuristic
from procura.puzzles.dots.formats import read_problems
from procura.reading.limits import read_limits
from procura.reading.puzzles import choose_puzzle
from procura.texts import Source

BOX = "(A 1 (((1) (0)) ((0) (1))))"
DOTS_FILE = "; two\n((A 1 (((1) (1)) ((1) (0))))\n (B 1 (((1) (0)) ((1) (0)))))"
DRAWN_DOTS = ".---.---.\n|   |\n.   .---."
GRID = "1... ..2. .3.. ...4"
EASY = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."
ROWS = "####...###\n.########.\n"
TEXTS = {
    "sliding": ("1 2 3 4 5 6 7 0 8", "1 2 3\n4 . 5", "3,1,2,0", "1 2 0 3\n1 0 2 3\n", "1 2 3\n4 0 5\n\n1 2 3\n0 4 5"),
    "sudoku": (GRID, EASY, f"{EASY}\n# more\n{EASY}", GRID.replace(" ", "\n")),
    "tetris": (ROWS, "empty", f"pieces: t i l l\n{ROWS}", f"{ROWS}\n\n{ROWS}"),
    "dots": (BOX, DOTS_FILE, DRAWN_DOTS, "(((1) (0)) ((0) (1)))"),
}
VALUES = ("spiral", "blank-last", "1 2 3 0", "2x3", "3x2", "t i l l", "till", "quality", "first", "canonical", "A", "2")
"""What options of puzzles take."""
PROBLEMS = (Sliding("1 2 3 4 5 6 7 0 8"), Sudoku(GRID), Tetris("empty", "til"), Dots(BOX, 1))
CONFIGURATIONS = (
    "astar:max(misplaced, 0.5*manhattan),ties=fifo",
    "dfs",
    "auto",
    "idastar:manhattan",
    "annealing,moves=5",
)
EXPRESSIONS = ("0.05*misplaced + 0.94*manhattan/2", "max(misplaced, (manhattan), 1e3)", "--manhattan", "min(1,zero)-.5")
LIMITS = ("seconds=20,nodes=1e6", "memory=500MB", "depth=40", "nodes=1_000", "seconds=.5", "memory=1.5GB,depth=2.5e1")
OPTIONS = [
    option
    for entry in (*catalog.ALGORITHMS.values(), *catalog.PUZZLES.values())
    for option in (*entry.options, *getattr(entry, "generator", ()))
]

ODD_CHARACTERS = "()[]{},;:=@#.-+*/ \n\t\x00\\\"'0123456789aAeExXtT|_²٣é😀\u2028"


def mutated(case: tuple[str, int]) -> str:
    """A text with one to four characters or stretches of it lost, doubled, moved or replaced."""
    text, seed = case
    chance = random.Random(seed)
    characters = list(text)
    for _ in range(chance.randint(1, 4)):
        a, b = sorted((chance.randint(0, len(characters)), chance.randint(0, len(characters))))
        b = min(b, a + 9)
        piece = characters[a:b]
        kind = chance.randrange(4)
        if kind == 0:
            characters[a:b] = []
        elif kind == 1:
            characters[b:b] = piece
        elif kind == 2:
            characters[a:a] = chance.choice(ODD_CHARACTERS)
        else:
            characters[a:b] = [chance.choice(ODD_CHARACTERS) for _ in piece]
    return "".join(characters)


def texts(*valid: str) -> st.SearchStrategy[str]:
    near = st.tuples(st.sampled_from(valid), st.integers(0, 2**32)).map(mutated)
    return st.one_of(st.text(max_size=30), near)


VALUE = st.one_of(st.none(), st.booleans(), st.integers(-3, 20), st.integers(), st.floats(), st.text(max_size=5))
JSON_VALUES = st.recursive(
    VALUE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)
ACTIONS = st.one_of(
    JSON_VALUES,
    st.tuples(st.sampled_from(["h", "v", "t", "i", "U", 0, 1, True]), VALUE, VALUE),
    st.lists(st.integers(-2, 20), min_size=3, max_size=3),
    st.sampled_from(["U", "D", "u", "", "LL"]),
)


@dataclass(frozen=True)
class Parsers:
    """What is thrown, and the parsers it is thrown at."""

    inputs: st.SearchStrategy[Any]
    readers: Sequence[Callable[[Any], Any]]


def batch(puzzle: str) -> Callable[[str], Any]:
    """The problems that the class of a puzzle finds in a text."""
    cls = catalog.puzzle(puzzle).load()

    def read(text: str) -> None:
        for task in cls.split_text(Source(text, "a file"), {}):
            with suppress(InputError):
                assert isinstance(task.problem(), Problem)

    return read


def board_with_options(puzzle: str) -> Callable[[tuple[str, dict[str, str]]], Any]:
    """A board with options that the command line has read."""

    def read(case: tuple[str, dict[str, str]]) -> Any:
        chosen = choose_puzzle(puzzle)
        return chosen.cls.from_text(case[0], **chosen.read_options(case[1]))

    return read


def option_of_board(puzzle: str, board: str, option: str) -> Callable[[str], Any]:
    """An option of a good board, in the text that ``from_text`` itself reads."""
    return lambda value: catalog.puzzle(puzzle).load().from_text(board, **{option: value})


def written_and_read_again(text: str) -> None:
    configuration = Configuration.parse(text)
    assert Configuration.parse(str(configuration)) == configuration


def settings_of(puzzle: str) -> Callable[[str], Any]:
    chosen = choose_puzzle(puzzle)
    return lambda text: read_settings(chosen, text)


def options_of(puzzle: str) -> st.SearchStrategy[dict[str, str]]:
    names = [option.name for option in catalog.puzzle(puzzle).options]
    return st.dictionaries(st.sampled_from(names), texts(*VALUES), max_size=2)


def tasks(case: tuple[str, str]) -> None:
    for task in read_tasks(choose_puzzle(case[0]), case[1], (), {}):
        with suppress(InputError):
            task.problem()


READ_AS_TEXT = [
    option_of_board(name, TEXTS[name][0], option.name)
    for name in TEXTS
    for option in catalog.puzzle(name).options
    if option.kind == "text"
]
NAMED_TEXTS = st.tuples(st.sampled_from(list(TEXTS)), texts(*(text for valid in TEXTS.values() for text in valid)))
PARSERS = {
    "heuristics": Parsers(texts(*EXPRESSIONS), [heuristic, lambda text: BoundHeuristic(heuristic(text), PROBLEMS[0])]),
    "configurations": Parsers(
        texts(*CONFIGURATIONS),
        [written_and_read_again, *map(settings_of, TEXTS)],
    ),
    "limits": Parsers(texts(*LIMITS), [lambda text: read_limits([text])]),
    "options as text": Parsers(
        texts(*VALUES, "1e3", "-2.5", "true", "none", "9" * 400), [option.read for option in OPTIONS]
    ),
    "values of any kind": Parsers(JSON_VALUES, [heuristic, *(option.read for option in OPTIONS)]),
    "puzzles": Parsers(texts(*catalog.PUZZLES, "file.py:Class", "some/file.py"), [choose_puzzle]),
    **{
        f"boards of {name}": Parsers(texts(*valid), [catalog.puzzle(name).load().from_text, batch(name)])
        for name, valid in TEXTS.items()
    },
    **{
        f"boards and options of {name}": Parsers(st.tuples(texts(*valid), options_of(name)), [board_with_options(name)])
        for name, valid in TEXTS.items()
    },
    "goals, sizes, pieces, names": Parsers(texts(*VALUES), READ_AS_TEXT),
    "files of dots": Parsers(texts(*TEXTS["dots"]), [read_problems]),
    "actions": Parsers(ACTIONS, [problem.action_from_json for problem in PROBLEMS]),
    "texts of any puzzle": Parsers(NAMED_TEXTS.filter(lambda case: case[1] != "-"), [tasks]),
}

EXAMPLES = [100, pytest.param(10_000, marks=pytest.mark.slow)]


def throw(inputs: st.SearchStrategy[Any], read: Callable[[Any], Any], examples: int) -> None:
    """Try so many inputs."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    configured = settings(max_examples=examples, deadline=None, database=None, suppress_health_check=checks)
    configured(given(inputs)(read))()


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("name", PARSERS)
def test_parsers_raise_input_errors_only(name, examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def read(case: Any) -> None:
        for reader in PARSERS[name].readers:
            try:
                reader(case)
            except InputError as error:
                assert str(error)

    throw(PARSERS[name].inputs, read, examples)


SWITCHES = (
    "--json", "--steps", "--ascii", "--help", "--version", "--sample", "--engine", "--seed", "--log", "--trace",
    "--tree", "--tree-nodes", "--solutions", "--with", "--heuristic", "-o", "--limit", "--puzzle", "--count", "-", "--",
)  # fmt: skip
ARGUMENTS = (
    "all", "easy", "moodle-1", "python", "7", "3", "log", "trace", "tree.dot", "heuristics", "presets", "samples",
    "problems",
)  # fmt: skip
PUZZLE_SWITCHES = {
    flag(option.name) for puzzle in catalog.PUZZLES.values() for option in (*puzzle.options, *puzzle.generator)
}
BOARDS = [text for valid in TEXTS.values() for text in valid]
WORDS = st.one_of(
    st.sampled_from([*SWITCHES, *ARGUMENTS, *sorted(PUZZLE_SWITCHES), *catalog.PUZZLES, *catalog.ALGORITHMS]),
    st.sampled_from([*VALUES, *CONFIGURATIONS, *EXPRESSIONS, *LIMITS, *BOARDS]),
    texts(*VALUES, *CONFIGURATIONS, *EXPRESSIONS, *LIMITS, BOX, GRID),
)
COMMANDS = st.sampled_from(["solve", "compare", "generate", "list"])
LINES = st.one_of(
    st.tuples(COMMANDS, st.sampled_from(list(catalog.PUZZLES)), st.lists(WORDS, max_size=6)).map(
        lambda case: [case[0], case[1], *case[2]]
    ),
    st.lists(WORDS, max_size=4),
)


@pytest.mark.parametrize("examples", EXAMPLES)
def test_no_command_line_ends_with_a_traceback(examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()

    def run(line: list[str]) -> None:
        bounded = ["--limit", "nodes=3,seconds=1", "--engine", "python"] if line[:1] in (["solve"], ["compare"]) else []
        result = runner.invoke(cli, [*line[:2], *bounded, *line[2:]], input="", prog_name="procura")
        assert result.exit_code in (0, 2, 3, 4), result.stderr
        assert "Traceback" not in result.stderr and "internal error" not in result.stderr
        if result.exit_code == 2:
            assert result.stderr.startswith("procura: ")

    throw(LINES, run, examples)
