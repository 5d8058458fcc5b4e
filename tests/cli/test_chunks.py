"""A batch on a cluster: whatever order chunks end in, answers come in the order of the boards, and few are held."""

from __future__ import annotations

import contextlib
import io
import random

from hypothesis import given, settings, strategies as st

from procura.cli.chunks import AHEAD, MOST, Batch, Board, boards_of_tasks
from procura.cli.lines import Rate
from procura.cli.settings import read_settings
from procura.errors import InputError
from procura.reading.puzzles import choose_puzzle
from procura.runners.endings import Ending
from procura.runners.runner import Ended
from procura.texts import Task

SETUP = {"name": "sliding", "output": "line"}


class Shuffled:
    """A runner of so many at once whose tasks end in any order; some processes die."""

    def __init__(self, slots, seed, dies=lambda chunk: False):
        self.slots, self.rng, self.dies, self.under_way = slots, random.Random(seed), dies, []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def is_free(self):
        return len(self.under_way) < self.slots

    def start(self, task):
        self.under_way.append(task)

    def wait(self, seconds):
        if not self.under_way:
            return []
        task = self.under_way.pop(self.rng.randrange(len(self.under_way)))
        chunk = task.tag
        result = {"out": "".join(f"{board.text}\n" for board in chunk.boards), "err": "", "status": 0}
        dead = self.dies(chunk)
        ended = Ended(
            None if dead else result, Ending.CRASHED if dead else None, "signal SIGSEGV", ["the end"], 0.0, 0.5, 0.0, 0,
            "", "", {},
        )  # fmt: skip
        return [(task, ended)]


def solved(runner, boards):
    setting = read_settings(choose_puzzle("sliding"), "bfs")
    return Batch(boards, runner, SETUP, setting, None).solve(Rate(None))


@settings(max_examples=50)
@given(count=st.integers(0, 2000), slots=st.integers(1, 9), seed=st.integers(0, 99))
def test_answers_come_in_the_order_of_the_boards(count, slots, seed):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert solved(Shuffled(slots, seed), (Board(str(i), None, "") for i in range(count))) == 0
    assert out.getvalue() == "".join(f"{i}\n" for i in range(count))


def test_however_many_boards_there_are_few_are_read_ahead(capsys):
    read, slots = [0], 3

    def boards():
        for number in range(600_000):
            read[0] += 1
            yield Board(str(number), None, "")

    held = []

    class Watched(Shuffled):
        def wait(self, seconds):
            printed = capsys.readouterr().out
            held.append(read[0] - int(printed.rstrip().rpartition("\n")[2]) if printed else 0)
            return super().wait(seconds)

    assert solved(Watched(slots, 1), boards()) == 0
    assert read[0] == 600_000 and max(held) <= (AHEAD * slots + 1) * MOST


def test_the_boards_of_a_process_that_died_are_told_and_keep_their_places(capsys):
    status = solved(
        Shuffled(2, 1, lambda chunk: chunk.number == 0), [Board(str(i), None, f"line {i}") for i in range(40)]
    )
    out, err = capsys.readouterr()
    assert status == 70 and out == "\n" * 32 + "".join(f"{i}\n" for i in range(32, 40))
    assert "line 0 and the 31 that follow: its process was ended by SIGSEGV: the end" in err


def test_a_problem_that_cannot_be_made_is_told_where_it_stands():
    def wrong():
        raise InputError("no board")

    assert list(boards_of_tasks([Task(wrong, "a", "file, line 3")])) == [Board(None, "a", "file, line 3", "no board")]
