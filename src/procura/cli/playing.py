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
from procura.cli.status import FOUND, say
from procura.cli.terminal import is_interactive
from procura.errors import InputError, one_line
from procura.play.game import Game
from procura.play.saving import new_game, read_game, saved_puzzle, write_game
from procura.play.session import Session
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle

RANDOM: Mapping[str, Mapping[str, Any]] = {
    "sliding": {"size": "3x3"},
    "sudoku": {"clues": 36},
    "tetris": {"p": 0.9, "d": 0.25, "pieces": "7"},
    "dots": {"size": "3x3"},
}
"""Random problems that people can beat: what their generators are given if nothing else is said."""
LARGER_SLIDING_MOVES = 40
"""Random moves from the goal on sliding boards larger than 3x3."""
SEEDS = 1_000_000


@dataclass(frozen=True)
class Wish:
    """What the command line asks to play."""

    board: str | None = None
    samples: Sequence[str] = ()
    options: Mapping[str, str | None] = field(default_factory=dict)
    """Options of the puzzle as they were typed; those of its generator that share a name with them are there too."""
    random: Mapping[str, str | None] = field(default_factory=dict)
    """Options of its generator only."""
    seed: int | None = None
    against: str | None = None
    save: str | None = None
    resume: str | None = None


def play(chosen: ChosenPuzzle, wish: Wish, ascii_only: bool = False) -> int:
    """Play a game until it is left; the exit status. Whatever ends it, it is saved if that was agreed."""
    place = wish.save if wish.save is not None else wish.resume
    if wish.save is not None:
        check_writable(wish.save, "--save")
    game, greeting = _game(chosen, wish)
    keeper = Keeper(chosen, game, place)
    if place is not None:
        keeper.check()
    interactive = is_interactive()
    session = Session(game, keeper.save, ask=place is None and interactive)
    session.message = greeting
    ascii_only = ascii_only or not _shows_unicode()
    try:
        if interactive:
            from procura.cli.play_screen import play_on_screen

            play_on_screen(session, ascii_only)
        else:
            from procura.cli.play_lines import play_by_lines

            play_by_lines(session, ascii_only)
    finally:
        keeper.leave()
    if keeper.told:
        print(keeper.told)
    return FOUND


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


class Keeper:
    """Saves a game, in whole or not at all."""

    def __init__(self, puzzle: ChosenPuzzle, game: Game, place: str | None) -> None:
        self.puzzle, self.game, self.place = puzzle, game, place
        self.told = ""

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
        """Save the game as ``path`` or where it was saved last; a sentence that says so."""
        path = path or self.place
        if path is None:
            return "where to? save FILE names a file"
        check_writable(path, "save")
        self.check()
        self._write(path)
        self.place = path
        return f"saved as {path}"

    def leave(self) -> None:
        """Save the game a last time, if a place was agreed."""
        if self.place is None:
            return
        try:
            self._write(self.place)
            self.told = f"saved as {self.place}: --resume goes on with it"
        except InputError as error:
            say(str(error))

    def _write(self, path: str) -> None:
        try:
            write_whole(path, write_game(self.puzzle.name, self.game))
        except (OSError, TypeError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else one_line(str(error))
            raise InputError(f"the game could not be saved as {path!r}: {why}") from None


def _game(chosen: ChosenPuzzle, wish: Wish) -> tuple[Game, str]:
    """The game that is meant, and what to say at its beginning."""
    if wish.resume is not None:
        return _resumed(chosen, wish), f"resumed from {wish.resume}"
    seed = int.from_bytes(os.urandom(8)) % SEEDS if wish.seed is None else wish.seed
    options: Mapping[str, Any] = {}
    if wish.board is None and not wish.samples and chosen.defines("generate"):
        problem = _random(chosen, wish, seed)
        greeting = f"a random problem: --seed {seed} gives it again"
    else:
        options = chosen.read_options(wish.options)
        problem, greeting = _given(chosen, wish, options), ""
    if problem.proved_unsolvable():
        greeting = "this board has no solution: that is proved, but it can be played"
    return new_game(chosen.name, problem, options, against=wish.against, seed=seed), greeting


def _resumed(chosen: ChosenPuzzle, wish: Wish) -> Game:
    options = any(value is not None for value in (*wish.options.values(), *wish.random.values()))
    if wish.board is not None or wish.samples or options or wish.against is not None or wish.seed is not None:
        raise InputError("--resume: the saved game has its own board and options, expected none beside it")
    assert wish.resume is not None
    text = _saved_text(wish.resume)
    try:
        return read_game(text, chosen.name, chosen.cls)
    except InputError as error:
        raise InputError(f"--resume {wish.resume}: {error}") from None


def _saved_text(file: str) -> str:
    if not os.path.isfile(file):
        raise InputError(f"--resume {file!r}: there is no such file")
    try:
        return read_source(file).text
    except InputError as error:
        raise InputError(f"--resume {file}: {error}") from None


def _given(chosen: ChosenPuzzle, wish: Wish, options: Mapping[str, Any]) -> Problem:
    """The one problem of BOARD or ``--sample``."""
    if wish.board == "-":
        raise InputError("BOARD -: standard input is for the moves, expected a file or the board itself")
    extra = next((name for name, value in wish.random.items() if value is not None), None)
    if extra is not None:
        why = "and a board is given" if wish.board or wish.samples else f"and {chosen.name} makes none"
        raise InputError(f"{flag(extra)}: it is for random problems, {why}")
    if chosen.name == "dots" and wish.against is not None and "boxes" not in options:
        options = {**options, "boxes": 0}
    tasks = read_tasks(chosen, wish.board, wish.samples, options)
    if len(tasks) != 1:
        one = "--problem NAME chooses one" if chosen.name == "dots" else "expected one to play"
        raise InputError(f"{wish.board or ALL} holds {len(tasks)} problems: {one}")
    return tasks[0].problem()


def _random(chosen: ChosenPuzzle, wish: Wish, seed: int) -> Problem:
    """A random problem by the puzzle's generator, not too hard unless that is asked for."""
    given = {**wish.options, **wish.random}
    if chosen.entry is None:
        return chosen.cls.generate(seed, **chosen.read_generator_options(given))
    if given.get("problem") is not None:
        raise InputError("--problem: it names a problem of a file, and no BOARD is given")
    generator = {option.name for option in chosen.entry.generator}
    own = {name: value for name, value in given.items() if name in chosen.options and name not in generator}
    own = chosen.read_options(own)
    options = chosen.read_generator_options({name: given[name] for name in given if name not in own})
    problem = chosen.cls.generate(seed, **{**_usual(chosen.name, options, wish.against), **options})
    return problem.with_options(**own) if own else problem


def _usual(puzzle: str, options: Mapping[str, Any], against: str | None) -> dict[str, Any]:
    """What the generator is given if nothing else is said."""
    usual = dict(RANDOM.get(puzzle, {}))
    if puzzle == "sliding" and options.get("size", "3x3") != "3x3":
        usual["moves"] = LARGER_SLIDING_MOVES
    if puzzle == "sudoku" and options.get("side", 9) != 9:
        del usual["clues"]
    if puzzle == "dots" and against is not None:
        usual["drawn"] = 0
    return usual


def _shows_unicode() -> bool:
    """Whether what stdout is written in can show the frames of the boards."""
    try:
        "┌━█•".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
