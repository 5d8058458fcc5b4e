"""What a run of a study takes besides its search: processes, limits, records."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

from measure import Scale, against_itself, aim, console, interleaved, process_cpu, table

FEW, MANY = 5, 45
STUDY = """
title = "Easy boards"
[[problems]]
puzzle = "sliding"
generate = {{count = {count}, seed = 1, size = "3x3", moves = 12}}
[[configurations]]
with = "astar:manhattan"
engine = "compiled"
"""


def study(scale: Scale) -> None:
    """Table 12: whole commands with many runs and with few; what they differ by, divided by the runs."""
    runs, most = scale.runs(5), 10 if scale.quick else MANY
    procura = str(Path(sys.executable).with_name("procura"))
    shown = table(
        f"CPU milliseconds of a run of a study, easy 3x3 boards, from {most} and {FEW} runs, least of {runs}",
        "search", "in all", "search itself", "besides", "A/A", "aim",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        (seconds,) = interleaved(
            runs, lambda: {count: _cpu(Path(folder), procura, count) for count in (FEW, most)}
        )  # fmt: skip
        searched = _search_seconds(Path(folder) / f"{most}.jsonl")
        made = {count: len(_records(Path(folder) / f"{count}.jsonl")) for count in (FEW, most)}
    each = (min(seconds[most]) - min(seconds[FEW])) / (made[most] - made[FEW])
    besides = 1000 * (each - searched)
    judged = aim("a run of a study besides its search", besides, 25, "ms")
    shown.add_row(
        "astar:manhattan", f"{1000 * each:.1f}", f"{1000 * searched:.2f}", f"[bold]{besides:.1f}[/bold]",
        f"{against_itself(seconds[most]):.2f}", judged,
    )  # fmt: skip
    console.print(shown)


def _cpu(folder: Path, procura: str, count: int) -> float:
    """CPU seconds of the command and all its processes."""
    file, results = folder / f"{count}.toml", folder / f"{count}.jsonl"
    file.write_text(STUDY.format(count=count))
    results.unlink(missing_ok=True)
    return process_cpu([procura, "study", str(file), "--jobs", "1", "--results", str(results)])


def _search_seconds(results: Path) -> float:
    """The mean search time that the runs reported."""
    return mean(record["seconds"] for record in _records(results))


def _records(results: Path) -> list[dict[str, Any]]:
    """The runs that were made; boards that are the same share one."""
    return [json.loads(line) for line in results.read_text().splitlines()]
