"""The package's own errors: each message is one sentence that names the place and what was expected."""

from __future__ import annotations

from collections.abc import Iterable


class ProcuraError(Exception):
    """Anything procura raises on purpose."""


class InputError(ProcuraError, ValueError):
    """A board, option, heuristic or limit that cannot be used as given."""


class OwnPuzzleError(InputError):
    """What a user's own class raised; the error itself is its cause."""


class KernelError(ProcuraError):
    """A rule marked ``@kernel`` that does not compile."""


class ReplayError(ProcuraError):
    """A search returned a solution that the puzzle's own rules refuse: a defect, never the user's fault."""


def unknown(what: str, name: str, known: Iterable[str]) -> InputError:
    """An error for a name that is not known: the nearest one that is, or all of them.

    >>> str(unknown("there is no puzzle", "sudku", ["sliding", "sudoku"]))
    "there is no puzzle 'sudku': did you mean 'sudoku'?"
    """
    import difflib

    names = {word.lower(): word for word in known}
    near = difflib.get_close_matches(name.lower().replace("*", "star"), names, 1, 0.5)
    hint = f"did you mean {names[near[0]]!r}?" if near else f"expected one of {', '.join(sorted(names.values()))}"
    return InputError(f"{what} {name!r}: {hint}" if names else f"{what} {name!r}")


def never_equal(action: object) -> str | None:
    """What is wrong with an action that is made anew each time and equal only to itself; None if it is another."""
    kind = type(action)
    if kind.__eq__ is not object.__eq__:
        return None
    return f"two actions of class {kind.__name__} that mean the same are not equal: define __eq__ and __hash__ there"


def one_line(text: str) -> str:
    """The text with all white space single."""
    return " ".join(text.split())
