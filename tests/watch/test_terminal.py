"""The keyboard turns bytes into keys, and the terminal is given back as it was found."""

from __future__ import annotations

import os
import pty
import termios

import pytest

from procura.cli.terminal import Keyboard


@pytest.fixture
def ends():
    """The two ends of a pseudo-terminal: the one to type at, and the one to read from."""
    outer, inner = pty.openpty()
    with os.fdopen(inner, "r", closefd=False) as stream:
        yield outer, stream
    for handle in (outer, inner):
        os.close(handle)


def keys(outer, keyboard, content):
    os.write(outer, content)
    found = []
    while (key := keyboard.key(1.0 if not found else 0.1)) is not None:
        found.append(key)
    return found


def test_characters_arrows_and_named_keys(ends):
    outer, stream = ends
    with Keyboard(stream) as keyboard:
        assert keys(outer, keyboard, "aç€".encode()) == ["a", "ç", "€"]
        assert keys(outer, keyboard, b"\x1b[A\x1b[B\x1bOC\x1b[D") == ["up", "down", "right", "left"]
        assert keys(outer, keyboard, b"\r\x7f\t") == ["enter", "backspace", "tab"]
        assert keys(outer, keyboard, b"\x1b[5~\x1b[H\x1b[3~") == ["page_up", "home", "delete"]
        assert keys(outer, keyboard, b"\x04") == ["end_of_file"]


def test_escape_alone_is_a_key_and_unknown_sequences_are_swallowed_whole(ends):
    outer, stream = ends
    with Keyboard(stream) as keyboard:
        assert keys(outer, keyboard, b"\x1b") == ["escape"]
        assert keys(outer, keyboard, b"\x1b[1;5Cx") == ["unknown", "x"]


def test_the_modes_are_put_back(ends):
    _, stream = ends
    before = termios.tcgetattr(stream)
    with Keyboard(stream):
        assert termios.tcgetattr(stream) != before
    assert termios.tcgetattr(stream) == before


def test_no_key_in_time_is_none(ends):
    with Keyboard(ends[1]) as keyboard:
        assert keyboard.key(0) is None
