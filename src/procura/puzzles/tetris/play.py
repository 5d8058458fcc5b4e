"""Tetris with a known list of pieces as a game: each move places the next piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procura.play.advice import Rest
from procura.play.attempt import Attempt, IllegalMove, clock, counted
from procura.play.face import Face
from procura.problem import Problem
from procura.puzzles.tetris import Tetris
from procura.puzzles.tetris.rules import COLUMN_SPAN, landing_row


class TetrisAttempt(Attempt):
    """Place all pieces without filling the top row, for as many points as can be."""

    problem: Tetris
    others = ("beam:quality_bound,width=300",)

    def __init__(self, problem: Tetris, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem, problem.board_options())

    def face(self) -> Face:
        from procura.puzzles.tetris.face import TetrisFace

        return TetrisFace(self)

    @property
    def points(self) -> int:
        """The points made so far."""
        return self.problem.points(self.state)

    @property
    def upcoming(self) -> str:
        """The letters of the pieces still to be placed, the one in hand first."""
        return self.problem.upcoming(self.state)

    @property
    def lost(self) -> bool:
        """Whether the top row is filled."""
        return bool(self.state[self.problem.rows - 1])

    def after(self, move: Any) -> Any:
        if self.lost:
            raise IllegalMove("the top row is filled: the game is lost, but a move can be taken back")
        if not self.upcoming:
            raise IllegalMove("all pieces are placed")
        action = self.problem.action_from_json(move)
        if move[0] != self.upcoming[0]:
            raise IllegalMove(f"the piece in hand is {self.upcoming[0]}, not {move[0]}")
        return self.problem.result(self.state, action)

    def landing(self, rotation: int, column: int) -> list[tuple[int, int]]:
        """The cells (row from the bottom, column) that the piece in hand would come to rest on; rows may lie above."""
        problem = self.problem
        move = problem.action_from_json([self.upcoming[0], rotation, column])
        data, form = problem.lists, move // COLUMN_SPAN
        base = landing_row(list(self.state), data, form, column)
        masks = data.masks[4 * form : 4 * form + data.height[form]]
        return [
            (base + i, c) for i, mask in enumerate(masks) for c in range(problem.columns) if mask << column >> c & 1
        ]

    def from_here(self) -> Problem:
        problem = self.problem
        board = list(self.state[: problem.rows])
        return type(problem)(board, self.upcoming, problem.cost_name, rows=problem.rows, columns=problem.columns)

    def why(self, rest: Rest) -> str:
        total = self.points_after(rest)
        if rest.optimal:
            return f"it leads to {counted(total, 'point')} in all, the most that can still be had"
        return f"it leads to {counted(total, 'point')} in all, the most that a few seconds of search found"

    def points_after(self, rest: Rest) -> int:
        """The points that following ``rest`` ends with."""
        state = self.state
        for move in rest.moves:
            state = self.problem.result(state, self.problem.action_from_json(move))
        return self.problem.points(state)

    def summary(self, best: Rest | None = None) -> str:
        score = f"{counted(self.points, 'point')} in {clock(self.seconds)}{self.helped()}"
        placed = f"{len(self.moves)} of {counted(len(self.problem.pieces), 'piece')} placed"
        if self.won:
            return f"all {counted(len(self.problem.pieces), 'piece')} placed: {score}{self.compared(best)}"
        if self.lost:
            return f"the top row is filled: lost with {placed}, {score}"
        return f"{placed}, {score}"

    def compared(self, best: Rest | None) -> str:
        if best is None or not best.found or not best.optimal:
            return ""
        state = self.states[0]
        for move in best.moves:
            state = self.problem.result(state, self.problem.action_from_json(move))
        most = self.problem.points(state)
        return "; no more can be had" if self.points >= most else f"; the most is {most:,}"
