"""Lists of words in brackets, as Dots problems are written: a text read whole, or problem by problem if it is broken.

A well written text is one pass from tokens to nodes. In a text whose brackets do not match nobody knows which one is
missing, but a problem begins in a way that nothing inside one looks like: words behind a bracket and then ``(((``, or
``(((`` by itself. So such a text is cut where problems begin, and each part is read by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from procura.errors import InputError

DEEPEST = 5  # the brackets around an arc: file, problem, board, horizontals or verticals, list
PROBLEM = "(NAME TARGET (horizontals verticals))"
BOARD = "(horizontals verticals)"
END = "the end of the text"

_TOKEN = re.compile(r"[()]|[^\s()]+")
_BEGINS = re.compile(r"\(w+\(\(\(|\(\((?!\(w+\(\(\()\((?!\()")
"""Where a problem begins, in a text with one character a token: a bracket, or ``w`` for a word.

Three brackets of which the last begins a problem with a name are what is left of another.
"""


class Token(NamedTuple):
    """A bracket or a word, and the number of its line."""

    text: str
    line: int

    @property
    def place(self) -> str:
        """Where it stands, as messages begin."""
        return f"line {self.line}: "


class Node(NamedTuple):
    """A word, or a list of nodes, and where it begins ("line 3: ")."""

    value: Any
    place: str

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def words(self) -> list[str]:
        """The words that stand in a list, outside the lists in it."""
        return [part.value for part in self.value if not part.is_list] if self.is_list else []


class Part(NamedTuple):
    """A part of a broken text: what it begins with, and the list that it is or what is wrong with it."""

    words: list[str]
    """The name and target of a problem, if it begins with them."""
    found: Node | InputError
    kind: Literal["problem", "list", "rest"] = "problem"
    """Whether it begins as a problem does; else it stood outside of any, and is a list at least, or not even that."""


def tokens_of(lines: Iterable[tuple[int, str]]) -> list[Token]:
    """The brackets and words of numbered lines without comments."""
    return [Token(text, number) for number, line in lines for text in _TOKEN.findall(line)]


def parse(tokens: Iterable[Token], end: str = END) -> list[Node]:
    """The nodes at the top of a text; raises ``InputError`` if brackets do not match."""
    top: list[Node] = []
    open_lists: list[Node] = []
    for token in tokens:
        inside = open_lists[-1].value if open_lists else top
        if token.text == "(":
            if len(open_lists) == DEEPEST:
                at_most = f"expected at most {PROBLEM} in a list"
                raise InputError(f"{token.place}more than {DEEPEST} open brackets: {at_most}")
            open_lists.append(Node([], token.place))
            inside.append(open_lists[-1])
        elif not open_lists:
            raise _stray([token])
        elif token.text == ")":
            open_lists.pop()
        else:
            inside.append(Node(token.text, token.place))
    if open_lists:
        raise _never_closed(open_lists[-1].place, end)
    return top


def cut(tokens: Sequence[Token], wrapper: list[Token], end: str = END) -> Iterator[Part]:
    """The problems of a text whose brackets do not match, in order, and an error for whatever is outside of them.

    ``wrapper`` is the bracket that is open around problems, if there is one: empty at the start of a text, and to be
    passed on to what follows. ``end`` says what the tokens end before.
    """
    kinds = "".join(token.text if token.text in "()" else "w" for token in tokens)
    begins = [match.start() for match in _BEGINS.finditer(kinds)]
    yield from _outside(tokens[: begins[0]] if begins else tokens, wrapper, bool(begins))
    for number, start in enumerate(begins, 1):
        last = number == len(begins)
        part = tokens[start:] if last else tokens[start : begins[number]]
        before = end if last else f"the next problem, on line {tokens[begins[number]].line}"
        length = _length(part)
        words = [token.text for token in part[1 : kinds.index("(", start + 1) - start]]
        try:
            yield Part(words, parse(part[:length], before)[0])
        except InputError as error:
            yield Part(words, error)
        yield from _outside(part[length:], wrapper, not last)


def _length(tokens: Sequence[Token]) -> int:
    """How many tokens the list has that begins here; all if it does not end."""
    opened = 0
    for number, token in enumerate(tokens, 1):
        opened += (token.text == "(") - (token.text == ")")
        if opened == 0:
            return number
    return len(tokens)


def _outside(tokens: Sequence[Token], wrapper: list[Token], more: bool) -> Iterator[Part]:
    """Errors for tokens outside of problems, but for a pair of brackets around several; ``more``: one follows."""
    rest = list(tokens)
    if rest and rest[0].text == ")" and wrapper:
        del rest[0], wrapper[:]
    opening = [rest.pop()] if more and rest and rest[-1].text == "(" and not wrapper else []
    if rest:
        yield Part([], _stray(rest), "list" if any(token.text == "(" for token in rest) else "rest")
    wrapper += opening


def never_closed(wrapper: Sequence[Token]) -> list[Part]:
    """The error for a bracket around problems that is still open at the end of a text."""
    return [Part([], _never_closed(token.place, END), "rest") for token in wrapper]


def _never_closed(place: str, end: str) -> InputError:
    return InputError(f"{place}'(' is never closed: expected ')' before {end}")


def _stray(tokens: Sequence[Token]) -> InputError:
    """The error for tokens that stand outside of lists, or before a list that is none."""
    first, last = tokens[0], tokens[-1]
    place = first.place if first.line == last.line else f"lines {first.line} to {last.line}: "
    if first.text == ")":
        return InputError(f"{place}')' closes nothing: expected '('")
    return InputError(f"{place}{first.text!r}: expected {f'{BOARD} or {PROBLEM}' if first.text == '(' else repr('(')}")
