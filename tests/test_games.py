"""Games for two: what the searches find is what the rules say, on both engines and under every limit."""

from __future__ import annotations

import pytest
from games import Pick, Tree, worths
from hypothesis import given, settings, strategies as st

from procura import ArrayGame, Game, InputError, Limits, analyse, testing

numbers = st.lists(st.integers(-9, 9), min_size=6, max_size=6)


def values(analysis):
    return analysis.value, [move.value for move in analysis.moves]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_minimax_and_alphabeta_find_what_a_game_is_worth(seed):
    game = Tree(seed)
    for algorithm in ("minimax", "alphabeta", "alphabeta,table=0", "alphabeta,table=3"):
        found = analyse(game, algorithm)
        assert found.proved and values(found) == worths(game)
        assert all(move.proved for move in found.moves)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 4]))
def test_to_know_the_most_that_can_be_won_changes_no_value(seed, most):
    game = Tree(seed)
    score = game.score
    game.score = lambda state: max(-most, min(most, score(state)))
    game.most = most
    assert values(analyse(game, "alphabeta")) == worths(game)
    best = analyse(game, "alphabeta", moves="best")
    assert best.proved and best.value == worths(game)[0]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_a_search_for_the_best_move_alone_finds_one(seed):
    game = Tree(seed)
    value, after = worths(game)
    found = analyse(game, "alphabeta", moves="best")
    assert found.proved and found.value == value
    for move, worth in zip(found.moves, after, strict=True):
        assert move.value == worth if move.proved else move.value is None or move.value <= value
    assert after[[move.action for move in found.moves].index(found.best[0])] == value


@settings(max_examples=25, deadline=None)
@given(numbers, st.integers(1, 60))
def test_both_engines_agree_node_for_node(row, nodes):
    game = Pick(row)
    for algorithm in ("minimax", "alphabeta", "alphabeta,moves=best,table=20", "mcts,playouts=50"):
        for limits in (Limits(), Limits(nodes=nodes), Limits(depth=2)):
            testing.assert_same_analysis(game, algorithm, limits=limits, seed=nodes)


@settings(max_examples=20, deadline=None)
@given(numbers)
def test_rows_are_worth_what_the_rules_say(row):
    game = Pick(row)
    assert values(analyse(game, "alphabeta", engine="python")) == worths(game)


def test_symmetric_positions_share_an_entry():
    row, mirror = [5, 1, 2, 2, 1, 5], [[5, 4, 3, 2, 1, 0, 6]]
    plain, symmetric = Pick(row), Pick(row, mirror)
    runs = [analyse(game, "alphabeta", engine="python") for game in (plain, symmetric)]
    assert values(runs[0]) == values(runs[1])
    assert runs[1].stats.stored < runs[0].stats.stored
    testing.assert_same_analysis(symmetric, "alphabeta")


def test_what_was_won_already_does_not_part_positions():
    class Whole(Pick):
        def __init__(self, row):
            super().__init__(row)
            self.key = self.size

    row = [4, 1, 2, 7, 5, 8]
    assert analyse(Pick(row), engine="python").stats.stored < analyse(Whole(row), engine="python").stats.stored


def test_a_depth_that_ends_too_soon_is_told_from_a_proof():
    found = analyse(Pick([4, 1, 2, 7, 5, 8]), "alphabeta", limits=Limits(depth=2), engine="python")
    assert not found.proved and found.stopped_by == "depth" and found.depth == 2
    assert not any(move.proved for move in found.moves)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mcts"])
def test_a_run_that_is_ended_at_once_has_an_estimate(algorithm):
    game = Tree(1)
    for ended in ({"limits": Limits(nodes=0)}, {"limits": Limits(seconds=0)}, {"cancel": lambda: True}):
        found = analyse(game, algorithm, **ended)
        assert found.value is not None and not found.proved
        assert found.stopped_by in ("nodes", "time", "cancelled")


def test_alphabeta_leaves_out_what_cannot_matter():
    game = Pick([4, 1, 2, 7, 5, 8])
    every = analyse(game, "minimax", engine="python").stats.generated
    assert analyse(game, "alphabeta", engine="python").stats.generated < every / 2


def test_alphabeta_reports_windows_and_cuts():
    seen = []
    analyse(Pick([4, 1, 2, 7, 5, 8]), "alphabeta", on_event=seen.append)
    kinds = {event.kind for event in seen}
    assert {"expand", "generate", "drop", "bound", "improve"} <= kinds
    assert any(
        event.kind == "expand" and event.figures["alpha"] > event.figures["beta"] - 99
        for event in seen
        if event.figures
    )
    assert [event.value for event in seen if event.kind == "bound"] == [1, 2, 3, 4, 5, 6]


