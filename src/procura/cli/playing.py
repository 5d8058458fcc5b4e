"""Playing a puzzle: which game is meant, where it is saved, and its end, on a screen or line by line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from procura import catalog
from procura.catalog import flag
from procura.cli.boards import ALL, read_source, read_tasks
from procura.cli.files import check_writable, write_whole
from procura.cli.harmless import echo
from procura.cli.status import BAD_INPUT, FOUND, say
from procura.cli.terminal import is_interactive
from procura.errors import InputError, one_line
from procura.interrupts import at_sudden_end
from procura.play.attempt import Attempt
from procura.play.saving import new_game, read_game, saved_puzzle, write_game
from procura.play.session import Session
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle

SEEDS = 1_000_000


@dataclass(frozen=True)
class Request:
    """What the command line asks to play."""

    board: str | None = None
    samples: Sequence[str] = ()
    options: Mapping[str, str | None] = field(default_factory=dict)
    """Options of the puzzle as they were typed; those of its generator that share a name with them are there too."""
    random: Mapping[str, str | None] = field(default_factory=dict)
    """Options of its generator only."""
    seed: int | None = None
    against: str | None = None
    second: bool = False
    """The other player begins."""
    save: str | None = None
    resume: str | None = None


def play(chosen: ChosenPuzzle, request: Request, ascii_only: bool = False) -> int:
    """Play a game until it is left; the exit status. Whatever ends it, it is saved if that was agreed."""
    place = request.save if request.save is not None else request.resume
    if request.save is not None:
        _check_place(request.save, "--save")
    game, greeting = _game(chosen, request)
    return play_game(chosen, game, greeting, place, ascii_only)


def play_problem(chosen: ChosenPuzzle, problem: Problem) -> int:
    """Play a problem until it is left; the exit status."""
    return play_game(chosen, new_game(problem, problem.board_options()))


def play_game(
    chosen: ChosenPuzzle, game: Attempt, greeting: str = "", place: str | None = None, ascii_only: bool = False
) -> int:
    """Play until the game is left, and save it at ``place`` if there is one; the exit status."""
    saver = Saver(chosen, game, place)
    if place is not None:
        saver.check()
    interactive = is_interactive()
    session = Session(game, saver.save, ask=interactive or _is_typed(), agreed=place is not None)
    session.message = greeting
    ascii_only = ascii_only or not shows_unicode()
    try:
        with at_sudden_end(saver.leave):
            if interactive:
                from procura.cli.play_screen import play_on_screen

                play_on_screen(session, ascii_only)
            else:
                from procura.cli.play_lines import play_by_lines

                play_by_lines(session, ascii_only)
    finally:
        kept = saver.leave()
    if saver.message:
        echo(saver.message)
    return FOUND if kept else BAD_INPUT


def resumed_puzzle(file: str | None) -> str:
    """The puzzle of the saved game in ``file``, to be played where none is named."""
    if file is None:
        raise InputError(f"expected a PUZZLE, one of {', '.join(catalog.PUZZLES)} or path/file.py:Class")
    text = _saved_text(file)
    try:
        name = saved_puzzle(text)
    except InputError as error:
        raise InputError(f"--resume {file}: {error}") from None
    if name not in catalog.PUZZLES:
        raise InputError(
            f"--resume {file}: it is a game of {name!r:.40}, which is no puzzle of procura: expected PUZZLE"
        )
    return name


class Saver:
    """Saves a game, in whole or not at all."""

    def __init__(self, puzzle: ChosenPuzzle, game: Attempt, place: str | None) -> None:
        self.puzzle, self.game, self.place = puzzle, game, place
        self.message = ""

    def check(self) -> None:
        """Refuse a game of a user's class that could not be read again."""
        if self.puzzle.entry is not None:
            return
        name = self.puzzle.name
        try:
            json.dumps(self.game.legal())
        except (TypeError, ValueError) as error:
            why = f"action_to_json must give what JSON can hold: {one_line(str(error))}"
            raise InputError(f"{name} cannot be saved, for {why}") from None
        try:
            read_game(write_game(name, self.game), name, self.puzzle.cls)
        except Exception as error:  # a user's class may raise anything
            said = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {one_line(str(error))}"
            raise InputError(f"{name} cannot be saved, for from_text must read what board_text gives: {said}") from None

    def save(self, path: str | None) -> str:
        """Save the game as ``path`` or where it was saved last; a sentence that says so, or ``InputError``."""
        path = path or self.place
        if path is None:
            raise InputError("where to? save FILE names a file")
        _check_place(path, "save")
        self.check()
        self._write(path)
        self.place = path
        return f"saved as {path}"

    def leave(self) -> bool:
        """Save the game a last time, if a place was agreed; False if it could not be."""
        if self.place is None:
            return True
        try:
            self._write(self.place)
        except InputError as error:
            say(str(error))
            return False
        self.message = f"saved as {self.place}: --resume goes on with it"
        return True

    def _write(self, path: str) -> None:
        try:
            write_whole(path, write_game(self.puzzle.name, self.game))
        except (OSError, TypeError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else one_line(str(error))
            raise InputError(f"the game could not be saved as {path!r}: {why}") from None


def _check_place(path: str, option: str) -> None:
    """Refuse a place that cannot be written to, or that holds something else than a saved game."""
    check_writable(path, option)
    if os.path.isfile(path) and os.path.getsize(path) > 0:
        try:
            saved_puzzle(read_source(path).text)
        except InputError:
            raise InputError(f"{option} {path!r}: it is there, and no saved game: expected another name") from None


def _game(chosen: ChosenPuzzle, request: Request) -> tuple[Attempt, str]:
    """The game that is meant, and what to say at its beginning."""
    if request.resume is not None:
        return _resumed(chosen, request), f"resumed from {request.resume}"
    seed = int.from_bytes(os.urandom(8)) % SEEDS if request.seed is None else request.seed
    options: Mapping[str, Any] = {}
    if request.board is None and not request.samples and chosen.defines("generate"):
        problem = _random(chosen, request, seed)
        greeting = f"a random problem: --seed {seed} gives it again"
    else:
        options = chosen.read_options(request.options)
        problem, greeting = _given(chosen, request, options), ""
    if problem.proved_unsolvable():
        greeting = "this board has no solution: that is proved, but it can be played"
    game = new_game(problem, options, against=request.against, seed=seed)
    if request.second:
        game.let_other_begin()
    return game, greeting


def _resumed(chosen: ChosenPuzzle, request: Request) -> Attempt:
    options = any(value is not None for value in (*request.options.values(), *request.random.values()))
    if (
        request.board is not None
        or request.samples
        or options
        or request.against is not None
        or request.second
        or request.seed is not None
    ):
        raise InputError("--resume: the saved game has its own board and options, expected none beside it")
    assert request.resume is not None
    text = _saved_text(request.resume)
    try:
        return read_game(text, chosen.name, chosen.cls)
    except InputError as error:
        raise InputError(f"--resume {request.resume}: {error}") from None


def _saved_text(file: str) -> str:
    if not os.path.isfile(file):
        raise InputError(f"--resume {file!r}: there is no such file")
    try:
        return read_source(file).text
    except InputError as error:
        raise InputError(f"--resume {file}: {error}") from None


def _given(chosen: ChosenPuzzle, request: Request, options: Mapping[str, Any]) -> Problem:
    """The one problem of BOARD or ``--sample``."""
    if request.board == "-":
        raise InputError("BOARD -: standard input is for the moves, expected a file or the board itself")
    extra = next((name for name, value in request.random.items() if value is not None), None)
    if extra is not None:
        why = "and a board is given" if request.board or request.samples else f"and {chosen.name} makes none"
        raise InputError(f"{flag(extra)}: it is for random problems, {why}")
    tasks = read_tasks(chosen, request.board, request.samples, options)
    if len(tasks) != 1:
        one = "--problem NAME chooses one" if "problem" in chosen.options else "expected one to play"
        raise InputError(f"{request.board or ALL} holds {len(tasks)} problems: {one}")
    return tasks[0].problem() if request.against is None else tasks[0].drawing()


def _random(chosen: ChosenPuzzle, request: Request, seed: int) -> Problem:
    """A random problem by the puzzle's generator, not too hard unless that is asked for."""
    given = {**request.options, **request.random}
    if given.get("problem") is not None:
        raise InputError("--problem: it names a problem of a file, and no BOARD is given")
    generator = chosen.generator_options
    own = {name: value for name, value in given.items() if name in chosen.options and name not in generator}
    own = chosen.read_options(own)
    options = chosen.read_generator_options({name: given[name] for name in given if name not in own})
    problem = chosen.cls.generate(seed, **{**chosen.cls.beatable(options, request.against), **options})
    return problem.with_options(**own) if own else problem


def _is_typed() -> bool:
    """Whether somebody types the commands, if only line by line."""
    return sys.stdin is not None and sys.stdin.isatty()


def shows_unicode() -> bool:
    """Whether what stdout is written in can show the frames of the boards."""
    try:
        "┌━█•".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
