"""Configuration: which search, with what heuristic and options; read once at the edge, passed on, printed one way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from procura import catalog
from procura.algorithm import Options
from procura.errors import InputError, unknown
from procura.heuristics import Heuristic, heuristic as parse_heuristic, names_in
from procura.problem import Preset, Problem

Pairs = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, repr=False)
class Configuration:
    """A way to search: an algorithm, a preset of a puzzle or ``auto``, with a heuristic and options.

    The options of an algorithm are read when the value is made: equal values are equal searches. Those of a preset or
    of ``auto`` are read when ``resolve`` knows the puzzle.

    >>> Configuration.parse("astar: manhattan, weight=1.50, tree=no, ties=fifo")
    Configuration.parse('astar:manhattan,ties=fifo,weight=1.5')
    >>> Configuration.parse("astar,ties=lifo") == Configuration.parse("astar")
    True
    """

    algorithm: str
    """The name of an algorithm or of a preset, or ``auto``."""
    heuristic: Heuristic | None = None
    options: Pairs = ()
    """(name, value) of those that differ from their defaults, in the order of the catalog; of a preset and of ``auto``
    those that were given, as text."""
    specialist: catalog.Algorithm | None = field(default=None, compare=False)
    """What ``algorithm`` names, once it is resolved to a specialist of a puzzle."""

    def __post_init__(self) -> None:
        info = self.specialist or catalog.ALGORITHMS.get(self.algorithm)
        if info is None:
            object.__setattr__(self, "options", tuple((key, plain(value)) for key, value in self.options))
            return
        if self.heuristic is not None and not info.uses_heuristic:
            told = f"{info.name} uses no heuristic: leave {self.heuristic.text!r} out or take another algorithm"
            raise InputError(told)
        if self.options:
            read, defaults = info.read_options(dict(self.options)), info.defaults
            changed = tuple((name, value) for name, value in read.items() if value != defaults[name])
            object.__setattr__(self, "options", changed)

    @classmethod
    def parse(
        cls, text: str, heuristic: str | Heuristic | None = None, options: Options | None = None
    ) -> Configuration:
        """Read ``ALGORITHM[:HEURISTIC][,option=value...]`` and what is said beside it; raises ``InputError``.

        >>> Configuration.parse("astar,ties=fifo", "max(misplaced, manhattan)", {"tree": True})
        Configuration.parse('astar:max(misplaced, manhattan),tree=true,ties=fifo')
        """
        if heuristic is None and not options and "@" not in text:
            return _parsed(text)
        return _joined(text, *split(text), heuristic, options or {})

    def merged(self, heuristic: str | Heuristic | None = None, options: Options | None = None) -> Configuration:
        """This with a heuristic and options more; raises ``InputError`` if it has them already."""
        if heuristic is None and not options:
            return self
        return _joined(str(self), self.algorithm, self.heuristic, self.options, heuristic, options or {})

    def preset(self, puzzle: Problem | type[Problem]) -> Preset | None:
        """The preset of the puzzle that it names, if it names one."""
        return puzzle.presets.get(self.algorithm)

    def resolve(self, puzzle: Problem | type[Problem]) -> Configuration:
        """The algorithm, heuristic and options that this stands for on a problem; raises ``InputError``.

        On a class the same, as far as no board is needed: ``auto`` stays. The options of the puzzle that belong to a
        preset are in ``preset(puzzle).options``.

        >>> from procura import Sudoku
        >>> Configuration.parse("report_astar,ties=fifo").resolve(Sudoku)
        Configuration.parse('astar:empty,tree=true,ties=fifo,successors=first')
        """
        found = self
        preset = self.preset(puzzle)
        if preset is not None:
            found = Configuration.parse(preset.configuration)
            if self.heuristic is not None and found.heuristic is not None:
                told = f"heuristic {self.heuristic.text!r}: {self.algorithm} names a heuristic already"
                raise InputError(told)
            found = found.changed(self)
        if found.algorithm == "auto" and isinstance(puzzle, Problem):
            found = Configuration.parse(_best(puzzle, found)).changed(found)
        found = found._specialised(puzzle)
        if isinstance(puzzle, type) and found.heuristic is not None:
            _check_names(found.heuristic, puzzle)
        return found

    def _specialised(self, puzzle: Problem | type[Problem]) -> Configuration:
        """This with the algorithm that a puzzle means by the name; raises ``InputError`` if there is none."""
        if self.algorithm in catalog.ALGORITHMS or (self.algorithm == "auto" and isinstance(puzzle, type)):
            return self
        known = catalog.algorithms(puzzle)
        if self.algorithm not in known:
            raise catalog.no_algorithm(self.algorithm, ["auto", *known, *puzzle.presets], _name(puzzle))
        return replace(self, specialist=known[self.algorithm])

    def changed(self, by: Configuration) -> Configuration:
        """This with what ``by`` says otherwise."""
        if by.heuristic is None and not by.options:
            return self
        options = {**dict(self.options), **dict(by.options)}
        return Configuration(self.algorithm, by.heuristic or self.heuristic, tuple(options.items()))

    @property
    def info(self) -> catalog.Algorithm:
        """Its algorithm; a specialist is known once the configuration is resolved."""
        return self.specialist or catalog.algorithm(self.algorithm)

    @cached_property
    def all_options(self) -> dict[str, Any]:
        """Every option of its algorithm with its value; shared, so not to be changed."""
        return {**self.info.defaults, **dict(self.options)}

    def __str__(self) -> str:
        name = self.algorithm if self.heuristic is None else f"{self.algorithm}:{self.heuristic}"
        return ",".join([name, *(f"{key}={plain(value)}" for key, value in self.options)])

    def __repr__(self) -> str:
        return f"Configuration.parse({str(self)!r})"


Asked = str | Configuration | Sequence[str | Configuration]
"""What ``solve`` takes: a configuration or, for a portfolio, several, in a sequence or with ``|`` between them."""


def separate(asked: Asked) -> Sequence[str | Configuration]:
    """The configurations asked for, one by one, each as it was given."""
    if isinstance(asked, Configuration):
        return (asked,)
    several = asked.split("|") if isinstance(asked, str) else asked
    several = [one.strip() if isinstance(one, str) else one for one in several] if isinstance(several, Sequence) else []
    if not several or not all(isinstance(one, str | Configuration) for one in several):
        raise InputError(f"algorithm {asked!r}: expected text such as 'astar:manhattan', or several in a list")
    return several


def configurations(
    asked: Asked, heuristic: str | Heuristic | None = None, options: Options | None = None
) -> tuple[Configuration, ...]:
    """The configurations asked for: one, or those of a portfolio, each with what is said beside them.

    >>> configurations("idastar | astar,ties=fifo", "manhattan")
    (Configuration.parse('idastar:manhattan'), Configuration.parse('astar:manhattan,ties=fifo'))
    """
    return tuple(
        one.merged(heuristic, options)
        if isinstance(one, Configuration)
        else Configuration.parse(one, heuristic, options)
        for one in separate(asked)
    )


def read_pairs(text: str, place: str) -> Pairs:
    """The options that a text such as ``ties=fifo,tree=true`` gives; errors name ``place``."""
    return _pairs(_parts(text), place)


def plain(value: Any) -> str:
    """The value of an option as people write it.

    >>> plain(True), plain(None), plain(0.5)
    ('true', 'none', '0.5')
    """
    return str(value).lower() if isinstance(value, bool | None) else str(value)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Configuration:
    return _joined(text, *split(text), None, {})


@lru_cache(maxsize=256)
def split(text: str) -> tuple[str, str | None, Pairs]:
    """The name, the heuristic and the options that a text gives, all as text."""
    first, *rest = _parts(text)
    name, colon, own = (part.strip() for part in first.partition(":"))
    if not name or (colon and not own):
        raise InputError(f"configuration {text!r}: expected ALGORITHM[:HEURISTIC][,option=value...]")
    return name, own if colon else None, _pairs(rest, f"configuration {text!r}")


def _pairs(parts: Sequence[str], place: str) -> Pairs:
    """Options, each ``name=value`` and each once."""
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or not value:
            raise InputError(f"{place}: expected option=value, got {part.strip()!r}")
        if key in found:
            raise InputError(f"{place}: {key} is given twice")
        found[key] = value
    return tuple(found.items())


def _parts(text: str) -> list[str]:
    """The text divided at the commas that stand in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _joined(
    text: str, name: str, own: str | Heuristic | None, given: Pairs, heuristic: str | Heuristic | None, options: Options
) -> Configuration:
    """What was read from ``text``, and what is said beside it."""
    if heuristic is None:
        heuristic = own
    elif own is not None:
        raise InputError(f"heuristic {str(heuristic)!r}: {text!r} names a heuristic already")
    both = dict(given)
    for key, value in options.items():
        if key in both:
            raise InputError(f"option {key}={plain(value)}: {key} is given twice, here and in {text!r}")
        both[key] = value
    return Configuration(name, None if heuristic is None else _heuristic(heuristic), tuple(both.items()))


