"""Nothing is dropped: what a text holds comes out of its reader, or an error names it.

Texts are whole, or have slips of the pen in them, or are nonsense. ``PROCURA_FUZZ_EXAMPLES`` says how many of each are
tried (a hundred if it is not set) and ``PROCURA_FUZZ_SEED`` which; a failure shows the smallest text that was found.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st
from written_boards import (
    DOTS_DRAWINGS,
    DOTS_LISTS,
    File,
    dots,
    files,
    seeds,
    sliding_blocks,
    sliding_lines,
    slip,
    slipped,
    sudoku_boards,
    sudoku_lines,
    tetris_boards,
)

from procura import Dots, Problem, Sliding, Sudoku, Tetris, catalog
from procura.configuration import split
from procura.errors import InputError
from procura.heuristics import BoundHeuristic, heuristic
from procura.play.saving import new_game, read_game, write_game
from procura.puzzles.dots import formats
from procura.reading.limits import read_limits
from procura.study.lines import read_document
from procura.study.plan import read_study
from procura.texts import Source, Task

EXAMPLES = int(os.environ.get("PROCURA_FUZZ_EXAMPLES", "100"))
SEED = os.environ.get("PROCURA_FUZZ_SEED", "0")


def fuzzed(*strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try a property on so many examples."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        configured = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=checks)
        return seed(SEED)(configured(given(*strategies)(test)))

    return decorate


# Files of boards


def tasks_of(puzzle: str, text: str) -> list[Task]:
    """The problems that ``procura solve`` finds in a text."""
    cls = catalog.puzzle(puzzle).load()
    return cls.split_text(Source(text, "a file"), {}) or [Task(lambda: cls.from_text(text), None, "a file")]


def first_line(task: Task) -> int:
    found = re.search(r"line (\d+)", task.place)
    return int(found[1]) if found else 1


def covering(tasks: Sequence[Task], line: int) -> Task:
    """The task that a line of the text belongs to."""
    return [task for task in tasks if first_line(task) <= line][-1]


def read(task: Task) -> Any:
    """The board of a task, as ``Written`` has it; None if it cannot be read."""
    try:
        problem: Any = task.problem()
    except InputError as error:
        assert str(error)
        return None
    return board_of(problem)


def board_of(problem: Any) -> Any:
    if isinstance(problem, Sliding):
        return problem.rows, problem.columns, tuple(problem.initial[: problem.rows * problem.columns])
    if isinstance(problem, Sudoku):
        return "".join(".123456789"[digit] for digit in problem.givens)
    assert isinstance(problem, Tetris)
    rows = tuple("".join(".#"[mask >> column & 1] for column in range(problem.columns)) for mask in problem.board)
    return problem.pieces, rows[::-1]


def same(found: Any, value: Any) -> bool:
    """Whether a board is the one that was written; Tetris adds empty rows above."""
    if isinstance(value[1], tuple) and isinstance(value[0], str):
        return found is not None and found[0] == value[0] and found[1][-len(value[1]) :] == value[1]
    return bool(found == value)


KINDS = {
    "sliding lines": ("sliding", files(sliding_lines, "", "#")),
    "sliding blocks": ("sliding", files(sliding_blocks, "\n", "#")),
    "sudoku lines": ("sudoku", files(sudoku_lines, "", "#", most=8)),
    "sudoku boards": ("sudoku", files(sudoku_boards, "", "#", most=1)),
    "tetris boards": ("tetris", files(tetris_boards(), "\n", None)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_board_of_a_file_comes_out(kind):
    puzzle, strategy = KINDS[kind]

    @fuzzed(strategy)
    def check(file: File) -> None:
        tasks = tasks_of(puzzle, file.text)
        assert len(tasks) == len(file.problems)
        for task, written in zip(tasks, file.problems, strict=True):
            assert same(read(task), written.value)

    check()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sudoku boards"])
def test_a_slip_in_one_board_leaves_the_others_as_they_are(kind):
    puzzle, strategy = KINDS[kind]

    @fuzzed(strategy, seeds, seeds)
    def check(file: File, which: int, chance: int) -> None:
        assume(len(file.problems) > 2)
        which %= len(file.problems)
        file = slipped(file, which, chance)
        tasks = tasks_of(puzzle, file.text)
        assume(kind != "sliding lines" or "board" not in tasks[0].place)  # two lines can make one board
        for number, (written, line) in enumerate(zip(file.problems, file.lines, strict=True)):
            if number != which:
                found = read(covering(tasks, line))
                if found is None:  # headings without rows wait for those of the next board
                    assert kind == "tetris boards"
                else:
                    assert same(found, written.value)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_is_all_that_the_text_says(kind):
    puzzle, strategy = KINDS[kind]

    @fuzzed(strategy, seeds)
    def check(file: File, chance: int) -> None:
        text = slip(file.text, chance, newlines=True)
        found = [read(task) for task in tasks_of(puzzle, text)]
        if None not in found:
            lines = [line for line in text.splitlines() if puzzle == "tetris" or line.strip()[:1] != "#"]
            assert SIGNS[puzzle](lines) == CONTENT[puzzle](found)

    check()


def tetris_signs(lines: list[str]) -> str:
    """The pieces of all boards, and their filled cells."""
    pieces = [line.partition(":")[2] for line in lines if re.match(r"\s*(pieces|next)\s*:", line, re.IGNORECASE)]
    rows = "".join(line for line in lines if ":" not in line)
    return re.sub(r"[\s,]", "", "".join(pieces).lower()) + "#" * len(re.findall("██|[#xX@*█■▓1]", rows))


SIGNS: dict[str, Callable[[list[str]], str]] = {
    "sliding": lambda lines: re.sub("[^1-9]", "", "".join(lines)),
    "sudoku": lambda lines: re.sub("[^1-9]", "", "".join(lines)),
    "tetris": tetris_signs,
}
CONTENT: dict[str, Callable[[list[Any]], str]] = {
    "sliding": lambda boards: "".join(str(tile) for board in boards for tile in board[2]).replace("0", ""),
    "sudoku": lambda boards: "".join(boards).replace(".", ""),
    "tetris": lambda boards: (
        "".join(pieces for pieces, _ in boards) + "#" * sum("".join(rows).count("#") for _, rows in boards)
    ),
}


# Files of Dots problems


def wrapped(file: File) -> File:
    """The file with one more pair of brackets around all."""
    return File(f"(\n{file.text})\n", file.problems, [line + 1 for line in file.lines])


LISTS = files(dots(DOTS_LISTS), "", ";")
DRAWINGS = files(dots(DOTS_DRAWINGS), "", ";")
MIXED = files(dots([*DOTS_LISTS, *DOTS_DRAWINGS]), "", ";")
DOTS = {"lists": LISTS, "wrapped lists": LISTS.map(wrapped), "drawings": DRAWINGS, "mixed": MIXED}


def without_comments(text: str) -> list[str]:
    return [line.partition(";")[0] for line in text.splitlines()]


@pytest.mark.parametrize("kind", DOTS)
def test_every_dots_problem_comes_out(kind):
    @fuzzed(DOTS[kind])
    def check(file: File) -> None:
        assert formats.read_items(file.text) == [written.value for written in file.problems]

    check()


@pytest.mark.parametrize("kind", DOTS)
def test_a_slip_in_one_dots_problem_costs_no_other(kind):
    @fuzzed(DOTS[kind], seeds, seeds)
    def check(file: File, which: int, chance: int) -> None:
        names = [written.value.name for written in file.problems]
        assume(len(set(names)) == len(names) > 1)
        which %= len(names)
        file = slipped(file, which, chance)
        items = formats.read_items(file.text)
        others = [written.value for number, written in enumerate(file.problems) if number != which]
        if "lists" in kind:
            assert [item for item in items if item in others] == others
            left = any(line.strip() for line in without_comments(file.problems[which].text))
            assert len(items) >= len(others) + left
        else:
            for other in others:
                assert other in items or any(
                    item.name == other.name for item in items if isinstance(item, formats.Unreadable)
                )

    check()


@pytest.mark.parametrize("kind", ["lists", "wrapped lists"])
def test_the_words_of_dots_lists_are_those_that_were_read(kind):
    @fuzzed(DOTS[kind], seeds)
    def check(file: File, chance: int) -> None:
        text = slip(file.text, chance, newlines=True)
        items = formats.read_items(text)
        said = "\n".join(without_comments(text))
        if "(" in said and all(isinstance(item, formats.Problem) for item in items):
            problems = [item for item in items if isinstance(item, formats.Problem)]
            assert words(said) == words(formats.write_problems(problems))

    check()


def words(text: str) -> list[str]:
    found = re.findall(r"[^\s()]+", text)
    return [str(int(word)) if re.fullmatch(r"[+-]?[0-9]{1,9}", word) else word for word in found]


@fuzzed(DRAWINGS, seeds)
def test_the_lines_of_dots_drawings_are_those_that_were_read(file, chance):
    text = slip(file.text, chance, newlines=True)
    assume("(" not in text and ")" not in text)
    items = formats.read_items(text)
    if all(isinstance(item, formats.Problem) for item in items):
        heads = [line for line in without_comments(text) if line.strip()[:1].isalnum()]
        drawn = "\n".join(line for line in without_comments(text) if not line.strip()[:1].isalnum())
        named = [str(word) for item in items for word in item[:2] if word is not None]
        assert words(" ".join(heads)) == words(" ".join(named))
        assert len(re.findall("[.+*•]", drawn)) == sum((item.rows + 1) * (item.columns + 1) for item in items)
        assert len(re.findall("[-─━]+", drawn)) == sum(sum(map(sum, item.horizontals)) for item in items)
        assert len(re.findall("[|│┃]", drawn)) == sum(sum(map(sum, item.verticals)) for item in items)


# Saved games

CORNER = "(3 (((1 0) (0 0) (1 0)) ((1 0) (0 0) (0 1))))"
GAMES: dict[str, tuple[str, Callable[[], Problem], str | None]] = {
    "sliding": ("sliding", lambda: Sliding("4 1 2 0 5 3", size="2x3"), None),
    "sudoku": ("sudoku", lambda: Sudoku(".14.3......1.23."), None),
    "tetris": ("tetris", lambda: Tetris("##..##\n#...##", "loi", rows=8, columns=6), None),
    "dots": ("dots", lambda: Dots.from_text(CORNER), None),
    "duel": ("dots", lambda: Dots.from_text(CORNER), "computer"),
}
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 9), st.floats(), st.sampled_from(["U", "L", "h", "t", "computer", ""])
)
CHANGES = st.tuples(
    st.sampled_from(["none", "drop", "rename", "add", "set", "twice", "slip"]),
    st.integers(0, 20),
    st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3), max_leaves=4),
    seeds,
)


def saved_game(kind: str, choices: list[int]) -> str:
    """A game with some moves made and some taken back, as text."""
    puzzle, problem, against = GAMES[kind]
    game = new_game(problem(), against=against, seed=3)
    for choice in choices:
        legal = game.legal()
        if choice % 5 == 0:
            game.undo()
        elif legal:
            game.play(legal[choice % len(legal)])
        while (move := game.answer()) is not None:
            game.play(move)
    game.seconds = len(choices) / 4
    return write_game(puzzle, game)


def changed(text: str, change: tuple[str, int, Any, int]) -> str:
    """A saved game that somebody has laid hands on."""
    kind, at, value, chance = change
    saved = json.loads(text)
    name = list(saved)[at % len(saved)]
    if kind == "slip":
        return slip(text, chance, newlines=True)
    if kind == "twice":
        return text.replace("{", f'{{"{name}": {json.dumps(value)},', 1)
    if kind == "drop":
        del saved[name]
    elif kind == "rename":
        saved[f"{name}s"] = saved.pop(name)
    elif kind in ("add", "set"):
        saved["more" if kind == "add" else name] = value
    return json.dumps(saved)


@pytest.mark.parametrize("kind", GAMES)
def test_a_saved_game_is_read_whole_or_refused(kind):
    puzzle, problem, _ = GAMES[kind]
    cls = type(problem())

    @fuzzed(st.lists(st.integers(0, 99), max_size=8), CHANGES)
    def check(choices: list[int], change: tuple[str, int, Any, int]) -> None:
        text = changed(saved_game(kind, choices), change)
        try:
            game = read_game(text, puzzle, cls)
        except InputError as error:
            assert str(error) and change[0] != "none"
            return
        assert change[0] not in ("add", "rename", "twice")
        said, kept = json.loads(text), json.loads(write_game(puzzle, game))
        assert set(said) <= set(kept)
        assert math.isclose(said.pop("seconds"), kept["seconds"], abs_tol=0.06)
        assert cls.from_text(said.pop("board"), **said["options"]).initial == game.problem.with_options().initial
        said.pop("options" if puzzle == "dots" else "version")
        assert all(said[name] == kept[name] for name in said)

    check()


# Heuristics, configurations, limits

PUZZLE = Sliding("1 2 3 4 5 6 7 0 8")
NAMES = {"misplaced": 3.0, "manhattan": 5.0, "zero": 0.0}
SPACES = st.sampled_from(["", " ", "  ", "\n"])
NUMBERS = st.sampled_from(["0", "1", "2.5", ".5", "1e3", "3.", "0.1", "1e-2", "12345678901234567890"])


@st.composite
def joined(draw: Any, inner: st.SearchStrategy[str]) -> str:
    kind = draw(st.sampled_from(["+", "-", "*", "/", "max", "min", "(", "--"]))
    left, right, space = draw(inner), draw(inner), draw(SPACES)
    if kind in ("max", "min"):
        return f"{kind}({space}{left},{space}{right})"
    if kind in ("(", "--"):
        return f"({left}{space})" if kind == "(" else f"-{space}({left})"
    return f"({left}{space}/{space}2)" if kind == "/" else f"{left}{space}{kind}{space}{right}"


EXPRESSIONS = st.recursive(st.sampled_from(list(NAMES)) | NUMBERS, joined, max_leaves=8)


def python_value(text: str) -> float | None:
    """What Python's own grammar makes of an expression; None where it differs from ours, as in 007."""
    try:
        tree = ast.parse(f"(\n{text}\n)", mode="eval").body
        return walked(tree)
    except (SyntaxError, ValueError, KeyError, TypeError, AttributeError):
        return None


