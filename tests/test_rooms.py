"""What is true of one puzzle is said in its room: nothing outside ``puzzles/`` and the catalog names a puzzle."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from procura import catalog

SOURCE = Path(catalog.__file__).parent
NAMES = re.compile("|".join(catalog.PUZZLES), re.IGNORECASE)
"""Parts of words too, such as ``DotsGame`` and ``is_sudoku``; classes are called as their puzzles are."""
PUBLIC = "__init__.py"
"""Offers the classes of the puzzles as ``procura.Sliding`` and so on."""
ENDLESS = ("tune/endless.py", "cli/endless/compare.py", "cli/endless/play.py", "cli/endless/tune.py")
"""Where controllers of endless Tetris are tuned, play and are set side by side."""


def outside():
    """The files that know no puzzle."""
    files = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    rooms = {name for name in files if name.startswith("puzzles/")}
    return [files[name] for name in sorted(set(files) - rooms - {"catalog.py", PUBLIC, *ENDLESS})]


def named(source):
    """The line and the text of every import, name and string that names a puzzle; what is for readers may."""
    tree = ast.parse(source)
    skipped = set(for_readers(tree))
    found = []
    for node in ast.walk(tree):
        if node not in skipped:
            found += [(node.lineno, text) for text in said(node) if NAMES.search(text)]
    return found


def for_readers(tree):
    """Docstrings, the examples below a command's help, and the help of its options."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield statement.value
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "EPILOG" for t in node.targets):
            yield from ast.walk(node.value)
        if isinstance(node, ast.keyword) and node.arg == "help":
            yield from ast.walk(node.value)


def said(node):
    """The words of a node that could name a puzzle."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or "", *(alias.name for alias in node.names)]
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    return [node.attr] if isinstance(node, ast.Attribute) else []


@pytest.mark.parametrize("path", outside(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_file_outside_the_rooms_and_the_catalog_names_a_puzzle(path):
    assert named(path.read_text(encoding="utf-8")) == []


def test_in_a_room_only_what_plays_the_puzzle_knows_how_puzzles_are_played():
    for path in sorted((SOURCE / "puzzles").rglob("*.py")):
        imports = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        if any((node.module or "").startswith("procura.play") for node in imports):
            assert path.name in ("play.py", "face.py"), path


def test_the_exceptions_are_needed():
    for name in (*ENDLESS, PUBLIC):
        assert named((SOURCE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "from procura.puzzles.dots import formats",
        "from procura import Sudoku",
        "if puzzle.name == 'dots': pass",
        "NOUNS = {'Sudoku': 'fill'}",
        "isinstance(problem, Sliding)",
        "cls = procura.Tetris",
        "from procura.game import DotsGame",
        "def is_sudoku(board): pass",
        "raise ValueError(f'{name}: only dots can be played')",
    ],
)
def test_names_are_found(source):
    assert named(source)


@pytest.mark.parametrize(
    "source", ['"""The rules of dots."""', 'EPILOG = "solve dots"', 'option("--x", help="Dots: y")']
)
def test_what_is_for_readers_may_name_a_puzzle(source):
    assert not named(source)
