"""A study file made into runs: problems x configurations x seeds x repeats, all read and checked before any is run."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from procura import catalog
from procura.configuration import Configuration, configurations, plain
from procura.errors import InputError, unknown
from procura.problem import KERNELS, ArrayProblem, Preset, Problem
from procura.reading.limits import read_limits
from procura.result import Limits
from procura.runners.endings import Ending
from procura.solving import plan as plan_search
from procura.study.layout import Plot, Table, read_plots, read_tables
from procura.study.lines import Document, Place, read_document, shown
from procura.study.problems import Item, as_input_error, culprit, read_option, read_problems
from procura.study.records import is_plain
from procura.study.runs import Cell, Run, distinctions
from procura.study.score import Score, read_score

KEYS = ("title", "about", "engine", "seeds", "repeats", "limits", "problems", "configurations", "score", "report")
CONFIGURATION_KEYS = ("with", "name", "limits", "engine", "seeds", "repeats", "puzzles", "groups", "problems")
LIMITS = ("seconds", "nodes", "memory", "depth")
DEFAULT_LIMITS = {"seconds": 60.0, "memory": 2_000_000_000}
LEAST_MEMORY = 10**6
MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Study:
    """A study: what is to be run, under which names, and how it is reported."""

    path: str
    title: str
    cells: tuple[Cell, ...]
    score: Score | None
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...]
    shapes: Mapping[str, str]
    """For each key of a compiled run, what its kernels are compiled for: runs with the same need the same."""

    @cached_property
    def runs(self) -> dict[str, Cell]:
        """One cell for each run, by key, in the order in which they are run."""
        found: dict[str, Cell] = {}
        for cell in self.cells:
            found.setdefault(cell.run.key, cell)
        return found


@dataclass(frozen=True)
class _Entry:
    """One way to search, as a table of ``[[configurations]]`` says it."""

    searches: tuple[Configuration, ...]
    """One, or those of a portfolio."""
    name: str
    limits: Limits
    engine: str
    seeds: tuple[int, ...]
    repeats: int
    options: Mapping[str, Any]
    only: Mapping[str, tuple[str, ...]]
    place: Place

    def takes(self, item: Item) -> bool:
        """Whether the problem is one of its own."""
        told = {"puzzles": item.chosen.name, "groups": item.group, "problems": item.name}
        return all(told[key] in names for key, names in self.only.items())


def read_study(path: str, allow_code: bool = False) -> Study:
    """Read and check a study file; raises ``InputError`` of one sentence that names the file and the line."""
    document = read_document(path)
    document.check_keys((), KEYS, "a study")
    items = read_problems(document, allow_code)
    entries = list(_entries(document, items))
    _check_covered(document, items, entries)
    planner = _Planner(document)
    cells = list(itertools.islice(planner.cells(items, entries), MOST_RUNS + 1))
    if len(cells) > MOST_RUNS:
        raise InputError(f"{path}: more than {MOST_RUNS:,} runs: expected at most {MOST_RUNS:,}")
    cells.sort(key=lambda cell: cell.run.repeat)
    score = read_score(document)
    document.read((), "report", dict, "a table")
    if "report" in document.data:
        document.check_keys(("report",), ("tables", "plots"), "report")
    known = _dimensions(cells)
    document.read((), "about", str, "text")
    return Study(
        path,
        document.line((), "title", path),
        tuple(cells),
        score,
        tuple(read_tables(document, known, score is not None)),
        tuple(read_plots(document, known, score is not None)),
        planner.shapes,
    )


def _dimensions(cells: list[Cell]) -> dict[str, dict[str, None]]:
    """What the runs are told apart by, and the values that there are, in order."""
    known: dict[str, dict[str, None]] = {"ending": dict.fromkeys(Ending)}
    for cell in cells:
        for name, value in {**distinctions(cell.run.canonical), **cell.names}.items():
            known.setdefault(name, {})[value] = None
    return known


def _entries(document: Document, items: list[Item]) -> Iterator[_Entry]:
    """Every configuration; a list of several in one ``with`` is one after the other."""
    places = document.tables(("configurations",))
    if not places:
        raise document.error((), "expected configurations: at least one table [[configurations]]")
    known = {
        "puzzles": [item.chosen.name for item in items],
        "groups": [item.group for item in items],
        "problems": [item.name for item in items],
    }
    options = {option for item in items for option in item.chosen.options}
    seen: set[tuple[str, str, str]] = set()
    for place in places:
        _check_keys(document, place, (*CONFIGURATION_KEYS, *options), items)
        for entry in _entries_of(document, place, known):
            taken = {(entry.name, item.group, item.name) for item in items if entry.takes(item)}
            if taken & seen:
                told = f"two configurations of the same problems are called {entry.name!r}: expected a name"
                told += " for each, in a list of several one that holds {with}"
                raise document.error(place, told)
            if not taken:
                raise document.error(place, f"configuration {entry.name!r} is for none of the problems")
            seen |= taken
            yield entry


def _check_keys(document: Document, place: Place, known: tuple[str, ...], items: list[Item]) -> None:
    puzzles = {item.chosen.cls for item in items}
    algorithms = [info for puzzle in puzzles for info in catalog.algorithms(puzzle).values()]
    searches = {option.name for algorithm in algorithms for option in algorithm.options}
    for key, value in document.at(place).items():
        if key in searches and key not in known:
            told = f"{key} is an option of searches: expected within the text of with"
            raise document.error((*place, key), f"{told}, as in 'ALGORITHM,{key}={plain(value)}'")
    document.check_keys(place, known, "a configuration")


def _check_covered(document: Document, items: list[Item], entries: list[_Entry]) -> None:
    for item in items:
        if not any(entry.takes(item) for entry in entries):
            told = f"problem {item.name!r} of group {item.group!r} has no configuration: expected at least one for it"
            raise document.error(item.place, told)


def _entries_of(document: Document, place: Place, known: Mapping[str, list[str]]) -> Iterator[_Entry]:
    table = document.at(place)
    texts = document.read(place, "with", (str, list), "text such as 'astar:manhattan', or a list of such texts")
    if not texts:
        raise document.error(place, "a configuration needs with = 'ALGORITHM[:HEURISTIC][,option=value...]'")
    several = texts if isinstance(texts, list) else [texts]
    for number, text in enumerate(several):
        if not isinstance(text, str):
            raise document.error(
                (*place, "with", number), f"with = {shown(text)}: expected text such as 'astar:manhattan'"
            )
        name = document.one_line(place, document.line(place, "name", "{with}").replace("{with}", text))
        here = (*place, "with", number) if isinstance(texts, list) else (*place, "with")
        yield _Entry(
            document.guarded(here, configurations, text), name,
            _limits(document, place), _engine(document, place), _seeds(document, place), _repeats(document, place),
            {key: value for key, value in table.items() if key not in CONFIGURATION_KEYS},
            {key: _names(document, (*place, key), known[key]) for key in known if key in table},
            here,
        )  # fmt: skip


def _names(document: Document, place: Place, known: list[str]) -> tuple[str, ...]:
    """One name or several that the study has."""
    value = document.at(place)
    names = value if isinstance(value, list) else [value]
    for name in names:
        if name not in known:
            raise document.error(place, str(unknown(f"no problem has {place[-1]} =", plain(name), set(known))))
    return tuple(names)


def _inherited(document: Document, place: Place, key: str) -> Place:
    """Where a key stands: in the table, or for the whole study."""
    return place if key in document.at(place) else ()


def _engine(document: Document, place: Place) -> str:
    where = _inherited(document, place, "engine")
    engine: str = document.read(where, "engine", str, "auto, python or compiled", "auto")
    if engine not in ("auto", "python", "compiled"):
        raise document.error((*where, "engine"), f"engine = {engine!r}: expected auto, python or compiled")
    return engine


def _seeds(document: Document, place: Place) -> tuple[int, ...]:
    where = _inherited(document, place, "seeds")
    seeds = document.read(where, "seeds", list, "a list of whole numbers", [0])
    if not seeds or any(isinstance(seed, bool) or not isinstance(seed, int) for seed in seeds):
        raise document.error((*where, "seeds"), f"seeds = {shown(seeds)}: expected a list of whole numbers")
    if len(set(seeds)) < len(seeds):
        told = f"seeds = {shown(seeds)}: expected each once; repeats = N makes runs several times"
        raise document.error((*where, "seeds"), told)
    return tuple(seeds)


def _repeats(document: Document, place: Place) -> int:
    where = _inherited(document, place, "repeats")
    repeats: int = document.read(where, "repeats", int, "a whole number from 1", 1)
    if not 1 <= repeats <= 10_000:
        raise document.error((*where, "repeats"), f"repeats = {repeats}: expected 1 to 10,000")
    return repeats


def _limits(document: Document, place: Place) -> Limits:
    """The limits of a configuration: its own, those of the study, the defaults."""
    values: dict[str, Any] = dict(DEFAULT_LIMITS)
    for where in ((), place):
        if document.read(where, "limits", dict, "a table such as {seconds = 20}") is None:
            continue
        document.check_keys((*where, "limits"), LIMITS, "limits")
        for key, value in document.at((*where, "limits")).items():
            at = (*where, "limits", key)
            values[key] = document.guarded(at, _limit, key, value)
    if values.get("seconds") is not None:
        values["seconds"] = float(values["seconds"])
    return Limits(**values)


def _limit(key: str, value: Any) -> Any:
    """A limit: a number, a text as on the command line, or ``"none"``."""
    if value == "none":
        return None
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InputError(f"{key} = {shown(value)}: expected a number, or text as in --limit {key}=...")
    given: Any = {key: value}
    limits = read_limits([f"{key}={value}"]) if isinstance(value, str) else Limits(**given)
    if limits.memory is not None and limits.memory < LEAST_MEMORY:
        raise InputError(f"memory = {shown(value)}: expected at least 1 MB, as text such as '500MB' or in bytes")
    if limits.seconds == 0:
        raise InputError(f"seconds = {shown(value)}: expected more than 0")
    return getattr(limits, key)


class _Planner:
    """Makes cells of problems and configurations."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.shapes: dict[str, str] = {}

    def cells(self, items: list[Item], entries: list[_Entry]) -> Iterator[Cell]:
        """Every cell; the searches of all seeds before the next problem."""
        for item in items:
            for entry in entries:
                if entry.takes(item):
                    yield from self._cells(item, entry)

    def _cells(self, item: Item, entry: _Entry) -> Iterator[Cell]:
        own = self._options(item, entry)
        options = {**item.options, **own}
        guard = self.document.guarded
        wrong = culprit(item.problem, own)
        problem = guard(entry.place if wrong is None else (*entry.place[:2], wrong), item.problem, own)
        searches, engine = guard(entry.place, _plan, entry, item, problem)
        seeds = entry.seeds if any(search.info.local for search in searches) else (None,)
        for repeat in range(1, entry.repeats + 1):
            for seed in seeds:
                run = Run(item.puzzle, item.code, item.board, options, searches, engine, seed, repeat, entry.limits)
                if engine == "compiled":
                    self.shapes[run.key] = guard(entry.place, _shape, item, problem, run)
                yield Cell(item.name, item.group, entry.name, run)

    def _options(self, item: Item, entry: _Entry) -> dict[str, Any]:
        """The options of the puzzle that a configuration or its preset sets."""
        puzzle, read = item.chosen.entry, {}
        known = {option.name: option for option in puzzle.options} if puzzle is not None else {}
        place = entry.place[:2]
        for key, value in entry.options.items():
            if key not in item.chosen.options:
                message = f"{item.chosen.name} has no option {key!r}: say for which puzzles the configuration is"
                raise self.document.error((*place, key), message)
            read[key] = read_option(self.document, (*place, key), key, value, known)
        for search in entry.searches:
            name, preset = search.algorithm, self.document.guarded(entry.place, _preset, item, search)
            for key, value in preset.options.items() if preset is not None else ():
                if not is_plain(value):
                    message = f"{name} sets {key} = {value!r}: expected what JSON has, to be kept with the results"
                    raise self.document.error(entry.place, message)
                if read.get(key, value) != value:
                    message = f"{name} sets {key} = {value!r} by itself, not {read[key]!r}"
                    raise self.document.error((*place, key), message)
                read[key] = json.loads(json.dumps(value))  # as the run gets it
        return read


