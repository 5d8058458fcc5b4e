"""One search in a process of its own, to see what memory it takes: a JSON object in, a JSON object out."""

from __future__ import annotations

import json
import re
import resource
import sys
from pathlib import Path

from procura import Limits, Sliding, solve


def memory(field: str) -> int:
    """Bytes in a field of this process's status: VmRSS now, VmHWM at most.

    Where there are none, ru_maxrss: the most so far, for both. VmHWM is the better one because ru_maxrss, on Linux,
    begins with what the parent held when it started us.
    """
    try:
        found = re.search(rf"{field}:\s*(\d+)", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    if found:
        return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    asked = json.loads(sys.argv[1])
    problem = Sliding(asked["board"], goal="blank-first")
    heuristic = "manhattan" if asked["algorithm"] == "astar" else None
    solve(problem, asked["algorithm"], heuristic=heuristic, engine="compiled", limits=Limits(nodes=1000))
    before = memory("VmRSS")
    more = asked.get("more_memory")
    limits = Limits(nodes=asked.get("nodes"), memory=None if more is None else before + more)
    result = solve(problem, asked["algorithm"], heuristic=heuristic, engine="compiled", limits=limits)
    told = {
        "before": before,
        "peak": memory("VmHWM"),
        "limit": limits.memory,
        "stored": result.stats.stored,
        "expanded": result.stats.expanded,
        "stopped_by": result.stopped_by,
        "seconds": result.stats.seconds,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
