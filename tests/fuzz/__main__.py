"""``make fuzz``: random searches until so many runs or seconds are over, and what broke as small as it gets."""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import threading
import time
from collections import Counter
from typing import Any

from fuzz.making import Mix
from fuzz.running import KINDS, Failure, failures

HANG_SECONDS = 120
"""A case that computes longer hangs: all have a limit on nodes. Compiling on a busy machine takes as long to wait."""
WAIT_SECONDS = 1800
"""So does one that only waits so long."""


class Watch:
    """Ends the process, with the case under way, when that takes for ever."""

    def __init__(self) -> None:
        self.case: Any = None
        self.since = self.computed = 0.0
        threading.Thread(target=self._wait, daemon=True).start()

    def begin(self, case: Any) -> None:
        """Wait for this case now."""
        self.case, self.since, self.computed = case, time.monotonic(), time.process_time()

    def _wait(self) -> None:
        while True:
            time.sleep(1)
            waited, computed = time.monotonic() - self.since, time.process_time() - self.computed
            if self.case is not None and (waited > WAIT_SECONDS or computed > HANG_SECONDS):
                snippet = KINDS[type(self.case)].snippet(self.case)
                print(f"\nHANGS: {computed:.0f} s of computing, {waited:.0f} s in all\n{snippet}", flush=True)
                faulthandler.dump_traceback()
                os._exit(1)


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--runs", type=float, default=1e6, help="how many searches to make")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so many seconds as well")
    parser.add_argument("--seed", default=str(int(time.time())), help="any text; by default the time")
    parser.add_argument("--number", type=int, help="only the cases of this number")
    parser.add_argument("--compiled", type=float, default=Mix.compiled, help="the share of cases run compiled as well")
    parser.add_argument("--unusual", type=float, default=Mix.unusual, help="0: compile only what few kernels serve")
    parser.add_argument(
        "--keep-going", action="store_true", help="go on after a failure; the first of each kind is shown"
    )
    return parser.parse_args()


def main() -> int:
    """Run; 1 if anything broke."""
    asked = arguments()
    faulthandler.enable()
    mix = Mix(compiled=asked.compiled, unusual=asked.unusual)
    print(f"seed {asked.seed}", flush=True)
    watch, started, told = Watch(), time.monotonic(), time.monotonic()
    broken: Counter[str] = Counter()
    runs, number = 0, asked.number or 0
    while runs < asked.runs and time.monotonic() - started < asked.seconds:
        for seen in failures(asked.seed, number, mix, watch.begin):
            if not isinstance(seen, Failure):
                runs += seen
                continue
            watch.begin(None)
            broken[seen.title] += 1
            if broken[seen.title] == 1:
                print(f"\n{seen.small()}", flush=True)
            if not asked.keep_going:
                return 1
        number += 1
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"{runs:,} runs, {runs / (told - started):,.0f} a second", flush=True)
        if asked.number is not None:
            break
    print(f"{runs:,} runs in {time.monotonic() - started:,.0f} s, seed {asked.seed}")
    for title, count in broken.most_common():
        print(f"{count:6} times: {title}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