def _as_input_error(item: Item, what: str) -> AbstractContextManager[None]:
    """What a user's class raises is told in a sentence; what one of ours raises is a defect."""
    return nullcontext() if item.code is None else as_input_error(item.puzzle, what)


def _preset(item: Item, search: Configuration) -> Preset | None:
    with _as_input_error(item, "looking up its presets"):
        return search.preset(item.chosen.cls)


def _plan(entry: _Entry, item: Item, problem: Problem) -> tuple[tuple[Configuration, ...], str]:
    """What the searches stand for on a problem, and the engine; raises what is wrong with them."""
    found = []
    for search in entry.searches:
        with _as_input_error(item, f"planning {str(search)!r}"):
            what = plan_search(problem, search, entry.engine)
            if what.info.local and problem.local() is None:
                raise InputError(f"{problem.name} has no whole states to improve, which {what.info.name} needs")
            found.append(what.configuration)
    return tuple(found), what.engine


def _shape(item: Item, problem: Problem, run: Run) -> str:
    """What the kernels of a run are compiled for: the rules, the shape of the rows, and the searches."""
    told: list[Any] = [item.puzzle, item.code, run.configuration]
    with _as_input_error(item, "looking up its rules"):
        if isinstance(problem, ArrayProblem):
            told += [problem.size, problem.key, problem.dtype, problem.bits]
            told += [getattr(getattr(problem, name), "__qualname__", None) for name in KERNELS]
        return json.dumps(told)
