"""Dots boards and files of problems as lists in brackets, and boards as drawings.

A board is ``(horizontals verticals)``: rows + 1 lists of columns horizontal arcs, the top list first, then
columns + 1 lists of rows vertical arcs, the left list first; 1 is a drawn arc. A problem is a board, or
``(NAME TARGET board)`` with or without its name and its target. A text holds one problem or several, inside
one more pair of brackets or not; ``;`` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from procura.errors import InputError

DEEPEST = 5  # the brackets around an arc: file, problem, board, horizontals or verticals, list
PROBLEM = "(NAME TARGET (horizontals verticals))"
BOARD = "(horizontals verticals)"

Arcs = list[list[int]]


class Problem(NamedTuple):
    """One problem of a text; a name or target that is not given is None."""

    name: str | None
    target: int | None
    horizontals: Arcs
    verticals: Arcs


class Node(NamedTuple):
    """A word, or a list of nodes, and where it begins ("line 3: ")."""

    value: Any
    place: str

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)


def read_problems(text: str) -> list[Problem]:
    """The problems of a text, in order.

    >>> read_problems("(A 1 (((1) (0)) ((0) (1)))) ; one box, half drawn")
    [Problem(name='A', target=1, horizontals=[[1], [0]], verticals=[[0], [1]])]
    """
    nodes = _parse(text)
    if len(nodes) == 1 and _brackets(nodes[0]) in (2, 4):
        nodes = nodes[0].value
    return [_problem(node) for node in nodes]


def read_board(board: Any) -> tuple[Arcs, Arcs]:
    """The horizontal and vertical arcs of a board: text with a single problem, or the two lists of lists."""
    if isinstance(board, str):
        problems = read_problems(board)
        if len(problems) > 1:
            raise InputError(f"the board is a text of {len(problems)} problems: expected one")
        return problems[0].horizontals, problems[0].verticals
    return _board(_node(board))


def choose(problems: Sequence[Problem], name: str | None) -> Problem:
    """The problem of that name, or the only one; a problem without a name goes by its number from 1."""
    names = [problem.name or str(number) for number, problem in enumerate(problems, 1)]
    if name is None:
        if len(problems) == 1:
            return problems[0]
        raise InputError(f"the text has {len(problems)} problems: expected problem to name one of {', '.join(names)}")
    if name in names:
        return problems[names.index(name)]
    small = [other.lower() for other in names]
    if name.lower() in small:
        return problems[small.index(name.lower())]
    raise InputError(f"problem {name!r}: expected one of {', '.join(names)}")


def check_target(target: Any, boxes: int, place: str = "") -> int:
    """The number of boxes to close, if it is one."""
    if not isinstance(target, int) or isinstance(target, bool):
        raise InputError(f"{place}the target is {target!r}: expected a number of boxes")
    if not 0 <= target <= boxes:
        raise InputError(f"{place}the target is {target}: expected 0 to {boxes}, the boxes of the board")
    return target


def _parse(text: str) -> list[Node]:
    """The nodes at the top of a text."""
    top: list[Node] = []
    open_lists: list[Node] = []
    for number, line in enumerate(text.splitlines(), 1):
        place = f"line {number}: "
        for token in re.findall(r"[()]|[^\s()]+", line.partition(";")[0]):
            inside = open_lists[-1].value if open_lists else top
            if token == "(":
                if len(open_lists) == DEEPEST:
                    raise InputError(f"{place}more than {DEEPEST} open brackets: expected at most {PROBLEM} in a list")
                open_lists.append(Node([], place))
                inside.append(open_lists[-1])
            elif token == ")":
                if not open_lists:
                    raise InputError(f"{place}')' closes nothing: expected '('")
                open_lists.pop()
            elif not open_lists:
                raise InputError(f"{place}{token!r}: expected '('")
            else:
                inside.append(Node(token, place))
    if open_lists:
        raise InputError(f"{open_lists[-1].place}'(' is never closed: expected ')' before the end of the text")
    if not top:
        raise InputError(f"the text has no board: expected {BOARD} or {PROBLEM}")
    return top


def _brackets(node: Node) -> int:
    """How many open before the first word: 1 after a name or target, 3 in a board, 2 or 4 in lists."""
    count = 0
    while node.is_list:
        if not node.value:
            raise InputError(f"{node.place}an empty list: expected {BOARD} or {PROBLEM}")
        node = node.value[0]
        count += 1
    return count


def _problem(node: Node) -> Problem:
    if _brackets(node) == 3:
        return Problem(None, None, *_board(node))
    if _brackets(node) != 1:
        raise InputError(f"{node.place}expected {BOARD} or {PROBLEM}")
    *head, last = node.value
    if len(head) not in (1, 2) or any(part.is_list for part in head) or not last.is_list:
        raise InputError(f"{node.place}expected a name, a target and a board: {PROBLEM}")
    words = [part.value for part in head]
    horizontals, verticals = _board(last)
    if len(words) == 1 and not _is_number(words[0]):
        return Problem(words[0], None, horizontals, verticals)
    name = words[0] if len(words) == 2 else None
    target = int(words[-1]) if _is_number(words[-1]) else words[-1]
    boxes = (len(horizontals) - 1) * (len(verticals) - 1)
    return Problem(name, check_target(target, boxes, head[-1].place), horizontals, verticals)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,9}", word) is not None


def _node(value: Any) -> Node:
    """Lists of Python (or an array) as nodes, which have no place."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return Node([_node(part) for part in value] if isinstance(value, list | tuple) else value, "")


def _board(node: Node) -> tuple[Arcs, Arcs]:
    if not node.is_list or len(node.value) != 2:
        raise InputError(f"{node.place}the board: expected two lists, {BOARD}")
    upper, lower = node.value
    for kind, part in (("horizontals", upper), ("verticals", lower)):
        if not part.is_list or len(part.value) < 2 or not all(arcs.is_list for arcs in part.value):
            raise InputError(f"{part.place}the {kind}: expected at least two lists of 0 and 1")
    columns = len(upper.value[0].value)
    horizontals = [_arcs(arcs, f"horizontal list {i}", columns) for i, arcs in enumerate(upper.value)]
    if len(lower.value) != columns + 1:
        count = len(lower.value)
        raise InputError(f"{lower.place}{count} vertical lists: expected {columns + 1}, one more than the columns")
    rows = len(horizontals) - 1
    return horizontals, [_arcs(arcs, f"vertical list {i}", rows) for i, arcs in enumerate(lower.value)]


def _arcs(node: Node, name: str, length: int) -> list[int]:
    """One list of arcs."""
    if len(node.value) != length or not length:
        raise InputError(f"{node.place}{name} has {len(node.value)} entries: expected {length or 'at least 1'}")
    for j, entry in enumerate(node.value):
        if entry.is_list or entry.value not in (0, 1, "0", "1"):
            found = "a list" if entry.is_list else repr(entry.value)
            raise InputError(f"{entry.place}{name}, element {j} is {found}: expected 0 or 1")
    return [int(entry.value) for entry in node.value]


def draw(arcs: Sequence[int], rows: int, columns: int) -> str:
    """The board with dots at the corners, dashes for horizontal arcs and bars for vertical ones."""
    first_vertical = (rows + 1) * columns
    lines = []
    for i in range(rows + 1):
        dashes = ("---" if arcs[i * columns + j] == 1 else "   " for j in range(columns))
        lines.append("." + "".join(dash + "." for dash in dashes))
        if i < rows:
            bars = ("|" if arcs[first_vertical + j * rows + i] == 1 else " " for j in range(columns + 1))
            lines.append("   ".join(bars).rstrip())
    return "\n".join(lines)
