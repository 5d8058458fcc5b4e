"""Endless Tetris: placements valued a second of CPU time, and mean lines against what was measured elsewhere."""

from __future__ import annotations

import math

from measure import Scale, aim, console, table

from procura.puzzles.tetris.endless import Games, play_games, read_controller

KNOWN = {"four": (101, 5), "dellacherie": (2229, 124), "bcts": (4600, 273), "dt10": (5099, 306)}
"""Mean lines on ten rows and their standard errors, as measured elsewhere."""
AT_LEAST = 25.0
"""Million placements a second with four features."""
OWN = ("report1", *KNOWN, "tuned")


def fastest(name: str, games: int, runs: int) -> Games:
    """The run of least CPU time, of several that play the same games; one before does not count."""
    controller = read_controller(name)
    play_games(controller, 1)
    return min((play_games(controller, games, seed=1) for _ in range(runs)), key=lambda found: found.cpu_seconds)


def endless(scale: Scale) -> None:
    """Two tables."""
    runs = scale.runs(7)
    shown = table(f"Endless Tetris, 10x10: CPU time, least of {runs} runs", "controller", "features", "placements",
                  "million a second", "ns a placement")  # fmt: skip
    for name in OWN:
        games = 2000 if name in ("report1", "four") else 40
        found = fastest(name, games // (4 if scale.quick else 1), runs)
        nanoseconds = found.cpu_seconds / found.placements * 1e9
        rate = 1e3 / nanoseconds
        shown.add_row(
            name, str(len(found.controller.weights)), f"{found.placements:,}", f"{rate:.1f}", f"{nanoseconds:.1f}"
        )
        if name == "four":
            aim("a placement of four features", nanoseconds, 1e3 / AT_LEAST, "ns")
    console.print(shown)

    games = 100 if scale.quick else 1000
    shown = table(f"Endless Tetris, 10x10: mean lines of {games:,} games", "controller", "mean lines",
                  "standard error", "95 % interval", "elsewhere", "apart, standard errors")  # fmt: skip
    for name in OWN:
        found = play_games(read_controller(name), games, seed=2, jobs=2)
        assert found.mean is not None and found.standard_error is not None and found.interval is not None
        known, apart = "", ""
        if name in KNOWN:
            mean, error = KNOWN[name]
            known = f"{mean:,} ({error})"
            distance = abs(found.mean - mean) / math.hypot(error, found.standard_error)
            apart = aim(f"{name}: mean lines from those measured elsewhere", distance, 3, "standard errors")
        low, high = found.interval
        shown.add_row(
            name, f"{found.mean:,.0f}", f"{found.standard_error:,.0f}", f"{low:,.0f} to {high:,.0f}", known, apart
        )
    console.print(shown)
