"""Dots and Boxes as a game: alone, for the fewest arcs, or in turns against the computer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from procura.errors import InputError
from procura.play.advice import Cancel, Rest
from procura.play.game import Game, Hint, IllegalMove, clock, counted
from procura.play.greedy import greedy_arc
from procura.problem import Problem
from procura.puzzles.dots import Dots

NOBODY, YOU, COMPUTER = 0, 1, 2


class DotsGame(Game):
    """Close enough boxes with the fewest arcs, drawn in any order."""

    problem: Dots
    noun = "arc"
    others = ("greedy:polyomino",)

    def __init__(self, problem: Dots, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(problem.with_options(order="any"))

    @property
    def arcs(self) -> Sequence[int]:
        """Of every arc whether it is drawn."""
        return self.state[: self.problem.key]

    @property
    def closed(self) -> int:
        """The boxes closed so far."""
        return int(self.state[self.problem.key])

    def refusal(self, move: Any) -> str:
        return f"the arc {arc_words(move)} is drawn already"

    def from_here(self) -> Problem:
        return _board(self.problem, self.arcs)

    def whole(self) -> Problem:
        return self.problem.with_options(order="canonical")

    def summary(self, best: Rest | None = None) -> str:
        closed = f"{self.closed} of {counted(self.problem.target, 'box')} closed"
        used = f"{counted(len(self.moves), 'arc')} and {clock(self.seconds)}{self.helped()}"
        if not self.won:
            return f"{closed} with {used}"
        return f"{counted(self.closed, 'box')} closed with {used}{self.compared(best)}"

    def compared(self, best: Rest | None) -> str:
        return super().compared(best).replace("no solution is shorter", "no fewer arcs do it")


class Duel(NamedTuple):
    """The drawn arcs, who closed each box, and whose turn it is."""

    arcs: tuple[int, ...]
    owners: tuple[int, ...]
    turn: int


class DotsDuel(Game):
    """You and the computer draw arcs in turns; who closes a box owns it and draws again; most boxes win.

    The computer plays greedily, see ``greedy_arc``; equal moves are chosen by ``seed``.
    """

    problem: Dots
    noun = "arc"
    comparable = False

    def __init__(self, problem: Dots, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem)
        self.seed = seed

    def begin(self) -> Duel:
        return Duel(tuple(self.problem.arcs), (NOBODY,) * (self.problem.rows * self.problem.columns), YOU)

    @property
    def arcs(self) -> Sequence[int]:
        """Of every arc whether it is drawn."""
        return self.state.arcs

    def legal(self) -> list[Any]:
        return [self.problem.action_to_json(arc) for arc, drawn in enumerate(self.arcs) if not drawn]

    def after(self, move: Any) -> Duel:
        arc = self.problem.action_from_json(move)
        if self.arcs[arc]:
            raise IllegalMove(f"the arc {arc_words(move)} is drawn already")
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

    def answer(self) -> Any | None:
        if self.over or self.state.turn == YOU:
            return None
        return self._greedy_move()

    def _greedy_move(self) -> Any:
        data = self.problem.lists
        arc = greedy_arc(self.arcs, data.sides, data.beside, (self.seed, len(self.moves)))
        return self.problem.action_to_json(arc)

    def suggest(self, cancel: Cancel | None = None) -> Hint:
        """What the computer would do in your place."""
        if self.over:
            return Hint(None, "the game is over: there is nothing left to do")
        return Hint(self._greedy_move(), "what the computer would draw in your place")

    def summary(self, best: Rest | None = None) -> str:
        yours, others = self.boxes(YOU), self.boxes(COMPUTER)
        score = f"you {yours}, computer {others}"
        if not self.over:
            return score
        winner = "you win" if yours > others else "the computer wins" if others > yours else "a draw"
        return f"{winner}: {score} after {clock(self.seconds)}{self.helped()}"

    def details(self) -> dict[str, Any]:
        return {"against": "computer", "seed": self.seed}

    def take_details(self, details: Mapping[str, Any]) -> None:
        seed = details.get("seed", 0)
        if type(seed) is not int:
            raise InputError(f"seed {seed!r}: expected a whole number")
        self.seed = seed


def arc_words(move: Any) -> str:
    """An arc as solutions write it: ``h0,1`` is horizontal, list 0, element 1."""
    kind, i, j = move
    return f"{kind}{i},{j}"


def _board(problem: Dots, arcs: Sequence[int]) -> Dots:
    """The problem with these arcs drawn."""
    rows, columns, first = problem.rows, problem.columns, problem.first_vertical
    drawn = [int(arc == 1) for arc in arcs]
    horizontals = [drawn[i : i + columns] for i in range(0, first, columns)]
    verticals = [drawn[i : i + rows] for i in range(first, len(drawn), rows)]
    return Dots([horizontals, verticals], problem.target)
