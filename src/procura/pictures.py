"""Pictures of results: the boards of a solution as one SVG, and a result as HTML for notebooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from math import ceil, sqrt
from typing import Any

from procura import words
from procura.result import Result

MOST_BOARDS = 100
_GAP, _LINE = 24, 22
_NUMBER = r"(\d+(?:\.\d+)?)"
_SIZE = {name: re.compile(rf'<svg\b[^>]*?\s{name}="{_NUMBER}(?:px)?"') for name in ("width", "height")}
_VIEW_BOX = re.compile(rf'<svg\b[^>]*?\sviewBox="\S+[\s,]+\S+[\s,]+{_NUMBER}[\s,]+{_NUMBER}"')


def solution_svg(result: Result, most: int = MOST_BOARDS) -> tuple[str, int] | None:
    """The boards of a solution in a grid, from the initial one on, and how many steps were left out.

    Of a long solution the picture has the first boards and the last, ``most`` in all. Without a solution it is the
    initial board, and the best one if there is any. None if the puzzle draws no SVG.

    >>> from procura import Sliding, solve
    >>> picture, left_out = solution_svg(solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python"))
    >>> picture.count("<title>"), left_out
    (2, 0)
    """
    boards, left_out = _boards(result, most)
    picture = _grid(words.outcome(result), boards)
    return None if picture is None else (picture, left_out)


def path_svg(problem: Any, actions: Sequence[Any], title: str, most: int = MOST_BOARDS) -> tuple[str, int] | None:
    """The same of a path of actions in their JSON form, under a title.

    >>> from procura import Sliding
    >>> path_svg(Sliding("1 2 3 4 5 6 7 0 8"), ["R"], "one move")[1]
    0
    """
    boards, left_out = _along(problem, actions, most)
    picture = _grid(title, boards)
    return None if picture is None else (picture, left_out)


def animated_svg(
    problem: Any, actions: Sequence[Any], title: str, seconds: float = 0.7, most: int = MOST_BOARDS
) -> tuple[str, int] | None:
    """The boards of a path one after the other in one picture that moves by itself, ``seconds`` each, again and again.

    >>> from procura import Sliding
    >>> animated_svg(Sliding("1 2 3 4 5 6 7 0 8"), ["R"], "one move")[0].count("<animate ")
    2
    """
    boards, left_out = _along(problem, actions, most)
    if any(board is None for _, board in boards):
        return None
    drawn = [(caption, *_read(str(board))) for caption, board in boards]
    width, height = max(wide for _, _, wide, _ in drawn), max(high for _, _, _, high in drawn) + _LINE
    frames = len(drawn) + 2  # the last one stays longer
    parts = [_opening(width, height), f"<title>{escape(title)}</title>"]
    for at, (caption, picture, _, _) in enumerate(drawn):
        end = 1 if at == len(drawn) - 1 else (at + 1) / frames
        times, values = f"0;{at / frames:.5f};{end:.5f}", "hidden;visible;hidden"
        if at == 0:
            times, values = f"0;{end:.5f}", "visible;hidden"
        if end == 1:
            times, values = times.rpartition(";")[0] or "0", values.rpartition(";")[0]
        parts += [
            f'<g visibility="{"visible" if at == 0 else "hidden"}">',
            f'<animate attributeName="visibility" calcMode="discrete" repeatCount="indefinite" values="{values}"'
            f' keyTimes="{times}" dur="{frames * seconds:g}s"/>',
            picture,
            _text(4, height - 6, caption),
            "</g>",
        ]
    return "\n".join([*parts, "</svg>\n"]), left_out


def _grid(title: str, boards: list[tuple[str, str | None]]) -> str | None:
    """Boards with their captions side by side under a title; None if one has no picture."""
    if any(board is None for _, board in boards):
        return None
    drawn = [(caption, *_read(str(board))) for caption, board in boards]
    widest, highest = max(width for _, _, width, _ in drawn), max(height for _, _, _, height in drawn)
    columns = max(1, ceil(sqrt(len(drawn) * highest / widest)))
    across, down = widest + _GAP, highest + _LINE + _GAP
    width, height = columns * across + _GAP, ceil(len(drawn) / columns) * down + _LINE + _GAP
    parts = [_opening(width, height), _text(_GAP, _LINE, title)]
    for at, (caption, picture, _, _) in enumerate(drawn):
        x, y = _GAP + at % columns * across, _LINE + _GAP + at // columns * down
        parts += [_text(x, y + 14, caption), f'<g transform="translate({x:g} {y + _LINE:g})">', picture, "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _opening(width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="system-ui, sans-serif" font-size="14" fill="#24292f">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    )


def _boards(result: Result, most: int) -> tuple[list[tuple[str, str | None]], int]:
    """(caption, SVG) of the boards to show, and how many are left out before the last."""
    problem = result.problem
    if result.path is None:
        boards = [("start", problem.to_svg(problem.initial))]
        best = None if result.final is None else (result.view or problem).to_svg(result.final)
        return [*boards, *([] if best is None else [("best so far", best)])], 0
    return _along(problem, result.actions or (), most)


def _along(problem: Any, actions: Sequence[Any], most: int) -> tuple[list[tuple[str, str | None]], int]:
    """The same for a path of actions in their JSON form."""
    state, count = problem.initial, len(actions)
    shown = [("start", problem.to_svg(state))]
    left_out = max(count + 1 - max(most, 2), 0)
    for number, action in enumerate(actions, 1):
        state = problem.result(state, problem.action_from_json(action))
        if number <= count - left_out - 1 or number == count:
            gap = f"({words.counted(left_out, 'step')} left out)  " if left_out and number == count else ""
            shown.append((f"{gap}{number}. {problem.action_text(action)}", problem.to_svg(state)))
    return shown, left_out


def _read(picture: str) -> tuple[str, float, float]:
    """An SVG without what stands before its root, and its width and height."""
    start = picture.find("<svg")
    picture = picture[max(start, 0) :]
    root = picture[: picture.find(">") + 1]
    sizes = [found.search(root) for found in _SIZE.values()]
    view = _VIEW_BOX.search(root)
    if sizes[0] and sizes[1]:
        return picture, float(sizes[0][1]), float(sizes[1][1])
    return (picture, float(view[1]), float(view[2])) if view else (picture, 300.0, 300.0)


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'


def result_html(result: Result) -> str:
    """A result for a notebook: the board at the start and at the end, how it ended, and its figures.

    >>> from procura import Sliding, solve
    >>> print(result_html(solve(Sliding("1 2 3 4 5 6 7 0 8"), "bfs", engine="python"))[:58])
    <div><p><b>solved in 1 move, proved optimal</b></p><div st
    """
    problem = result.problem
    boards = [_board(problem, problem.initial)]
    if result.final is not None:
        boards.append(_board(result.view or problem, result.final))
    row = "display:flex;gap:2em;align-items:flex-start;flex-wrap:wrap"
    figures = "".join(
        f'<tr><th style="text-align:left">{escape(label)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for label, value in words.statistics(result)
    )
    return (
        f'<div><p><b>{escape(words.outcome(result))}</b></p><div style="{row}">{"".join(boards)}</div>'
        f"<table>{figures}</table></div>"
    )


def _board(problem: Any, state: Any) -> str:
    picture = problem.to_svg(state)
    if picture is not None:
        return f"<div>{_read(picture)[0]}</div>"
    return f"<pre>{escape(problem.draw(state))}</pre>"
