"""Ctrl-C while searches run: the first ends the run at hand with its best so far, the second ends the program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from procura.cli.status import say
from procura.interrupts import Interrupts, at_sudden_end


class Interrupt:
    """Whether Ctrl-C was pressed; called by a run as its ``cancel``."""

    noted = False

    def __call__(self) -> bool:
        return self.noted

    def note(self) -> None:
        """Ctrl-C was pressed."""
        self.noted = True


@contextmanager
def noted_interrupts() -> Iterator[Interrupt]:
    """Note Ctrl-C instead of raising, unless somebody else has seen to it (or ignores it) already."""
    interrupt = Interrupt()
    with Interrupts(interrupt.note), at_sudden_end(_explain):
        yield interrupt


def _explain() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    say("ended by a second Ctrl-C inside a kernel that does not return")
