"""Where runs are made, as a command line says it: on this machine, or on a dask cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from procura.errors import InputError

if TYPE_CHECKING:
    from procura.runners.runner import Runner

HERE = "local"
SCHEMES = ("dask://", "tcp://", "tls://", "ws://", "wss://", "ucx://")
_ADDRESS = re.compile(r"\w+://[^/\s]+:(?P<port>\d{1,5})/?")
on_option = click.option(
    "--on",
    metavar="PLACE",
    default=HERE,
    show_default=True,
    help="Where runs are made: local, dask (workers started here), dask://HOST:PORT, or a scheduler file.",
)
allow_code_option = click.option(
    "--allow-code", is_flag=True, help="Allow a class of your own, file.py:Class, to be run on a cluster."
)


def check_place(on: str) -> None:
    """Refuse what is no place, and a cluster if dask is not there.

    >>> check_place("moon")
    Traceback (most recent call last):
    procura.errors.InputError: --on 'moon': expected local, dask, dask://HOST:PORT, or a scheduler file, NAME.json
    """
    if on == HERE:
        return
    if on != "dask" and not on.startswith(SCHEMES) and not on.endswith(".json"):
        raise InputError(f"--on {on!r}: expected local, dask, dask://HOST:PORT, or a scheduler file, NAME.json")
    address = _ADDRESS.fullmatch(on)
    if on.startswith(SCHEMES) and (address is None or int(address["port"]) > 65535):
        raise InputError(f"--on {on!r}: expected a host and a port, such as dask://127.0.0.1:8786")
    from procura.runners.dask import load_distributed

    load_distributed()


def runner_of(on: str, jobs: int | None, compiled: bool, allow_code: bool) -> Runner | None:
    """The runner of a place; None for this machine."""
    if on == HERE:
        return None
    from procura.cli.status import say
    from procura.runners.dask import Cluster

    return Cluster(on, jobs, compiled, allow_code, say)
