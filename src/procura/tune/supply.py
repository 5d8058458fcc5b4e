"""Boards to tune on: random ones of the puzzle's generator, or those of a file, in training and validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from procura.errors import InputError
from procura.problem import Problem
from procura.reading.puzzles import ChosenPuzzle
from procura.rng import shuffled, stream
from procura.tune.boards import Board

APART = 1_000_000
"""Seeds of training boards lie below this part of a boards' seed, those of validation boards above."""
MOST_DRAWS = 1000


def random_boards(
    puzzle: ChosenPuzzle,
    options: Mapping[str, Any],
    types: Sequence[Mapping[str, Any]],
    carried: Mapping[str, Any],
    seed: int,
    train: int,
    validate: int,
) -> tuple[list[Board], list[Board]]:
    """Random boards for training and others for validation, the same for the same seed; no board comes twice.

    ``types`` are options of the generator that boards take in turn; ``carried`` are options of the puzzle that its
    generator does not take.
    """
    seen: set[str] = set()

    def draw(first: int, count: int) -> list[Board]:
        boards: list[Board] = []
        number = first
        while len(boards) < count:
            if number - first > count + MOST_DRAWS:
                raise InputError(
                    f"{puzzle.name}: {count} boards are more than there are: expected fewer, or larger ones"
                )
            made = {**types[len(boards) % len(types)], **options}
            board = _written(puzzle, puzzle.cls.generate(number, **made), made, carried)
            number += 1
            if board.text not in seen:
                seen.add(board.text)
                boards.append(board)
        return boards

    base = 2 * APART * seed
    return draw(base, train), draw(base + APART, validate)


def _written(puzzle: ChosenPuzzle, problem: Problem, options: Mapping[str, Any], carried: Mapping[str, Any]) -> Board:
    """A random board as text, with the options of the puzzle that the text does not tell."""
    text = problem.board_text()
    shared = {name: value for name, value in options.items() if name in puzzle.options}
    for told in ({}, shared):
        try:
            if problem.same_board(puzzle.cls.from_text(text, **told)):
                return Board(text, {**told, **carried})
        except InputError:
            continue
    advice = "" if puzzle.entry else ": define board_text(self), the text that from_text reads"
    raise InputError(f"{puzzle.name} cannot read the random boards it writes{advice}")


def boards_of_texts(texts: Sequence[str], options: Mapping[str, Any]) -> list[Board]:
    """The boards of files, each once."""
    return [Board(text, dict(options)) for text in dict.fromkeys(texts)]


def own_text(puzzle: ChosenPuzzle, problem: Problem, source: str, options: Mapping[str, Any]) -> str:
    """A board of a file as text: as the puzzle writes it, or as it stands there if a user's class cannot read that."""
    if puzzle.entry is None:
        try:
            if not problem.same_board(puzzle.cls.from_text(problem.board_text(), **options)):
                return source
        except Exception:  # a user's class may raise anything
            return source
    return problem.board_text()


def divided(
    boards: Sequence[Board], train: int | None, validate: int | None, seed: int
) -> tuple[list[Board], list[Board]]:
    """Given boards in random order, divided: three fifths for training unless numbers are given.

    If all of them are for training, they keep their order.
    """
    least = 1 if train is None else train
    if least + (validate or 0) > len(boards):
        wanted = f"{'at least 1' if train is None else train} for training and {validate or 0} for validation"
        there = "there is 1 board" if len(boards) == 1 else f"there are {len(boards)} boards"
        raise InputError(f"{wanted}: {there}")
    if train is None:
        train = len(boards) - validate if validate is not None else max(len(boards) * 3 // 5, 1)
    if validate is None:
        validate = len(boards) - train
    order = list(boards) if train == len(boards) else shuffled([stream(seed)], boards)
    return order[:train], order[train : train + validate]
