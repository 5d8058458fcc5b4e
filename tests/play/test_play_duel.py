"""Dots and Boxes against the computer: the rules of turns, and a greedy player that deserves the name."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from play_helpers import answer_all

from procura import Dots
from procura.play.saving import new_game
from procura.puzzles.dots.generator import random_problem
from procura.puzzles.dots.play import COMPUTER, NOBODY, YOU

CHOICES = st.lists(st.integers(0, 10_000), min_size=60, max_size=60)
SIZES = st.sampled_from([(1, 1), (1, 3), (2, 2), (3, 3)])


def duel(size, drawn, seed):
    made = random_problem(seed, size, drawn, 0)
    return new_game(Dots([made.horizontals, made.verticals], 0), against="computer", seed=seed)


def sides_drawn(game, arcs, box):
    return sum(arcs[arc] == 1 for arc in game.problem.data.sides[4 * box : 4 * box + 4])


def boxes(game):
    return range(game.problem.rows * game.problem.columns)


def free_boxes(game, arcs):
    """Boxes that one arc closes."""
    return [box for box in boxes(game) if sides_drawn(game, arcs, box) == 3]


def swept(game, arcs):
    """How many boxes are closed when all that can be closed one after the other are."""
    arcs = list(arcs)
    while free := free_boxes(game, arcs):
        arcs[next(arc for arc in game.problem.data.sides[4 * free[0] : 4 * free[0] + 4] if not arcs[arc])] = 1
    return sum(sides_drawn(game, arcs, box) == 4 for box in boxes(game))


@settings(deadline=None, max_examples=40)
@given(size=SIZES, drawn=st.sampled_from([0, 0.3, 0.6]), seed=st.integers(0, 99), choices=CHOICES)
def test_boxes_add_up_and_the_game_ends_when_all_arcs_are_drawn(size, drawn, seed, choices):
    game = duel(size, drawn, seed)
    closed_before = sum(sides_drawn(game, game.arcs, box) == 4 for box in boxes(game))
    for choice in choices:
        if game.over:
            break
        assert game.state.turn == YOU
        legal = game.legal()
        game.play(legal[choice % len(legal)])
        answer_all(game)
        closed = sum(sides_drawn(game, game.arcs, box) == 4 for box in boxes(game))
        assert game.boxes(YOU) + game.boxes(COMPUTER) == closed - closed_before
    assert game.over and all(game.arcs)
    assert game.boxes(NOBODY) == closed_before
    assert game.won == (game.boxes(YOU) > game.boxes(COMPUTER))
    assert ("you win" in game.summary()) == game.won


@settings(deadline=None, max_examples=40)
@given(size=SIZES, seed=st.integers(0, 99), choices=CHOICES)
def test_who_closes_a_box_draws_again_and_nobody_else(size, seed, choices):
    game = duel(size, 0, seed)
    for choice in choices:
        if game.over:
            break
        before = game.state
        game.play(game.legal()[choice % len(game.legal())])
        closed = game.boxes(YOU) + game.boxes(COMPUTER) > len(before.owners) - before.owners.count(NOBODY)
        assert (game.state.turn == before.turn) == closed


@settings(deadline=None, max_examples=40)
@given(size=SIZES, seed=st.integers(0, 99), choices=CHOICES)
def test_the_computer_takes_every_free_box_gives_nothing_away_if_it_can_else_the_least(size, seed, choices):
    game = duel(size, 0, seed)
    for choice in choices:
        move = game.answer()
        if game.over:
            break
        if move is None:
            game.play(game.legal()[choice % len(game.legal())])
            continue
        arcs = list(game.arcs)
        gives = {}
        for other in game.legal():
            arc = game.problem.action_from_json(other)
            after = [*arcs[:arc], 1, *arcs[arc + 1 :]]
            gives[arc] = swept(game, after) - sum(sides_drawn(game, after, box) == 4 for box in boxes(game))
        chosen = game.problem.action_from_json(move)
        if free_boxes(game, arcs):
            closing = [
                box for box in free_boxes(game, arcs) if chosen in game.problem.data.sides[4 * box : 4 * box + 4]
            ]
            assert closing
        else:
            assert gives[chosen] == min(gives.values())
        game.play(move)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 99), choices=CHOICES)
def test_undo_takes_back_a_whole_turn_of_both(seed, choices):
    game = duel((2, 2), 0, seed)
    begins = []
    for choice in choices[:20]:
        if game.over:
            break
        if game.turn_begins(len(game.moves)):
            begins.append(game.state)
        game.play(game.legal()[choice % len(game.legal())])
        answer_all(game)
    while game.undo():
        assert game.state.turn == YOU
        assert game.state == begins.pop()
    assert not begins


def test_the_same_seed_plays_the_same_game():
    def played(seed):
        game = duel((3, 3), 0, seed)
        while not game.over:
            game.play(game.legal()[0])
            answer_all(game)
        return game.moves

    assert played(5) == played(5)


def test_the_hint_is_what_the_computer_would_draw():
    game = duel((1, 1), 0, 1)
    for move in game.legal()[:3]:
        game.play(move)
    assert game.state.turn == COMPUTER
    assert game.answer() == game.legal()[0]
    game.play(game.answer())
    assert game.over and game.hint().move is None
    assert game.summary().startswith("the computer wins: you 0, computer 1")
