"""Dots problems as text: lists in brackets or drawings, one problem or several.

A board is ``(horizontals verticals)``: rows + 1 lists of columns horizontal arcs, the top list first, then
columns + 1 lists of rows vertical arcs, the left list first; 1 is a drawn arc. A problem is a board, or
``(NAME TARGET board)`` with or without its name and its target. A text holds one problem or several, inside
one more pair of brackets or not. A drawing may have a line ``NAME TARGET`` above it, with or without one of them;
a text holds several drawings if each has such a line. Lists and drawings may follow each other. ``;`` starts a
comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from procura.errors import InputError
from procura.puzzles.arguments import plain
from procura.puzzles.dots.brackets import BOARD, PROBLEM, Node, Part, Token, cut, never_closed, parse, tokens_of
from procura.puzzles.dots.drawing import Lines, is_dotted, is_drawn, read_drawing, write_drawing
from procura.texts import Source, Task

MOST_ARCS = 1200
"""The arcs of the largest board, 24x24 boxes. A search looks at the clock between expansions, and one expansion takes
a time that grows with the square of this."""
MOST_DIGITS = 30
"""Of a target; a longer one is refused unread."""
MOST_LISTED = 20
"""Of more names only the first are told in a message."""

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


class Unreadable(NamedTuple):
    """A problem of a text that cannot be read: the name it gives itself, if any, and what is wrong."""

    name: str | None
    error: InputError


Item = Problem | Unreadable


def read_problems(text: str) -> list[Problem]:
    """The problems of a text, in order; an error names the line and, if there are several problems, which one.

    >>> read_problems("(A 1 (((1) (0)) ((0) (1)))) ; one box, half drawn")
    [Problem(name='A', target=1, horizontals=[[1], [0]], verticals=[[0], [1]])]
    """
    items = read_items(text)
    for item, label in zip(items, labels(items), strict=True):
        if isinstance(item, Unreadable):
            raise InputError(f"problem {label}, {item.error}" if len(items) > 1 else str(item.error)) from item.error
    return [item for item in items if isinstance(item, Problem)]


def read_items(text: str) -> list[Item]:
    """The problems of a text, in order, those that cannot be read in their places: nothing is left out.

    >>> one, two = read_items("(A 1 (((1) (0)) ((0) (1)))\\n(B 1 (((1) (0)) ((0) (1))))")
    >>> one.name, str(one.error)
    ('A', "line 1: '(' is never closed: expected ')' before the next problem, on line 2")
    >>> two.name, two.target
    ('B', 1)
    """
    lines = [(number, line.partition(";")) for number, line in enumerate(text.splitlines(), 1)]
    contents = [(number, content) for number, (content, comment, _) in lines if content.strip() or not comment]
    if not any(_has_brackets(content) for _, content in contents) and any(is_dotted(line) for _, line in contents):
        return _drawings(contents)
    nodes: list[Node] = []
    wrong: InputError | None = None
    try:
        nodes = [node for top in parse(tokens_of(contents)) for node in _unwrapped(top)]
    except InputError as error:
        wrong = error
    if wrong is not None or not all(node.is_list for node in nodes):
        items, begun, more = _broken(contents)
        if begun > 1 or (begun + more > 1 and any(isinstance(item, Problem) for item in items)):
            return items
    if wrong is not None:
        return [Unreadable(None, wrong)]
    if not nodes:
        return [Unreadable(None, InputError(f"the text has no board: expected {BOARD} or {PROBLEM}"))]
    return [_item(_problem, node, node.words) for node in nodes]


def _broken(lines: Lines) -> tuple[list[Item], int, int]:
    """The problems of a text that is no list of lists, read one by one.

    Also how many begin as problems do, and how many more there may be that do not. Lines without brackets are drawings
    if one of them consists of what drawings do.
    """
    items: list[Item] = []
    begun = more = 0
    wrapper: list[Token] = []
    waiting: list[Token] = []

    def take(parts: Iterable[Part]) -> None:
        nonlocal begun, more
        for part in parts:
            begun += part.kind == "problem"
            more += part.kind == "list"
            items.append(_item(_whole_problem, part.found, part.words))

    for bracketed, group in groupby(lines, key=lambda line: _has_brackets(line[1])):
        run = list(group)
        if bracketed or not any(is_drawn(line) for _, line in run):
            waiting += tokens_of(run)
            continue
        take(cut(waiting, wrapper, f"the drawing on line {run[0][0]}"))
        waiting.clear()
        drawn = _drawings(run)
        items += drawn
        begun += len(drawn)
    take(cut(waiting, wrapper))
    take(never_closed(wrapper))
    return items, begun, more


def _has_brackets(line: str) -> bool:
    return "(" in line or ")" in line


def _item(read: Callable[[Any], Problem], what: Any, words: Sequence[str]) -> Item:
    """The problem read, or why it cannot be."""
    try:
        return read(what)
    except InputError as error:
        named = len(words) == 2 or (len(words) == 1 and not _is_number(words[0]))
        return Unreadable(words[0] if named else None, error)


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
        items = read_items(board)
        if len(items) > 1:
            raise InputError(f"the board is a text of {len(items)} problems: expected one")
        return _readable(items[0])
    return Problem(None, None, *_board(_node(board)))


def labels(items: Sequence[Item]) -> list[str]:
    """What each problem goes by: its name, or its number from 1 if it has none."""
    return [item.name or str(number) for number, item in enumerate(items, 1)]


def choose(items: Sequence[Item], name: str | None) -> Problem:
    """The problem of that name, or the only one; raises ``InputError`` if it cannot be read."""
    return _readable(items[find(items, name)])


def find(items: Sequence[Item], name: str | None) -> int:
    """Where the problem of that name stands, or the only one; raises ``InputError`` if it is not clear which it is."""
    names = labels(items)
    if name is None:
        if len(items) == 1:
            return 0
        raise InputError(f"the text has {len(items)} problems: expected problem to name one of {_listed(names)}")
    small = name.lower()
    same = [number for number, other in enumerate(names) if other == name]
    same = same or [number for number, other in enumerate(names) if other.lower() == small]
    if not same:
        raise InputError(f"problem {name!r}: expected one of {_listed(names)}")
    if len(same) > 1:
        raise InputError(f"problem {name!r}: {len(same)} problems go by that name: expected one that only one has")
    return same[0]


def _readable(item: Item) -> Problem:
    if isinstance(item, Unreadable):
        raise item.error
    return item


def _listed(names: Sequence[str]) -> str:
    """The names, or the first of many."""
    more = f" ... ({len(names):,} in all)" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def split_problems(cls: Any, source: Source, options: Mapping[str, Any]) -> list[Task]:
    """All problems of a text, or the one that ``problem`` names; one without a target can be looked at."""
    if "size" in options:
        raise InputError(f"size {options['size']}: an empty board of that size takes no BOARD")
    items = read_items(source.text)
    labelled = list(zip(labels(items), items, strict=True))
    if "problem" in options:
        labelled = [labelled[find(items, options["problem"])]]
    rest = {name: value for name, value in options.items() if name not in ("problem", "boxes")}

    def build(item: Item, boxes: int | None) -> Any:
        problem = _readable(item)
        if boxes is None:
            raise InputError("the problem has no target: expected --boxes, the number of boxes to close")
        return cls([problem.horizontals, problem.verticals], boxes, **rest)

    def task(label: str, item: Item) -> Task:
        boxes = options.get("boxes", item.target if isinstance(item, Problem) else None)
        place = source.at(f"problem {label}") if len(items) > 1 else source.place
        sketch = partial(build, item, 0) if boxes is None else None
        return Task(partial(build, item, boxes), item.name, place, sketch)

    return [task(label, item) for label, item in labelled]


def check_target(target: Any, boxes: int, place: str = "") -> int:
    """The number of boxes to close, if it is one."""
    target = plain(target)
    if not isinstance(target, int) or isinstance(target, bool):
        raise InputError(f"{place}the target is {target!r}: expected a number of boxes")
    if not 0 <= target <= boxes:
        raise InputError(f"{place}the target is {target}: expected 0 to {boxes}, the boxes of the board")
    return target


def check_size(rows: int, columns: int) -> None:
    """Refuse boards without boxes and those that are too large."""
    if rows < 1 or columns < 1:
        raise InputError(f"size {rows}x{columns}: expected at least 1x1")
    arcs = 2 * rows * columns + rows + columns
    if arcs > MOST_ARCS:
        raise InputError(
            f"a board of {rows}x{columns} boxes has {arcs} lines: expected at most {MOST_ARCS}, "
            "or one step of a search takes too long for its limits to hold"
        )


def _drawings(lines: Lines) -> list[Item]:
    """The problems of lines of drawings; one that begins with a letter or digit is the head of a drawing."""
    parts: list[tuple[list[Node], list[tuple[int, str]]]] = [([], [])]
    for number, line in lines:
        if line.strip()[:1].isalnum():
            parts.append(([Node(word, f"line {number}: ") for word in line.split()], []))
        else:
            parts[-1][1].append((number, line))
    if not any(line.strip() for _, line in parts[0][1]):
        del parts[0]
    return [_item(_drawn_problem, part, [word.value for word in part[0]]) for part in parts]


def _drawn_problem(part: tuple[list[Node], list[tuple[int, str]]]) -> Problem:
    head, lines = part
    if len(head) > 2:
        raise InputError(f"{head[0].place}{len(head)} words: expected NAME TARGET above a drawing")
    if head and not any(line.strip() for _, line in lines):
        raise InputError(f"{head[0].place}expected a drawing below {head[0].value!r}")
    return _headed(head, *read_drawing(lines))


def _unwrapped(node: Node) -> list[Node]:
    """What stands in a list of problems, or the node itself if it is no such list."""
    parts: list[Node] = node.value if node.is_list else []
    if any(_has_head(part) for part in parts) or (parts and parts[0].is_list and any(map(_is_boardlike, parts))):
        return parts
    return [node]


def _has_head(node: Node) -> bool:
    """Whether a list begins with words before another list, as a problem does and nothing in one."""
    return node.is_list and len(node.words) < len(node.value) and not node.value[0].is_list


def _is_boardlike(node: Node) -> bool:
    """Whether three brackets open where a list begins, as in a board."""
    for _ in range(2):
        if not node.is_list or not node.value:
            return False
        node = node.value[0]
    return node.is_list


def _whole_problem(found: Node | InputError) -> Problem:
    if isinstance(found, InputError):
        raise found
    return _problem(found)


def _brackets(node: Node) -> int:
    """How many open before the first word: 1 after a name or target, 3 in a board."""
    count = 0
    while node.is_list:
        if not node.value:
            raise InputError(f"{node.place}an empty list: expected {BOARD} or {PROBLEM}")
        node = node.value[0]
        count += 1
    return count


def _problem(node: Node) -> Problem:
    if not node.is_list:
        raise InputError(f"{node.place}{node.value!r}: expected '('")
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
    if _is_number(words[-1]) and len(words[-1]) > MOST_DIGITS:
        raise InputError(f"{head[-1].place}the target is {words[-1][:20]}...: expected a number of boxes")
    target = int(words[-1]) if _is_number(words[-1]) else words[-1]
    boxes = (len(horizontals) - 1) * (len(verticals) - 1)
    return Problem(name, check_target(target, boxes, head[-1].place), horizontals, verticals)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+", word) is not None


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
