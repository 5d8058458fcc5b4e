"""Ctrl-C while searches run: the first ends the run at hand with its best so far, the second ends the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Interrupt:
    """Whether Ctrl-C was pressed; called by a run as its ``cancel``."""

    noted = False

    def __call__(self) -> bool:
        return self.noted


@contextmanager
def noted_interrupts() -> Iterator[Interrupt]:
    """Note Ctrl-C instead of raising, unless somebody else has seen to it (or ignores it) already."""
    interrupt = Interrupt()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupt
        return

    def note(signum: int, frame: Any) -> None:
        if interrupt.noted:
            raise KeyboardInterrupt
        interrupt.noted = True

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
