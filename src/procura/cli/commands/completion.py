"""``procura completion``: a script that completes commands and names in a shell."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  procura completion bash >> ~/.bashrc
  procura completion zsh >> ~/.zshrc
  procura completion fish > ~/.config/fish/completions/procura.fish
"""


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that completes commands, options, puzzles, algorithms, heuristics and samples.

    It takes effect in shells that are started afterwards; bash needs version 4.4 or later.
    """
    from procura.cli import COMPLETE_VARIABLE, cli
    from procura.cli.completing import script

    click.echo(script(shell, cli, COMPLETE_VARIABLE))
