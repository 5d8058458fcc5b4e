"""The file of weights that tuning saves, and the files that it begins from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from procura.errors import InputError, one_line, unknown
from procura.tune.scoring import SCORINGS
from procura.tune.spaces import Weights
from procura.tune.sums import read_sum, sum_text


def weights_text(weights: Mapping[str, float], found: Sequence[str]) -> str:
    """A heuristic as ``--heuristic @file`` reads it, after comments that say how it was found.

    >>> print(weights_text({"a": 0.5, "b": 0.25}, ["by hand"]), end="")
    # by hand
    0.5*a + 0.25*b
    """
    comments = "".join(f"# {one_line(line)}\n" for line in found)
    return f"{comments}{sum_text(list(weights), list(weights.values()))}\n"


def named_weights(text: str, names: Sequence[str], heuristics: Mapping[str, Any]) -> Weights:
    """The weights of a sum, or of ``@file``, in the order of ``names``; those that it does not name are 0."""
    found = read_sum(text, heuristics)
    for name in found:
        if name not in names:
            raise unknown(f"heuristic {text!r}: these weights have no", name, names)
    return tuple(found.get(name, 0.0) for name in names)


def read_start(path: str, names: Sequence[str], heuristics: Mapping[str, Any], count: int) -> list[Weights]:
    """What to begin from: the best of a journal, by its own score, or the weights of a saved file."""
    if is_journal(path):
        from procura.tune.journal import best_weights, read_journal

        settings, trials = read_journal(path)
        if list(settings["names"]) != list(names):
            raise InputError(f"start {path!r} has weights of {' '.join(settings['names'])}: expected {' '.join(names)}")
        scoring = SCORINGS.get(settings.get("scoring", ""))
        if scoring is None:
            raise InputError(f"start {path!r}: expected a journal of tuning on boards")
        found = best_weights(trials, scoring.maximise, count)
        if not found:
            raise InputError(f"start {path!r}: it has no finished trial")
        return found
    return [named_weights(f"@{path}", names, heuristics)]


def is_journal(path: str) -> bool:
    """Whether a file begins as journals do."""
    try:
        with Path(path).open("rb") as file:
            return file.read(1) == b"{"
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"start {path!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
