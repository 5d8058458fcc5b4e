"""Dots problems as text: lists in brackets or drawings, one problem or several.

A board is ``(horizontals verticals)``: rows + 1 lists of columns horizontal arcs, the top list first, then
columns + 1 lists of rows vertical arcs, the left list first; 1 is a drawn arc. A problem is a board, or
``(NAME TARGET board)`` with or without its name and its target. A text holds one problem or several, inside
one more pair of brackets or not. A drawing may have a line ``NAME TARGET`` above it, with or without one of them;
a text holds several drawings if each has such a line. ``;`` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from procura.errors import InputError
from procura.puzzles.arguments import plain
from procura.puzzles.dots.drawing import is_dotted, read_drawing, write_drawing

MOST_ARCS = 1200
"""The arcs of the largest board, 24x24 boxes. A search looks at the clock between expansions, and one expansion takes
a time that grows with the square of this."""
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

    @property
    def rows(self) -> int:
        """The rows of boxes."""
        return len(self.horizontals) - 1

    @property
    def columns(self) -> int:
        """The columns of boxes."""
        return len(self.verticals) - 1

    @property
    def boxes(self) -> int:
        """All boxes of the board."""
        return self.rows * self.columns

    @property
    def closed(self) -> int:
        """The boxes closed at the start."""
        across, down = self.horizontals, self.verticals
        places = ((r, c) for r in range(self.rows) for c in range(self.columns))
        return sum(across[r][c] + across[r + 1][c] + down[c][r] + down[c + 1][r] == 4 for r, c in places)

    @property
    def missing(self) -> int:
        """The arcs that are not drawn."""
        return sum(arcs.count(0) for arcs in (*self.horizontals, *self.verticals))

    @property
    def drawing(self) -> str:
        """The board in ASCII."""
        return write_drawing([arc for arcs in (*self.horizontals, *self.verticals) for arc in arcs], *self.size)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of boxes."""
        return self.rows, self.columns


class Node(NamedTuple):
    """A word, or a list of nodes, and where it begins ("line 3: ")."""

    value: Any
    place: str

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)


def read_problems(text: str) -> list[Problem]:
    """The problems of a text, in order; an error names the line and, if there are several problems, which one.

    >>> read_problems("(A 1 (((1) (0)) ((0) (1)))) ; one box, half drawn")
    [Problem(name='A', target=1, horizontals=[[1], [0]], verticals=[[0], [1]])]
    """
    lines = [(number, line.partition(";")[0]) for number, line in enumerate(text.splitlines(), 1)]
    if any(is_dotted(line) for _, line in lines) and not any("(" in line for _, line in lines):
        return _drawings(text)
    nodes = _parse(lines)
    if len(nodes) == 1 and _brackets(nodes[0]) in (2, 4):
        nodes = nodes[0].value
    return [_located(_problem, node, _label(node, number, len(nodes))) for number, node in enumerate(nodes, 1)]


def _located(read: Callable[[Any], Problem], what: Any, label: str) -> Problem:
    """The problem read, or its error with the label before it."""
    try:
        return read(what)
    except InputError as error:
        raise InputError(f"{label}{error}") from error


def _label(node: Node, number: int, count: int) -> str:
    """What to call a problem in messages: by its name or else its number; nothing if it is the only one."""
    words = [part.value for part in node.value if not part.is_list] if node.is_list else []
    named = len(words) == 2 or (len(words) == 1 and not _is_number(words[0]))
    return "" if count == 1 else f"problem {words[0] if named else number}, "


def write_problems(problems: Iterable[Problem]) -> str:
    """A text of lists with a problem a line, which ``read_problems`` reads back.

    >>> print(write_problems(read_problems("A 1\\n.-.\\n  |\\n. .")))
    (
     (A 1 (((1) (0)) ((0) (1))))
    )
    """
    return "\n".join(["(", *(f" {write_problem(problem)}" for problem in problems), ")"])


def write_problem(problem: Problem) -> str:
    """The problem as lists, on one line."""
    name, target, horizontals, verticals = problem
    if name is not None and (not re.fullmatch(r"[^\s();]+", name) or (target is None and _is_number(name))):
        raise InputError(f"problem name {name!r}: expected a word, and no number if there is no target")
    board = f"({_write_lists(horizontals)} {_write_lists(verticals)})"
    words = [str(part) for part in (name, target) if part is not None]
    return f"({' '.join([*words, board])})" if words else board


