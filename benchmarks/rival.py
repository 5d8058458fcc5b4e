"""A* of simpleai on the same board, with our moves and our Manhattan distance; A* of networkx on a lazy graph."""

from __future__ import annotations

from typing import Any

from boards import boards
from measure import Scale, against_itself, aim, console, cpu, interleaved, table
from speed import search

from procura import Estimate, Limits, Problem, Sliding, solve


class _Enough(Exception):
    """Raised inside the problem when as many nodes have been expanded as were asked for."""


def simpleai(scale: Scale) -> None:
    """Table 3."""
    try:
        from simpleai.search import SearchProblem, astar
    except ImportError:
        console.print("[red]no simpleai: pip install -e '.\\[bench]'[/red]")
        return

    class Board(SearchProblem):
        """Our sliding puzzle as simpleai wants it."""

        def __init__(self, sliding: Sliding, expansions: int) -> None:
            super().__init__(sliding.initial)
            self.left = expansions
            self.actions_of, self.result, self.is_goal = sliding.actions, sliding.result, sliding.is_goal
            self.sliding = sliding

        def actions(self, state: Any) -> list[int]:
            if not self.left:
                raise _Enough
            self.left -= 1
            return self.actions_of(state)

        def heuristic(self, state: Any) -> int:
            return self.sliding.estimate("manhattan", state)

    def theirs(expansions: int) -> None:
        try:
            astar(Board(boards().problem(number), expansions), graph_search=True)
        except _Enough:
            return
        raise RuntimeError("simpleai ended before its limit")

    number = boards().hard
    runs = scale.runs(7)
    shown = table(
        f"A* on board {number}, CPU seconds, least of {runs} interleaved runs",
        "expansions", "simpleai", "interpreted", "compiled", "simpleai/interpreted", "simpleai/compiled",
        "simpleai A/A",
        numbers_from=0,
    )  # fmt: skip
    for expansions in (250, 1000) if scale.quick else (1000, 4000):
        rival, python, compiled = interleaved(
            runs,
            lambda n=expansions: {"": cpu(lambda: theirs(n))},
            lambda n=expansions: {"": cpu(lambda: search("astar", number, "python", nodes=n))},
            lambda n=expansions: {"": cpu(lambda: search("astar", number, nodes=n))},
        )
        a, b, c = (min(side[""]) for side in (rival, python, compiled))
        shown.add_row(
            f"{expansions:,}", f"{a:.3f}", f"{b:.4f}", f"{c:.5f}", f"[bold]{a / b:.1f}[/bold]",
            f"[bold]{a / c:,.0f}[/bold]", f"{against_itself(rival['']):.2f}",
        )  # fmt: skip
    console.print(shown)


WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
FAR = 1_000_000


def beside(place: tuple[int, int]) -> list[tuple[int, int]]:
    """The places beside one of a plane in which two of five are walls."""
    x, y = place
    return [(x + a, y + b) for a, b in WAYS if ((x + a) * 7919 ^ (y + b) * 104729) % 5 > 1]


def distance(place: tuple[int, int]) -> int:
    """Steps to a place that is never reached."""
    return abs(FAR - place[0]) + abs(FAR - place[1])


class Plane(Problem):
    """The plane as a problem of plain Python objects."""

    initial = (0, 0)
    heuristics = {"distance": Estimate(distance, admissible=True, consistent=True)}

    def actions(self, state: Any) -> list[tuple[int, int]]:
        return beside(state)

    def result(self, state: Any, action: Any) -> Any:
        return action

    def is_goal(self, state: Any) -> bool:
        return state == (FAR, FAR)


class Lazy:
    """The same as the part of a networkx graph that ``astar_path`` looks at."""

    def __init__(self, expansions: int) -> None:
        self._adj, self.left = self, expansions

    def is_directed(self) -> bool:
        return True

    def is_multigraph(self) -> bool:
        return False

    def __contains__(self, place: Any) -> bool:
        return True

    def __getitem__(self, place: Any) -> dict[Any, dict[str, int]]:
        if not self.left:
            raise _Enough
        self.left -= 1
        return {other: {} for other in beside(place)}


def networkx(scale: Scale) -> None:
    """Table 4."""
    try:
        from networkx import astar_path
    except ImportError:
        console.print("[red]no networkx: pip install -e '.\\[bench]'[/red]")
        return

    def theirs(expansions: int) -> None:
        try:
            astar_path(Lazy(expansions), (0, 0), (FAR, FAR), lambda place, goal: distance(place))
        except _Enough:
            return
        raise RuntimeError("networkx ended before its limit")

    def ours(expansions: int) -> None:
        result = solve(Plane(), "astar:distance", ties="fifo", limits=Limits(nodes=expansions))
        if result.stats.expanded != expansions:
            raise RuntimeError("ours ended before its limit")

    runs = scale.runs(7)
    shown = table(
        f"A* on a plane with walls, plain Python objects, CPU seconds, least of {runs} interleaved runs",
        "expansions", "networkx", "interpreted", "interpreted/networkx", "networkx A/A", numbers_from=0,
    )  # fmt: skip
    for expansions in (1_000, 10_000):
        rival, python = interleaved(
            runs,
            lambda n=expansions: {"": cpu(lambda: theirs(n))},
            lambda n=expansions: {"": cpu(lambda: ours(n))},
        )
        a, b = min(rival[""]), min(python[""])
        aim(f"interpreted A*, CPU over that of networkx, {expansions:,} expansions", b / a, 1.3, "times")
        shown.add_row(
            f"{expansions:,}", f"{a:.4f}", f"{b:.4f}", f"[bold]{b / a:.2f}[/bold]", f"{against_itself(rival['']):.2f}"
        )
    console.print(shown)
