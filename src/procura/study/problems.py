"""The ``[[problems]]`` of a study file: samples, boards, files and random ones, over a grid of the puzzle's options."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from procura.configuration import plain
from procura.errors import InputError, one_line, unknown
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle, choose_puzzle
from procura.runners.code import no_bytecode, own_code
from procura.study.lines import Document, Place, shown
from procura.study.records import is_plain
from procura.texts import Source

SOURCES = ("sample", "samples", "board", "boards", "file", "generate")
KEYS = ("puzzle", *SOURCES, "name", "group")
MOST_GENERATED = 100_000
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Item:
    """One problem of a study: its text and the options of its puzzle make it again, in whatever process."""

    name: str
    group: str
    puzzle: str
    """A name of the catalog, or ``file.py:Class`` as the study file has it."""
    chosen: ChosenPuzzle
    code: str | None
    """A digest of the code of a user's class."""
    board: str
    options: Mapping[str, Any]
    place: Place
    """The table that it comes from."""

    def problem(self, options: Mapping[str, Any]) -> Problem:
        """The problem, with other options of the puzzle on top of its own."""
        return built(self.puzzle, self.chosen, self.board, {**self.options, **options})


def built(puzzle: str, chosen: ChosenPuzzle, board: str, options: Mapping[str, Any]) -> Problem:
    """The problem of a text; whatever a user's class raises is an ``InputError``."""
    with as_input_error(puzzle, "from_text"):
        problem = chosen.cls.from_text(board, **options)
    if not isinstance(problem, Problem):
        raise InputError(f"{puzzle}: from_text returns a {type(problem).__name__}: expected a Problem")
    return problem


@contextmanager
def as_input_error(puzzle: str, what: str) -> Iterator[None]:
    """Tell whatever is raised here as an ``InputError``."""
    try:
        yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        told = one_line(f"{puzzle}: {what} raises {type(error).__name__}: {error}")
        raise InputError(told) from error


@dataclass(frozen=True)
class _Found:
    """A problem of a table before its options: the text, what belongs to it, and the fields that names can use."""

    board: str
    options: dict[str, Any]
    fields: dict[str, Any]
    name: str
    place: Place


