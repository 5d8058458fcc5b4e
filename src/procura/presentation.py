"""What a puzzle says of itself to people: texts, words, pictures, boards to begin with. Every problem has all of it.

A class that says nothing gets what is plain; one that derives from a puzzle gets what that puzzle says.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from procura.errors import InputError

if TYPE_CHECKING:
    from procura.problem import Problem
    from procura.texts import Source, Task

_LONG_BOARD = 60


class Presentation:
    """The part of a problem that searches do not need."""

    step_noun: str = "move"
    """What a step is called; more than one get an s."""
    typing_hint: str = ""
    """A sentence for who types a board, where something is easily typed wrong."""
    attempt: str | None = None
    """Where the class is that plays it by hand, ``"module:Class"``; None: ``procura.play.attempt:Attempt``."""
    told_by_text: tuple[str, ...] = ()
    """The options that ``board_text`` tells."""
    compared: tuple[str, ...] = ()
    """The searches that ``procura compare`` runs if none are named; none: ``auto``, ``bfs``, ``dfs`` and ``astar``."""
    sample_groups: Mapping[str, Mapping[str, str]] = {}
    """Samples by where they are from, each with a word of what it shows; those that are not named stand last."""
    sample_aliases: Mapping[str, str] = {}
    """Other names of samples."""
    initial: Any

    @cached_property
    def name(self) -> str:
        """The puzzle's name in results and messages."""
        return type(self).__name__

    # Reading and writing boards

    @classmethod
    def from_text(cls, text: str, **options: Any) -> Problem:
        """The problem written as ``text``; raises ``InputError`` that names the place.

        A class without one of its own is given its only problem, or the sample, that is written so.
        """
        for arguments in () if options else ({}, *cls.samples().values()):
            with suppress(Exception):  # it needs other arguments, or has no initial state
                problem: Any = cls(**arguments)
                if problem.board_text() == text:
                    return problem
        raise InputError(f"{cls.__name__} reads no text: it defines no from_text")

    @classmethod
    def split_text(cls, source: Source, options: Mapping[str, Any]) -> list[Task]:
        """The problems of a text that may hold several, in order; none if ``from_text`` reads it as it stands.

        ``procura.texts`` has what splits at lines and at blank lines.
        """
        return []

    @classmethod
    def is_line(cls, line: str) -> bool:
        """Whether a line of a file is a whole board, so that files can be read line by line, however long."""
        return False

    def board_text(self) -> str:
        """The problem as ``from_text`` reads it, on one line where its format has one; ASCII."""
        return self.to_text(self.initial)

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """The options that the problem was made with and that are not the defaults, as JSON has them.

        With ``board_text`` they make the same problem again: ``from_text(board_text, **options)``.
        """
        return {}

    def board_options(self) -> dict[str, Any]:
        """Those of ``options`` that ``board_text`` does not tell."""
        return {name: value for name, value in self.options.items() if name not in self.told_by_text}

    def with_options(self, **options: Any) -> Problem:
        """The same board with other options of the puzzle."""
        raise InputError(f"{self.name} has no options to set: it defines no with_options")

    # Boards to begin with

    @classmethod
    def samples(cls) -> Mapping[str, Mapping[str, Any]]:
        """Problems worth trying, by name: the arguments of the class."""
        return {}

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Problem | None:
        """The problem that the options describe without a board, such as an empty one of some size; None if none."""
        return None

    @classmethod
    def usual_boards(cls) -> Mapping[str, Problem]:
        """A board of each usual size, by what tells it apart: ``procura cache warm`` compiles what they need."""
        return {}

    @classmethod
    def generate(cls, seed: int, **options: Any) -> Problem:
        """A random problem, the same for the same seed and options."""
        raise InputError(f"{cls.__name__} makes no random problems: it defines no generate")

    @classmethod
    def beatable(cls, given: Mapping[str, Any], against: str | None = None) -> dict[str, Any]:
        """Options of ``generate`` for a board that people can beat, where ``given`` are set already."""
        return {}

    # Words

    def action_to_json(self, action: Any) -> Any:
        """The action as JSON holds it; the action itself by default."""
        return action

    def action_from_json(self, value: Any) -> Any:
        """The inverse of ``action_to_json``."""
        return value

    def action_text(self, value: Any) -> str:
        """An action, in its JSON form, as short as people write it."""
        return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    def target_text(self) -> str | None:
        """What is to be reached, on one line; by default its ``target`` or ``goal``, if it has one."""
        for name in ("target", "goal"):
            value = getattr(self, name, None)
            if value is not None and not callable(value):
                return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        return None

    def why_unsolvable(self) -> str | None:
        """The quick argument, such as parity, that proves that there is no solution; None if there is none."""
        return None

    def proved_unsolvable(self) -> bool:
        """Whether a quick argument proves that there is no solution."""
        return self.why_unsolvable() is not None

    def points(self, state: Any) -> int | None:
        """The points made so far, for puzzles that count points."""
        return None

    def cost_in_points(self, cost: Any) -> int | None:
        """The points of a solution that costs so much, for puzzles whose costs are points; of a bound, the most."""
        return None

    def for_points(self) -> Problem | None:
        """The same board with minus the points as its cost, to see how many can be made; None where that is unknown."""
        return None

    def count_solutions(self, most: int) -> int | None:
        """How many goals can be reached, counted up to ``most``; None where nobody counts them."""
        return None

    # Pictures

    def to_text(self, state: Any) -> str:
        """The state as ASCII text, one line or several."""
        return str(state)

    def to_line(self, state: Any) -> str:
        """The state as ASCII text on one line."""
        return " ".join(self.to_text(state).split())

    def caption(self) -> str | None:
        """A line below the first board in ASCII, for what ``draw`` shows and ``to_text`` does not."""
        return None

    def draw(self, state: Any) -> str:
        """The state as a picture of Unicode characters, for people; ``to_text`` unless the puzzle draws better."""
        return self.to_text(state)

    def to_svg(self, state: Any) -> str | None:
        """The state as an SVG picture; None if the puzzle draws none."""
        return None

    def page_facts(self) -> dict[str, Any]:
        """What a page that draws its texts must know beside them, as JSON has it."""
        return {}

    def __repr__(self) -> str:
        try:
            options = self.options if isinstance(self.options, Mapping) else {}
            about = [f"{name}={value}" for name, value in options.items()]
            rows, columns = getattr(self, "rows", None), getattr(self, "columns", None)
            size = [f"{rows}x{columns}"] if isinstance(rows, int) and isinstance(columns, int) else []
            board = "/".join(line.strip() for line in self.to_text(self.initial).splitlines())
        except Exception:  # a problem that is half made, or whose own code fails, can be shown too
            return f"<{type(self).__name__}>"
        if len(board) > _LONG_BOARD:
            board = f"{board[: _LONG_BOARD // 2]} [...] {board[-_LONG_BOARD // 2 :]}"
        return f"<{', '.join([' '.join([type(self).__name__, *size]), *about])}: {board}>"

    def _repr_svg_(self) -> str | None:
        """The initial state as notebooks show it."""
        return self.to_svg(self.initial)
