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


def sum_of_option(option: str, text: str, heuristics: Mapping[str, Any]) -> dict[str, float]:
    """The sum that an option gives, or names as ``@file``; an error of a file names the option and the file."""
    try:
        return read_sum(text, heuristics)
    except InputError as error:
        if not text.startswith("@"):
            raise
        if _is_controller(text):
            raise InputError(f"{option} {text[1:]!r}: a controller of endless play: expected a weighted sum") from None
        raise InputError(f"{option} {text[1:]!r}: {error}") from None


def _is_controller(text: str) -> bool:
    """Whether a file has lines ``feature = weight``, as controllers have."""
    import tomllib

    try:
        entries = tomllib.loads(Path(text[1:]).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return any(type(value) in (int, float) for value in entries.values())


def named_weights(option: str, text: str, names: Sequence[str], heuristics: Mapping[str, Any]) -> Weights:
    """The weights of a sum, or of ``@file``, in the order of ``names``; those that it does not name are 0."""
    found = sum_of_option(option, text, heuristics)
    for name in found:
        if name not in names:
            raise unknown(f"{option} {text.removeprefix('@')!r}: these weights have no", name, names)
    return tuple(found.get(name, 0.0) for name in names)


def read_start(path: str, names: Sequence[str], heuristics: Mapping[str, Any], count: int) -> list[Weights]:
    """What to begin from: the best of a journal, by its own score, or the weights of a saved file."""
    if is_journal(path):
        from procura.tune.journal import best_weights, read_journal

        settings, trials = read_journal(path)
        scoring = SCORINGS.get(settings.get("scoring", ""))
        if scoring is None:
            raise InputError(f"--start {path!r}: a journal of endless play: expected one of tuning on boards")
        if list(settings["names"]) != list(names):
            theirs = " ".join(settings["names"])
            raise InputError(f"--start {path!r} has weights of {theirs}: expected {' '.join(names)}")
        found = best_weights(trials, scoring.maximise, count)
        if not found:
            raise InputError(f"--start {path!r}: it has no finished trial")
        return found
    return [named_weights("--start", f"@{path}", names, heuristics)]


def is_journal(path: str) -> bool:
    """Whether a file begins as journals do."""
    try:
        with Path(path).open("rb") as file:
            return file.read(1) == b"{"
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"--start {path!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
