"""The package's own errors: each message is one sentence that names the place and what was expected."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


class ProcuraError(Exception):
    """Anything procura raises on purpose."""


class InputError(ProcuraError, ValueError):
    """A board, option, heuristic or limit that cannot be used as given.

    >>> from procura import Sliding
    >>> Sliding("1 2 3 0 4")
    Traceback (most recent call last):
    procura.errors.InputError: board has 5 numbers: expected a square such as 9 or 16, equal lines or a size
    """


class OwnPuzzleError(InputError):
    """What a user's own class raised; the error itself is its cause."""


class KernelError(ProcuraError):
    """A rule marked ``@kernel`` that does not compile; ``engine="python"`` may run it.

    >>> issubclass(KernelError, InputError)
    False
    """


class KernelFault(KernelError):
    """In debug: a rule marked ``@kernel`` that reads or writes outside its rows, or a value that does not fit."""


class RangeError(InputError):
    """Numbers or paths beyond what compiled searches hold; ``engine="python"`` takes them."""


class ReplayError(ProcuraError):
    """A search returned a solution that the puzzle's own rules refuse: a defect, never the user's fault.

    >>> issubclass(ReplayError, ProcuraError)
    True
    """


def unknown(what: str, name: str, known: Iterable[str], likeness: float = 0.5) -> InputError:
    """An error for a name that is not known: the nearest one that is if it is so much alike, or all of them.

    >>> str(unknown("there is no puzzle", "sudku", ["sliding", "sudoku"]))
    "there is no puzzle 'sudku': did you mean 'sudoku'?"
    """
    import difflib

    names = {word.lower(): word for word in known}
    near = difflib.get_close_matches(name.lower().replace("*", "star"), names, 1, likeness)
    hint = f"did you mean {names[near[0]]!r}?" if near else f"expected one of {', '.join(sorted(names.values()))}"
    return InputError(f"{what} {name!r}: {hint}" if names else f"{what} {name!r}")


def never_equal(action: object) -> str | None:
    """What is wrong with an action that is made anew each time and equal only to itself; None if it is another."""
    kind = type(action)
    if kind.__eq__ is not object.__eq__:
        return None
    return f"two actions of class {kind.__name__} that mean the same are not equal: define __eq__ and __hash__ there"


def shown(value: object, most: int = 60) -> str:
    """The value as an error names it: its ``repr``, cut where it gets long.

    >>> shown(tuple(range(100)), 20)
    '(0, 1, 2, 3, 4, 5...'
    """
    text = grouped(value) if is_huge(value) else repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


HUGE = 10**1000
"""Whole numbers from here on are not written out; Python itself refuses to beyond 4,300 digits."""


def is_huge(value: object) -> bool:
    """Whether a value is a whole number too large to be written out."""
    return isinstance(value, int) and abs(value) >= HUGE


def grouped(number: Any) -> str:
    """A number with its thousands apart; one of very many digits by its power of ten.

    >>> grouped(1234567), grouped(-(10**5000))
    ('1,234,567', 'about -10^5000')
    """
    if not is_huge(number):
        return f"{number:,}"
    return f"about {'-' if number < 0 else ''}10^{math.floor(math.log10(abs(number)))}"


def one_line(text: str) -> str:
    """The text with all white space single."""
    return " ".join(text.split())
