"""An attempt at a problem by hand: the moves made and those taken back, all by the puzzle's own rules."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from procura.errors import InputError, never_equal
from procura.play.advice import Cancel, Rest, find_rest, plain
from procura.problem import Problem
from procura.result import Outcome

if TYPE_CHECKING:
    from procura.play.face import Face


class IllegalMove(InputError):
    """A move that the rules do not allow; the message says why in one sentence."""


@dataclass(frozen=True)
class Hint:
    """A move worth making, and why; no move if there is none to be had."""

    move: Any | None
    why: str


class Attempt:
    """A problem that somebody plays. Moves are actions in their JSON form.

    This class plays any ``Problem``; a puzzle names another one by ``Problem.attempt``.

    >>> from procura import Sliding
    >>> game = Attempt(Sliding("1 2 3 4 5 6 0 7 8"))
    >>> game.play("R")
    >>> game.play("R")
    >>> game.won, game.undo(), game.won
    (True, True, False)
    """

    comparable = True
    """Whether a solution can be better than another."""
    others: Sequence[str] = ()
    """Searches that find some solution when ``auto`` finds none in time."""
    opponents: Mapping[str, type[Attempt]] = {}
    """Who it can be played against, and the class that plays it so."""
    answers = "the computer plays"
    """How a move of the opponent is announced."""

    def __init__(self, problem: Problem, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        self.problem = problem
        self.options: dict[str, Any] = dict(options or {})
        """What ``from_text`` needs beside ``board_text`` to make the problem again."""
        self.states: list[Any] = [self.begin()]
        """The state at the start and after each move."""
        self.moves: list[Any] = []
        self.undone: list[Any] = []
        """Moves taken back, the last one to be made again first."""
        self.hints = 0
        self.shown = 0
        """Moves that the computer made in the player's place, to show a solution."""
        self.seconds = 0.0
        """How long it has been played; kept by whoever runs the game."""
        self._known: dict[Hashable, Rest] = {}

    @property
    def noun(self) -> str:
        """What a move is called."""
        return self.problem.step_noun

    def face(self) -> Face:
        """How it is seen and steered."""
        from procura.play.face import Face

        return Face(self)

    # Rules

    def begin(self) -> Any:
        """The state at the start."""
        return self.problem.initial

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    def legal(self) -> list[Any]:
        """The legal moves."""
        return [self.problem.action_to_json(action) for action in self.problem.actions(self.state)]

    def after(self, move: Any) -> Any:
        """The state after ``move``; raises ``IllegalMove``."""
        return self.problem.result(self.state, self._action(move))

    def _action(self, move: Any) -> Any:
        """The legal action that ``move`` stands for: its JSON form is the same, lists and tuples being alike."""
        wanted = plain(move)
        legal = list(self.problem.actions(self.state))
        for action in legal:
            if plain(self.problem.action_to_json(action)) == wanted:
                return action
        action = self.problem.action_from_json(move)
        if action not in legal:
            raise IllegalMove(never_equal(action) or self.refusal(move))
        return action

    def refusal(self, move: Any) -> str:
        """Why ``move``, which is well written, is not legal here."""
        return f"{self.problem.action_text(move)} is not a legal move here"

    @property
    def won(self) -> bool:
        """Whether the puzzle is solved."""
        return self.problem.is_goal(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended, well or not."""
        return self.won or not self.legal()

    # Moves

    def play(self, move: Any) -> None:
        """Make a move; raises ``IllegalMove`` and changes nothing if it is none."""
        self.states.append(self.after(move))
        self.moves.append(move)
        self.undone.clear()

    def undo(self) -> bool:
        """Take the last turn back; whether there was one."""
        if not self.moves:
            return False
        self._take_back()
        while not self.turn_begins(len(self.moves)):
            self._take_back()
        return True

    def redo(self) -> bool:
        """Make the turn again that was taken back last; whether there was one."""
        if not self.undone:
            return False
        self._make_again()
        while self.undone and not self.turn_begins(len(self.moves)):
            self._make_again()
        return True

    def turn_begins(self, made: int) -> bool:
        """Whether a turn of the player begins after so many moves; undo and redo stop only there."""
        return True

    def let_other_begin(self) -> None:
        """Give the first move to the other player; raises ``InputError`` if there is none."""
        raise InputError(f"{self.problem.name} is played alone: there is nobody else to begin")

    @property
    def others_turn(self) -> bool:
        """Whether the other player is to move."""
        return False

    @property
    def patient(self) -> bool:
        """Whether the other player may think of a move for up to a minute."""
        return False

    def answer(self) -> Any | None:
        """The move of the other player if it is its turn."""
        return None

    def _take_back(self) -> None:
        self.states.pop()
        self.undone.append(self.moves.pop())

    def _make_again(self) -> None:
        move = self.undone[-1]
        self.states.append(self.after(move))
        self.moves.append(move)
        self.undone.pop()

    # Help

    def from_here(self) -> Problem:
        """The problem that is left: its actions are moves of this game."""
        left, state = copy.copy(self.problem), self.state
        vars(left)["initial"] = state
        if left.initial != state:  # a property, which an attribute of the instance does not hide
            left.__class__ = type(left.name, (type(left),), {"initial": state})
        return left

    def rest(self, cancel: Cancel | None = None) -> Rest:
        """The best way from here to a solution that a few seconds find; what was found is remembered."""
        known = self._known.get(self.state)
        if known is None:
            known = find_rest(self.from_here(), self.others, cancel=cancel)
            self._remember(known)
        return known

    def remember_from(self, other: Attempt) -> None:
        """Know what another attempt at the same problem found out."""
        self._known = other._known

    def known_best(self) -> Rest | None:
        """The best solution of the whole problem, if it is known already."""
        return self._known.get(self.states[0])

    def _remember(self, rest: Rest) -> None:
        """Keep an answer for this state and for those that its moves lead to."""
        if not rest.found:
            if rest.settled:
                self._known[self.state] = rest
            return
        walk = copy.copy(self)
        walk.states, walk.moves, walk.undone = [self.state], [], []
        for made in range(len(rest.moves) + 1):
            self._known.setdefault(walk.state, Rest(rest.outcome, rest.moves[made:], rest.optimal))
            if made < len(rest.moves):
                walk.play(rest.moves[made])

    def suggest(self, cancel: Cancel | None = None) -> Hint:
        """The next move of the best solution that a few seconds find; it is not counted as a hint."""
        if self.over:
            return Hint(None, "the game is over: there is nothing left to do")
        rest = self.rest(cancel)
        return Hint(rest.moves[0], self.why(rest)) if rest.found else Hint(None, self.no_hint(rest))

    def hint(self, cancel: Cancel | None = None) -> Hint:
        """A suggestion that counts."""
        hint = self.suggest(cancel)
        self.hints += hint.move is not None
        return hint

    def why(self, rest: Rest) -> str:
        """What is known of the solution that a hint comes from."""
        left = counted(len(rest.moves), self.noun)
        if rest.optimal:
            return f"it begins a best solution of what is left, {left} long"
        return f"it begins a solution of {left}, the best found in a few seconds"

    def no_hint(self, rest: Rest) -> str:
        """Why there is no hint."""
        if rest.cancelled:
            return "the search was stopped"
        if rest.outcome is Outcome.NO_SOLUTION:
            return "no solution can be reached from here, which is proved: take a move back"
        return "a few seconds of search found no solution from here"

    # The end

    def best(self, seconds: float = 1.5, cancel: Cancel | None = None) -> Rest:
        """The best solution of the whole problem, if so many seconds are enough."""
        known = self._known.get(self.states[0])
        if known is None or not known.settled:
            known = find_rest(self.whole(), (), seconds, cancel)
        return known

    def whole(self) -> Problem:
        """The problem as it was at the start."""
        return self.problem

    def conclusion(self, cancel: Cancel | None = None) -> str:
        """How the game ended, with the optimum beside it if that is quickly found."""
        return self.summary(self.best(cancel=cancel) if self.won and self.comparable else None)

    def summary(self, best: Rest | None = None) -> str:
        """How the game stands or ended: moves, time, hints, and what ``best`` proves about them."""
        made = counted(len(self.moves), self.noun)
        if not self.won:
            return f"{made} in {clock(self.seconds)}{self.helped()}, not solved"
        return f"solved in {made} and {clock(self.seconds)}{self.helped()}{self.compared(best)}"

    def compared(self, best: Rest | None) -> str:
        """The optimum beside what the player needed, if it is known."""
        if best is None or not best.found or not best.optimal:
            return ""
        least = len(best.moves)
        return "; no solution is shorter" if len(self.moves) <= least else f"; the fewest is {least}"

    def helped(self) -> str:
        """How many hints were taken and how many moves the computer showed."""
        parts = [counted(self.hints, "hint")] if self.hints else []
        parts += [f"{counted(self.shown, self.noun)} shown"] if self.shown else []
        return f" with {' and '.join(parts)}" if parts else ""

    # Saved games

    def details(self) -> dict[str, Any]:
        """What this kind of game saves beside what all do."""
        return {}

    def take_details(self, details: Mapping[str, Any]) -> None:
        """The inverse of ``details``; raises ``InputError``."""

    def replay(self, moves: Sequence[Any], undone: Sequence[Any]) -> None:
        """Make the moves of a saved game again; raises ``InputError`` that names the move."""
        for number, move in enumerate([*moves, *reversed(undone)], 1):
            try:
                self.states.append(self.after(move))
            except InputError as error:
                raise InputError(f"move {number}: {error}") from None
            self.moves.append(move)
        for _ in undone:
            self._take_back()


def counted(count: int, noun: str) -> str:
    """The number and the noun.

    >>> counted(1, "move"), counted(1200, "move"), counted(2, "box")
    ('1 move', '1,200 moves', '2 boxes')
    """
    plural = "es" if noun.endswith("x") else "s"
    return f"{count:,} {noun}" + ("" if count == 1 else plural)


def clock(seconds: float) -> str:
    """A time as people read it.

    >>> clock(63.7), clock(3725)
    ('1:03', '1:02:05')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
