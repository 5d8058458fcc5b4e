"""analyse(): what a position of a game for two is worth, and each of its moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from procura import catalog
from procura.algorithm import Algorithm
from procura.configuration import Configuration
from procura.control import Control, Event, interruptible
from procura.debug import checked, debugging
from procura.errors import InputError, KernelError, KernelFault, unknown
from procura.faults import AGAIN_SECONDS, located
from procura.game import FIRST, Analysis, ArrayGame, Game, MoveValue, Valued
from procura.preparing import Stopped, open_tables
from procura.result import Limits
from procura.search.game_tree import nothing, number, player

BLINK = 0.2
"""So many seconds a run may take interpreted before kernels are loaded or compiled for it."""


def analyse(
    game: Game,
    algorithm: str | Configuration = "auto",
    *,
    limits: Limits | None = None,
    engine: str = "auto",
    seed: int | None = None,
    on_event: Callable[[Event], None] | None = None,
    events: Collection[str] | None = None,
    cancel: Callable[[], bool] | threading.Event | None = None,
    **options: Any,
) -> Analysis:
    """What the initial state of ``game`` is worth to the player to move, and every move; an ``Analysis``.

    ``algorithm`` is ``minimax``, ``alphabeta``, ``mcts``, one of the game's own, or ``"auto"``; with options as in
    ``"alphabeta,moves=best"``. ``engine`` is ``python`` (any game, every event), ``compiled`` (an ``ArrayGame``) or
    ``auto``. A limit, Ctrl-C and ``cancel`` end the run with what is known by then.

    >>> from procura.puzzles.dots import DotsGame
    >>> analyse(DotsGame(size="1x1"), "minimax", engine="python").value
    -1
    """
    control = Control(limits, on_event, events, cancel, debugging())
    return execute(game_plan(game, algorithm, engine, seed, control.traced, options), control)


@dataclass(frozen=True)
class GamePlan:
    """A run on a game to be made: all that was asked, read and checked."""

    problem: Game
    configuration: Configuration
    """What it was resolved to: an algorithm by name."""
    engine: str
    """``python``, ``compiled``, or ``blink`` if it begins interpreted."""
    seed: int | None
    notes: tuple[str, ...] = ()
    """What a reader of the analysis should know, in sentences."""

    @property
    def info(self) -> Algorithm:
        """Its algorithm."""
        return self.configuration.info


def game_plan(
    game: Game,
    algorithm: str | Configuration = "auto",
    engine: str = "auto",
    seed: int | None = None,
    traced: bool = False,
    options: Any = None,
) -> GamePlan:
    """The run that is meant; ``traced`` if single positions are to be reported. Raises ``InputError``."""
    if not isinstance(game, Game):
        raise InputError(f"analyse needs a Game, not {game!r}")
    if seed is not None and not isinstance(seed, int):
        raise InputError(f"seed {seed!r}: expected a whole number")
    found = resolve(game, algorithm, options)
    engine, notes = _engine(game, found.info, engine, traced)
    if notes and found.info.stand_in is not None:
        found = resolve(game, found.info.stand_in)
    refusal = found.info.refusal and found.info.refusal(game, found.all_options)
    if refusal:
        raise InputError(f"{game.name} {refusal}")
    return GamePlan(game, found, engine, (seed or 0) if found.info.random else None, tuple(notes))


def execute(what: GamePlan, control: Control) -> Analysis:
    """Make a run."""
    control.notes += what.notes
    if what.engine == "blink":
        glimpse = _glimpse(what.problem, what.configuration, control, what.seed)
        if glimpse is not None:
            return glimpse
    engine = "compiled" if what.engine == "blink" else what.engine
    return _run(what.problem, what.configuration, control, engine, what.seed)


def prepare(what: GamePlan, on_event: Callable[[Event], None] | None = None) -> Control:
    """Compile or load all that a compiled run needs, by a run that may expand nothing."""
    control = Control(Limits(nodes=0), on_event, ["progress"], None, debugging())
    execute(what, control)
    return control


def resolve(game: Game | type[Game], algorithm: str | Configuration, options: Any = None) -> Configuration:
    """The algorithm and options that are meant, on a game; raises ``InputError``."""
    asked = (
        Configuration.parse(algorithm, None, options)
        if isinstance(algorithm, str)
        else algorithm.merged(options=options)
    )
    if asked.heuristic is not None:
        raise InputError(f"heuristic {asked.heuristic.text!r}: a game has an estimate of its own")
    if asked.algorithm == "auto":
        best = Configuration.parse(game.auto or "alphabeta")
        asked = Configuration(best.algorithm, None, (*best.options, *asked.options))
    known = catalog.game_algorithms(game)
    if asked.algorithm not in known:
        raise unknown("there is no algorithm for games", asked.algorithm, ["auto", *known])
    return replace(asked, specialist=known[asked.algorithm])


def _engine(game: Game, info: Algorithm, engine: str, traced: bool) -> tuple[str, list[str]]:
    """The engine that runs it, ``blink`` if it begins interpreted; and why something else stands in, if so."""
    if engine not in ("auto", "python", "compiled"):
        raise InputError(f"engine {engine!r}: expected auto, python or compiled")
    if engine == "compiled" and not isinstance(game, ArrayGame):
        raise InputError(f"{game.name} is not an ArrayGame: only those run compiled")
    if engine == "python" and not info.runs_on("python"):
        return "python", [f"{info.name} runs compiled only: {info.stand_in} ran instead"]
    if engine != "auto":
        return engine, []
    if not isinstance(game, ArrayGame) or traced:
        return _engine(game, info, "python", traced)
    from procura.compiled.kernels import can_compile

    if not can_compile():
        return _engine(game, info, "python", traced)
    return ("blink" if info.runs_on("python") else "compiled"), []


def _glimpse(game: Game, found: Configuration, control: Control, seed: int | None) -> Analysis | None:
    """The run made interpreted, if a blink is enough for it."""
    limits = control.limits
    if limits.seconds is not None and limits.seconds <= BLINK:
        return _run(game, found, control, "python", seed)
    short = Control(replace(limits, seconds=BLINK), cancel=control.asked_to_end, debug=control.debug)
    short.notes = control.notes
    tried = _run(game, found, short, "python", seed)
    return None if tried.stopped_by in ("time", "memory") else tried


def _run(game: Game, found: Configuration, control: Control, engine: str, seed: int | None) -> Analysis:
    function = found.info.function(engine)
    with checked(control.debug), located(game, lambda: _again(game, found, seed)), interruptible(control):
        try:
            open_tables(game, control)
            valued = _searched(game, control, function, seed or 0, found.all_options)
        except Stopped:
            valued = nothing(game)
        except (KernelError, ImportError) as error:
            if isinstance(error, KernelFault) or found.info.stand_in is None:
                raise
            control.notes.append(f"{str(error).strip().splitlines()[-1]}: {found.info.stand_in} ran instead")
            return _run(game, resolve(game, found.info.stand_in), control, "python", seed)
    stats = control.end()
    sign = 1 if player(game, game.initial) == FIRST else -1
    moves = (
        MoveValue(game.action_to_json(action), None if value is None else sign * value, proved)
        for action, value, proved in valued.moves
    )
    return Analysis(
        game=game,
        configuration=found,
        engine=engine,
        seed=seed,
        value=None if valued.value is None else sign * valued.value,
        proved=valued.proved,
        moves=tuple(moves),
        depth=valued.depth,
        stopped_by=control.stopped_by,
        stats=stats,
        notes=tuple(control.notes),
    )


def _searched(game: Game, control: Control, function: Any, seed: int, options: dict[str, Any]) -> Valued:
    state = game.initial
    if game.is_over(state):
        return Valued([], number(game, state, game.score(state)), True)
    valued: Valued = function(game, control, seed, **options)
    return valued


def _again(game: Game, found: Configuration, seed: int | None) -> None:
    """Make a run of which something was raised compiled again interpreted, so that it is raised with its place."""
    if found.info.runs_on("python"):
        _run(game, found, Control(Limits(seconds=AGAIN_SECONDS), debug=True), "python", seed)
