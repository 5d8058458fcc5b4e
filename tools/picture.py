"""Draws docs/images/session.svg, the README's picture: a terminal in which real commands print what they print.

    python tools/picture.py

The commands of ``SCENES`` are run, and what they print becomes the frames of one SVG that moves by CSS alone. It holds
no fonts and no scripts. Lines and blocks of boards are drawn as shapes, so that they join in any font. Figures that
differ from run to run (seconds, memory) are left out. Where nothing moves, the first answer stands still.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "session.svg"

COLUMNS, ROWS = 80, 31
CELL, LINE = 8.4, 17.0
MARGIN, BAR = 18.0, 30.0
FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
INK, PAPER, EDGE = "#d6dbe1", "#14181d", "#7d8894"
COLOURS = {"31": "#ff8272", "32": "#6fd58a", "33": "#e5c26a", "34": "#7fb2ff", "35": "#d79bea", "36": "#67cfd8"}
VARIES = re.compile(r"^(started, ended|search|compiling|peak memory) ")


@dataclass(frozen=True)
class Scene:
    """A command, what is typed to it, how its output is cut into frames, and the seconds of each and of the last.

    ``engine`` is the one that ends the command once its kernels are kept; it is not shown.
    """

    command: str
    engine: str = ""
    keys: str = ""
    cut: str | None = None
    each: float = 1.0
    last: float = 4.5


SCENES = (
    Scene("procura solve sliding --sample moodle-10", engine=" --engine compiled"),
    Scene(
        'procura watch sliding "1 6 2 4 0 3 7 5 8" --with astar:manhattan',
        keys="n\n" * 9,
        cut=r"^(?=step )",
        each=0.9,
        last=3.0,
    ),
    Scene("procura solve dots --sample hard-4x4 --engine python"),
)


@dataclass(frozen=True)
class Cell:
    """A character and its style: the colour, and whether it is bold or faint."""

    character: str
    colour: str = INK
    bold: bool = False
    faint: bool = False

    @property
    def style(self) -> tuple[str, bool, bool]:
        return self.colour, self.bold, self.faint


def printed(scene: Scene) -> str:
    """What the command prints in a terminal of 80 columns, with its colours."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(
        ["sh", "-c", scene.command + scene.engine],
        input=scene.keys,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
        timeout=300,
    )
    return done.stdout


def cells(line: str) -> list[Cell]:
    """A line with escape sequences as styled characters."""
    row: list[Cell] = []
    colour, bold, faint = INK, False, False
    for codes, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
        if character:
            row.append(Cell(character, colour, bold, faint))
            continue
        for code in codes.split(";"):
            if code in ("", "0"):
                colour, bold, faint = INK, False, False
            bold, faint, colour = bold or code == "1", faint or code == "2", COLOURS.get(code, colour)
    return row


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def outputs(scene: Scene) -> list[list[str]]:
    """The output of a scene as frames, each a list of lines, without what differs from run to run."""
    text = printed(scene)
    parts = re.split(scene.cut, without_colours(text), flags=re.MULTILINE) if scene.cut else [text]
    lines = iter(text.splitlines())
    counts = [len(part.splitlines()) for part in parts]
    frames = [[next(lines) for _ in range(count)] for count in counts]
    return [[line for line in frame if not VARIES.match(without_colours(line))] for frame in frames if frame]


