"""Texts of files and of users' classes as a terminal may get them: nothing in them can steer it."""

from __future__ import annotations

import re

import click

_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for line ends and tabs, and those that turn the direction of writing."""


def harmless(text: str) -> str:
    r"""The text with characters that could steer a terminal as escapes.

    >>> print(harmless("\x1b[2Jname\u202e\n"), end="")
    \x1b[2Jname\u202e
    """
    return _HARMFUL.sub(lambda match: ascii(match[0])[1:-1], text)


def echo(text: str, err: bool = False, nl: bool = True) -> None:
    """Print a text for people."""
    click.echo(harmless(text), err=err, nl=nl)