def walked(tree: Any) -> float:
    if isinstance(tree, ast.Constant):
        return float(tree.value)
    if isinstance(tree, ast.Name):
        return NAMES[tree.id]
    if isinstance(tree, ast.Call):
        return {"max": max, "min": min}[tree.func.id](*[walked(part) for part in tree.args], *tree.keywords)
    if isinstance(tree, ast.UnaryOp):
        return -walked(tree.operand)
    left, right = walked(tree.left), walked(tree.right)
    return {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right, ast.Div: left / (right or 1)}[
        type(tree.op)
    ]


def program_value(program: Sequence[Any]) -> float:
    """The value of a postfix program, step by step."""
    stack: list[float] = []
    for step in program:
        if isinstance(step, tuple):
            right, left = stack.pop(), stack.pop()
            stack.append(
                {"+": left + right, "-": left - right, "*": left * right, "/": left / (right or 1)}[step[0]]
                if step[0] in "+-*/"
                else {"max": max, "min": min}[step[0]](left, right)
            )
        else:
            stack.append(NAMES[step] if isinstance(step, str) else step)
    (value,) = stack
    return value


@pytest.mark.parametrize("slips", [False, True])
def test_an_expression_means_all_that_it_says(slips, tmp_path):
    @fuzzed(EXPRESSIONS, seeds)
    def check(text: str, chance: int) -> None:
        text = slip(text, chance) if slips else text
        assume(not text.strip().startswith("@"))
        try:
            found = program_value(BoundHeuristic(heuristic(text), PUZZLE).program)
        except InputError as error:
            assert str(error) and slips
            return
        expected = python_value(text)
        assert expected is not None or slips
        assert expected is None or found == expected or (math.isnan(found) and math.isnan(expected))
        file = tmp_path / "expression"
        file.write_text("# a file (\n" + text.replace("\n", " # more)\n"), encoding="utf-8")
        assert heuristic(f"@{file}").tree == heuristic(text).tree

    check()