# What is drawn as a shape: from the middle of its cell to the sides named (up, down, left, right), thin or thick.
THIN = {"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "udr", "┤": "udl"}
THIN |= {"┬": "lrd", "┴": "lru", "┼": "udlr"}
THICK = {"━": "lr", "┃": "ud", "┏": "rd", "┓": "ld", "┗": "ru", "┛": "lu", "┣": "udr", "┫": "udl"}
THICK |= {"┳": "lrd", "┻": "lru", "╋": "udlr"}
SHADES = {"█": 1.0, "░": 0.25}
SHAPES = {*THIN, *THICK, "•"}


def shade(run: list[Cell], x: float, y: float) -> str:
    """Filled cells side by side."""
    size = f'width="{len(run) * CELL:.1f}" height="{LINE:g}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{run[0].colour}" opacity="{SHADES[run[0].character]}"/>'


def shape(cell: Cell, x: float, y: float) -> str:
    """A line or dot of a board in the cell whose upper left corner is given."""
    middle, centre = x + CELL / 2, y + LINE / 2
    if cell.character == "•":
        return f'<circle cx="{middle:.1f}" cy="{centre:.1f}" r="2.6" fill="{cell.colour}"/>'
    thick = cell.character in THICK
    ends = {"u": (middle, y), "d": (middle, y + LINE), "l": (x, centre), "r": (x + CELL, centre)}
    sides = (THICK if thick else THIN)[cell.character]
    path = "".join(f"M{middle:.1f} {centre:.1f}L{ends[side][0]:.1f} {ends[side][1]:.1f}" for side in sides)
    colour = cell.colour if thick or cell.colour != INK else EDGE
    return f'<path d="{path}" stroke="{colour}" stroke-width="{2.4 if thick else 1.2}"/>'


def words(run: list[Cell], x: float, y: float) -> str:
    """Characters of one style. Each group of words is stretched to the width that it has in a terminal."""
    colour, bold, faint = run[0].style
    style = f' fill="{colour}"' if colour != INK else ""
    style += ' font-weight="bold"' if bold else ""
    style += ' opacity="0.6"' if faint else ""
    parts = []
    for found in re.finditer(r"\S+(?: \S+)*", "".join(cell.character for cell in run)):
        place = f'x="{x + found.start() * CELL:.1f}" y="{y + 0.74 * LINE:.1f}"'
        width = f'textLength="{len(found[0]) * CELL:.1f}"'
        parts.append(f"<text {place} {width}{style}>{escape(found[0], quote=False)}</text>")
    return "".join(parts)


def kind(cell: Cell) -> str:
    """How a cell is drawn: as a shade, as a shape, or as a character."""
    return cell.character if cell.character in SHADES else "shape" if cell.character in SHAPES else "text"


def row_of(line: str, y: float) -> str:
    """A line of the terminal."""
    parts, x = [], MARGIN
    for (drawn, _), group in groupby(cells(line), key=lambda cell: (kind(cell), cell.style)):
        run = list(group)
        if drawn in SHADES:
            parts.append(shade(run, x, y))
        elif drawn == "shape":
            parts += [shape(cell, x + i * CELL, y) for i, cell in enumerate(run)]
        else:
            parts.append(words(run, x, y))
        x += len(run) * CELL
    return "".join(parts)


def screen(lines: list[str]) -> str:
    """A screen full of lines: the last ones if there are more."""
    return "".join(row_of(line, BAR + MARGIN / 2 + i * LINE) for i, line in enumerate(lines[-ROWS:]))


def frames() -> list[tuple[float, list[str]]]:
    """All screens in order, with the seconds that each is shown: the command as it is typed, then what it prints.

    The first answer comes first, for who looks only once; the beginning of its scene stands at the end.
    """
    told = []
    for scene in SCENES:
        prompt = f"\x1b[32m$\x1b[0m {scene.command}"
        told += [(0.6, ["\x1b[32m$\x1b[0m"]), (0.9, [prompt])]
        shown = outputs(scene)
        told += [(scene.last if frame is shown[-1] else scene.each, [prompt, *frame]) for frame in shown]
    return told[2:] + told[:2]


def picture(told: list[tuple[float, list[str]]]) -> str:
    """The SVG of the screens, one after the other, over and over."""
    width, height = COLUMNS * CELL + 2 * MARGIN, BAR + ROWS * LINE + 1.5 * MARGIN
    total = sum(seconds for seconds, _ in told)
    still = next(i for i, (_, lines) in enumerate(told) if len(lines) > 1)
    rules, groups, start = [], [], 0.0
    for i, (seconds, lines) in enumerate(told):
        begin, end = 100 * start / total, 100 * (start + seconds) / total
        before = "0%{visibility:hidden}" if i else ""
        rules.append(
            f"@keyframes s{i}{{{before}{begin:.3f}%{{visibility:visible}}{end:.3f}%,100%{{visibility:hidden}}}}"
            f"#s{i}{{animation-name:s{i}}}"
        )
        hidden = "" if i == still else ' visibility="hidden"'
        groups.append(f'<g id="s{i}" class="s"{hidden}>{screen(lines)}</g>')
        start += seconds
    dots = "".join(f'<circle cx="{MARGIN + 4 + 18 * i}" cy="{BAR / 2 + 2}" r="5" fill="#3a434d"/>' for i in range(3))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" aria-label="procura in a terminal: solve and watch">',
            "<style>",
            f"g{{font:14px {FONT}}}path{{fill:none}}",
            f"@media (prefers-reduced-motion:no-preference){{.s{{animation:{total:.1f}s step-end infinite}}",
            *rules,
            "}",
            "</style>",
            f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="9" fill="{PAPER}" '
            f'stroke="#3a434d"/>',
            dots,
            f'<g fill="{INK}">',
            *groups,
            "</g>",
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(frames()), encoding="utf-8")
