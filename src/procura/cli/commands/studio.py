"""``procura studio``: the page to solve and play in, served to this machine's browser."""

from __future__ import annotations

from contextlib import suppress

import click

EPILOG = """\b
Examples:
  procura studio
  procura studio --port 9000 --no-browser
  procura studio boards/
  procura studio --puzzle examples/jugs.py:Jugs
  procura studio --allow-code
"""


@click.command("studio", epilog=EPILOG)
@click.argument("folder", required=False)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="8642, or any free one, if left out.")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--puzzle", "own", multiple=True, metavar="FILE.py:CLASS", help="A puzzle of your own beside the others.")
@click.option("--allow-code", is_flag=True, help="Let the page run puzzles written in it, in a process of their own.")
def command(folder: str | None, port: int | None, no_browser: bool, own: tuple[str, ...], allow_code: bool) -> int:
    """Solve and play puzzles in the browser.

    The page is served to this machine only, at the address that is printed; the token in it is the key. With FOLDER
    the page can open the texts in it, and no others. With --allow-code puzzles written in the page are run, with all
    that your user may do on this machine: open no links to such puzzles that you do not trust. Needs procura[studio].
    Ctrl-C ends it.
    """
    from procura.cli.harmless import echo
    from procura.cli.status import FOUND
    from procura.errors import InputError

    try:
        from procura.studio.server import serve
    except ImportError as error:
        missing = error.name or str(error)
        raise InputError(f"the studio needs {missing}: pip install 'procura[studio]' brings it") from None

    def ready(address: str) -> None:
        echo(address)
        if not no_browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with suppress(KeyboardInterrupt):
        serve(own, folder, port, ready, allow_code)
    return FOUND