OPTIONS = st.dictionaries(
    st.sampled_from(["ties", "weight", "cut", "tree"]), st.sampled_from(["fifo", "2.5", "none", "true", "(1,2)"])
)
HEURISTICS = st.none() | st.sampled_from(["manhattan", "max(misplaced, manhattan)", "0.5*misplaced"])


@pytest.mark.parametrize("slips", [False, True])
def test_a_configuration_is_parsed_into_all_of_its_parts(slips):
    @fuzzed(st.sampled_from(["astar", "idastar", "auto"]), HEURISTICS, OPTIONS, SPACES, seeds)
    def check(name: str, h: str | None, options: dict[str, str], space: str, chance: int) -> None:
        given_options = [f"{key}{space}={space}{value}" for key, value in options.items()]
        text = f"{space},{space}".join([name if h is None else f"{name}{space}:{h}", *given_options])
        text = slip(text, chance) if slips else text
        try:
            found, own, pairs = split(text)
        except InputError as error:
            assert str(error) and slips
            return
        if not slips:
            assert (found, own, dict(pairs)) == (name, h, options)
        again = ",".join([f"{found}:{own or ''}", *(f"{key}={value}" for key, value in pairs)])
        assert unspaced(again).replace(":,", ",").rstrip(":") == unspaced(text).replace(":,", ",").rstrip(":")

    check()