class PuzzleReader:
    """The puzzle of a table and how to read its options; classes of other files only if code is allowed."""

    def __init__(self, document: Document, place: Place, allow_code: bool) -> None:
        self.document, self.place = document, place
        text = document.read(place, "puzzle", str, "the name of a puzzle")
        if text is None:
            raise document.error(place, "problems: expected puzzle = NAME")
        self.text: str = text
        self.code: str | None = None
        where: Place = (*place, "puzzle")
        if text.rpartition(":")[0].endswith(".py"):
            if not allow_code:
                raise document.error(where, f"puzzle {text!r} runs code of that file: allow it by --allow-code")
            named = str(Path(document.path).parent / text)
            with no_bytecode():
                self.chosen: ChosenPuzzle = document.guarded(where, choose_puzzle, named)
            self.code = own_code(Path(named.rpartition(":")[0]))
            if self.code is None:
                raise document.error(where, f"puzzle {text!r}: the file or one that it imports cannot be read")
        else:
            self.chosen = document.guarded(where, choose_puzzle, text)

    def grid(self, table: Mapping[str, Any], reserved: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Every combination of the options in ``table``; a list is one value after the other."""
        entry = self.chosen.entry
        known = {option.name: option for option in entry.options} if entry is not None else {}
        for key in table:
            if key not in reserved and key not in self.chosen.options:
                known_keys = [*reserved, *self.chosen.options]
                message = str(unknown(f"{self.chosen.name} has no option", key, known_keys))
                raise self.document.error((*self.place, key), message)
        given = {key: value for key, value in table.items() if key in self.chosen.options and key not in reserved}
        yield from combinations(self.document, self.place, given, known)

    def generator_grid(self, place: Place, table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The same for the options of the puzzle's generator."""
        entry = self.chosen.entry
        if entry is None or not entry.generator:
            raise self.document.error(place, f"{self.chosen.name} makes no random problems")
        known = {option.name: option for option in entry.generator}
        self.document.check_keys(place, ("count", "seed", *known), f"the generator of {self.chosen.name}")
        given = {key: value for key, value in table.items() if key in known}
        yield from combinations(self.document, place, given, known)


def combinations(
    document: Document, place: Place, given: Mapping[str, Any], known: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Every combination of values; those of the catalog's options are read as it says."""
    columns = []
    for key, value in given.items():
        values = value if isinstance(value, list) else [value]
        if not values:
            raise document.error((*place, key), f"{key}: expected at least one value")
        column = []
        for number, one in enumerate(values):
            where = (*place, key, number) if isinstance(value, list) else (*place, key)
            column.append((key, read_option(document, where, key, one, known)))
        columns.append(column)
    for chosen in itertools.product(*columns):
        yield dict(chosen)


def read_option(document: Document, place: Place, key: str, value: Any, known: Mapping[str, Any]) -> Any:
    """The value of an option of a puzzle; only what JSON has can be told to a run and kept with its result."""
    if isinstance(value, list | dict) or not is_plain(value):
        raise document.error(place, f"{key} = {shown(value)}: expected a text, a finite number, true or false")
    return document.guarded(place, known[key].read, value) if key in known else value


def read_problems(document: Document, allow_code: bool) -> list[Item]:
    """All problems of the study, each with a name of its own in its group."""
    items: dict[tuple[str, str], Item] = {}
    for place in document.tables(("problems",)):
        for item in _table(document, place, allow_code):
            if (item.group, item.name) in items:
                told = f"two problems of group {item.group!r} are called {item.name!r}: expected a group, or a name"
                told += " such as 'board {number}' that differs from problem to problem"
                raise document.error(place, told)
            items[item.group, item.name] = item
    if not items:
        raise document.error((), "expected problems: at least one table [[problems]]")
    return list(items.values())


def _table(document: Document, place: Place, allow_code: bool) -> Iterator[Item]:
    reader = PuzzleReader(document, place, allow_code)
    table = document.at(place)
    grid = list(reader.grid(table, KEYS))
    source = [key for key in SOURCES if key in table]
    if not source:
        raise document.error(place, f"problems: expected one of {', '.join(SOURCES)}")
    if len(source) > 1:
        raise document.error((*place, source[1]), f"problems: {' and '.join(source)} are given: expected one of them")
    name = document.line(place, "name")
    group = document.line(place, "group", reader.chosen.name)
    for number, (options, found) in enumerate(_over_grid(reader, source[0], grid), 1):
        merged = {**found.options, **options}
        _check(reader, found, options)
        fields = {**found.fields, **merged, "number": number, "puzzle": reader.chosen.name}
        own = found.name
        if len(grid) > 1:
            own += _told(options)
        yield Item(
            _filled(document, (*place, "name"), name, fields) if name else document.one_line(found.place, own),
            _filled(document, (*place, "group"), group, fields),
            reader.text, reader.chosen, reader.code, found.board, merged, place,
        )  # fmt: skip


def _over_grid(
    reader: PuzzleReader, source: str, grid: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], _Found]]:
    """Each combination of options with each problem; those of a file can depend on the options."""
    if source == "file":
        for options in grid:
            for found in _of_file(reader, options):
                yield {key: value for key, value in options.items() if key != "problem"}, found
        return
    make = {"generate": _generated, "sample": _samples, "samples": _samples, "board": _boards, "boards": _boards}
    problems = list(make[source](reader, source))
    for options in grid:
        for found in problems:
            yield options, found


def _check(reader: PuzzleReader, found: _Found, options: Mapping[str, Any]) -> None:
    """Refuse a problem that does not parse, by the line of its text or of the option that is wrong."""

    def build(given: Mapping[str, Any]) -> Problem:
        return built(reader.text, reader.chosen, found.board, {**found.options, **given})

    key = culprit(build, options)
    reader.document.guarded(found.place if key is None else (*reader.place, key), build, options)


def culprit(build: Callable[[Mapping[str, Any]], Any], options: Mapping[str, Any]) -> str | None:
    """The option with which a problem cannot be built that can be built without; None if there is none."""
    if not (options and _fails(build, options)) or _fails(build, {}):
        return None
    return next((key for key, value in options.items() if _fails(build, {key: value})), None)


def _fails(build: Callable[[Mapping[str, Any]], Any], options: Mapping[str, Any]) -> bool:
    try:
        build(options)
    except InputError:
        return True
    return False