def _heuristic(text: str | Heuristic) -> Heuristic:
    """The heuristic; texts that mean the same wherever they stand are parsed once."""
    return _parsed_heuristic(text) if isinstance(text, str) and "@" not in text else parse_heuristic(text)


@lru_cache(maxsize=256)
def _parsed_heuristic(text: str) -> Heuristic:
    return parse_heuristic(text)


def _best(problem: Problem, asked: Configuration) -> str:
    """What ``auto`` stands for; in place of a specialist that does not take what was asked, its stand-in.

    So it is with a specialist that the problem inherits with other rules.
    """
    best = problem.auto or ("bfs" if problem.costs == "unit" else "astar")
    for specialist in problem.specialists:
        if specialist.name == split(best)[0]:
            takes = asked.heuristic is None and {name for name, _ in asked.options} <= set(specialist.defaults)
            if not takes or not catalog.keeps_rules(problem):
                return specialist.stand_in or ("bfs" if problem.costs == "unit" else "astar")
    return best


def _name(puzzle: Problem | type[Problem]) -> str:
    """What a puzzle is called: by the catalog, or else its class."""
    kind = puzzle if isinstance(puzzle, type) else type(puzzle)
    entry = catalog.entry_of(kind)
    return kind.__name__ if entry is None else entry.name


def _check_names(expression: Heuristic, puzzle: type[Problem]) -> None:
    """Refuse a heuristic that a puzzle of the catalog does not have; what others have, their boards may decide."""
    entry = catalog.entry_of(puzzle)
    known = ["zero", *puzzle.heuristics] if entry is not None else []
    for name in names_in(expression):
        if entry is not None and name not in known:
            raise unknown(f"{entry.name} has no heuristic", name, known)
