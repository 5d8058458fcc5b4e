"""Dots and Boxes as a game: alone, for the fewest arcs, or in turns against the computer."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from procura.compiled.process import Compiler
from procura.errors import InputError
from procura.handover import forked_compiler
from procura.play.advice import Cancel, Rest
from procura.play.attempt import Attempt, Hint, IllegalMove, clock, counted
from procura.play.face import Face
from procura.problem import Problem
from procura.puzzles.dots import Dots
from procura.puzzles.dots.players import FEW_LINES, Computer, compile_solver
from procura.puzzles.dots.positions import has_table

NOBODY, YOU, COMPUTER = 0, 1, 2
WAIT_SECONDS = 2.0


class DotsAttempt(Attempt):
    """Close enough boxes with the fewest arcs, drawn in any order."""

    problem: Dots
    others = ("greedy:polyomino",)

    def __init__(self, problem: Dots, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem.with_options(order="any"))

    def face(self) -> Face:
        from procura.puzzles.dots.face import DotsFace

        return DotsFace(self)

    @property
    def arcs(self) -> Sequence[int]:
        """Of every arc whether it is drawn."""
        return self.state[: self.problem.key]

    @property
    def closed(self) -> int:
        """The boxes closed so far."""
        return int(self.state[self.problem.key])

    def refusal(self, move: Any) -> str:
        return f"the line {self.problem.action_text(move)} is drawn already"

    def from_here(self) -> Problem:
        return _board(self.problem, self.arcs)

    def whole(self) -> Problem:
        return self.problem.with_options(order="canonical")

    def summary(self, best: Rest | None = None) -> str:
        closed = f"{self.closed} of {counted(self.problem.target, 'box')} closed"
        used = f"{counted(len(self.moves), 'line')} and {clock(self.seconds)}{self.helped()}"
        if not self.won:
            return f"{closed} with {used}"
        return f"{counted(self.closed, 'box')} closed with {used}{self.compared(best)}"

    def compared(self, best: Rest | None) -> str:
        return super().compared(best).replace("no solution is shorter", "no fewer lines do it")


class Duel(NamedTuple):
    """The drawn arcs, who closed each box, and whose turn it is."""

    arcs: tuple[int, ...]
    owners: tuple[int, ...]
    turn: int


class DotsDuel(Attempt):
    """You and the computer draw arcs in turns; who closes a box owns it and draws again; most boxes win.

    The computer plays as ``Computer`` does at this level; equal moves are chosen by ``seed``.
    """

    problem: Dots
    comparable = False
    answers = "the computer draws"
    level = "easy"
    against = "computer"
    """What the opponent is called in a saved game."""

    def __init__(self, problem: Dots, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        self.first = YOU
        super().__init__(problem)
        self.seed = seed
        self._adviser = Computer(problem, "perfect")

    @property
    def seed(self) -> int:
        """What the computer chooses equal moves by."""
        return self._computer.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._computer = Computer(self.problem, self.level, seed)

    def let_other_begin(self) -> None:
        self.first = COMPUTER
        self.states = [self.begin()]

    def face(self) -> Face:
        from procura.puzzles.dots.face import DuelFace

        return DuelFace(self)

    def begin(self) -> Duel:
        return Duel(tuple(self.problem.arcs), (NOBODY,) * (self.problem.rows * self.problem.columns), self.first)

    @property
    def arcs(self) -> Sequence[int]:
        """Of every arc whether it is drawn."""
        return self.state.arcs

    def legal(self) -> list[Any]:
        return [self.problem.action_to_json(arc) for arc, drawn in enumerate(self.arcs) if not drawn]

    def after(self, move: Any) -> Duel:
        arc = self.problem.action_from_json(move)
        if self.arcs[arc]:
            raise IllegalMove(f"the line {self.problem.action_text(move)} is drawn already")
        arcs, owners = list(self.state.arcs), list(self.state.owners)
        arcs[arc] = 1
        closed = [box for box in self._beside(arc) if all(arcs[side] for side in self._sides(box))]
        for box in closed:
            owners[box] = self.state.turn
        return Duel(tuple(arcs), tuple(owners), self.state.turn if closed else YOU + COMPUTER - self.state.turn)

    def _beside(self, arc: int) -> list[int]:
        return [int(box) for box in self.problem.lists.beside[2 * arc : 2 * arc + 2] if box >= 0]

    def _sides(self, box: int) -> list[int]:
        return [int(arc) for arc in self.problem.lists.sides[4 * box : 4 * box + 4]]

    @property
    def over(self) -> bool:
        """All arcs are drawn."""
        return all(self.arcs)

    @property
    def won(self) -> bool:
        """All arcs are drawn and you own more boxes."""
        return self.over and self.boxes(YOU) > self.boxes(COMPUTER)

    def boxes(self, owner: int) -> int:
        """How many boxes ``owner`` closed."""
        return int(self.state.owners.count(owner))

    def turn_begins(self, made: int) -> bool:
        """You are to move, and the computer moved last."""
        return made == 0 or (self.states[made].turn == YOU and self.states[made - 1].turn == COMPUTER)

    @property
    def others_turn(self) -> bool:
        return not self.over and self.state.turn == COMPUTER

    @property
    def patient(self) -> bool:
        return self._computer.patient(self.arcs) and not has_table(self.problem)

    def answer(self) -> Any | None:
        if not self.others_turn:
            return None
        return self.problem.action_to_json(self._computer.choice(self.arcs).line)

    def suggest(self, cancel: Cancel | None = None) -> Hint:
        """A best move and what it is worth, if that is found soon; else what the computer would do in your place."""
        if self.over:
            return Hint(None, "the game is over: there is nothing left to do")
        choice = self._adviser.choice(self.arcs, cancel) if self.state.turn == YOU else self._computer.choice(self.arcs)
        move = self.problem.action_to_json(choice.line)
        if choice.value is None:
            return Hint(move, "what the computer would draw in your place")
        return Hint(move, f"of the boxes left you get {worth(choice.value)}, which is proved")

    def summary(self, best: Rest | None = None) -> str:
        yours, others = self.boxes(YOU), self.boxes(COMPUTER)
        score = f"you {yours}, computer {others}"
        if not self.over:
            return score
        winner = "you win" if yours > others else "the computer wins" if others > yours else "a draw"
        return f"{winner}: {score} after {clock(self.seconds)}{self.helped()}"

    def details(self) -> dict[str, Any]:
        return {"against": self.against, "seed": self.seed, "first": "you" if self.first == YOU else "computer"}

    def take_details(self, details: Mapping[str, Any]) -> None:
        seed = details.get("seed", 0)
        if type(seed) is not int:
            raise InputError(f"seed {seed!r}: expected a whole number")
        self.seed = seed
        first = details.get("first", "you")
        if first not in ("you", "computer"):
            raise InputError(f"first {first!r:.40}: expected you or computer")
        if first == "computer":
            self.let_other_begin()


class EasyDuel(DotsDuel):
    """Against a computer that takes what it can."""

    against = "easy"


class StrongDuel(DotsDuel):
    """Against a computer that looks ahead for two seconds.

    On a board that it cannot look through yet, kernels are compiled in a copy of this process from its first move on.
    Should they not be there when they are wanted, it waits for them as long as it would look ahead, and then plays as
    an easy one does.
    """

    level = against = "strong"
    _compiler: Compiler | None = None

    def answer(self) -> Any | None:
        if not self.others_turn:
            return None
        if self._compiler is None and sum(not drawn for drawn in self.arcs) > FEW_LINES:
            self._compiler = forked_compiler(compile_solver)
        if self._compiler is not None and self._compiler.poll() is None:
            end = time.monotonic() + WAIT_SECONDS
            while self._computer.searches(self.arcs) and self._compiler.poll() is None and time.monotonic() < end:
                time.sleep(0.02)
            if self._compiler.poll() is None:
                return self.problem.action_to_json(Computer(self.problem, "easy", self.seed).choice(self.arcs).line)
        return super().answer()


class PerfectDuel(DotsDuel):
    """Against a computer that makes no mistake on boards of up to 3x4 boxes."""

    level = against = "perfect"


DotsAttempt.opponents = {"computer": DotsDuel, "easy": EasyDuel, "strong": StrongDuel, "perfect": PerfectDuel}


def worth(value: int) -> str:
    """What a move is worth, in words.

    >>> worth(3), worth(0), worth(-1)
    ('3 more than the computer', 'as many as the computer', '1 fewer than the computer')
    """
    if value == 0:
        return "as many as the computer"
    return f"{abs(value)} {'more' if value > 0 else 'fewer'} than the computer"


def _board(problem: Dots, arcs: Sequence[int]) -> Dots:
    """The problem with these arcs drawn."""
    rows, columns, first = problem.rows, problem.columns, problem.first_vertical
    drawn = [int(arc == 1) for arc in arcs]
    horizontals = [drawn[i : i + columns] for i in range(0, first, columns)]
    verticals = [drawn[i : i + rows] for i in range(first, len(drawn), rows)]
    return type(problem)([horizontals, verticals], problem.target)
