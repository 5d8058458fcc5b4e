"""Kernels for ``engine="auto"`` that arrive when a test says so."""

from contextlib import contextmanager
from unittest import mock

from procura import handover


class Arriving(handover.Kernels):
    """Kernels that are wanted, and there, once so many nodes are generated."""

    def __init__(self, nodes=0):
        super().__init__()
        self.nodes = nodes

    def wanted(self, control):
        return control.stats.generated >= self.nodes

    def _come(self, job):
        return True


class Late(Arriving):
    """Kernels that somebody compiles, until ``release`` says that they are there, or why they cannot be had."""

    def __init__(self, nodes=0, looks=3, refusal=None):
        super().__init__(nodes)
        self.looks, self.end = looks, refusal

    def _come(self, job):
        self.looks -= 1
        if self.looks < 0:
            self.refusal = self.end
        return self.looks < 0 and self.end is None


@contextmanager
def kernels(known):
    """Every run in this context knows these kernels, and looks for them before each expansion."""
    with mock.patch.object(handover, "kernels_of", lambda *_: known), mock.patch.object(handover, "LOOK_SECONDS", 0.0):
        yield known
