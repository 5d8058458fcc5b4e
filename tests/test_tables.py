"""Tables: built once, mapped, checked; spoilt, truncated, foreign and unwritable files; several processes; kills."""

import os
import random
import runpy
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st
from slowly import quick

from procura import ArrayProblem, Data, Estimate, InputError, Limits, Outcome, kernel, solve
from procura.folder import Folder
from procura.kept import NotKept, only_kept
from procura.tables import (
    FORMATS,
    TABLES,
    Table,
    Watch,
    _recent,
    _views,
    kept_tables,
    names_read,
    takes_elements,
    unsigned,
)

built: list[str] = []
"""The purposes of the tables that were built, in order."""


def fill(values, entries, report):
    built.append("values")
    for i, value in enumerate(values):
        entries[i] = value
    report(1.0)


def squares(length=100, purpose="squares"):
    return Table(f"{purpose} of 0 to {length - 1}", "int32", length, partial(fill, [i * i for i in range(length)]))


def forget():
    """As in a new process: no table is open."""
    _recent.clear()
    _views.clear()


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """The folder of tables, empty."""
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path / "cache"))
    forget()
    built.clear()
    yield tmp_path / "cache" / "tables"
    forget()


class Noting(Watch):
    def __init__(self):
        self.notes, self.parts = [], []

    def building(self, table, part):
        self.parts.append(part)

    def note(self, text):
        self.notes.append(text)


def test_a_table_is_built_once_and_then_read_from_disk(place):
    assert squares().open()[7] == 49
    forget()
    again = squares().open()
    assert (list(again), built) == ([i * i for i in range(100)], ["values"])
    assert again.readonly
    assert [file.name for file in place.iterdir()] == [squares().name]


def test_where_only_what_is_kept_may_be_used_a_table_is_read_but_not_built(place, monkeypatch):
    with pytest.raises(NotKept), only_kept():
        squares().open()
    assert not built and not list(place.iterdir())
    squares().open()
    forget()
    with only_kept():
        assert squares().open()[7] == 49
    forget()
    monkeypatch.setenv("PROCURA_CACHE", "off")
    with pytest.raises(NotKept), only_kept():
        squares().open()
    assert built == ["values"]


def test_tables_that_differ_in_anything_are_not_taken_for_each_other(place):
    kinds = [
        Table("p", "int8", 3, partial(fill, [1, 2, 3])),
        Table("p", "int16", 3, partial(fill, [1, 2, 3])),
        Table("p", "int8", 4, partial(fill, [1, 2, 3, 4])),
        Table("q", "int8", 3, partial(fill, [1, 2, 3])),
    ]
    assert len({table.name for table in kinds}) == len(kinds)
    assert Table("p", "int8", 3, partial(fill, [1, 2, 3])) == kinds[0] != kinds[3]


def test_a_build_in_another_source_file_is_another_table(tmp_path):
    tables = []
    for number in (1, 2):
        path = tmp_path / f"one{number}.py"
        path.write_text(f"def build(entries, report):\n    entries[0] = {number}\n")
        scope = {}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        tables.append(Table("one number", "int8", 1, scope["build"]))
    assert [table.open()[0] for table in tables] == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("p", "uint8", 1), "dtype 'uint8': expected one of int8"),
        (("p", "int8", 0), "length 0: expected 1 to"),
        (("p", "int8", 1.5), "length 1.5: expected 1 to"),
        (("", "int8", 1), "expected 1 to 1000 characters"),
        (("two\nlines", "int8", 1), "expected 1 to 1000 characters on a line"),
    ],
)
def test_a_table_that_cannot_be_is_refused(arguments, told):
    with pytest.raises(InputError, match=told):
        Table(*arguments, fill)


def flip(path):
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)


def truncate(path):
    path.write_bytes(path.read_bytes()[:-9])


def empty(path):
    path.write_bytes(b"")


def of_another(path):
    squares(purpose="other squares").open()
    (path.parent / squares(purpose="other squares").name).rename(path)


def foreign(path):
    path.write_bytes(random.Random(1).randbytes(path.stat().st_size))


def open_to_all(path):
    flip(path)
    path.chmod(0o666)


@pytest.mark.parametrize("spoil", [flip, truncate, empty, of_another, foreign, open_to_all])
def test_a_spoilt_file_is_built_again(place, spoil):
    squares().open()
    spoil(place / squares().name)
    forget()
    built.clear()
    assert (list(squares().open()), built) == ([i * i for i in range(100)], ["values"])
    forget()
    assert (squares().open()[99], built) == (99 * 99, ["values"])


