"""Watching games: windows, cut-offs, visits and means are those of the search itself; steps are plain data."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from games import Pick, Tree
from hypothesis import given, settings, strategies as st

from procura import Configuration, Limits, Sliding, Sudoku, analyse
from procura.analysing import game_plan
from procura.cli.game_viewer import GameViewer
from procura.puzzles.dots import DotsGame
from procura.solving import plan
from procura.watch.player import Player
from procura.watch.recording import Recording

NUMBERS = [4, 1, 2, 7, 5]
SEARCHES = ["minimax", "alphabeta", "alphabeta,moves=best", "alphabeta,table=0", "mcts,playouts=60"]


def player_of(game, configuration, limits=None):
    return Player(Recording(game_plan(game, configuration, "python", seed=1), limits))


def frames_of(player):
    frames = [player.frame]
    while player.forward():
        frames.append(player.frame)
    return frames


def games():
    yield Pick(NUMBERS)
    yield DotsGame([[[1, 0], [0, 0]], [[0], [0], [0]]])
    yield Tree(3)


CASES = [pytest.param(game, search, id=f"{game.name}-{search}") for game in games() for search in SEARCHES]


@pytest.mark.parametrize(("game", "search"), CASES)
def test_the_last_step_has_what_the_analysis_says(game, search):
    player = player_of(game, search)
    last = frames_of(player)[-1]
    found = analyse(game, search, engine="python", seed=1)
    assert player.result.value == found.value and player.result.moves == found.moves
    assert (last.expanded, last.generated) == (found.stats.expanded, found.stats.generated)
    root = last.root or last.position
    sign = 1 if root.player == 0 else -1
    shown = [(move.fate, None if move.value is None else sign * move.value) for move in root.moves]
    for (fate, value), move in zip(shown, found.moves, strict=True):
        assert move.value is None or (fate, value) == ("valued", move.value)


def plainly(game, state):
    """What a state is worth to the first player, by the definition."""
    if game.is_over(state):
        return game.score(state)
    best = max if game.to_move(state) == 0 else min
    return best(plainly(game, game.result(state, action)) for action in game.actions(state))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6))
def test_values_of_minimax_are_those_of_the_definition(seed):
    game = Tree(seed, depth=3)
    for frame in frames_of(player_of(game, "minimax")):
        if frame.move is not None:
            after = game.result(frame.position.state, frame.move.action)
            assert frame.move.value == plainly(game, after) and frame.move.bound == "exact"


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["alphabeta", "alphabeta,moves=best,table=0"]))
def test_values_that_alphabeta_proves_are_exact_or_bounds_as_they_say(seed, search):
    game = Tree(seed, depth=4)
    for frame in frames_of(player_of(game, search)):
        if frame.move is not None and frame.move.proved:
            value, true = frame.move.value, plainly(game, game.result(frame.position.state, frame.move.action))
            assert {"exact": value == true, "most": true <= value, "least": true >= value}[frame.move.bound]


@pytest.mark.parametrize("search", [search for search in SEARCHES if search.startswith("alphabeta")])
@pytest.mark.parametrize("game", list(games()), ids=lambda game: game.name)
def test_a_window_is_that_of_the_position_above_and_a_cut_closes_it(game, search):
    cuts = 0
    for frame in frames_of(player_of(game, search)):
        position = frame.position
        if frame.kind == "expand" and position.parent is not None and position.parent.alpha is not None:
            assert (position.alpha, position.beta) == (position.parent.alpha, position.parent.beta)
        if frame.kind == "cut":
            cuts += 1
            assert position.alpha >= position.beta and all(move.fate in ("valued", "cut") for move in position.moves)
        assert frame.cuts == cuts
    assert cuts > 0


@pytest.mark.parametrize("game", list(games()), ids=lambda game: game.name)
def test_visits_add_up_and_means_are_those_of_the_games(game):
    ends = {}
    for frame in frames_of(player_of(game, "mcts,playouts=80"))[1:]:
        ends.setdefault(frame.position.line()[1].action, []).append(frame.value)
        for move in frame.root.moves:
            played = ends.get(move.action, [])
            assert (move.visits or 0) == len(played)
            assert not played or math.isclose(move.value, sum(played) / len(played), abs_tol=1e-12)
        visits = [position.visits for position in frame.position.line()]
        assert visits[0] == frame.expanded and visits == sorted(visits, reverse=True)


@pytest.mark.parametrize(("game", "search"), CASES)
def test_back_is_where_one_was_and_lines_follow_the_rules(game, search):
    player = player_of(game, search, Limits(nodes=40))
    frames = frames_of(player)
    backwards = [player.frame]
    while player.back():
        backwards.append(player.frame)
    assert backwards == frames[::-1]
    for frame in frames:
        for before, after in itertools.pairwise(frame.position.line() if frame.position else ()):
            assert after.state == game.result(before.state, after.action)


def test_runs_stop_where_they_are_to():
    player = player_of(Pick(NUMBERS), "alphabeta")
    for depth in (1, 2, 3):
        player.run_to_iteration()
        assert (player.frame.kind, player.frame.bound) == ("bound", depth)
    player = player_of(Pick(NUMBERS), "minimax")
    player.run_to_iteration()
    player.run_to_iteration()
    assert [move.fate for move in player.frame.position.moves] == ["valued", "open", "open", "open", "open"]
    player.run_to_goal()
    assert player.at_end and player.result.proved


def test_a_search_that_runs_compiled_only_is_stood_in_for():
    what = game_plan(DotsGame(size="2x2"), "auto", "python")
    assert what.notes == ("chains runs compiled only: alphabeta ran instead",)
    assert player_of(DotsGame(size="2x2"), "auto").forward()


SEARCH_STEPS = [
    (Sliding("5 8 2 1 0 3 4 7 6"), "astar:manhattan"),
    (Sliding("5 8 2 1 0 3 4 7 6"), "idastar:misplaced"),
    (Sudoku(".14.3......1.23."), "annealing,moves=5"),
    (Sudoku(".14.3......1.23."), "genetic,population=20"),
]


@pytest.mark.parametrize(("problem", "search"), SEARCH_STEPS, ids=lambda value: str(value)[:12])
def test_steps_of_searches_are_plain_data_and_the_frames(problem, search):
    made = [
        Player(Recording(plan(problem, Configuration.parse(search), "python", 1), Limits(nodes=200))) for _ in range(2)
    ]
    steps = [*made[0].steps(0, 7), *made[0].steps(7, 10**6)]
    assert json.loads(json.dumps(steps, allow_nan=False)) == steps
    assert made[0].ended and len(steps) == made[0].known + 1
    for step in steps:
        made[1].go_to(step["step"])
        frame = made[1].frame
        assert (step["kind"], step["expanded"], step["generated"]) == (frame.kind, frame.expanded, frame.generated)
        if "frontier" in step:
            assert step["frontier"] == [entry.number for entry in made[1].first(30)]
    if search.startswith("astar"):
        kept = {one["node"]: one for step in steps for one in step["successors"] if one["fate"] == "kept"}
        taken = [step["node"] for step in steps[2:]]
        assert all(node["parent"] == kept[node["node"]]["parent"] for node in taken)
    elif "annealing" in search:
        assert all(step["figures"]["temperature"] > 0 for step in steps[1:])
    elif "genetic" in search:
        rounds = [step for step in steps if step["kind"] == "round"]
        assert all(step["energy"] <= step["figures"]["mean"] <= step["figures"]["worst"] for step in rounds)


@pytest.mark.parametrize(
    "search",
    [
        "bfs",
        "dfs,tree=true",
        "iddfs",
        "ucs",
        "greedy:manhattan",
        "astar:misplaced",
        "idastar:misplaced",
        "beam:misplaced",
    ],
)
def test_steps_tell_the_tree_of_a_search(search):
    what = plan(Sliding("5 8 2 1 0 3 4 7 6"), Configuration.parse(search), "python")
    parents = {0: None}
    for step in Player(Recording(what, Limits(nodes=300, depth=12))).steps(0, 10**6):
        parents = {0: None} if step["kind"] == "bound" else parents
        node = step["node"]
        if not (search.startswith("beam") and step["kind"] == "goal"):
            assert parents[node["node"]] == node["parent"]
        for successor in step["successors"]:
            if successor["node"] is not None:
                assert successor["fate"] == "cheaper" or successor["node"] not in parents
                parents[successor["node"]] = successor["parent"]


@pytest.mark.parametrize(("game", "search"), CASES)
def test_steps_of_games_are_plain_data(game, search):
    player = player_of(game, search)
    steps = player.steps(0, 100)
    assert json.loads(json.dumps(steps, allow_nan=False)) == steps
    assert [step["step"] for step in steps] == list(range(len(steps)))
    for step in steps:
        assert [one["parent"] for one in step["line"][1:]] == [one["node"] for one in step["line"][:-1]]


def test_what_stands_for_a_board_is_for_the_caller_to_say():
    player = player_of(DotsGame(size="1x1"), "minimax")
    assert player.steps(3, 4, board=lambda game, state: [game.name, len(state)])[0]["board"][0] == "dots"


@pytest.mark.parametrize("search", ["minimax", "alphabeta"])
def test_the_move_at_hand_is_among_the_few_that_are_shown(search):
    player = player_of(Pick(range(1, 10)), search, Limits(nodes=60))
    viewer = GameViewer(player)
    for frame in frames_of(player):
        moves = frame.position.moves if frame.position else ()
        hand = frame.move or next((move for move in moves if move.fate == "now"), None)
        if hand is not None:
            assert any(str(row).startswith(f"  {viewer.action(hand.action)} ") for row in viewer._successors(frame, 2))


@pytest.mark.parametrize(("game", "search"), [case for case in CASES if "mcts" not in case.id])
def test_the_board_is_compared_with_that_of_one_move_before(game, search):
    player = player_of(game, search, Limits(nodes=200))
    viewer = GameViewer(player)
    for frame in frames_of(player):
        earlier = viewer._earlier(frame)
        if earlier is not None:
            assert frame.state in [game.result(earlier, action) for action in game.actions(earlier)]
