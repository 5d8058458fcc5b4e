"""What a run of a study takes besides its search: processes, limits, records."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Hashable
from pathlib import Path
from statistics import mean

from measure import Scale, against_itself, aim, console, interleaved, process_cpu, table

FEW, MANY = 5, 105
STUDY = """
title = "Easy boards"
[[problems]]
puzzle = "sliding"
generate = {{count = {count}, seed = 1, size = "3x3", moves = 12}}
[[configurations]]
with = "{configuration}"
engine = "compiled"
"""


def study(scale: Scale) -> None:
    """Table 12: whole commands with many runs and with few; what they differ by, divided by the runs."""
    runs = scale.runs(5)
    procura = str(Path(sys.executable).with_name("procura"))
    shown = table(
        f"CPU milliseconds of a run of a study, easy 3x3 boards, from {MANY} and {FEW} runs, least of {runs}",
        "search", "in all", "search itself", "besides", "A/A", "aim",
    )  # fmt: skip
    for configuration in ("astar:manhattan", "pdb"):
        with tempfile.TemporaryDirectory() as folder:

            def measured(folder: str = folder, configuration: str = configuration) -> dict[Hashable, float]:
                return {count: _cpu(Path(folder), procura, configuration, count) for count in (FEW, MANY)}

            (seconds,) = interleaved(runs, measured)
            searched = _search_seconds(Path(folder))
        each = (min(seconds[MANY]) - min(seconds[FEW])) / (MANY - FEW)
        judged = aim(f"a run of a study besides its search, {configuration}", 1000 * (each - searched), 25, "ms")
        shown.add_row(
            configuration, f"{1000 * each:.1f}", f"{1000 * searched:.2f}", f"[bold]{1000 * (each - searched):.1f}[/bold]",
            f"{against_itself(seconds[MANY]):.2f}", judged,
        )  # fmt: skip
    console.print(shown)


def _cpu(folder: Path, procura: str, configuration: str, count: int) -> float:
    """CPU seconds of the command and all its processes."""
    file, results = folder / f"{count}.toml", folder / f"{count}.jsonl"
    file.write_text(STUDY.format(count=count, configuration=configuration))
    results.unlink(missing_ok=True)
    return process_cpu([procura, "study", str(file), "--jobs", "1", "--results", str(results)])


def _search_seconds(folder: Path) -> float:
    """The mean search time that the runs reported."""
    lines = (folder / f"{MANY}.jsonl").read_text().splitlines()
    return mean(json.loads(line)["seconds"] for line in lines)