def test_the_checksum_is_compared_only_when_the_file_has_changed(place, monkeypatch):
    from procura import tables

    checked = []
    checksum = tables._checksum
    monkeypatch.setattr(tables, "_checksum", lambda *arguments: checked.append(1) or checksum(*arguments))
    squares().open()
    assert len(checked) == 2, "for the header, and of what was written"
    forget()
    squares().open()
    assert len(checked) == 2
    path = place / squares().name
    path.write_bytes(path.read_bytes())
    forget()
    squares().open()
    assert len(checked) == 3
    forget()
    squares().open()
    assert (len(checked), built) == (3, ["values"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_takes_no_files_is_done_without(place):
    place.mkdir(parents=True, mode=0o700)
    place.chmod(0o500)
    watch = Noting()
    assert squares().open(watch)[3] == 9
    assert "is not kept on disk" in watch.notes[0]


def test_a_folder_that_cannot_be_trusted_is_done_without_and_told(place):
    place.mkdir(parents=True)
    place.chmod(0o777)
    watch = Noting()
    assert squares().open(watch)[3] == 9
    assert "is not kept on disk" in watch.notes[0] and "others can write" in watch.notes[0]
    assert not list(place.iterdir())


def test_a_full_disk_is_done_without_and_told(place, monkeypatch):
    from contextlib import contextmanager

    @contextmanager
    def full(self, name):
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(Folder, "writing", full)
    watch = Noting()
    assert squares().open(watch)[3] == 9
    assert watch.notes == ["the table of squares of 0 to 99 is not kept on disk: No space left on device"]


def test_with_the_cache_off_tables_are_in_memory_and_nothing_is_told(monkeypatch):
    monkeypatch.setenv("PROCURA_CACHE", "off")
    watch = Noting()
    assert squares().open(watch)[3] == 9
    assert squares().open(watch)[3] == 9
    assert (watch.notes, built) == ([], ["values"])


def test_tables_unused_longest_make_room_and_that_is_told(place, monkeypatch):
    from procura import tables

    monkeypatch.setattr(tables, "MOST_BYTES", 1200)
    for purpose in ("first", "second"):
        squares(purpose=purpose).open()
    now = time.time()
    os.utime(place / squares(purpose="first").name, (now - 100, now - 200))
    os.utime(place / squares(purpose="second").name, (now - 300, now - 300))
    watch = Noting()
    squares(purpose="third").open(watch)
    assert [table.purpose.split()[0] for table in kept_tables(Folder(place))] == ["first", "third"]
    assert watch.notes == ["1 table unused longest was deleted from disk, 0.0 MB"]


def test_a_table_larger_than_the_cap_stays(place, monkeypatch):
    from procura import tables

    monkeypatch.setattr(tables, "MOST_BYTES", 10)
    squares().open()
    assert [table.purpose for table in kept_tables(Folder(place))] == ["squares of 0 to 99"]


def test_what_a_killed_build_left_is_deleted_by_the_next(place):
    place.mkdir(parents=True, mode=0o700)
    left = place / f"{squares().name}.{'0' * 16}.part"
    left.write_bytes(TABLES.magic + b"half")
    left.chmod(0o600)
    squares().open()
    assert [file.name for file in place.iterdir()] == [squares().name]


def test_threads_build_it_once():
    def slowly(entries, report):
        built.append("slowly")
        time.sleep(0.2)
        entries[0] = 7

    table, seen = Table("slow", "int8", 1, slowly), []
    threads = [threading.Thread(target=lambda: seen.append(table.open()[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (seen, built) == ([7] * 4, ["slowly"])


PROGRAM = textwrap.dedent(
    """
    import os, sys, time
    from procura.tables import Table

    def build(entries, report):
        with open(sys.argv[1], "a") as log:
            log.write("built\\n")
        for i in range(len(entries)):
            entries[i] = i % 100
            if i % 20000 == 0:
                report(i / len(entries))
        time.sleep(float(sys.argv[2]))

    table = Table("numbers", "int8", 200_000, build)
    print("ready", flush=True)
    entries = table.open()
    assert bytes(entries) == bytes(i % 100 for i in range(200_000))
    print("right", flush=True)
    """
)


def start(tmp_path, pause="0"):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(tmp_path / "log"), pause]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def test_of_two_processes_one_builds_and_the_other_waits(tmp_path):
    both = [start(tmp_path, "1.5") for _ in range(2)]
    assert [process.communicate()[0] for process in both] == ["ready\nright\n"] * 2
    assert (tmp_path / "log").read_text() == "built\n"


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from procura import folder, tables

    def build(entries, report):
        for i in range(len(entries)):
            entries[i] = i % 100
            if i % 1000 == 0:
                report(i / len(entries))

    table = tables.Table("numbers", "int8", 20_000, build)

    def kill_in_line(number):
        seen = 0

        def line(frame, event, argument):
            nonlocal seen
            seen += event == "line"
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return line

        files = (folder.__file__, tables.__file__)
        sys.settrace(lambda frame, event, argument: line if frame.f_code.co_filename in files else None)
        table.open()
        return seen

    if __name__ == "__main__":
        tables.CHUNK = 1000  # so that it is written piece by piece
        print(kill_in_line(int(sys.argv[1])))
    """
)


@pytest.mark.slow
def test_a_kill_in_any_line_leaves_nothing_that_is_used_wrongly(tmp_path, place):
    program = tmp_path / "killed.py"
    program.write_text(KILLED)
    table = runpy.run_path(str(program))["table"]
    place.parent.mkdir(mode=0o700)

    def run(line):
        command = [sys.executable, str(program), str(line)]
        return subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))

    lines = int(run(0).stdout)
    for number in range(100):
        shutil.rmtree(place)
        forget()
        assert run(1 + number * lines // 100).returncode == -signal.SIGKILL
        assert bytes(table.open()) == bytes(i % 100 for i in range(20_000))
        assert {path.suffix for path in place.iterdir()} <= {".table", ".lock"}


class Line(ArrayProblem):
    """Walk along a line of numbers to its end; the heuristic reads them from a table."""

    costs = "nonnegative"

    def __init__(self, values, dtype="int64"):
        self.values = values
        super().__init__(
            size=1, max_moves=2, dtype="int16",
            data=Data(
                last=[len(values) - 1],
                values=Table(f"values {values}", dtype, len(values), partial(fill, values)),
                unread=Table("never read", "int8", 5, partial(fill, [0])),
            ),
        )  # fmt: skip
        self.heuristics = {"read": Estimate(self.read), "bytes": Estimate(self.bytes)}

    def start(self):
        return [0]

    @kernel
    def moves(s, data, work, out):
        out[0], out[1] = 1, 2
        return 2 if s[0] < data.last[0] - 1 else 1 if s[0] < data.last[0] else 0

    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 3

    @kernel
    def solved(s, data, work):
        return s[0] == data.last[0]

    @kernel
    def read(s, data, work):
        return data.values[s[0]] // 3 + (data.values[s[0]] >> 1)

    @kernel
    def bytes(s, data, work):
        return unsigned(data.values[s[0]], 8) * 2


EVERY = [(dtype, h) for dtype in FORMATS for h in ("read", "bytes", "0.5*read + bytes")]


@pytest.mark.parametrize(("dtype", "h"), quick(("int8", "bytes"), of=EVERY))
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_heuristics_read_from_tables_agree_on_both_engines(dtype, h, data):
    bits = min(int(dtype[3:]), 52)
    number = st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    values = data.draw(st.lists(number, min_size=2, max_size=12))
    runs = [solve(Line(values, dtype), "astar", heuristic=h, engine=engine) for engine in ("python", "compiled")]
    assert len({(run.cost, tuple(run.actions), run.stats.expanded, run.stats.generated) for run in runs}) == 1


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_only_tables_that_kernels_read_are_built(place, engine):
    problem = Line([5, 4, 3, 2])
    solve(problem, "bfs", engine=engine)
    assert built == []
    solve(problem, "astar:read", engine=engine)
    assert [table.purpose for table in kept_tables(Folder(place))] == ["values [5, 4, 3, 2]"]


def test_a_table_is_never_made_a_list():
    problem = Line(list(range(100)))
    solve(problem, "astar:read", engine="python")
    assert isinstance(problem.lists.values, memoryview)
    problem.estimate("read")
    assert problem.same_board(Line(list(range(100)))) and not problem.same_board(Line([*range(99), 5]))


def test_in_debug_a_table_read_beyond_its_end_is_told(monkeypatch):
    monkeypatch.setenv("PROCURA_DEBUG", "1")
    problem = Line([1, 2, 3])
    with pytest.raises(IndexError, match=r"data.values\[5\]: its length is 3"):
        problem.estimate("read", (5,))
    assert problem.estimate("read", (2,)) == 2


class Endless(Line):
    """A table that is never done."""

    def __init__(self):
        super().__init__([1, 2, 3])
        self.data = self.data._replace(values=Table("for ever", "int8", 1 << 20, self.forever))

    @staticmethod
    def forever(entries, report):
        built.append("for ever")
        while True:
            report(0.25)
            time.sleep(0.001)


def test_building_is_under_the_limit_of_time(place):
    result = solve(Endless(), "astar:read", engine="python", limits=Limits(seconds=0.2))
    assert (result.outcome, result.stopped_by, built) == (Outcome.NOT_FOUND, "time", ["for ever"])
    assert not list(place.iterdir())


def test_building_is_under_the_limit_of_memory():
    result = solve(Endless(), "astar:read", engine="python", limits=Limits(memory=1))
    assert (result.outcome, result.stopped_by, built) == (Outcome.NOT_FOUND, "memory", [])


def test_building_ends_when_it_is_cancelled_and_tells_how_it_gets_on():
    events = []
    result = solve(
        Endless(), "astar:read", engine="python", on_event=events.append, events=["progress"],
        cancel=lambda: len(events) >= 2,
    )  # fmt: skip
    assert (result.outcome, result.stopped_by) == (Outcome.NOT_FOUND, "cancelled")
    assert events[-1].figures == {"preparing": "building a table, 1.0 MB, of for ever: 25%"}


def test_what_a_build_raises_is_raised():
    def broken(entries, report):
        raise OSError(5, "the user's own disk")

    problem = Line([1, 2])
    problem.data = problem.data._replace(values=Table("broken", "int8", 1, broken))
    with pytest.raises(OSError, match="the user's own disk"):
        solve(problem, "astar:read", engine="python")


@given(st.integers(-128, 127))
def test_unsigned_reads_a_byte_from_0(value):
    assert unsigned(value, 8) == value % 256


class ByNumber(Line):
    """Reads its table as the second field of ``data``."""

    @kernel
    def read(s, data, work):
        return data[1][s[0]] // 3


def test_a_table_read_by_its_number_is_opened_too():
    runs = [solve(ByNumber([9, 6, 3, 0]), "astar:read", engine=engine) for engine in ("python", "compiled")]
    assert runs[0].actions == runs[1].actions and runs[0].stats.expanded == runs[1].stats.expanded


class Instruction(NamedTuple):
    opname: str
    argval: object = None
    argrepr: str = ""


@pytest.mark.parametrize(
    "code",
    [
        [Instruction("LOAD_FAST", "data"), Instruction("LOAD_CONST", 0), Instruction("BINARY_SUBSCR")],
        [Instruction("LOAD_FAST_LOAD_FAST", ("data", "i")), Instruction("BINARY_SUBSCR")],
        [Instruction("LOAD_FAST_BORROW", "data"), Instruction("GET_ITER")],
        [
            Instruction("LOAD_FAST_BORROW_LOAD_FAST_BORROW", ("data", "i")),
            Instruction("BINARY_OP", 26, "[]"),
        ],
        [Instruction("LOAD_FAST_BORROW", "data"), Instruction("LOAD_SMALL_INT", 1), Instruction("BINARY_OP", 26, "[]")],
    ],
    ids=["3.11", "3.13", "3.14 in turn", "3.14 by a name", "3.14 by a number"],
)
def test_a_table_read_by_its_number_is_seen_in_the_code_of_every_python(code):
    assert takes_elements([*code, Instruction("RETURN_VALUE")])
    assert not takes_elements([code[0], Instruction("LOAD_ATTR", "values"), Instruction("RETURN_VALUE")])


def test_files_of_other_modules_count_if_they_are_named():
    one, other = (Table("p", "int8", 1, fill, sources=sources) for sources in ((), ("procura.rounding",)))
    assert one.identity != other.identity
    with pytest.raises(InputError, match="no file of the module"):
        Table("p", "int8", 1, fill, sources=("procura.nowhere",)).open()


def test_lists_made_before_another_thread_opened_a_table_are_made_again():
    problem = Line([9, 6, 3, 0])
    assert len(problem.lists.values) == 0
    thread = threading.Thread(target=problem.open_tables, args=["read"])
    thread.start()
    thread.join()
    assert len(problem.lists.values) == 4


def test_a_helper_that_is_defined_anew_is_looked_at_anew(monkeypatch):
    def rule(s, data, work):
        return reads(s, data)  # noqa: F821

    monkeypatch.setitem(globals(), "reads", lambda s, data: data.one[0])
    first = names_read([rule])
    assert "one" in first and names_read([rule]) is first
    monkeypatch.setitem(globals(), "reads", lambda s, data: data.other[0])
    assert "other" in names_read([rule]) and "one" not in names_read([rule])
