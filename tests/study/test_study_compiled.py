"""Compiled runs in children: kernels are there before the clock starts, and reserved memory is no memory."""

from __future__ import annotations

import sys

import pytest
from processes import run
from study_helpers import results, write_study

from procura.runners.processes import MEMORY_ROOM
from procura.study.execute import execute, missing
from procura.study.plan import read_study
from procura.study.store import Results

SMALL = ("[[problems]]", 'puzzle = "sliding"', 'boards = ["1 2 3 4 5 6 0 7 8", "1 2 3 4 0 6 7 5 8"]')


class Witness:
    """Notes what happens, and which kernels are in the cache at that moment."""

    def __init__(self, cache):
        self.cache, self.seen = cache, []

    def kernels(self):
        return {path.name for path in self.cache.rglob("*.kernel")}

    def warming(self, done, total):
        self.seen.append(("warming", done, total, self.kernels()))

    def started(self, cell):
        self.seen.append(("started", cell.problem, None, self.kernels()))

    def ended(self, cell, record):
        self.seen.append(("ended", cell.problem, record["ending"], self.kernels()))

    def waiting(self, workers):
        pass


@pytest.mark.slow
def test_kernels_are_compiled_once_and_before_any_run(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("PROCURA_CACHE", str(cache))
    study = read_study(str(write_study(tmp_path, *SMALL, "[[configurations]]", 'with = "bfs"')))
    witness = Witness(cache)
    with Results(tmp_path / "results.jsonl") as kept:
        execute(study, missing(study, kept.contents), kept, jobs=2, watcher=witness)
        records = list(kept.contents.records.values())
    kinds = [what for what, *_ in witness.seen]
    assert kinds[0] == "warming" and "warming" not in kinds[kinds.index("started") :]
    assert ("warming", 1, 1) in [entry[:3] for entry in witness.seen], "two boards of a shape need the same kernels"
    first = next(kernels for what, _, _, kernels in witness.seen if what == "started")
    assert first and first == witness.kernels()
    assert [record["outcome"] for record in records] == ["solved", "solved"]
    assert [record["run"]["engine"] for record in records] == ["compiled", "compiled"]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_compiled_search_ends_itself_at_its_memory_limit(tmp_path):
    study = write_study(
        tmp_path, "[[problems]]", 'puzzle = "sliding"', 'sample = "moodle-6"', "[[configurations]]", 'with = "bfs"',
        "limits = {memory = '200MB', seconds = 60}",
    )  # fmt: skip
    assert run("study", study).returncode == 0
    (record,) = results(study)
    assert record["ending"] == "stopped_memory" and record["stored"] > 100_000
    assert record["peak_memory"] < 200_000_000 + MEMORY_ROOM
