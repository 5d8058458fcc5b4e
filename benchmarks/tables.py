"""What a large table adds to a warm run: the same search with a heuristic read from 200 MB, and from a short list.

Run it with ``python benchmarks/tables.py``; each figure is the least of several processes.
"""

from __future__ import annotations

import json
import subprocess
import sys

MEGABYTES = 200
RUNS = 7
PROGRAM = """
import json, sys, time
started, used = time.perf_counter(), time.process_time()
from procura import ArrayProblem, Data, Estimate, Table, kernel, solve
from procura.control import resident_bytes

LENGTH = int(sys.argv[1])

def build(entries, report):
    import numpy
    numpy.asarray(entries)[:] = 3

class Stairs(ArrayProblem):
    def __init__(self):
        table = Table("threes", "int8", LENGTH, build) if LENGTH > 1000 else [3] * LENGTH
        super().__init__(size=1, max_moves=2, dtype="int16", data=Data(value=table, spread=[LENGTH // 1000]))
        self.heuristics = {"read": Estimate(self.read)}
    def start(self):
        return [0]
    @kernel
    def moves(s, data, work, out):
        out[0], out[1] = 1, 2
        return 2
    @kernel
    def apply(s, data, work, move):
        s[0] += move
        return 1
    @kernel
    def solved(s, data, work):
        return s[0] >= 500
    @kernel
    def read(s, data, work):
        return data.value[s[0] * data.spread[0]]

result = solve(Stairs(), "astar:read", engine=sys.argv[2])
assert result.solved and result.final[0] >= 500
seconds = time.perf_counter() - started, time.process_time() - used
pages = [line.split() for line in open("/proc/self/status") if line.startswith(("RssAnon", "RssFile"))]
print(json.dumps([*seconds, *(int(page[1]) / 1e3 for page in pages)]))
"""


def measure(length: int, engine: str) -> list[float]:
    """(wall, CPU seconds, MB of own memory, MB of mapped files) of a new process, the least of several."""
    runs = []
    for _ in range(RUNS + 1):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(length), engine], capture_output=True, text=True, check=True
        )
        runs.append(json.loads(done.stdout))
    return [min(column) for column in zip(*runs[1:], strict=True)]


def main() -> None:
    """Print the table."""
    print(f"{'engine':10} {'table':>8} {'wall ms':>8} {'CPU ms':>8} {'own MB':>8} {'mapped MB':>10}")
    for engine in ("python", "compiled"):
        for length in (1000, MEGABYTES * 1_000_000):
            wall, cpu, own, mapped = measure(length, engine)
            print(f"{engine:10} {length / 1e6:5.0f} MB {wall * 1e3:8.0f} {cpu * 1e3:8.0f} {own:8.1f} {mapped:10.1f}")


if __name__ == "__main__":
    main()
