"""Writes docs/reports: each template of studies/templates with the tables and plots of its study's results.

``python studies/write_reports.py`` writes the pages and plots of all studies, or of those named. In a template

- ``{{made}}`` is how the results were made,
- ``{{table TITLE}}`` is the study's table of that title; lines below TITLE become its first rows,
- ``{{plot FILE}}`` is the plot that the study keeps under that name,
- ``{{index}}``, in README.md, is one line for each study.
"""

from __future__ import annotations

import re
import shutil
import statistics
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

import tetris_weights

from procura.study import formats
from procura.study.measures import Row
from procura.study.plan import Study, read_study
from procura.study.store import read_results
from procura.study.summarise import Sheet, rows_of_study, sheets
from procura.words import counted

STUDIES = Path(__file__).parent
TEMPLATES = STUDIES / "templates"
PAGES = STUDIES.parent / "docs" / "reports"
NAMES = ("tetris-search", "tetris-second", "sudoku", "fifteen", "dots")
WEIGHTS = "tetris-weights"
"""The page of ``tetris_weights``, which is no study of runs."""
MARK = re.compile(r"\{\{(?P<what>\w+) ?(?P<name>[^\n}]*)(?P<rows>[^}]*)\}\}")


@dataclass(frozen=True)
class Results:
    """A study and what came of it: tables by title, how they were made, plots."""

    name: str

    @cached_property
    def study(self) -> Study:
        return read_study(str(STUDIES / f"{self.name}.toml"))

    @cached_property
    def rows(self) -> list[Row]:
        return rows_of_study(self.study, read_results(STUDIES / f"{self.name}.results.jsonl"))

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        return {sheet.title: sheet for sheet in sheets(self.study.tables, self.rows)}

    @property
    def minutes(self) -> float:
        """The time of all runs, as many at once as there were, whenever they were made."""
        return float(sum(_seconds(row) / row["machine"]["jobs"] for row in self.rows)) / 60

    def made(self) -> str:
        """How the results were made."""
        rows = self.rows
        endings = [f"{count} {ending}" for ending, count in Counter(row["ending"] for row in rows).most_common()]
        limits = [row["run"]["limits"] for row in rows]
        seconds = listed(f"{value:g}" for value in sorted({limit["seconds"] for limit in limits}))
        memory = listed(f"{value / 1e9:g}" for value in sorted({limit["memory"] for limit in limits}))
        versions, machine = rows[-1]["versions"], rows[-1]["machine"]
        load = statistics.median(row["machine"]["load"][0] for row in rows)
        return (
            f"Made by `procura study studies/{self.name}.toml --jobs {machine['jobs']}`: {len(rows)} runs "
            f"({', '.join(endings)}), at most {seconds} s and {memory} GB each, "
            f"in {counted(round(self.minutes), 'minute')} on {machine['cores']} cores of {machine['system']} "
            f"{machine['processor']}, "
            f"Python {versions['python']}, Numba {versions['numba']}. Other programs ran as well (the median load was "
            f"{load:.1f}), so times are rough; searches that no time limit stopped have the same nodes and answers "
            "anywhere. The results are in "
            f"[{self.name}.results.jsonl](../../studies/{self.name}.results.jsonl)."
        )

    def draw(self, folder: Path) -> None:
        """Draw the plots as SVG."""
        from procura.study.plots import draw_plots

        with tempfile.TemporaryDirectory() as scratch:
            for path in draw_plots(self.study.plots, self.rows, Path(scratch)):
                if path.suffix == ".svg":
                    shutil.copyfile(path, folder / path.name)


def _seconds(row: Row) -> float:
    """From the start of a run's process to its end."""
    return (datetime.fromisoformat(row["ended"]) - datetime.fromisoformat(row["started"])).total_seconds()


def results_of(name: str) -> Results | tetris_weights.Results:
    return tetris_weights.Results() if name == WEIGHTS else Results(name)


def page(name: str) -> str:
    """The page of a study."""
    results = results_of(name)

    def filled(mark: re.Match[str]) -> str:
        if mark["what"] == "made":
            return textwrap.fill(results.made(), 120, break_long_words=False, break_on_hyphens=False)
        if mark["what"] == "table":
            return table(results.sheets[mark["name"]], mark["rows"].strip().splitlines())
        if mark["what"] == "plot":
            return f"![{mark['name']}]({name}/{mark['name']}.svg)"
        raise ValueError(f"{name}: there is no {mark['what']!r}")

    return MARK.sub(filled, (TEMPLATES / f"{name}.md").read_text(encoding="utf-8"))


def listed(words: Iterable[str]) -> str:
    return " or ".join(words)


def table(sheet: Sheet, first: Sequence[str]) -> str:
    """A table as Markdown, with rows of others above ours."""
    head, rule, *ours = formats.markdown([replace(sheet, title="")]).splitlines()
    for line in first:
        if line.count("|") != head.replace(r"\|", "").count("|"):
            raise ValueError(f"{sheet.title}: expected as many cells as in {head}: {line}")
    return "\n".join([head, rule, *first, *ours])


def index() -> str:
    """The page of all studies."""
    lines = ["| study | runs | minutes | command |", "|---|---:|---:|---|"]
    for results in map(Results, NAMES):
        command = f"procura study studies/{results.name}.toml"
        link = f"[{results.study.title}]({results.name}.md)"
        lines.append(f"| {link} | {len(results.rows)} | {results.minutes:.0f} | `{command}` |")
    weights = tetris_weights.Results()
    command = "python studies/tetris_weights.py"
    link = f"[Tetris: weights]({WEIGHTS}.md)"
    lines.append(f"| {link} | {weights.count} | {weights.head['minutes']:.0f} | `{command}` |")
    text = (TEMPLATES / "README.md").read_text(encoding="utf-8")
    return text.replace("{{index}}", "\n".join(lines))


def draw(name: str) -> None:
    """Draw the plots of a page, with text as text and nothing that differs from time to time."""
    import matplotlib

    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "procura"}
    folder = PAGES / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    results_of(name).draw(folder)


def main(names: Sequence[str]) -> None:
    for name in names or (*NAMES, WEIGHTS):
        (PAGES / f"{name}.md").write_text(page(name), encoding="utf-8")
        draw(name)
    (PAGES / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
