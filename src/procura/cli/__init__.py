"""The command ``procura``: a group whose commands live one a file and are imported when called."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any, NoReturn

import click

from procura import __version__
from procura.cli.status import guarded
from procura.errors import unknown

COMMANDS = {
    "menu": "Choose everything by answering questions; so does procura alone.",
    "solve": "Solve a puzzle, or every puzzle of a file.",
    "compare": "Run several configurations on each problem and print a table.",
    "generate": "Print random problems, the same for the same seed and options.",
    "watch": "Watch a search step by step.",
    "explain": "Explain how a person would solve a board, and rate it.",
    "analyse": "Find what a position of a game for two is worth, and each move.",
    "study": "Run a grid of problems and configurations under hard limits.",
    "report": "Print the tables of a study, and draw its plots.",
    "tune": "Find weights for a heuristic, and judge them on fresh boards.",
    "play": "Play a puzzle yourself, with undo, hints and the solution.",
    "endless": "Play without end, by hand or by controllers, and tune these.",
    "studio": "Solve and play puzzles in the browser.",
    "list": "List what there is to solve, and to solve it with.",
    "completion": "Print a script that completes commands and names in your shell.",
    "cache": "Show, empty or fill the cache of compiled kernels and tables.",
}
"""Each command and its line in the help; it is ``command`` in the module of its name in ``commands``."""
COMPLETE_VARIABLE = "_PROCURA_COMPLETE"
"""Set by a shell that asks for completions; click's own name for it."""


class Commands(click.Group):
    """A group that imports a command when it is called, and ends with a status of ``procura.cli.status``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            if not ctx.resilient_parsing:
                raise unknown("there is no command", cmd_name, COMMANDS)
            return None
        module = importlib.import_module(f"procura.cli.commands.{cmd_name}")
        command: click.Command = module.command
        if COMPLETE_VARIABLE in os.environ:
            from procura.cli.completing import attach

            attach(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command line and exit; no error leaves as a traceback."""
        extra["standalone_mode"] = False
        sys.exit(guarded(lambda: super(Commands, self).main(*args, **extra)))


EPILOG = """\b
Examples:
  procura solve sliding "1 2 3 4 5 6 7 0 8"
  procura compare sliding --sample moodle-5 --with astar:manhattan --with idastar:manhattan
  procura list algorithms
"""


@click.group(cls=Commands, invoke_without_command=True, epilog=EPILOG)
@click.version_option(__version__, prog_name="procura", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Solve puzzles by state-space search, with the method of your choice, and prove answers optimal."""
    if context.invoked_subcommand is None:
        from procura.cli.commands import menu

        if menu.has_answers():
            context.invoke(menu.command)
        else:
            click.echo(context.get_help())


def main() -> None:
    """The console script; what the terminal's encoding cannot show is written as escapes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    cli(prog_name="procura")
