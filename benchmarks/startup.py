"""CPU time of whole processes: what a user waits for before and around a search."""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Scale, against_itself, aim, console, interleaved, process_cpu, table

BOARD = "8 2 5 3 12 15 1 4 10 9 14 0 11 7 13 6"


def startup(scale: Scale) -> None:
    """Table 7."""
    runs = scale.runs(7)
    procura = str(Path(sys.executable).with_name("procura"))
    solving = [procura, "solve", "sliding", BOARD, "--goal", "spiral"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import procura": [sys.executable, "-c", "import procura"],
        "procura --help": [procura, "--help"],
        "procura solve sliding ...": solving,
        "procura solve sliding ... --with astar:manhattan": [*solving, "--with", "astar:manhattan"],
    }
    (seconds,) = interleaved(runs, lambda: {what: process_cpu(command) for what, command in commands.items()})
    nothing = min(seconds["python -c pass"])
    shown = table(
        f"CPU milliseconds of a new process, kernels in the cache, least of {runs}", "command", "ms", "A/A", "aim"
    )
    for what, most in zip(commands, (None, 60, 150, 1200, 1200), strict=True):
        least = min(seconds[what])
        shown_as = what
        if what == "import procura":
            least, shown_as = least - nothing, "import procura, beyond python -c pass"
        judged = "" if most is None else aim(shown_as, 1000 * least, most, "ms")
        shown.add_row(shown_as, f"[bold]{1000 * least:.0f}[/bold]", f"{against_itself(seconds[what]):.2f}", judged)
    console.print(shown)
