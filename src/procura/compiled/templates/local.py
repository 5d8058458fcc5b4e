"""What compiled local searches share: how an attempt starts."""

from __future__ import annotations

from procura.compiled.intrinsics import named
from procura.compiled.templates.rows import check
from procura.compiled.templates.rules import energy, randomise


def restart(s, rng, counts, data, work):
    """A new random state."""
    randomise(s, data, work, rng)
    check(s)
    named(counts).energy = energy(s, data, work)
