"""Runs side by side, as ``compare`` prints them: a table a problem, and one that sums up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from procura import words
from procura.cli.harmless import echo, harmless
from procura.cli.render import new_console, show_text, show_title
from procura.cli.running import Run
from procura.cli.settings import Settings
from procura.result import Outcome, Result
from procura.texts import Task

COLUMNS = (
    "configuration", "outcome", "points", "cost", "proof", "length", "generated", "expanded", "penetrance", "branching",
    "seconds", "memory",
)  # fmt: skip
TOTALS = ("configuration", "solved", "proved", "unsolvable", "points", "expanded", "seconds")
_OPTIONAL = ("points", "unsolvable")  # shown where there is anything to show
_HALVES = (
    ("configuration", "outcome", "points", "cost", "proof", "seconds", "memory"),
    ("configuration", "length", "generated", "expanded", "penetrance", "branching"),
)
_WORDS = ("configuration", "outcome", "proof", "controller")  # to the left; numbers stand to the right
_STYLES = {"solved": "green", "no solution": "yellow", "not found": "red", "not run": "red", "error": "red"}
_STOPPED = {"cancelled": "interrupted"}
_WIDE = 100_000
LONG_SECONDS = 5.0
"""Runs that search longer than this are told before the table is."""


@dataclass
class Total:
    """What one configuration did on all problems."""

    solved: int = 0
    proved: int | None = None
    """Answers proved optimal; None where the word means nothing."""
    unsolvable: int = 0
    """Problems proved to have no solution."""
    points: int | None = None
    expanded: int = 0
    seconds: float = 0.0

    def add(self, result: Result) -> None:
        """Count a run."""
        self.solved += result.solved
        if result.solved and result.optimal is not None:
            self.proved = (self.proved or 0) + result.optimal
        self.unsolvable += result.outcome is Outcome.NO_SOLUTION
        if result.points is not None:
            self.points = (self.points or 0) + result.points
        self.expanded += result.stats.expanded
        self.seconds += result.stats.seconds

    def cells(self) -> tuple[str, ...]:
        """The cells of ``TOTALS``, after the configuration."""
        told = (
            f"{self.solved:,}",
            words.number(self.proved),
            words.number(self.unsolvable or None),
            words.number(self.points),
            f"{self.expanded:,}",
            f"{self.seconds:.3f}",
        )
        return tuple("-" if value is None else value for value in told)


class TableReport:
    """A table for each problem when its runs have ended; at the end of several problems one that sums up.

    A run that took long is told on stderr as soon as it has ended, if others follow.
    """

    def __init__(self, tasks: int, labels: Sequence[str]) -> None:
        self._console = new_console()
        self.tasks, self.labels = tasks, labels
        self.shown = 0
        self.rows: list[tuple[str, ...]] = []
        self.interpreted: list[str] = []
        """The runs of this problem that the interpreted engine ended, by their labels."""
        self.totals: dict[str, Total] = {}

    def result(self, run: Run) -> None:
        result = run.result
        self.rows.append((run.settings.label, *cells(result)))
        if result.engine == "python":
            self.interpreted.append(run.settings.label)
        self.totals.setdefault(run.settings.label, Total()).add(result)
        follow = len(self.rows) < len(self.labels) and result.stopped_by != "cancelled"
        if follow and result.stats.seconds >= LONG_SECONDS:
            echo(f"{run.settings.label}: {words.outcome(result)}; {result.stats.seconds:.1f} s", err=True)

    def error(self, task: Task, settings: Settings, sentence: str) -> None:
        self.rows.append(_bare(settings.label, "error"))
        self.totals.setdefault(settings.label, Total())

    def problem_done(self, task: Task) -> None:
        rows, self.rows = self.rows, []
        interpreted, self.interpreted = self.interpreted, []
        if not rows or all(row[1] == "error" for row in rows):
            return  # the sentences on stderr say it all
        rows += [_bare(label, "not run") for label in self.labels[len(rows) :]]
        if self.shown:
            show_text(self._console, "")
        self.shown += 1
        title = (task.place if self.tasks > 1 else None) or task.name
        if title:
            show_title(self._console, title)
        show_table(self._console, COLUMNS, rows)
        if interpreted and len(interpreted) < sum(row[1] not in ("error", "not run") for row in rows):
            seconds = f"Seconds of {', '.join(interpreted)} are of the interpreted engine, the others' of the compiled"
            show_text(self._console, f"\n{seconds}; --engine compiled measures them alike.")

    def end(self) -> None:
        if self.tasks < 2:
            return
        show_text(self._console, "")
        show_title(self._console, words.counted(self.tasks, "problem"))
        show_table(self._console, TOTALS, [(label, *total.cells()) for label, total in self.totals.items()])


def _bare(label: str, outcome: str) -> tuple[str, ...]:
    """The row of a configuration that has no result."""
    return (label, outcome, *["-"] * (len(COLUMNS) - 2))


def cells(result: Result) -> tuple[str, ...]:
    """The cells of a run, after its configuration; what does not apply is a dash."""
    stats = result.stats
    kinds = {Outcome.SOLVED: "solved", Outcome.NO_SOLUTION: "no solution", Outcome.NOT_FOUND: "not found"}
    told = (
        kinds[result.outcome]
        + (f" ({_STOPPED.get(result.stopped_by, result.stopped_by)})" if result.stopped_by else ""),
        words.number(result.points),
        words.number(result.cost) if result.solved else None,
        words.proof(result),
        words.number(result.length),
        f"{stats.generated:,}",
        f"{stats.expanded:,}",
        _rounded(stats.penetrance),
        _rounded(stats.branching_factor),
        f"{stats.seconds:.3f}",
        f"{stats.peak_memory / 1e6:.0f} MB",
    )
    return tuple("-" if value is None else value for value in told)


def _rounded(value: float | None) -> str | None:
    return None if value is None else f"{value:.4g}"


def show_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows as a table, never cut; on a narrow terminal as two tables, or as a paragraph each."""
    if not console.is_terminal:
        console.width = _WIDE
    bare = {name for i, name in enumerate(columns) if name in _OPTIONAL and all(row[i] == "-" for row in rows)}
    for layout in (columns,), _HALVES:
        shown = [[name for name in kept if name not in bare] for kept in layout if set(kept) <= set(columns)]
        tables = [_table(columns, rows, kept) for kept in shown]
        wide = console.options.update(width=_WIDE)
        if tables and all(console.measure(table, options=wide).maximum <= console.width for table in tables):
            for number, table in enumerate(tables):
                console.print(*([""] if number else []), table, sep="\n")
            return
    for row in rows:
        _show_paragraph(console, columns, row)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], kept: Sequence[str]) -> Table:
    """A table of the columns in ``kept``."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in kept:
        table.add_column(column, justify="left" if column in _WORDS else "right", no_wrap=True)
    for row in rows:
        cells_of = dict(zip(columns, row, strict=True))
        table.add_row(*(_styled(column, cells_of[column]) for column in kept))
    return table


def _show_paragraph(console: Console, columns: Sequence[str], row: Sequence[str]) -> None:
    """Print a row as its first cell and, below it, the others with their names."""
    named = [(column, cell) for column, cell in zip(columns[1:], row[1:], strict=True) if cell != "-"]
    parts = [cell if column in _WORDS else f"{column} {cell}" for column, cell in named]
    console.print(Text(harmless(row[0]), "bold"))
    console.print(Padding(Text(", ".join(parts)), (0, 0, 0, 2)))


def _styled(column: str, cell: str) -> Text:
    style = next((style for start, style in _STYLES.items() if cell.startswith(start)), "")
    return Text(harmless(cell), style if column == "outcome" else "")