def test_mcts_finds_the_best_move_of_a_small_game():
    game = Pick([4, 1, 2, 7, 5, 8])
    best = analyse(game, "alphabeta", engine="python").best
    found = analyse(game, "mcts", playouts=2000, seed=1, engine="python")
    assert found.best[0] in best and not found.proved


def test_a_game_that_is_over_is_worth_its_score():
    class Over(Pick):
        def start(self):
            return [1] * 6 + [1, 5]

    found = analyse(Over([1] * 6), engine="python")
    assert found.value == -5 and found.proved and found.moves == ()


def test_a_loop_does_not_keep_a_search_from_ending():
    class Endless(Game):
        initial = 0

        def actions(self, state):
            return [1]

        def result(self, state, action):
            return 1 - state

        def to_move(self, state):
            return state

        def is_over(self, state):
            return False

        def score(self, state):
            return 0

    for algorithm in ("minimax", "alphabeta", "mcts,playouts=3"):
        assert not analyse(Endless(), algorithm).proved


@pytest.mark.parametrize(
    "method, value, why",
    [
        ("to_move", 2, "expected 0 or 1"),
        ("score", None, "expected a finite number"),
        ("actions", [], "has no actions"),
    ],
)
def test_rules_that_mean_nothing_are_refused_with_their_place(method, value, why):
    game = Tree(3)
    setattr(game, method, lambda state: value)
    game.is_over = lambda state: len(state) == 3
    with pytest.raises(InputError, match=why):
        analyse(game, "alphabeta")


def test_what_is_asked_is_checked():
    with pytest.raises(InputError, match="analyse needs a Game"):
        analyse(3)
    with pytest.raises(InputError, match="no algorithm for games 'bfs'"):
        analyse(Tree(1), "bfs")
    with pytest.raises(InputError, match="alphabeta has no option"):
        analyse(Tree(1), "alphabeta", width=3)
    with pytest.raises(InputError, match="not an ArrayGame"):
        analyse(Tree(1), engine="compiled")
    with pytest.raises(InputError, match="expected 0 to 6, each once"):
        Pick([1] * 6, [[0, 0, 1, 2, 3, 4, 5]])


def test_a_kernel_that_is_missing_or_a_method_is_named():
    class Missing(ArrayGame):
        def __init__(self):
            super().__init__(size=1, max_moves=1)

    with pytest.raises(InputError, match="Missing defines no kernel moves"):
        Missing()
    with pytest.raises(InputError, match="score is a method: mark it @kernel"):

        class Method(Pick):
            def score(self, state):
                return 0


def broken(**methods):
    """A game of picks with other kernels."""
    return type("Broken", (Pick,), {name: staticmethod(function) for name, function in methods.items()})(
        [1, 2, 4, 5, 7, 8]
    )


@pytest.mark.parametrize(
    "game, why",
    [
        (broken(score=lambda s, data, work: s[7] + work[0]), "score depends on the scratch row"),
        (broken(score=lambda s, data, work: s[7] / 2), "expected a whole number"),
        (broken(turn=lambda s, data, work: s[6] + 1), "expected 0 or 1"),
        (broken(over=lambda s, data, work: False), "has no actions"),
        (broken(turn=lambda s, data, work: int(s[7] > 0)), "goes on otherwise"),
        (Pick([1, 2, 3], [[0, 3, 2, 1]]), "goes on otherwise"),
    ],
)
def test_the_conformance_kit_finds_what_a_game_breaks(game, why):
    with pytest.raises(testing.ConformanceError, match=why):
        testing.check(game, engines=False)


def test_a_game_that_promises_too_little_is_found_out():
    game = Pick([4, 1, 2, 7, 5, 8])
    game.most = 1
    with pytest.raises(testing.ConformanceError, match="but most is 1"):
        testing.check(game, engines=False)
    assert testing.check(Tree(5)).states > 1


def many(s, data, work, out):
    return 7


@pytest.mark.parametrize("algorithm", ["minimax", "mcts"])
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_more_moves_than_there_is_room_for_are_refused(algorithm, engine):
    with pytest.raises(InputError, match="lists 7 moves: max_moves is 6"):
        analyse(broken(moves=many), algorithm, engine=engine)
