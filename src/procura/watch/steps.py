"""A step of a search as plain data, as JSON has it; ``procura.watch.recording`` says what each field is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from procura.analysing import GamePlan
from procura.presentation import Presentation
from procura.problem import DEAD
from procura.record import plain
from procura.solving import Plan
from procura.watch.frames import Frame, Successor
from procura.watch.frontier import Entry
from procura.watch.game_frames import GameFrame, Move, Position

ToBoard = Callable[[Any, Any], Any]
"""What stands for a state, of the problem or its local view and the state."""


def board_text(problem: Presentation, state: Any) -> str:
    """The state as text."""
    return problem.to_text(state)


def step_of(
    plan: Plan | GamePlan, frame: Frame | GameFrame, waiting: Sequence[Entry], board: ToBoard = board_text
) -> dict[str, Any]:
    """The frame, and the nodes that wait, as plain data."""
    if isinstance(frame, GameFrame):
        return _game_step(plan.problem, frame, board)
    assert isinstance(plan, Plan)
    local = plan.info.local
    shown = plan.problem.local() if local and frame.kind != "start" else plan.problem
    step = {
        "step": frame.number, "kind": frame.kind, "board": board(shown, frame.state), "solved": frame.solved,
        "expanded": frame.expanded, "generated": frame.generated, "level": frame.level,
    }  # fmt: skip
    if local:
        return plain({**step, "energy": frame.energy, "best": frame.best, "figures": frame.figures})
    step |= {
        "duplicates": frame.duplicates, "dropped": frame.dropped, "waiting": frame.waiting, "largest": frame.largest,
        "bound": frame.bound, "why": frame.why, "node": None if frame.entry is None else _node(plan, frame.entry),
        "successors": [_successor(plan, frame, one) for one in frame.successors],
        "frontier": [entry.number for entry in waiting],
    }  # fmt: skip
    return plain(step)


def _node(plan: Plan, entry: Entry) -> dict[str, Any]:
    parent = None if entry.parent is None else entry.parent.number
    action = None if entry.parent is None else action_text(plan.problem, entry.action)
    return {"node": entry.number, "parent": parent, "action": action, **_figures(plan, entry), "depth": entry.depth}


def _successor(plan: Plan, frame: Frame, successor: Successor) -> dict[str, Any]:
    assert frame.entry is not None
    return {
        "node": successor.number, "parent": frame.entry.number, "action": action_text(plan.problem, successor.action),
        **_figures(plan, successor), "depth": frame.entry.depth + 1, "fate": successor.fate,
    }  # fmt: skip


def _figures(plan: Plan, node: Entry | Successor) -> dict[str, Any]:
    """g, h and f; a proof of a dead end is no number."""
    known = plan.info.uses_heuristic and node.h is not None and node.h < DEAD
    return {"g": node.g, "h": node.h if known else None, "f": node.f}


def action_text(problem: Presentation, action: Any) -> str:
    """An action as people write it."""
    return problem.action_text(problem.action_to_json(action))


def _game_step(game: Presentation, frame: GameFrame, board: ToBoard) -> dict[str, Any]:
    step = {
        "step": frame.number, "kind": frame.kind, "board": board(game, frame.state), "solved": frame.solved,
        "expanded": frame.expanded, "generated": frame.generated, "level": frame.level, "cuts": frame.cuts,
        "bound": frame.bound, "value": frame.value, "move": None if frame.move is None else _move(game, frame.move),
        "line": [] if frame.position is None else [_position(game, one) for one in frame.position.line()],
    }  # fmt: skip
    listed = frame.root or frame.position
    moves = [] if listed is None else [_move(game, move) for move in listed.moves]
    return plain({**step, "moves": moves})


def _position(game: Presentation, position: Position) -> dict[str, Any]:
    parent = position.parent
    told = {
        "node": position.number, "parent": None if parent is None else parent.number,
        "action": None if parent is None else action_text(game, position.action), "player": position.player,
        "alpha": position.alpha, "beta": position.beta, "value": position.value, "visits": position.visits,
    }  # fmt: skip
    return {name: value for name, value in told.items() if value is not None}


def _move(game: Presentation, move: Move) -> dict[str, Any]:
    told = {"node": move.number, "action": action_text(game, move.action), "fate": move.fate}
    if move.fate == "valued":
        told |= {
            "value": move.value, "bound": move.bound, "proved": move.proved, "by": move.by, "visits": move.visits,
        }  # fmt: skip
    return {name: value for name, value in told.items() if value is not None}
