"""Games without a terminal: every kind of game obeys its rules, can be taken back, saved and helped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from play_helpers import FOUR_SOLUTIONS, KINDS, SMALL_SUDOKU, games, play_at_random

from procura import InputError, Problem, Sliding, Sudoku, Tetris, solve
from procura.play import advice
from procura.play.advice import Rest
from procura.play.attempt import Attempt, Hint, IllegalMove
from procura.play.saving import new_game, read_game, write_game
from procura.result import Limits, Outcome

CHOICES = st.lists(st.integers(0, 10_000), max_size=25)
NAMES = {"duel": "dots", "any": "Plain"}


def looks(game):
    """All that a player sees of a game."""
    return game.state, list(game.moves), list(game.undone)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=40)
@given(choices=CHOICES)
def test_undo_after_any_play_goes_back_through_the_same_states_and_redo_forth_again(kind, choices):
    game = games()[kind]
    play_at_random(game, choices)
    states, moves = list(game.states), list(game.moves)
    back = [looks(game)]
    while game.undo():
        assert game.states == states[: len(game.states)]
        assert game.moves + game.undone[::-1][: len(moves) - len(game.moves)] == moves
        back.append(looks(game))
    assert game.moves == [] and game.state == game.begin()
    for seen in reversed(back[:-1]):
        assert game.redo()
        assert looks(game) == seen
    assert (game.states, game.moves) == (states, moves)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=40)
@given(choices=CHOICES)
def test_a_saved_and_resumed_game_is_the_same_and_goes_on_in_the_same_way(kind, choices):
    game = games()[kind]
    name = NAMES.get(kind, kind)
    play_at_random(game, choices)
    game.seconds, game.hints, game.shown = 12.5, 2, 1
    text = write_game(name, game)
    again = read_game(text, name, type(game.problem))
    assert write_game(name, again) == text
    assert (again.states, again.moves, again.undone) == (game.states, game.moves, game.undone)
    assert (again.won, again.over, again.summary()) == (game.won, game.over, game.summary())
    play_at_random(game, choices)
    play_at_random(again, choices)
    assert looks(again) == looks(game)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=15)
@given(choices=CHOICES)
def test_hints_are_legal_and_a_chain_of_them_ends_the_game(kind, choices):
    game = games()[kind]
    play_at_random(game, choices)
    if kind == "tetris":  # a lost game has no way on but back
        while game.over or not game.rest().found:
            game.undo()
    for _ in range(60):
        if game.over:
            break
        hint = game.hint() if game.answer() is None else None
        game.play(game.answer() if hint is None else hint.move)
    assert game.over
    assert game.won or kind == "duel"


@pytest.mark.parametrize("kind", ["sliding", "dots", "tetris", "any"])
def test_following_hints_from_the_start_is_optimal_and_the_summary_says_so(kind):
    game = games()[kind]
    least = solve(game.whole(), engine="python")
    cost, state = 0, game.state
    while not game.won:
        action = game.problem.action_from_json(game.hint().move)
        cost += game.problem.cost(state, action, None)
        game.play(game.problem.action_to_json(action))
        state = game.state
    assert least.optimal and cost == least.cost
    assert "; no " in game.conclusion()


def test_hints_say_whether_they_are_proved():
    game = games()["sliding"]
    assert "best solution of what is left" in game.hint().why
    assert "found in a few seconds" in game.why(Rest(Outcome.SOLVED, ("R",), False))


@pytest.mark.parametrize("kind", ["sliding", "dots", "tetris"])
def test_when_the_best_search_finds_nothing_in_time_another_does(kind, monkeypatch):
    def hurried(problem, configuration, **keywords):
        limits = Limits(nodes=0) if configuration == "auto" else None
        return solve(problem, configuration, engine="python", limits=limits)

    monkeypatch.setattr(advice, "solve", hurried)
    game = games()[kind]
    hint = game.hint()
    assert ("few seconds" in hint.why) == (game.rest().optimal is False)
    while not game.won:
        game.play(game.hint().move)


def test_a_search_that_is_stopped_gives_no_hint_and_is_made_again_when_asked():
    game = games()["sliding"]
    assert game.hint(lambda: True) == Hint(None, "the search was stopped")
    assert game.hint().move is not None and game.hints == 1


def test_ctrl_c_in_a_search_interrupts_the_game(monkeypatch):
    ended = solve(games()["sliding"].problem, engine="python", limits=Limits(nodes=0))
    monkeypatch.setattr(advice, "solve", lambda *_, **__: replace(ended, stopped_by="cancelled"))
    with pytest.raises(KeyboardInterrupt):
        games()["sliding"].hint()


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_that_is_none_changes_nothing(kind):
    game = games()[kind]
    play_at_random(game, [2, 14, 0])
    before = looks(game)
    for move in ("X", "", None, 7, [], ["h", 99, 0], [9, 9, 9], ["i", 9, 0], ["mark", 0, 0, 0], {"a": 1}):
        with pytest.raises(InputError):
            game.play(move)
    assert looks(game) == before


def test_illegal_moves_are_explained():
    sliding = games()["sliding"]
    with pytest.raises(IllegalMove, match="the blank cannot move down: it is in the bottom row"):
        sliding.play("D")
    tetris = games()["tetris"]
    with pytest.raises(IllegalMove, match="the piece in hand is l, not o"):
        tetris.play(["o", 0, 0])
    dots = games()["dots"]
    with pytest.raises(IllegalMove, match="the line h0,0 is drawn already"):
        dots.play(["h", 0, 0])


def test_a_lost_game_of_tetris_is_over_but_can_be_taken_back():
    game = new_game(Tetris("#####.\n" * 6, "ii", rows=8, columns=6))
    game.play(["i", 0, 0])
    assert game.lost and game.over and not game.won
    assert "lost with 1 of 2 pieces placed" in game.summary()
    with pytest.raises(IllegalMove, match="top row is filled"):
        game.play(["i", 0, 0])
    assert game.hint().move is None
    assert game.undo() and not game.over


def test_the_landing_that_is_shown_is_where_the_piece_comes_to_rest():
    game = new_game(Tetris("#.....\n#.#...", "lto", rows=10, columns=6))
    for move in game.legal():
        cells = game.landing(*move[1:])
        before, after = game.state, game.after(move)
        new = [(r, c) for r in range(10) for c in range(6) if (after[r] & ~before[r]) >> c & 1]
        assert sorted(cells) == sorted(new)


def test_no_hint_where_parity_proves_that_there_is_none():
    game = new_game(Sliding("1 2 3 4 5 6 8 7 0"))
    assert game.hint().move is None
    assert "proved" in game.hint().why
    assert game.hints == 0


def test_sudoku_names_the_cell_that_a_digit_collides_with():
    game = games()["sudoku"]
    with pytest.raises(IllegalMove, match="4 stands in row 1 already, at row 1, column 3"):
        game.play([0, 0, 4])
    with pytest.raises(IllegalMove, match="1 stands in block 1 already, at row 1, column 2"):
        game.play([1, 1, 1])
    with pytest.raises(IllegalMove, match="row 1, column 2 holds 1 from the start: it stays"):
        game.play([0, 1, 2])
    with pytest.raises(IllegalMove, match="is empty already"):
        game.play([0, 0, 0])


def test_sudoku_allows_clashes_when_asked_to_and_hints_then_clear_them():
    game = games()["sudoku"]
    game.strict = False
    game.play([0, 0, 4])
    assert game.clashing() == {0, 2}
    game.strict = True
    assert game.undo() and game.redo() and game.clashing() == {0, 2}
    saved = write_game("sudoku", game)
    assert read_game(saved, "sudoku", Sudoku).state == game.state
    hint = game.hint()
    assert hint.move == [0, 0, 0]
    game.play(hint.move)
    assert game.hint_at(0).move == [0, 0, 2]


def test_a_digit_that_clashes_with_nothing_yet_leads_nowhere_is_told_by_the_hint():
    game = games()["sudoku"]
    wrong = next(move for move in game.legal() if _unsolvable(game, move))
    game.play(wrong)
    assert game.hint().move == [*wrong[:2], 0]


def _unsolvable(game, move):
    digits = list(game.after(move).digits)
    return not solve(Sudoku(digits), engine="python").solved


@settings(deadline=None, max_examples=20)
@given(choices=st.lists(st.integers(0, 10_000), max_size=8))
def test_hints_solve_a_board_of_several_solutions_after_any_fills(choices):
    game = new_game(Sudoku(FOUR_SOLUTIONS))
    game.strict = False
    play_at_random(game, choices)
    for _ in range(40):
        if game.won:
            break
        game.play(game.hint().move)
    assert game.won


def test_pencil_marks_come_and_go_and_can_be_taken_back():
    game = games()["sudoku"]
    game.play(["mark", 0, 0, 2])
    game.play(["mark", 0, 0, 3])
    assert game.state.marks[0] == 0b110
    game.play(["mark", 0, 0, 2])
    assert game.state.marks[0] == 0b100
    game.play([0, 0, 2])
    assert game.state.marks[0] == 0
    with pytest.raises(IllegalMove, match="clear it to pencil"):
        game.play(["mark", 0, 0, 2])
    assert game.undo() and game.state.marks[0] == 0b100


def test_candidates_are_what_the_rules_allow():
    game = games()["sudoku"]
    assert game.candidates(0) == [2]
    assert {move[2] for move in game.legal() if move[:2] == [0, 0]} == {2}


def test_an_unsolvable_sudoku_is_told():
    game = new_game(Sudoku("123. .... ...4 ...."))
    assert "no solution" in game.hint().why


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda saved: saved.update(moves=["X"]), "move 1: move 'X': expected one of U, D, L, R"),
        (lambda saved: saved.update(moves=["D"]), "move 1: the blank cannot move down"),
        (lambda saved: saved.update(undone=[["h"]]), "move 1: move"),
        (lambda saved: saved.update(moves="U"), "'moves' is 'U': expected a list"),
        (lambda saved: saved.update(board="1 2"), "expected"),
        (lambda saved: saved.update(options={"colour": 1}), "does not take them"),
        (lambda saved: saved.update(version=2), "version 2: expected 1"),
        (lambda saved: saved.update(format="x"), "expected a saved game"),
        (lambda saved: saved.update(seconds=float("inf")), "expected numbers from 0"),
        (lambda saved: saved.update(hints=True), "'hints' is True: expected a number"),
        (lambda saved: saved.update(puzzle="sudoku"), "one of 'sudoku', not of 'sliding'"),
        (lambda saved: saved.update(against="computer"), "only dots"),
        (lambda saved: saved.pop("moves"), "'moves' is None: expected a list"),
        (lambda saved: saved.update(move=["U"]), "has no field 'move': did you mean 'moves'?"),
        (lambda saved: saved.update(strict=True), "has no field 'strict'"),
    ],
)
def test_a_broken_saved_game_gets_one_sentence(change, sentence):
    saved = json.loads(write_game("sliding", games()["sliding"]))
    change(saved)
    with pytest.raises(InputError) as caught:
        read_game(json.dumps(saved), "sliding", Sliding)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_field_that_stands_twice_is_refused():
    text = write_game("sliding", games()["sliding"]).replace("{", '{"moves": ["U"],', 1)
    with pytest.raises(InputError, match="'moves' stands twice"):
        read_game(text, "sliding", Sliding)


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_saved_game_cut_anywhere_is_refused_or_whole(data):
    text = write_game("sudoku", games()["sudoku"])
    cut = text[: data.draw(st.integers(0, len(text) - 3))]
    with pytest.raises(InputError, match="expected a saved game, but it is no JSON"):
        read_game(cut, "sudoku", Sudoku)


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "[]", "12", '{"a": NaN}', "\ud800"])
def test_what_is_no_saved_game_is_refused(text):
    with pytest.raises(InputError):
        read_game(text, "sudoku", Sudoku)


def test_only_dots_has_an_opponent():
    with pytest.raises(InputError, match="only dots"):
        new_game(Sudoku(SMALL_SUDOKU), against="computer")


class Count(Problem):
    """Count to three by ones and twos; its initial state is a property."""

    @property
    def initial(self):
        return 0

    def actions(self, state):
        return [step for step in (1, 2) if state + step <= 3]

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state == 3


def test_any_problem_can_be_played_with_hints_for_where_it_stands():
    game = Attempt(Count())
    assert game.legal() == [1, 2]
    game.play(1)
    assert game.hint().move == 2
    game.play(2)
    assert game.conclusion() == "solved in 2 moves and 0:00 with 1 hint; no solution is shorter"
    assert Attempt(Sliding("1 2 3 4 5 6 0 7 8")).hint().move == "R"
