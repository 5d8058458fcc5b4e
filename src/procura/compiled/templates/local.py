"""What compiled local searches share: where the energy stands, and how an attempt starts."""

from __future__ import annotations

from procura.compiled.templates.rows import check
from procura.compiled.templates.rules import energy, randomise

ENERGY, BEST, OWN = 0, 1, 2  # in a search's row of real numbers; its own follow


def restart(s, rng, reals, data, work):
    """A new random state."""
    randomise(s, data, work, rng)
    check(s)
    reals[ENERGY] = energy(s, data, work)
