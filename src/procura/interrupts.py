"""Ctrl-C: the first is noted, so that a run can end with its best so far; the second ends the program.

Python calls a signal's handler between two steps of its own. While the main thread is inside a compiled kernel there
are none, and if the kernel never returns no Ctrl-C is ever handled. So while kernels run in the main thread, Python
writes the numbers of signals into a socket as well (``signal.set_wakeup_fd``), at which a thread listens. If the
second Ctrl-C has come, and the kernel under way has not returned ``GRACE_SECONDS`` later, that thread ends the program.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, Self

STATUS = 130
"""What the program then ends with, as a shell says of a program that Ctrl-C has ended."""
GRACE_SECONDS = 0.5

current: Interrupts | None = None
"""What handles Ctrl-C now, if it is one of ours."""


class Interrupts:
    """A context in which the first Ctrl-C calls ``note`` and the second raises ``KeyboardInterrupt``.

    Off the main thread, and where somebody else handles the signal or ignores it, it does nothing.
    """

    def __init__(self, note: Callable[[], None]) -> None:
        self.note = note
        self.noted = False
        self.turn = 0
        """Rises when a kernel begins and when it ends: it is odd while one runs."""
        self.presses = 0
        """How often Ctrl-C was pressed, as far as the listener knows."""
        self._listening = False

    def __enter__(self) -> Self:
        global current
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            current = self
        return self

    def __exit__(self, *exception: object) -> None:
        global current
        if current is self:
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            finally:
                current = None
                if self._listening:
                    _reset_wakeup()

    def _handle(self, signum: int, frame: Any) -> None:
        if self.noted:
            raise KeyboardInterrupt
        self.noted = True
        self.note()

    def enter_kernel(self) -> None:
        """A kernel is about to run, in the main thread."""
        if not self._listening:
            self._listening = True
            self.presses = int(self.noted)
            _set_wakeup()
        self.turn += 1

    def leave_kernel(self) -> None:
        """It has returned."""
        self.turn += 1

    def press(self) -> None:
        """Ctrl-C, as the listener hears it."""
        self.presses += 1
        turn = self.turn
        if self.presses >= 2 and turn % 2:
            time.sleep(GRACE_SECONDS)
            if current is self and self.turn == turn:
                _end()


def in_charge() -> Interrupts | None:
    """What is to know of a kernel that the thread at hand runs."""
    return current if current is not None and threading.get_ident() == threading.main_thread().ident else None


@contextmanager
def raised_at_once() -> Iterator[None]:
    """A context in which Ctrl-C raises ``KeyboardInterrupt``, also in a run that would note the first one."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _raise(signum: int, frame: Any) -> NoReturn:
    raise KeyboardInterrupt


class _Listener:
    """A thread that hears of signals whatever the main thread does; one for the process."""

    def __init__(self) -> None:
        import socket

        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        threading.Thread(target=self._listen, name="procura Ctrl-C", daemon=True).start()

    def _listen(self) -> None:
        while numbers := self.reader.recv(64):
            for number in numbers:
                handler = current
                if number == signal.SIGINT and handler is not None:
                    handler.press()


_listener: _Listener | None = None


def _set_wakeup() -> None:
    """Have signals told to the listener, unless somebody else is told of them (an event loop, for instance)."""
    global _listener
    try:
        _listener = _listener or _Listener()
        theirs = signal.set_wakeup_fd(_listener.writer.fileno(), warn_on_full_buffer=False)
        if theirs not in (-1, _listener.writer.fileno()):
            signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    except (OSError, RuntimeError, ValueError):  # no more sockets, no threads here: then a kernel must return
        return


def _reset_wakeup() -> None:
    if _listener is not None:
        told = signal.set_wakeup_fd(-1)
        if told != _listener.writer.fileno():
            signal.set_wakeup_fd(told, warn_on_full_buffer=False)


def _after_fork() -> None:
    """In a process that was forked there is no listener, and the socket is the parent's."""
    global _listener
    if _listener is not None:
        _reset_wakeup()
        _listener = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

_exit_actions: list[Callable[[], object]] = []


@contextmanager
def at_sudden_end(act: Callable[[], object]) -> Iterator[None]:
    """A context in which ``act`` is called before the program is ended out of a kernel."""
    _exit_actions.append(act)
    try:
        yield
    finally:
        _exit_actions.remove(act)


def _end() -> NoReturn:
    """End the program now. What is left to be done may take a moment, but not keep it from ending."""
    actions = threading.Thread(target=_run_exit_actions, daemon=True)
    actions.start()
    actions.join(GRACE_SECONDS)
    os._exit(STATUS)


def _run_exit_actions() -> None:
    for act in (*reversed(_exit_actions), sys.stdout.flush, sys.stderr.flush):
        with suppress(Exception):
            act()
