"""Tables as text: aligned for a terminal, Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

from procura.configuration import plain
from procura.study.measures import MEASURES, Row
from procura.study.summarise import Sheet

GAP = "  "
RUN_NAMES = (
    "problem", "group", "configuration", "puzzle", "algorithm", "heuristic", "engine", "seed", "repeat", "ending",
)  # fmt: skip
RUN_FACTS = ("outcome", "stopped_by", "optimal")
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip


def terminal(sheets: Iterable[Sheet], width: int = 100_000) -> str:
    """Tables in columns; one that is wider than ``width`` goes on below, with the names repeated."""
    parts = []
    for sheet in sheets:
        title = [sheet.title] if sheet.title else []
        blocks = ["\n".join(_aligned(sheet, numbers)) for numbers in _fitting(sheet, width)]
        parts.append("\n".join([*title, "\n\n".join(blocks)]))
    return "\n\n".join(parts) + "\n" if parts else ""


def _texts(sheet: Sheet, column: int) -> list[str]:
    return [sheet.columns[column], *(figures[column].text for _, figures in sheet.lines)]


def _names(sheet: Sheet) -> list[list[str]]:
    """The columns of names, headings first."""
    return [[heading, *(names[i] for names, _ in sheet.lines)] for i, heading in enumerate(sheet.names)]


def _fitting(sheet: Sheet, width: int) -> Iterator[list[int]]:
    """The numbers of the figures that fit beside the names, block by block."""
    first = sum(max(map(len, column)) + len(GAP) for column in _names(sheet))
    block: list[int] = []
    used = first
    for column in range(len(sheet.columns)):
        wide = max(map(len, _texts(sheet, column))) + len(GAP)
        if block and used + wide - len(GAP) > width:
            yield block
            block, used = [], first
        block.append(column)
        used += wide
    yield block


def _aligned(sheet: Sheet, numbers: Sequence[int]) -> Iterator[str]:
    """The lines of a block: names to the left, figures to the right."""
    columns = [_padded(column, str.ljust) for column in _names(sheet)]
    columns += [_padded(_texts(sheet, number), str.rjust) for number in numbers]
    for line in zip(*columns, strict=True):
        yield GAP.join(line).rstrip()


def _padded(texts: list[str], pad: Callable[[str, int], str]) -> list[str]:
    width = max(map(len, texts))
    return [pad(text, width) for text in texts]


def markdown(sheets: Iterable[Sheet]) -> str:
    """Tables with a heading each."""
    parts = []
    for sheet in sheets:
        lines = [f"### {sheet.title}", ""] if sheet.title else []
        lines.append(_bars([*sheet.names, *sheet.columns]))
        lines.append("|" + "---|" * len(sheet.names) + "---:|" * len(sheet.columns))
        lines += [_bars([*names, *(figure.text for figure in figures)]) for names, figures in sheet.lines]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n" if parts else ""


def _bars(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") or " " for cell in cells) + " |"


def comma_separated(sheets: Sequence[Sheet]) -> str:
    """Tables with all digits; several are apart by blank lines, each below a line with its title."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    for number, sheet in enumerate(sheets):
        if number:
            out.write("\n")
        if len(sheets) > 1:
            write([sheet.title])
        headings: list[str] = []
        for column, heading in enumerate(sheet.columns):
            parts = sheet.lines[0][1][column].numbers
            headings += [f"{heading} {part}".strip() for part, _ in parts]
        write([*sheet.names, *headings])
        for names, figures in sheet.lines:
            write([*names, *(value for figure in figures for _, value in figure.numbers)])
    return out.getvalue()


def runs(rows: Sequence[Row]) -> str:
    """A line for each run, as CSV: its names, how it ended, its figures, and the options of its puzzle."""
    options = list(dict.fromkeys(name for row in rows for name in row["of"] if name not in RUN_NAMES))
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write([*RUN_NAMES, *RUN_FACTS, *MEASURES, *(f"option {name}" for name in options)])
    for row in rows:
        facts = ("" if row.get(name) is None else plain(row[name]) for name in RUN_FACTS)
        figures = (figure(row) for figure in MEASURES.values())
        write([*map(row["of"].get, RUN_NAMES), *facts, *figures, *map(row["of"].get, options)])
    return out.getvalue()


def latex(sheets: Iterable[Sheet]) -> str:
    """Tables that need no package."""
    parts = []
    for sheet in sheets:
        lines = [r"\begin{table}[ht]", r"\centering"]
        lines += [rf"\caption{{{_escaped(sheet.title)}}}"] if sheet.title else []
        lines += [rf"\begin{{tabular}}{{{'l' * len(sheet.names)}{'r' * len(sheet.columns)}}}", r"\hline"]
        lines += [_ampersands([*sheet.names, *sheet.columns]), r"\hline"]
        lines += [_ampersands([*names, *(figure.text for figure in figures)]) for names, figures in sheet.lines]
        lines += [r"\hline", r"\end{tabular}", r"\end{table}"]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n" if parts else ""


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(map(_escaped, cells)) + r" \\"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def write(name: str, sheets: Sequence[Sheet], width: int = 100_000) -> str:
    """The tables in the format of that name."""
    if name == "terminal":
        return terminal(sheets, width)
    return {"markdown": markdown, "csv": comma_separated, "latex": latex}[name](sheets)
