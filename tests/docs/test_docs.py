"""The documentation keeps its word: its commands and its Python are run, and print what it shows.

The rules, for README.md and docs/*.md (README.pt.md has the blocks of README.md, see ``test_readme_pt``):

- In a ``console`` block a line that begins with ``$ `` is a command, lines that begin with ``> `` continue it, and the
  rest up to the next command is what it prints. Commands run from the root of the repository. ``# exit 4`` at the end
  of a command is the exit status it must have; 0 if nothing is said. ``make`` and ``git`` are shown, not run.
- The ``python`` blocks of a page run in order, as one session. A ``text`` block right after one is what it prints.
- A ``python`` block below ``<!-- from FILE -->`` is part of that file instead, line by line but for indentation and
  blank lines.
- ``[...]`` stands for anything; on a line of its own for any lines. Seconds, times of day and megabytes may differ from
  those shown, and what is told on a slow machine only does not count.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from slowly import quick

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOT_RUN = ("make", "git")
ANYTHING = "[...]"
TOLD_WHEN_SLOW = re.compile(
    r"(?m)^(?:\d+ s: .*|procura: compiling, .*|\S+: .*; [\d.]+ s|\nSeconds of .* measures them alike\.)\n"
)
END_OF_BLOCK = "=== end of block ==="
SESSION = f"""
import json, sys
page, blocks = json.load(sys.stdin)
for line, code in blocks:
    exec(compile("\\n" * (line - 1) + code, page, "exec"), globals())
    print({END_OF_BLOCK!r}, flush=True)
"""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text, first line, the comment above it and the output below it."""

    page: Path
    language: str
    text: str
    line: int
    source: str | None
    output: str | None

    @property
    def place(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A command of a console block, and what it must print and return."""

    place: str
    text: str
    output: str
    status: int


FENCE = re.compile(
    r"(?:^<!-- from (?P<source>\S+) -->\n)?"
    r"^```(?P<language>\w+)\n(?P<text>.*?)^```$"
    r"(?:\n\n?^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, m["language"], m["text"], text.count("\n", 0, m.start("text")) + 1, m["source"], m["output"])
        for m in FENCE.finditer(text)
    ]


def commands(block):
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        count = 1
        while count < len(lines) and lines[count].startswith("> "):
            count += 1
        text = "\n".join([lines[0], *(line[2:] for line in lines[1:count])])
        status = re.search(r"# exit (\d+)$", text)
        yield Command(block.place, text, "\n".join(lines[count:]), int(status[1]) if status else 0)


BLOCKS = [block for page in PAGES for block in blocks(page)]
COMMANDS = [
    command
    for block in BLOCKS
    if block.language == "console"
    for command in commands(block)
    if command.text.split()[0] not in NOT_RUN
]
EXCERPTS = [block for block in BLOCKS if block.source]


def environment():
    """Ours, with the ``procura`` that stands beside this Python first, and nothing that changes what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    quiet = {name: value for name, value in os.environ.items() if name not in ("PROCURA_DEBUG", "FORCE_COLOR")}
    return {**quiet, "PATH": path, "COLUMNS": "80"}


def plain(text):
    """The text without figures that differ from run to run."""
    text = re.sub(r"\b\d+(\.\d+)? s\b", "# s", re.sub(r"\b\d\d:\d\d:\d\d\b", "#:#:#", text))
    return re.sub(r"\b\d[\d,]* MB\b", "# MB", text).strip("\n")


def matches(shown, printed):
    """Whether ``printed`` is what ``shown`` promises."""
    lines = [
        "(?s:.*)" if line == ANYTHING else "[^\n]*".join(map(re.escape, line.split(ANYTHING)))
        for line in plain(shown).split("\n")
    ]
    return re.fullmatch("\n".join(lines), plain(printed)) is not None


def check_output(place, shown, printed):
    assert matches(shown, printed), f"{place} shows\n\n{shown}\n\nbut this is printed:\n\n{printed}"


LONG = [command for command in COMMANDS if "procura study" in command.text or "procura tune" in command.text]


@pytest.mark.parametrize(
    "command",
    quick(*(command for command in COMMANDS if command not in LONG), of=COMMANDS),
    ids=lambda command: f"{command.place} {command.text[:40]}",
)
def test_a_command_prints_what_is_shown(command):
    done = subprocess.run(
        ["sh", "-c", command.text],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == command.status, done.stdout
    check_output(command.place, command.output, TOLD_WHEN_SLOW.sub("", done.stdout))


LONG_PAGES = [page for page in PAGES if page.name in ("your-own-puzzle.md", "algorithms.md")]


@pytest.mark.parametrize(
    "page", quick(*(page for page in PAGES if page not in LONG_PAGES), of=PAGES), ids=lambda page: page.name
)
def test_python_prints_what_is_shown(page):
    session = [block for block in BLOCKS if block.page == page and block.language == "python" and not block.source]
    done = subprocess.run(
        [sys.executable, "-c", SESSION],
        input=json.dumps([str(page), [(block.line, block.text) for block in session]]),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(END_OF_BLOCK + "\n")
    for block, text in zip(session, printed, strict=False):
        check_output(block.place, block.output or "", text)


@pytest.mark.parametrize("block", EXCERPTS, ids=lambda block: block.place)
def test_an_excerpt_stands_in_its_file(block):
    def lines(text):
        return "\n".join(line.strip() for line in text.splitlines() if line.strip())

    assert f"\n{lines(block.text)}\n" in f"\n{lines((ROOT / block.source).read_text(encoding='utf-8'))}\n"


def test_there_is_something_to_run():
    assert len(COMMANDS) >= 10 and len(EXCERPTS) >= 5


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nc", False),
        ("a", "a\nb", False),
        ("a\n[...]\nd", "a\nb\nc\nd", True),
        ("a [...] d", "a b c d", True),
        ("a [...] d", "a b\nc d", False),
        ("search  0.010 s", "search  12.5 s", True),
        ("peak memory  23 MB", "peak memory  1,204 MB", True),
        ("cost  42", "cost  44", False),
        ("###...####", "### . ####", False),
    ],
)
def test_what_is_shown_is_compared_line_by_line(shown, printed, same):
    assert matches(shown, printed) == same
