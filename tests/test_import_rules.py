"""Dependencies point downwards only: every import of the source, also those within functions, goes to a lower layer.

Imports for type checkers only (``if TYPE_CHECKING:``) are not looked at: they are never made.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "procura"
LAYERS = (
    "errors rng debug folder interrupts rounding kept",
    "data result algorithm texts tables code_digest",
    "presentation control explanation",
    "rows",
    "problem+patterns game block",
    "heuristics faults preparing",
    "search",
    "compiled",
    "replay",
    "puzzles catalog",
    "configuration portfolio reading",
    "words record",
    "handover pictures",
    "solving",
    "analysing portions runners",
    "batch testing watch study compiling puzzles.*.players",
    "play",
    "puzzles.*.play+puzzles.*.face",
    "tune studio",
    "cli",
    "__main__",
)
"""From the lowest. A name stands for a module or a folder with all that is in it, the longest that fits; those with +
between them are one. Those of one layer know nothing of each other."""
APART = {("puzzles", "search")}
"""What must not be imported, though it lies lower: a puzzle knows no algorithm."""
NAMERS = {"catalog", "puzzles", "__init__"}
"""Who may name puzzles: the catalog, the puzzles themselves, and the package for its users."""
OTHERS = {
    "problem -> heuristics": "problem.estimate takes any heuristic, for users; no search goes that way",
    "result -> pictures": "a notebook asks the result itself for its HTML",
    "tune.endless -> puzzles.tetris.endless.*": "endless Tetris is tuned as a game of its own",
    "cli.endless.* -> puzzles.tetris.endless.*": "endless Tetris is played as a game of its own",
}
"""What the rules do not allow, and why it is so for now."""
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}


def name_of(module: str) -> str:
    """The module as it is imported: a folder by its own name."""
    return module.removesuffix(".__init__")


KNOWN = {name_of(module) for module in MODULES}
UNITS = {name: unit for layer in LAYERS for unit in layer.split() for name in unit.split("+")}
assert len(UNITS) == sum(len(unit.split("+")) for layer in LAYERS for unit in layer.split()), "a name stands twice"
RANKS = {unit: rank for rank, layer in enumerate(LAYERS) for unit in layer.split()}


def unit(module: str) -> str:
    """The part of the house that a module belongs to: the longest name of the table that fits."""
    fits = [name for name in UNITS if fnmatchcase(module, name) or fnmatchcase(module, f"{name}.*")]
    assert fits, f"{module}.py is in no layer: give it a place in LAYERS"
    return UNITS[max(fits, key=len)]


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules of the package that code imports, wherever it does."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("procura.") for alias in node.names if alias.name.startswith("procura"))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole module"
            if node.module is not None and node.module.partition(".")[0] == "procura":
                home = node.module.removeprefix("procura").removeprefix(".")
                for alias in node.names:
                    inner = f"{home}.{alias.name}".removeprefix(".")
                    yield inner if inner in KNOWN else home or f"procura.{alias.name}"
        yield from imports(node)


EDGES = sorted(
    {
        (name_of(module), target)
        for module, path in MODULES.items()
        for target in imports(ast.parse(path.read_text(encoding="utf-8")))
    }
)


def excused(source: str, target: str) -> bool:
    return any(fnmatchcase(f"{source} -> {target}", other) for other in OTHERS)


@pytest.mark.parametrize("module", sorted({source for source, _ in EDGES} - {"__init__"}))
def test_imports_point_downwards(module):
    for source, target in EDGES:
        if source != module or target == "procura.__version__" or excused(source, target):
            continue
        assert target in KNOWN, f"{source} imports {target}: expected a module, not the names made for users"
        here, there = unit(source), unit(target)
        downwards = here == there or (RANKS[there] < RANKS[here] and (here, there) not in APART)
        assert downwards, f"{source} imports {target}, which lies no lower"


def test_only_the_catalog_names_puzzles():
    named = [(source, target) for source, target in EDGES if target.partition(".")[0] == "puzzles"]
    assert [edge for edge in named if edge[0].partition(".")[0] not in NAMERS and not excused(*edge)] == []


def test_every_exception_is_needed():
    for other in OTHERS:
        assert any(fnmatchcase(f"{source} -> {target}", other) for source, target in EDGES), f"{other} can go"


def test_a_puzzle_knows_no_other():
    for source, target in EDGES:
        room, other = source.split(".")[:2], target.split(".")[:2]
        if room[0] == other[0] == "puzzles" and (SOURCE / os.path.join(*other)).is_dir():
            assert room == other, f"{source} imports {target}"


@pytest.mark.parametrize("library", ["click", "rich"])
def test_only_the_command_line_writes_to_terminals(library):
    users = [
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if name.partition(".")[0] == library
    ]
    assert users and {module.partition(".")[0] for module in users} == {"cli"}
