"""Which cases of a parametrized test ``make test`` runs; ``make test-all`` runs all."""

import pytest


def slow(*cases):
    """The cases, each marked slow."""
    return [pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.slow) for case in cases]


def quick(*few, of):
    """All cases of ``of``, those not among ``few`` marked slow."""
    return [case if case in few else slow(case)[0] for case in of]
