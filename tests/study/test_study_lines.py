"""The scanner that knows on which line each key of a TOML file stands."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given, settings, strategies as st

from procura.errors import InputError
from procura.study.lines import _Scanner, read_document

TEXT = """\
title = "a # [b]"
[limits]
seconds = 2
"x.y" = '''
[[no]]
key = 1
'''
[[problems]]
samples = ["a",  # one
  "b",
  {c = 1, d = [2,
   3]}]
[[problems]]
a.b = 1 # [no]
[problems.sub]
q = 2
[[problems.list]]
z = 1979-05-27T07:32:00Z
"""


def test_each_key_has_its_line():
    lines = _Scanner(TEXT).scan()
    assert lines[("title",)] == 1
    assert lines[("limits", "x.y")] == 4
    assert lines[("problems", 0, "samples", 1)] == 10
    assert lines[("problems", 0, "samples", 2, "d", 1)] == 12
    assert lines[("problems", 1)] == 13
    assert lines[("problems", 1, "a", "b")] == 14
    assert lines[("problems", 1, "list", 0, "z")] == 18
    assert ("key",) not in lines


keys = st.from_regex(r"[A-Za-z0-9_-]{1,5}", fullmatch=True)
texts = st.text(st.sampled_from("ab[]{}#'\"=\\,.\n"), max_size=8)
scalars = st.integers(0, 99).map(str) | st.booleans().map(lambda truth: str(truth).lower()) | texts.map(json.dumps)
blanks = st.sampled_from(["", "\n", "  # a [comment]\n", "\n\n"])


@st.composite
def documents(draw):
    """TOML text with tables, and the line on which each key and each element was put."""
    text, lines = "", {}
    numbers = {}
    for table in draw(st.lists(st.sampled_from(["one", "two"]), max_size=4)):
        text += draw(blanks)
        place = ("tables", table, numbers.setdefault(table, 0))
        numbers[table] += 1
        lines[place] = text.count("\n") + 1
        text += f"[[tables.{table}]] # here\n"
        for key in draw(st.lists(keys, unique=True, max_size=4)):
            text += draw(blanks)
            lines[(*place, key)] = text.count("\n") + 1
            if draw(st.booleans()):
                text += f"{key} = {draw(scalars)}\n"
                continue
            text += f'"{key}" = ['
            for number, value in enumerate(draw(st.lists(scalars, max_size=3))):
                text += draw(blanks)
                lines[(*place, key, number)] = text.count("\n") + 1
                text += f"{value}, "
            text += "]\n"
    return text, lines


@given(documents())
@settings(deadline=None, max_examples=200)
def test_the_scanner_agrees_with_where_keys_were_put(document):
    text, lines = document
    tomllib.loads(text)
    found = _Scanner(text).scan()
    assert {place: line for place, line in found.items() if place in lines} == lines


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \n", 2), ("a = 1\n\n[a\n", 3), ("a = 1\na = 2\n", 2), ('a = "\n', 1), ("x = [1,\n2", 2)],
)
def test_what_is_not_toml_names_the_line(tmp_path, text, line):
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"broken\.toml, line {line}: not TOML"):
        read_document(str(path))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_document(str(tmp_path / "none.toml"))
