"""The results file, whatever happens to it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from procura.errors import InputError
from procura.study.store import Results, parse, read_results


def record(key, ending="solved"):
    return {"key": key, "ending": ending, "problem": "p", "group": "g", "configuration": "c", "run": {}}


records = st.lists(
    st.builds(lambda key, text: {**record(key), "text": text}, st.sampled_from("abcdef"), st.text(max_size=5)),
    max_size=6,
)


def lines(some):
    return [json.dumps(one).encode() + b"\n" for one in some]


@given(records, st.data())
@settings(deadline=None)
def test_a_file_cut_off_anywhere_loses_only_the_line_it_was_cut_in(some, data):
    whole = b"".join(lines(some))
    cut = data.draw(st.integers(0, len(whole)))
    contents = parse(whole[:cut])
    ends = [sum(map(len, lines(some)[:number])) for number in range(len(some) + 1)]
    kept = max(number for number, end in enumerate(ends) if end <= cut)
    assert contents.records == {one["key"]: one for one in some[:kept]}
    assert contents.whole == ends[kept] and contents.torn == (cut > ends[kept]) and contents.damaged == []


@given(st.lists(st.binary(max_size=20), max_size=6))
@settings(deadline=None)
def test_lines_that_are_no_results_are_told_by_number(rubbish):
    text = b"".join(line.replace(b"\n", b"") + b"\n" for line in rubbish)
    contents = parse(text)
    assert contents.records == {} and not contents.torn
    assert contents.damaged == [n for n, line in enumerate(text.split(b"\n"), 1) if line.strip()]


def test_results_are_there_for_the_next_program(tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        results.append(record("a"))
        assert list(read_results(path).records) == ["a"], "before the file is closed"
    with Results(path) as results:
        assert list(results.contents.records) == ["a"]
        results.append(record("b", "crashed"))
    assert path.read_bytes().count(b"\n") == 2


def test_a_torn_line_is_cut_off_before_anything_is_added(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(json.dumps(record("a")).encode() + b'\n{"key": "b", "end')
    with Results(path) as results:
        assert results.contents.torn
        results.append(record("c"))
    assert list(read_results(path).records) == ["a", "c"] and not read_results(path).torn


def test_a_file_in_use_is_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path), pytest.raises(InputError, match="is in use"), Results(path):
        raise AssertionError("two had the file at once")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be written"), Results(tmp_path / "none" / "results.jsonl"):
        raise AssertionError("it was opened")


def test_what_is_no_plain_file_is_refused():
    with pytest.raises(InputError, match="no plain file"), Results("/dev/null"):
        pass


def test_a_line_nested_without_end_is_damaged_like_any_other(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"[" * 100_000 + b"\n")
    assert not read_results(path).records
