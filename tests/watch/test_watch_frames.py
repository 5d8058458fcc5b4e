"""Frames tell the truth: the frontier is the search's own, counts are its statistics, and back is where one was."""

from __future__ import annotations

import dataclasses
import heapq
import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from spaces import Counter, Graph, least_costs, random_graph, true_h

from procura import Configuration, Dots, InputError, Limits, Problem, Sliding, Sudoku, Tetris, catalog, solve
from procura.control import EVENT_KINDS, Control
from procura.search import best_first
from procura.solving import plan
from procura.watch.player import AHEAD, Player
from procura.watch.recording import Recording

TEN_MOVES = "5 8 2 1 0 3 4 7 6"
SMALL = ".14.3......1.23."
DRAWING = ".---.   .\n    |\n.   .   .\n\n.   .---."
GLOBAL = [
    "bfs", "bfs,early_goal=true", "dfs", "dfs,tree=true", "iddfs", "iddfs,tree=false", "ucs", "greedy:{h}",
    "astar:{h}", "astar:{h},ties=fifo", "astar:{h},ties=low_g", "astar:{h},tree=true", "astar:{h},weight=2.5",
    "astar:{h},cut=9", "astar:{h},prune_dead=true", "idastar:{h}", "beam:{h},width=3", "beam:{h},width=2,order=h",
    "beam:{h},width=1,widen=true", "dfs,successors=first", "dfs,early_goal=true,tree=true", "bfs,tree=true",
    "astar:{h},successors=first", "greedy:{h},ties=fifo,successors=last",
]  # fmt: skip
LOCAL = ["hill", "annealing,moves=5", "genetic,population=20"]
LIMITS = Limits(nodes=300, depth=12)


def problems():
    """Problems with a heuristic of each."""
    yield Sliding(TEN_MOVES), "manhattan"
    yield Dots(DRAWING, 2), "polyomino"
    yield Sudoku(SMALL), "zero"
    yield Tetris("empty", "ts"), "quality_bound"


def player_of(problem, configuration, limits=LIMITS, seed=1, **keywords):
    return Player(Recording(plan(problem, Configuration.parse(configuration), "python", seed), limits), **keywords)


def played(player):
    """All frames from first to last, each with the numbers of all that wait, in order."""
    frames = [seen(player)]
    while player.forward():
        frames.append(seen(player))
    return frames


def seen(player):
    return player.frame, [entry.number for entry in player.first(1 << 20)]


def told(problem, configuration, limits=LIMITS, seed=1):
    """The events of the same search, and its result."""
    events = []
    result = solve(problem, configuration, engine="python", limits=limits, seed=seed, on_event=events.append)
    return [event for event in events if event.kind != "progress"], result


def cases():
    for problem, h in problems():
        for configuration in GLOBAL:
            if problem.costs == "any" and configuration == "ucs":
                continue
            yield pytest.param(problem, configuration.format(h=h), id=f"{problem.name}-{configuration.format(h=h)}")


def check_against_the_search(problem, configuration, limits=LIMITS):
    events, result = told(problem, configuration, limits)
    player = player_of(problem, configuration, limits)
    frames = played(player)
    assert player.result.stats.expanded == result.stats.expanded
    last = frames[-1][0]
    assert (last.expanded, last.generated) == (result.stats.expanded, result.stats.generated)
    known = sum(event.kind == "duplicate" or (event.kind, event.value) == ("drop", "known") for event in events)
    assert last.duplicates == known
    if "early_goal" not in configuration:
        assert last.largest == result.stats.max_frontier
    taken = [(event.node, event.frontier) for event in events if event.kind == "expand"]
    assert [(frame.entry.number, frame.entry.g) for frame, _ in frames if frame.kind == "expand"] == [
        (event.node, event.g) for event in events if event.kind == "expand"
    ]
    if not player.order.path_only:
        before = [frames[i - 1][0].waiting for i in range(1, len(frames)) if frames[i][0].kind == "expand"]
        assert before == [frontier for _, frontier in taken]
        check_order(frames, goal_taken="early_goal" not in configuration)


def check_order(frames, goal_taken):
    """What a frame says comes next is what the next one takes."""
    for (before, waiting), (after, _) in itertools.pairwise(frames):
        assert before.waiting == len(waiting)
        if after.kind in ("expand", "skip") or (after.kind == "goal" and goal_taken and after.entry.number in waiting):
            assert after.entry.number == waiting[0]


@pytest.mark.parametrize(("problem", "configuration"), list(cases()))
def test_frames_show_the_frontier_and_the_counts_of_the_search(problem, configuration):
    check_against_the_search(problem, configuration)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["astar:table", "beam:table,width=3", "greedy:table", "ucs", "dfs"]))