def _write_lists(lists: Arcs) -> str:
    return f"({' '.join('(' + ' '.join(map(str, arcs)) + ')' for arcs in lists)})"


def read_board(board: Any) -> Problem:
    """A board and, if it says one, its target: text with a single problem, or the two lists of lists."""
    if isinstance(board, str):
        problems = read_problems(board)
        if len(problems) > 1:
            raise InputError(f"the board is a text of {len(problems)} problems: expected one")
        return problems[0]
    return Problem(None, None, *_board(_node(board)))


def labels(problems: Sequence[Problem]) -> list[str]:
    """What each problem goes by: its name, or its number from 1 if it has none."""
    return [problem.name or str(number) for number, problem in enumerate(problems, 1)]


def choose(problems: Sequence[Problem], name: str | None) -> Problem:
    """The problem of that name, or the only one."""
    names = labels(problems)
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
    target = plain(target)
    if not isinstance(target, int) or isinstance(target, bool):
        raise InputError(f"{place}the target is {target!r}: expected a number of boxes")
    if not 0 <= target <= boxes:
        raise InputError(f"{place}the target is {target}: expected 0 to {boxes}, the boxes of the board")
    return target


def check_size(rows: int, columns: int) -> None:
    """Refuse boards that are too large."""
    arcs = 2 * rows * columns + rows + columns
    if arcs > MOST_ARCS:
        raise InputError(
            f"a board of {rows}x{columns} boxes has {arcs} arcs: expected at most {MOST_ARCS}, "
            "or one step of a search takes too long for its limits to hold"
        )


def _drawings(text: str) -> list[Problem]:
    """The problems of a text of drawings; a line that begins with a letter or digit is the head of one."""
    parts: list[tuple[list[Node], list[tuple[int, str]]]] = [([], [])]
    for number, line in enumerate(text.splitlines(), 1):
        content, comment, _ = line.partition(";")
        if content.strip()[:1].isalnum():
            words = [Node(word, f"line {number}: ") for word in content.split()]
            parts.append((words, []))
        elif content.strip() or not comment:
            parts[-1][1].append((number, content))
    if not parts[0][1] or (len(parts) > 1 and not any(line.strip() for _, line in parts[0][1])):
        del parts[0]
    count = len(parts)
    nodes = (Node(head, "") for head, _ in parts)
    found = [_label(node, number, count) for number, node in enumerate(nodes, 1)]
    return [_located(_drawn_problem, part, label) for part, label in zip(parts, found, strict=True)]


def _drawn_problem(part: tuple[list[Node], list[tuple[int, str]]]) -> Problem:
    head, lines = part
    if len(head) > 2:
        raise InputError(f"{head[0].place}{len(head)} words: expected NAME TARGET above a drawing")
    if head and not any(line.strip() for _, line in lines):
        raise InputError(f"{head[0].place}expected a drawing below {head[0].value!r}")
    return _headed(head, *read_drawing(lines))


def _parse(lines: list[tuple[int, str]]) -> list[Node]:
    """The nodes at the top of a text without comments."""
    top: list[Node] = []
    open_lists: list[Node] = []
    for number, line in lines:
        place = f"line {number}: "
        for token in re.findall(r"[()]|[^\s()]+", line):
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
    return _headed(head, *_board(last))


def _headed(head: Sequence[Node], horizontals: Arcs, verticals: Arcs) -> Problem:
    """The problem with the name and target that its head gives: both, one or none of them."""
    words = [part.value for part in head]
    if not words or (len(words) == 1 and not _is_number(words[0])):
        return Problem(words[0] if words else None, None, horizontals, verticals)
    name = words[0] if len(words) == 2 else None
    target = int(words[-1]) if _is_number(words[-1]) else words[-1]
    boxes = (len(horizontals) - 1) * (len(verticals) - 1)
    return Problem(name, check_target(target, boxes, head[-1].place), horizontals, verticals)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,9}", word) is not None


def _node(value: Any, levels: int = 3) -> Node:
    """Lists of Python (or an array) as nodes, which have no place; a board has three levels of lists."""
    value = plain(value)
    deeper = isinstance(value, list | tuple) and levels > 0
    return Node([_node(part, levels - 1) for part in value] if deeper else value, "")


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