def _filled(document: Document, place: Place, template: str, fields: Mapping[str, Any]) -> str:
    """The text with ``{field}`` replaced."""
    for field in _FIELD.findall(template):
        if field not in fields:
            raise document.error(place, str(unknown("names have no field", field, fields)))
    return document.one_line(place, _FIELD.sub(lambda match: plain(fields[match[1]]), template))


def _told(options: Mapping[str, Any]) -> str:
    """The options by which one name of several differs."""
    return "".join(f", {key}={plain(value)}" for key, value in options.items())


def _samples(reader: PuzzleReader, key: str) -> Iterator[_Found]:
    """The problems that ship with the puzzle; ``"all"`` is all of them."""
    place: Place = (*reader.place, key)
    for name, where in _texts(reader, place):
        names = list(reader.chosen.samples()) if name == "all" else [name]
        for one in names:
            arguments = reader.document.guarded(where, reader.chosen.sample, one)
            problem = reader.chosen.cls(**arguments)
            options = {option: value for option, value in arguments.items() if option != "board"}
            yield _Found(problem.board_text(), options, {"sample": one}, one, where)


def _boards(reader: PuzzleReader, key: str) -> Iterator[_Found]:
    for number, (text, where) in enumerate(_texts(reader, (*reader.place, key)), 1):
        yield _Found(text, {}, {}, f"{reader.chosen.name} board {number}", where)


def _texts(reader: PuzzleReader, place: Place) -> list[tuple[str, Place]]:
    """The texts at ``place``, one or a list, with their places."""
    value = reader.document.at(place)
    several = [(text, (*place, number)) for number, text in enumerate(value)] if isinstance(value, list) else []
    found: list[tuple[Any, Place]] = several or [(value, place)]
    for text, where in found:
        if not isinstance(text, str):
            raise reader.document.error(where, f"{place[-1]} = {shown(text)}: expected text")
    return found


def _of_file(reader: PuzzleReader, options: dict[str, Any]) -> Iterator[_Found]:
    """The problems of a file beside the study file, as ``procura solve`` reads them."""
    document = reader.document
    place: Place = (*reader.place, "file")
    path = Path(document.path).parent / document.read(reader.place, "file", str, "the name of a file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise document.error(place, f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise document.error(place, f"{path}, byte {error.start}: expected text in UTF-8") from None
    source = Source(text, str(path))
    tasks = document.guarded(place, _own, reader, "split_text", lambda: reader.chosen.cls.split_text(source, options))
    if not tasks:
        yield _Found(text, {}, {"file": path.stem}, path.stem, place)
    for number, task in enumerate(tasks, 1):
        problem = document.guarded(place, _own, reader, "from_text", task.problem)
        name = task.name or (f"{path.stem} {number}" if len(tasks) > 1 else path.stem)
        yield _Found(problem.board_text(), {}, {"file": path.stem}, name, place)


def _own(reader: PuzzleReader, method: str, make: Callable[[], Any]) -> Any:
    with as_input_error(reader.text, method):
        return make()


def _generated(reader: PuzzleReader, key: str) -> Iterator[_Found]:
    """``generate = {count = 10, seed = 1, ...}``: seeds ``seed``, ``seed + 1``, ..."""
    document = reader.document
    place: Place = (*reader.place, key)
    table = document.read(reader.place, key, dict, "a table such as {count = 10, seed = 1}")
    count, seed = (document.read(place, name, int, "a whole number", 1) for name in ("count", "seed"))
    if not 1 <= count <= MOST_GENERATED:
        raise document.error((*place, "count"), f"count = {count}: expected 1 to {MOST_GENERATED:,}")
    grid = list(reader.generator_grid(place, table))
    for options in grid:
        for number in range(seed, seed + count):
            made = document.guarded(place, reader.chosen.cls.generate, number, **options)
            carried = _carried(reader, made, options)
            name = f"{reader.chosen.name} seed {number}" + (_told(options) if len(grid) > 1 else "")
            yield _Found(made.board_text(), carried, {**options, "seed": number}, name, place)


def _carried(reader: PuzzleReader, made: Problem, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the generator that the text of a board does not tell, such as a goal."""
    shared = {key: value for key, value in options.items() if key in reader.chosen.options}
    for carried in ({}, shared):
        try:
            if made.same_board(reader.chosen.cls.from_text(made.board_text(), **carried)):
                return carried
        except InputError:
            continue
    told = f"{reader.chosen.name} cannot read the random boards it writes"
    raise reader.document.error((*reader.place, "generate"), told)
