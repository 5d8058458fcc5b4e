"""Nothing that a file or a user's class says can steer the terminal: control characters are shown as escapes."""

from __future__ import annotations

import json
import unicodedata

import pytest
from helpers import objects, run

from procura.cli.harmless import harmless

EVIL = "\x1b[31mevil\x9b2J\x07\u202e"
SHOWN = r"\x1b[31mevil\x9b2J\x07\u202e"
BOX = "(((1) (0)) ((1) (0)))"
DOTS = f"({EVIL} 1 {BOX})\n({EVIL}2 9 {BOX})\n"
CLASS = f"""
from procura import Estimate, Preset, Problem

class Evil(Problem):
    "From 0 to 3."
    initial = 0
    heuristics = {{"steps": Estimate(lambda state: 3 - state, about={EVIL!r}, admissible=True)}}
    presets = {{"quick": Preset("bfs", {EVIL!r})}}
    def __init__(self, fails=False):
        self.fails = fails
    def actions(self, state):
        return [1] if state < 3 else []
    def result(self, state, action):
        if self.fails: raise ValueError({EVIL!r})
        return state + action
    def is_goal(self, state):
        return state == 3
    def to_text(self, state):
        return f"{{state}} {EVIL}"
    def draw(self, state):
        return f"{{state}} \\r{EVIL}"
    def action_to_json(self, action):
        return {EVIL!r}
    def action_from_json(self, value):
        return 1
    @classmethod
    def from_text(cls, text):
        if text == "bad": raise KeyError({EVIL!r})
        return cls(text == "fails")
"""


def steering(text):
    """The characters of a text that could steer a terminal."""
    kinds = {character: unicodedata.bidirectional(character) for character in text}
    turning = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
    return {c for c, kind in kinds.items() if (unicodedata.category(c) == "Cc" and c not in "\n\t") or kind in turning}


@pytest.fixture
def evil(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(CLASS, encoding="utf-8")
    (tmp_path / "evil.dat").write_text(DOTS, encoding="utf-8")
    return "evil.py:Evil"


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "dots", "evil.dat", "--steps"],
        ["solve", "dots", "evil.dat", "--problem", EVIL],
        ["solve", "dots", "evil.dat", "--problem", f"{EVIL}2"],
        ["solve", "dots", "evil.dat", "--problem", "other"],
        ["compare", "dots", "evil.dat", "--with", "bfs"],
        ["list", "problems", "evil.dat"],
        ["list", "heuristics", "evil.py:Evil"],
        ["list", "presets", "evil.py:Evil"],
        ["solve", "evil.py:Evil", "good", "--steps"],
        ["solve", "evil.py:Evil", "fails"],
        ["solve", "evil.py:Evil", "bad"],
        ["compare", "evil.py:Evil", "good", "--with", "bfs", "--with", "astar:evil"],
        ["watch", "evil.py:Evil", "good", "--with", "astar:steps"],
        ["play", "evil.py:Evil", "good"],
        ["solve", "sliding", f"1 2 3 {EVIL}"],
        ["solve", "sliding", "1 2 3 0", "--with", f"astar:{EVIL}"],
        ["list", EVIL],
        [EVIL],
    ],
)
def test_what_files_and_classes_say_cannot_steer_the_terminal(evil, arguments):
    result = run(*arguments, text=f"1\n{EVIL}\nhint\nsolve\n")
    assert result.exit_code in (0, 2), result.stderr
    assert steering(result.stdout + result.stderr) == set()
    assert "evil" in result.stdout + result.stderr or "other" in result.stderr


def test_names_and_boards_are_shown_with_escapes(evil):
    result = run("solve", "dots", "evil.dat", "--log", "log")
    assert f"problem {SHOWN} ==" in result.stdout
    assert f"problem {SHOWN}2: line 2: the target is 9" in result.stderr
    with open("log", encoding="utf-8") as log:
        content = log.read()
    assert SHOWN in content and steering(content) == set()
    run("solve", evil, "good", "--with", "bfs", "--tree", "tree.dot")
    with open("tree.dot", encoding="utf-8") as tree:
        assert steering(tree.read()) == set()


def test_the_menu_shows_what_it_remembers_and_reads_with_escapes(evil, tmp_path):
    (tmp_path / "state" / "procura").mkdir(parents=True)
    memory = {"dots": {"typed": EVIL, "file": EVIL, "search": {"limits": EVIL, "heuristic": EVIL}}, "results": EVIL}
    (tmp_path / "state" / "procura" / "menu.json").write_text(json.dumps(memory))
    for answers in (["dots", "typed", EVIL], ["dots", "file", "evil.dat", "", "1", "astar", "", "typed", "", "none"]):
        result = run("menu", text="".join(f"{answer}\n" for answer in answers))
        assert result.exit_code == 0, result.stderr
        assert steering(result.stdout + result.stderr) == set()
        assert SHOWN in result.stdout


def test_json_keeps_names_as_they_are(evil):
    names = [told["name"] for told in objects(run("solve", "dots", "evil.dat", "--json"))]
    assert names == [EVIL, f"{EVIL}2"]


def test_text_that_steers_nothing_stays_as_it_is():
    text = "é 15 │·│ \N{GRINNING FACE}\n\ttab"
    assert harmless(text) == text
    assert harmless("\x1b\x7f\r\u2028") == r"\x1b\x7f\r\u2028"
