"""A* of simpleai on the same board, with our moves and our Manhattan distance."""

from __future__ import annotations

from typing import Any

from boards import boards
from measure import Scale, against_itself, console, cpu, interleaved, table
from speed import search

from procura import Sliding


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