def test_frames_are_right_on_random_graphs_with_reopening(seed, configuration):
    _, arcs = random_graph(seed, vertices=14, degree=4)
    h = true_h(seed, least_costs(14, arcs), 6)
    check_against_the_search(Graph(14, arcs, h=[max(value, 0) for value in h], admissible=True), configuration)


def test_a_frontier_is_that_of_the_queue_itself(monkeypatch):
    true = []

    def watched(heap):
        if heap[0][2] == heap[0][3].place:
            entries = heapq.nsmallest(len(heap), heap)
            true.append([node.number for _, _, place, node in entries if place == node.place])
        return heapq.heappop(heap)

    monkeypatch.setattr(best_first, "heappop", watched)
    player = player_of(Sliding(TEN_MOVES), "astar:misplaced,ties=high_g")
    frames = played(player)
    assert [waiting for _, waiting in frames[:-1]] == true


@pytest.mark.parametrize("configuration", [c.format(h="manhattan") for c in GLOBAL] + LOCAL)
def test_going_back_shows_what_was_there_before(configuration):
    problem = Sudoku(SMALL) if configuration in LOCAL else Sliding(TEN_MOVES)
    player = player_of(problem, configuration, Limits(nodes=60, depth=12))
    frames = played(player)
    backwards = [seen(player)]
    while player.back():
        backwards.append(seen(player))
    assert backwards == frames[::-1]
    assert played(player) == frames


@settings(deadline=None, max_examples=25)
@given(st.lists(st.one_of(st.sampled_from("nbrg"), st.integers(0, 40)), max_size=30))
def test_a_frame_does_not_depend_on_the_way_to_it(keys):
    limits = Limits(nodes=30)
    straight = player_of(Sliding(TEN_MOVES), "idastar:misplaced", limits)
    frames = dict(enumerate(played(straight)))
    player = player_of(Sliding(TEN_MOVES), "idastar:misplaced", limits)
    for key in keys:
        if key == "n":
            player.forward()
        elif key == "b":
            player.back()
        elif key == "r":
            player.run_to_iteration()
        elif key == "g":
            player.run_to_goal()
        else:
            player.go_to(key)
        assert seen(player) == frames[player.frame.number]


@pytest.mark.parametrize("configuration", LOCAL)
def test_local_search_is_told_by_rounds(configuration):
    events, result = told(Sudoku(SMALL), configuration, None)
    player = player_of(Sudoku(SMALL), configuration, None)
    frames = [frame for frame, _ in played(player)]
    last = frames[-1]
    assert last.solved and result.solved
    assert last.best == 0
    assert last.expanded <= result.stats.expanded and last.generated == result.stats.generated
    rounds = sum(frame.kind == "round" for frame in frames)
    assert rounds == sum(event.kind == "round" for event in events) > 0
    assert [frame.best for frame in frames[1:]] == sorted((frame.best for frame in frames[1:]), reverse=True)


def test_rounds_of_annealing_cool():
    events, _ = told(Sudoku(SMALL), "annealing,moves=3,cooling=0.5,temperature=4", None)
    temperatures = [event.figures["temperature"] for event in events if event.kind == "round"]
    assert temperatures[:3] == [4, 2, 1]


def test_rounds_of_a_population_tell_best_mean_and_worst():
    events, _ = told(Sudoku(SMALL), "genetic,population=12", None)
    rounds = [event for event in events if event.kind == "round"]
    assert [event.figures["round"] for event in rounds] == list(range(len(rounds)))
    view = Sudoku(SMALL).local()
    for event in rounds:
        assert event.value <= event.figures["mean"] <= event.figures["worst"]
        assert event.figures["population"] == 12
        assert view.energy(list(event.state), view.lists, view.work()) == event.value


def test_hill_climbing_tells_starts_and_steps_down():
    events, _ = told(Sudoku(SMALL), "hill,patience=5", None)
    rounds = [event for event in events if event.kind == "round"]
    for before, after in itertools.pairwise(rounds):
        assert after.figures["attempt"] == before.figures["attempt"] + 1 or after.value < before.value


def test_every_successor_is_told():
    for problem, h in problems():
        for configuration in ("bfs", f"astar:{h}", f"astar:{h},prune_dead=true", f"beam:{h},width=2", "dfs"):
            events, result = told(problem, configuration)
            kinds = ("generate", "duplicate", "reopen")
            made = [e for e in events if e.kind in kinds or (e.kind == "drop" and e.node is None)]
            ends = configuration.startswith("beam") and problem.costs != "any"  # else a goal is generated as well
            goals = ends and sum(e.kind == "goal" and e.depth > 0 for e in events)
            assert len(made) + goals == result.stats.generated


