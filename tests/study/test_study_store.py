"""The results file, whatever happens to it."""

from __future__ import annotations

import errno
import json
import os
import shutil

import pytest
from hypothesis import given, settings, strategies as st
from study_helpers import PLAIN_RUN, a_record as record

from procura.errors import InputError
from procura.study.store import Results, ResultsError, parse, read_results

records = st.lists(
    st.builds(lambda key, text: record(key, text=text), st.sampled_from("abcdef"), st.text(max_size=5)),
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
    kept = max(number for number, end in enumerate(ends) if end <= cut + 1)  # an end of line may be missing
    assert contents.records == {one["key"]: one for one in some[:kept]}
    assert contents.whole == min(ends[kept], cut) and contents.damaged == {}
    assert contents.torn == (cut > ends[kept]) and contents.unended == (cut < ends[kept])


@given(st.lists(st.binary(max_size=20), max_size=6))
@settings(deadline=None)
def test_lines_that_are_no_results_are_told_by_number(rubbish):
    text = b"".join(line.replace(b"\n", b"") + b"\n" for line in rubbish)
    contents = parse(text)
    assert contents.records == {} and not contents.torn
    assert list(contents.damaged) == [n for n, line in enumerate(text.split(b"\n"), 1) if line.strip()]


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


def test_a_line_nested_without_end_is_damaged_like_any_other():
    assert parse(b"[" * 100_000 + b"\n").damaged == {1: "not JSON"}


def test_a_last_line_that_only_lacks_its_end_is_kept(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(json.dumps(record("a")).encode())
    with Results(path) as results:
        assert list(results.contents.records) == ["a"] and not results.contents.torn
        results.append(record("b"))
        results.append(record("c"))
    assert path.read_bytes() == b"".join(lines([record("a"), record("b"), record("c")]))


@pytest.mark.parametrize(
    "text",
    [
        b"a letter\nto a friend",
        b"a letter",
        b"\n\na letter",
        b"\na letter\n",
        b"title = 'x'\n[[problems]]\n",
        b'{"a": 1}',
        b"{}\n",
        b"[1, 2",
        b"\x89PNG\r\n\x1a\n\0\0",
        lines([record("a", seconds="long")])[0] + b"cut off",
    ],
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path, text):
    path = tmp_path / "letter.txt"
    path.write_bytes(text)
    for read in (read_results, lambda path: Results(path).__enter__()):
        with pytest.raises(InputError, match="is no results file"):
            read(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize("cut", [0, 1, 5, 11, 40])
def test_a_file_whose_first_line_was_cut_off_is_a_results_file(tmp_path, cut):
    path = tmp_path / "results.jsonl"
    path.write_bytes(lines([record("a")])[0][:cut])
    with Results(path) as results:
        results.append(record("a"))
    assert path.read_bytes() == lines([record("a")])[0]


def remove(path):
    path.unlink()


def move(path):
    path.rename(path.with_name("elsewhere"))


def put_back_an_old_one(path):
    old = path.with_name("old")
    old.write_bytes(lines([record("a")])[0])
    old.replace(path)


def cut_in_place(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("harm", [remove, move, put_back_an_old_one, cut_in_place])
def test_a_file_removed_or_replaced_while_it_is_open_loses_no_result(tmp_path, harm):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        results.append(record("a"))
        results.append(record("b"))
        harm(path)
        results.append(record("c"))
        results.append(record("d"))
        with pytest.raises(InputError, match="is in use"), Results(path):
            pass
    assert sorted(path.read_bytes().splitlines(keepends=True)) == lines(map(record, "abcd"))


@pytest.mark.parametrize("how", ["another file", "no folder"])
def test_a_file_that_cannot_be_followed_is_saved_elsewhere(tmp_path, monkeypatch, how):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    path = tmp_path / "folder" / "results.jsonl"
    path.parent.mkdir()
    with Results(path) as results:
        results.append(record("a"))
        if how == "another file":
            path.unlink()
            path.write_text("a letter\n")
        else:
            shutil.rmtree(path.parent)
        with pytest.raises(ResultsError, match="removed or replaced while the study ran") as caught:
            results.append(record("b"))
    (saved,) = scratch.iterdir()
    assert str(saved) in str(caught.value) and saved.read_bytes() == b"".join(lines(map(record, "ab")))
    assert how == "no folder" or path.read_text() == "a letter\n"


def test_a_full_disk_is_told_by_the_name_of_the_file_and_leaves_whole_lines(tmp_path, monkeypatch):
    path, usual = tmp_path / "results.jsonl", os.write

    def half(file, text):
        if len(text) < 20:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return usual(file, text[: len(text) // 2])

    with Results(path) as results:
        results.append(record("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", half)
            with pytest.raises(ResultsError, match=r"results\.jsonl cannot be written: No space left on device"):
                results.append(record("b"))
    assert path.read_bytes() == lines([record("a")])[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seconds": "long"}, "seconds is 'long': expected a number or null"),
        ({"cost": [1]}, "cost is [1]: expected a number or null"),
        ({"cost": float("nan")}, "cost is nan"),
        ({"score": float("inf")}, "score is inf"),
        ({"bound": 10**400}, "bound is 1000"),
        ({"expanded": True}, "expanded is True"),
        ({"points_after": 7}, "points_after is 7: expected a list of numbers"),
        ({"points_after": ["x"]}, "points_after is ['x']"),
        ({"last_lines": 3}, "last_lines is 3"),
        ({"versions": []}, "versions is []"),
        ({"outcome": {}}, "outcome is {}"),
        ({"ending": "dull"}, "ending is 'dull'"),
        ({"ending": []}, "ending is []"),
        ({"problem": None}, "problem is None"),
        ({"run": 3}, "run is 3"),
        ({"run": {}}, "puzzle is missing"),
        ({"run": {**PLAIN_RUN, "options": []}}, "options is []"),
        ({"run": {**PLAIN_RUN, "searches": {}}}, "searches is {}"),
        ({"run": {**PLAIN_RUN, "searches": ["bfs"]}}, "searches is ['bfs']"),
        ({"run": {**PLAIN_RUN, "searches": [{}]}}, "algorithm is missing"),
        ({"run": {**PLAIN_RUN, "searches": [{"algorithm": "a", "heuristic": 1}]}}, "heuristic is 1"),
    ],
)
def test_a_result_with_wrong_types_is_damaged_and_says_where(change, told):
    contents = parse(b"".join(lines([record("a"), {**record("b"), **change}])))
    assert list(contents.records) == ["a"] and told in contents.damaged[2]
