"""A game line by line: a command a line, and the board after each; for pipes and terminals without a cursor."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

from procura.cli.harmless import harmless
from procura.cli.play_paint import help_lines, painted, wants_colours, wrapped
from procura.cli.terminal import size
from procura.play.face import Line
from procura.play.session import Session

SHORT = "Commands: undo, redo, hint, solve, save FILE, quit, and ? for all."


def play_by_lines(session: Session, ascii_only: bool) -> None:
    """Obey the lines of standard input until it ends or somebody leaves."""
    printer = _Printer(session, ascii_only)
    printer.show(wrapped(session.face.title(), printer.columns, "title"))
    printer.show([[(SHORT, "dim")]])
    _go_on(session, printer, was_over=False)
    for text in _typed_lines(printer):
        session.heard()
        was_over = session.game.over
        then = session.do(text)
        if then == "leave":
            break
        if then == "help":
            printer.show(help_lines(session.help(), printer.columns))
        elif then == "solve":
            while session.show_next():
                printer.board()
            _finish(session, printer)
        else:
            _go_on(session, printer, was_over)
        session.waits()
    if not session.game.over:
        printer.show(wrapped(session.game.summary(), printer.columns, ""))


def _go_on(session: Session, printer: _Printer, was_over: bool) -> None:
    """Let the other player answer, show the board, and say how the game ended if it just did."""
    if session.game.others_turn and session.game.patient:
        printer.show(wrapped(session.pondering(), printer.columns, "message"))
    while session.answer():
        pass
    printer.board()
    if session.game.over and not was_over:
        _finish(session, printer)


def _finish(session: Session, printer: _Printer) -> None:
    if session.game.over:
        session.conclude()
    printer.show(wrapped(session.message, printer.columns, "message"))


def _typed_lines(printer: _Printer) -> Iterator[str]:
    """The lines of standard input; each is prompted for, or shown if it came through a pipe."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    typed = sys.stdin is not None and sys.stdin.isatty()
    while True:
        if typed:
            printer.write("> ")
        text = "" if sys.stdin is None else sys.stdin.readline()
        if not text:
            return
        if not typed:
            printer.write(f"> {harmless(text.strip())}\n")
        yield text.strip()


class _Printer:
    """Writes pictures and sentences to stdout."""

    def __init__(self, session: Session, ascii_only: bool) -> None:
        self.session, self.ascii_only = session, ascii_only
        self.colours = sys.stdout.isatty() and wants_colours()
        self.columns = size()[0]

    def board(self) -> None:
        """Write the board, what can be done, and what there is to say."""
        face = self.session.face
        message = wrapped(self.session.message, self.columns, "message")
        self.show([*face.picture(), *wrapped(face.status(), self.columns, ""), *message])

    def show(self, lines: list[Line]) -> None:
        """Write lines."""
        self.write("".join(painted(line, self.colours, self.ascii_only).rstrip() + "\n" for line in lines))

    def write(self, text: str) -> None:
        """Write text at once."""
        sys.stdout.write(text)
        sys.stdout.flush()
