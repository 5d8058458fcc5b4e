"""docs/command-line.md, made of the commands themselves: ``python tools/site/command_line.py`` writes it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from procura import catalog, record
from procura.cli import COMMANDS, cli, status

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
INTRODUCTION = """\
# Command line

<!-- Made by tools/site/command_line.py of the commands' own help; change that, then run `make docs`. -->

Every command with its options, as `procura COMMAND --help` prints them, then the [exit statuses](#exit-status) and the
[fields of `--json`](#json). What stands in capitals you fill in; what stands in brackets may be left out."""
OF_PUZZLES = {option.name for one in catalog.PUZZLES.values() for option in (*one.options, *one.generator)}
_LINES: dict[str, Any] = {"width": 120, "break_long_words": False, "break_on_hyphens": False}
EXIT_STATUS = """\
## Exit status

`procura solve` and `procura compare` end with one of these; the other commands with those that can happen to them. A
batch ends with the worst of its statuses: {worst}. Bad input is reported in one sentence on standard
error, which names the place and what was expected.

The answer comes first: a file of `--log`, `--trace`, `--tree`, `--svg` or `--out` that cannot be written, on a full
disk for instance, is reported after it, and the status is 2 unless that of the run is worse."""
JSON = """\
## JSON

`--json` of `procura solve` prints one object a problem, on a line of its own and in the order of the input, and nothing
else on standard output. Fields that do not apply are null. `procura compare --json` prints one a run, with what
`--with` said as `configuration` at the end. [Formats](formats.md#json) has an example."""


def page() -> str:
    """The whole page."""
    root = click.Context(cli, info_name="procura")
    parts = [INTRODUCTION, *_section(root)]
    parts += _commands(root)
    worst = ", ".join(str(one) for one in reversed(status.BY_SEVERITY))
    parts += [EXIT_STATUS.format(worst=worst), _statuses(), JSON, _fields()]
    return "\n\n".join(filter(None, parts)) + "\n"


def _commands(context: click.Context) -> Iterator[str]:
    """The commands of a group, and theirs."""
    group = context.command
    for name in group.list_commands(context) if isinstance(group, click.Group) else ():
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield from _section(inner)
        yield from _commands(inner)


def _section(context: click.Context) -> Iterator[str]:
    """A command: its usage, text, options, examples and what else stands below them."""
    command = context.command
    yield f"## {context.command_path}"
    yield _block(" ".join([context.command_path, *command.collect_usage_pieces(context)]))
    yield from map(_paragraph, _paragraphs(command.help or ""))
    if isinstance(command, click.Group):
        path = context.command_path
        of = {name: one.short_help for name, one in command.commands.items()} or COMMANDS
        links = {name: f"[`{path} {name}`](#{path.replace(' ', '-')}-{name})" for name in of}
        yield "\n".join(_item(link, _text(of[name] or "")) for name, link in links.items())
    options = [one for one in command.params if isinstance(one, click.Option)]
    yield _options(context, [one for one in options if one.name not in OF_PUZZLES])
    if any(one.name in OF_PUZZLES for one in options):
        yield "Options of the puzzle:"
        yield _options(context, [one for one in options if one.name in OF_PUZZLES])
    examples, *rest = _paragraphs(command.epilog or "")
    yield "Examples:"
    yield _block(inspect.cleandoc(examples.partition("Examples:\n")[2]))
    yield from map(_paragraph, rest)


def _options(context: click.Context, options: list[click.Option]) -> str:
    records = filter(None, (option.get_help_record(context) for option in options))
    return "\n".join(_item(f"`{left}`", _option(right)) for left, right in records)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, without click's marks."""
    return [part for part in inspect.cleandoc(text.replace("\b", "")).strip("\n").split("\n\n") if part.strip()]


def _option(words: str) -> str:
    """What an option does; click's brackets hold its default and range."""
    about, _, extra = words.partition("  [")
    about, extra = (about, extra) if extra or not words.startswith("[") else ("", words[1:])
    extra = re.sub(r"x>=(\d+)", r"from \1", re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", extra))
    noted = f"({extra.replace(']  [', '; ').rstrip(']')})" if extra else ""
    return " ".join(filter(None, [_text(about), _text(noted)])).strip()


def _text(text: str) -> str:
    """A text that Markdown shows as it is; a page of docs/ that it names becomes a link."""
    plain = re.sub(r"([*_<`])", r"\\\1", " ".join(text.split()))
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[docs/\1](\1)", plain)


def _item(left: str, right: str) -> str:
    return textwrap.fill(f"- {left}: {right}", subsequent_indent="  ", **_LINES)


def _paragraph(text: str) -> str:
    return textwrap.fill(_text(text), **_LINES)


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _statuses() -> str:
    """The table of exit statuses: the constants of ``procura.cli.status`` with the text below each."""
    rows = []
    body = ast.parse(inspect.getsource(status)).body
    for constant, about in pairwise(body):
        match constant, about:
            case ast.Assign(value=ast.Constant(value=int(number))), ast.Expr(value=ast.Constant(value=str(text))):
                rows.append(f"| {number} | {text} |")
    assert len(rows) == len(status.BY_SEVERITY)
    return "\n".join(["| status | |", "|---:|---|", *rows])


def _fields() -> str:
    return "\n".join(["| field | |", "|---|---|", *(f"| `{key}` | {text} |" for key, text in record.FIELDS.items())])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
