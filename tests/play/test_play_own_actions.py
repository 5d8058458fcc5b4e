"""Playing a puzzle of one's own, whatever its actions are: hint, solve, saving, and what is said where it cannot be."""

from __future__ import annotations

import enum

import pytest
from play_helpers import play_lines

from procura import InputError, Problem, solve
from procura.play.saving import new_game, read_game, write_game
from procura.play.session import Session


class Way(enum.Enum):
    ON = 1
    TWICE = 2


class Made:
    """An action made anew on each call, equal only to itself."""

    def __init__(self, step):
        self.step = step


class Walk(Problem):
    """From 0 to 5 by steps of one or two, which ``by`` writes as actions."""

    initial = 0
    by = staticmethod(lambda step: step)
    size = staticmethod(lambda action: action)

    def actions(self, state):
        return [self.by(step) for step in (1, 2) if state + step <= 5]

    def result(self, state, action):
        return state + self.size(action)

    def is_goal(self, state):
        return state == 5

    @classmethod
    def from_text(cls, text):
        return cls()


class Numbers(Walk):
    by = staticmethod(lambda step: step - 1)
    size = staticmethod(lambda action: action + 1)


class Tuples(Walk):
    by = staticmethod(lambda step: (0, (step,)))
    size = staticmethod(lambda action: action[1][0])


class Enums(Walk):
    by = Way
    size = staticmethod(lambda action: action.value)


class Sets(Walk):
    by = staticmethod(lambda step: frozenset(range(step)))
    size = staticmethod(len)


class Objects(Walk):
    by = Made
    size = staticmethod(lambda action: action.step)


def playing(cls):
    return Session(new_game(cls()))


@pytest.mark.parametrize("cls", [Walk, Numbers, Tuples, Enums, Sets], ids=lambda cls: cls.__name__)
def test_hint_and_solve_work_on_any_actions_that_compare_equal(cls):
    session = playing(cls)
    session.do("hint")
    assert session.message.startswith("hint: move ")
    assert session.do("solve") == "solve"
    while session.show_next():
        pass
    assert session.game.won and len(session.game.moves) == 3


def test_a_hint_tells_the_number_to_type_and_a_number_means_nothing_else():
    session = playing(Numbers)
    assert session.face.status() == "moves: 1: 0  2: 1"
    session.do("1")
    session.do("hint")
    assert session.message.startswith("hint: move 2, 1 (")
    session.do("2")
    assert session.game.state == 3
    session.do("0")
    assert session.game.state == 3 and session.message == "'0' is no command here: ? lists them"


def test_a_saved_game_gives_tuples_back():
    session = playing(Tuples)
    session.do("2")
    session.do("0,(1,)")
    assert session.game.state == 3
    game = read_game(write_game("Tuples", session.game), "Tuples", Tuples)
    assert game.state == 3


def test_actions_that_are_equal_only_to_themselves_are_told():
    with pytest.raises(InputError, match="Objects: two actions of class Made that mean the same are not equal"):
        solve(Objects(), "bfs")
    session = playing(Objects)
    assert not session.show_next()
    assert "define __eq__ and __hash__" in session.message
    for command in ("hint", "1"):
        session.do(command)
        assert "define __eq__ and __hash__" in session.message


OWN = """
from enum import Enum
from procura import Problem

class Walk(Problem):
    initial = 0
    def actions(self, state):
        return [1, 2]
    def result(self, state, action):
        return state + action
    def is_goal(self, state):
        return state >= 3

class Odd(Walk):
    def board_text(self):
        return "x"
    @classmethod
    def from_text(cls, text):
        return cls() if text == "go" else cls(int("no"))

class Two(Enum):
    ONE = 1

class Enums(Walk):
    def actions(self, state):
        return [Two.ONE]
    def result(self, state, action):
        return state + 1
    @classmethod
    def from_text(cls, text):
        return cls()
"""


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        (
            ("Odd", "go"),
            "Odd cannot be saved, for from_text must read what board_text gives: ValueError: invalid literal",
        ),
        (("Enums",), "Enums cannot be saved, for action_to_json must give what JSON can hold"),
    ],
)
def test_a_game_that_cannot_be_saved_says_why_and_goes_on(tmp_path, board, sentence):
    (tmp_path / "own.py").write_text(OWN)
    name, *rest = board
    done = play_lines(f"{tmp_path / 'own.py'}:{name}", *rest, text=f"1\nsave {tmp_path / 'game.json'}\n1\n1\n1\n1\n")
    assert done.returncode == 0 and "solved in 3 moves" in done.stdout
    assert sentence in " ".join(done.stdout.split()) and not (tmp_path / "game.json").exists()