def unspaced(text: str) -> str:
    return "".join(text.split())


LIMITS = {"seconds": ["20", ".5", "1e3"], "nodes": ["1e6", "1_000", "2.5e1"], "memory": ["500MB", "1.001 kb", "7"]}


@pytest.mark.parametrize("slips", [False, True])
def test_every_limit_that_is_written_holds_as_it_is_written(slips):
    chosen = st.lists(
        st.sampled_from(list(LIMITS)).flatmap(
            lambda name: st.sampled_from(LIMITS[name]).map(lambda value: f"{name}={value}")
        ),
        min_size=1,
        unique_by=lambda limit: limit.partition("=")[0],
    )

    @fuzzed(chosen, seeds)
    def check(parts: list[str], chance: int) -> None:
        text = slip(",".join(parts), chance) if slips else ",".join(parts)
        try:
            found = read_limits([text])
        except InputError as error:
            assert str(error) and slips
            return
        for part in text.split(","):
            name, _, value = (word.strip() for word in part.partition("="))
            wanted = limit_value(value.upper())
            assert getattr(found, name) == (float(wanted) if name == "seconds" else int(wanted))
        assert len(text.split(",")) == sum(value is not None for value in vars(found).values())

    check()


def limit_value(text: str) -> Any:
    units = {"KB": 1000, "MB": 10**6, "GB": 10**9, "B": 1}
    unit = next((unit for unit in units if text.endswith(unit)), None)
    if unit is not None:
        return int(Decimal(text.removesuffix(unit).strip()) * units[unit])
    return Decimal(text.replace("_", ""))