def test_runs_stop_where_they_are_to():
    player = player_of(Sliding(TEN_MOVES), "idastar:misplaced", None)
    player.run_to_iteration()
    first = player.frame.bound
    assert player.frame.kind == "bound"
    player.run_to_iteration()
    assert player.frame.kind == "bound" and player.frame.bound > first
    player.run_to_goal()
    assert player.frame.kind == "goal" and player.at_end
    assert player.result.cost == 10
    player = player_of(Sliding(TEN_MOVES), "bfs", None)
    depths = []
    for _ in range(4):
        player.run_to_iteration()
        depths.append(player.frame.entry.depth)
    assert depths == [0, 1, 2, 3]


def test_jumps_end_at_the_last_step():
    player = player_of(Sliding(TEN_MOVES), "astar:manhattan")
    player.go_to(5)
    assert player.frame.number == 5
    player.go_to(10**6)
    assert player.at_end and player.frame.kind == "goal"
    player.go_to(0)
    assert player.frame.kind == "start" and not player.at_end


def test_an_endless_search_is_searched_no_further_than_it_is_watched():
    expanded = []

    class Counted(Counter):
        def actions(self, state):
            expanded.append(state)
            return super().actions(state)

    player = player_of(Counted(), "dfs,tree=true", None)
    assert player.forward() and not player.ended
    assert 0 < len(expanded) < AHEAD


def test_whoever_watches_can_stop_a_search_that_has_far_to_go():
    player = player_of(Counter(), "bfs", None)
    asked = itertools.count()
    player.run_to_goal(lambda: next(asked) < 500)
    reached = player.frame.number
    assert 0 < reached < 500 and not player.ended
    player.go_to(reached + 10)
    assert player.frame.number == reached + 10


def test_what_a_search_raises_later_is_raised_when_it_is_reached():
    class Trap(Counter):
        def actions(self, state):
            if state == (5,):
                raise ZeroDivisionError
            return super().actions(state)

    player = player_of(Trap(), "bfs", None)
    player.check()
    assert player.forward()
    with pytest.raises(ZeroDivisionError):
        player.run_to_goal()


@pytest.mark.parametrize("ahead", [1, 7, 1024])
def test_how_far_a_search_is_recorded_ahead_makes_no_difference(ahead, monkeypatch):
    straight = played(player_of(Sliding(TEN_MOVES), "astar:misplaced"))
    monkeypatch.setattr("procura.watch.player.AHEAD", ahead)
    assert played(player_of(Sliding(TEN_MOVES), "astar:misplaced")) == straight


def test_steps_further_back_than_kept_are_forgotten():
    player, full = player_of(Counter(), "bfs", None, kept=40), player_of(Counter(), "bfs", None)
    player.go_to(300)
    full.go_to(300)
    assert player.forgotten > 200
    while player.back():
        full.back()
        assert seen(player) == seen(full)
    assert player.frame.number == player.forgotten
    assert 300 - player.forgotten <= 40
    player.go_to(310)
    full.go_to(310)
    assert seen(player) == seen(full)


def test_waiting_does_not_count_as_search():
    control = Control(Limits(seconds=1000))
    before = control.seconds
    control.forgive(500)
    assert control.seconds < before - 400
    control.forgive(600)
    assert not control.stop()


def test_what_a_search_raises_reaches_who_watches_it():
    class Broken(Problem):
        initial = 0

        def actions(self, state):
            return [1]

        def result(self, state, action):
            raise ZeroDivisionError

        def is_goal(self, state):
            return False

    with pytest.raises(ZeroDivisionError):
        player_of(Broken(), "bfs").check()


def test_a_search_that_reports_no_steps_is_refused(monkeypatch):
    monkeypatch.setitem(catalog.ALGORITHMS, "bfs", dataclasses.replace(catalog.ALGORITHMS["bfs"], order=None))
    with pytest.raises(InputError, match="bfs does not report its steps: expected one of dfs"):
        player_of(Sliding(TEN_MOVES), "bfs")


def test_the_interface_page_lists_every_event():
    page = (Path(__file__).parents[2] / "docs" / "problem-interface.md").read_text(encoding="utf-8")
    table = page[page.index("## Events") : page.index("## Result")]
    assert {kind for kind in EVENT_KINDS if f"| `{kind}` |" in table} == EVENT_KINDS
