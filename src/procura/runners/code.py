"""The code that results come from: digests of a user's class and of procura itself."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

LENGTH = 16


def own_code(path: Path) -> str | None:
    """A digest of a Python file and of all modules of its folder that it imports, directly or through others.

    None if it cannot be read.
    """
    path = path.resolve()
    try:
        digest = hashlib.sha256(path.read_bytes())
        for neighbour in sorted(_neighbours(path)):
            _add(digest, neighbour, path.parent)
    except OSError:
        return None
    return digest.hexdigest()[:LENGTH]


def own_files(path: Path) -> dict[str, bytes]:
    """The same files, the first one first, by their names in its folder."""
    path = path.resolve()
    return {file.relative_to(path.parent).as_posix(): file.read_bytes() for file in (path, *sorted(_neighbours(path)))}


def _add(digest: hashlib._Hash, path: Path, folder: Path) -> None:
    content = path.read_bytes()
    digest.update(f"\0{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)


def _neighbours(path: Path) -> set[Path]:
    """The files of the folder that a file depends on, without itself."""
    found: set[Path] = {path}
    waiting = [path]
    while waiting:
        for name in set(_imports(waiting.pop().read_bytes())):
            module, package = path.parent / f"{name}.py", path.parent / name
            new = {file for file in (module, *package.rglob("*.py")) if file.is_file()}
            waiting += new - found
            found |= new
    return found - {path}


def _imports(source: bytes) -> Iterator[str]:
    """The modules that a source imports, wherever in it: the first names of their paths."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # loading it will tell
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@contextmanager
def no_bytecode() -> Iterator[None]:
    """Have imports leave no compiled files, which Python takes for those of a source changed within a second."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


@cache
def procura_source() -> str:
    """A digest of the package's own source."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        _add(digest, path, folder)
    return digest.hexdigest()[:LENGTH]