# Study files

SEARCHES = ("bfs", "astar:manhattan", "astar:misplaced", "idastar:manhattan")


@st.composite
def studies(draw: Any) -> tuple[str, list[list[Any]], list[str]]:
    """A study file, its boards table by table, and its configurations."""
    tables = draw(st.lists(st.lists(sliding_lines, min_size=1, max_size=3), min_size=1, max_size=2))
    searches = draw(st.lists(st.sampled_from(SEARCHES), min_size=1, max_size=3, unique=True))
    lines = ["# a study", 'engine = "python"', f"repeats = {draw(st.integers(1, 2))}", "limits = {nodes = 100}"]
    for number, boards in enumerate(tables):
        texts = ", ".join(json.dumps(written.text) for written in boards)
        lines += ["[[problems]]", 'puzzle = "sliding"', f'group = "g{number}"', f"boards = [{texts}]"]
    lines += ["[[configurations]]", f"with = {json.dumps(searches)}"]
    return "\n".join(lines) + "\n", [[written.value for written in boards] for boards in tables], searches


def count_of(data: dict[str, Any]) -> int:
    """How many runs a study file asks for, by what TOML says of it."""
    boards = sum(listed(table.get("boards", table.get("board"))) for table in data["problems"])
    runs = sum(listed(table["with"]) * table.get("repeats", data.get("repeats", 1)) for table in data["configurations"])
    return boards * runs


def listed(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1


def test_every_run_that_a_study_asks_for_is_planned(tmp_path):
    @fuzzed(studies())
    def check(study: tuple[str, list[list[Any]], list[str]]) -> None:
        text, tables, searches = study
        path = tmp_path / "study.toml"
        path.write_text(text)
        cells = read_study(str(path)).cells
        assert len(cells) == count_of(tomllib.loads(text))
        found = {
            (cell.group, board_of(Sliding.from_text(cell.run.board, **cell.run.options)), cell.configuration)
            for cell in cells
        }
        boards = {(f"g{number}", board) for number, table in enumerate(tables) for board in table}
        assert found == {(group, board, search) for group, board in boards for search in searches}

    check()


@pytest.mark.parametrize("kind", ["slip", "key"])
def test_a_study_with_a_slip_in_it_is_read_whole_or_refused(kind, tmp_path):
    @fuzzed(studies(), seeds)
    def check(study: tuple[str, list[list[Any]], list[str]], chance: int) -> None:
        text = study[0]
        path = tmp_path / "study.toml"
        lines = text.splitlines()
        at = chance % len(lines) + 1
        text = (
            slip(text, chance, newlines=True) if kind == "slip" else "\n".join([*lines[:at], "sides = 1", *lines[at:]])
        )
        path.write_text(text, encoding="utf-8")
        try:
            cells = read_study(str(path)).cells
        except InputError as error:
            assert str(error).startswith(str(path))
            assert kind == "slip" or f"line {at + 1}: " in str(error)
            return
        assert kind == "slip" and len(cells) == count_of(read_document(str(path)).data)

    check()
