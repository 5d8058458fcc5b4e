"""Endless Tetris: placements a second of CPU time, mean lines beside those known elsewhere, what known pieces gain."""

from __future__ import annotations

import math

from measure import Scale, aim, console, table

from procura.puzzles.tetris.endless import Games, play_games, ratio, read_controller

KNOWN = {"four": (101, 5), "dellacherie": (2229, 124), "bcts": (4600, 273), "dt10": (5099, 306)}
"""Mean lines on ten rows and their standard errors, as measured elsewhere."""
AT_LEAST = 25.0
"""Million placements a second with four features."""
OWN = ("report1", *KNOWN, "tuned")
PUBLISHED = {"bcts": "35 million", "dt10": "51 million (of DT-20)", "tuned": "-"}
"""Lines a game on 20x10."""
FRESH = 2026
"""A seed of which no game was played in tuning."""


def fastest(name: str, games: int, runs: int) -> Games:
    """The run of least CPU time, of several that play the same games; one before does not count."""
    controller = read_controller(name)
    play_games(controller, 1)
    return min((play_games(controller, games, seed=1) for _ in range(runs)), key=lambda found: found.cpu_seconds)


def endless(scale: Scale) -> None:
    """All tables."""
    speeds(scale)
    means(scale)
    tuned(scale)
    known(scale)
    high(scale)


def speeds(scale: Scale) -> None:
    """Placements a second."""
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


def means(scale: Scale) -> None:
    """Mean lines beside those measured elsewhere."""
    games = 100 if scale.quick else 1000
    shown = table(f"Endless Tetris, 10x10: mean lines of {games:,} games", "controller", "mean lines",
                  "standard error", "95 % interval", "elsewhere", "apart, standard errors")  # fmt: skip
    for name in OWN:
        found = play_games(read_controller(name), games, seed=2, jobs=2)
        assert found.mean is not None and found.standard_error is not None
        known, apart = "", ""
        if name in KNOWN:
            mean, error = KNOWN[name]
            known = f"{mean:,} ({error})"
            distance = abs(found.mean - mean) / math.hypot(error, found.standard_error)
            apart = aim(f"{name}: mean lines from those measured elsewhere", distance, 3, "standard errors")
        shown.add_row(name, f"{found.mean:,.0f}", f"{found.standard_error:,.0f}", interval(found), known, apart)
    console.print(shown)


def interval(games: Games) -> str:
    """Where the mean lies."""
    return "-" if games.interval is None else f"{games.interval[0]:,.0f} to {games.interval[1]:,.0f}"


def tuned(scale: Scale) -> None:
    """``tuned`` against DT-10, game by game."""
    games = 100 if scale.quick else 4000
    shown = table(f"Endless Tetris, 10x10: {games:,} games of seed {FRESH}, the same pieces", "controller",
                  "mean lines", "95 % interval", "tuned / it", "95 % interval")  # fmt: skip
    ours, theirs = (play_games(read_controller(name), games, seed=FRESH, jobs=2) for name in ("tuned", "dt10"))
    over = ratio(ours, theirs)
    assert over is not None and over.paired
    shown.add_row("tuned", f"{ours.mean:,.0f}", interval(ours), "", "")
    shown.add_row(
        "dt10", f"{theirs.mean:,.0f}", interval(theirs), f"{over.value:.3f}", "{:.3f} to {:.3f}".format(*over.interval)
    )
    aim("lines of DT-10 for one of tuned", 1 / over.value, 1 / 1.1, "times")
    aim("the same at the worst end of its interval", 1 / over.interval[0], 1, "times")
    console.print(shown)


def known(scale: Scale) -> None:
    """What known pieces gain, on boards so low that games end."""
    games, most = (10, 2000) if scale.quick else (40, 20_000)
    shown = table(f"Endless Tetris, 6x10: known pieces of four, {games} games of at most {most:,} pieces, seed {FRESH}",
                  "known", "mean lines", "95 % interval", "games lost", "pieces a second")  # fmt: skip
    for number in range(1, 6):
        found = play_games(
            read_controller("four"), games, rows=6, known=number, seed=FRESH, most_pieces=most, jobs=2
        )  # fmt: skip
        mean = "-" if found.mean is None else f"{found.mean:,.0f}"
        rate = f"{found.pieces / found.cpu_seconds:,.0f}"
        shown.add_row(str(number), mean, interval(found), str(len(found.lines)), rate)
    console.print(shown)


def high(scale: Scale) -> None:
    """20x10 for a fixed number of pieces."""
    games, pieces = (2, 10**5) if scale.quick else (8, 2_500_000)
    shown = table(f"Endless Tetris, 20x10: {games} games of at most {pieces:,} pieces, seed {FRESH}", "controller",
                  "pieces", "lines", "games lost", "lines a game lost", "95 % interval", "published")  # fmt: skip
    for name, published in PUBLISHED.items():
        found = play_games(read_controller(name), games, rows=20, seed=FRESH, most_pieces=pieces, jobs=2)
        mean = "-" if found.mean is None else f"{found.mean:,.0f}"
        shown.add_row(
            name, f"{found.pieces:,}", f"{sum(found.lines) + found.cut_lines:,}", str(len(found.lines)), mean,
            interval(found), published,
        )  # fmt: skip
    console.print(shown)
