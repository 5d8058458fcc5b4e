"""Best-first searches make the steps of plain problems themselves; nobody can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from spaces import least_costs, random_graph, true_h

from procura import Estimate, Limits, Problem, solve

SEARCHES = [
    "ucs", "greedy:table", "astar:table", "astar:table,reopen=false", "astar:table,ties=fifo", "astar:table,ties=low_g",
    "astar:table,ties=high_g,weight=2", "astar:table,tree=true", "astar:table,successors=first", "anytime:table",
]  # fmt: skip


class Plain(Problem):
    """A random graph on Python objects; ``unit``: every step costs 1, and the class does not say so."""

    initial = 0

    def __init__(self, seed: int, unit: bool) -> None:
        _, arcs = random_graph(seed, vertices=14, degree=4)
        if unit:
            arcs = {key: (target, 1) for key, (target, _) in arcs.items()}
        h = true_h(seed, least_costs(14, arcs), 6)
        self.costs, self.arcs = "unit" if unit else "nonnegative", arcs
        self.heuristics = {"table": Estimate([max(value, 0) for value in h].__getitem__, admissible=True)}

    def actions(self, state):
        return (move for move in range(4) if (state, move) in self.arcs)

    def result(self, state, action):
        return self.arcs[state, action][0]

    def is_goal(self, state):
        return state == 13


class Priced(Plain):
    """The same with what a step costs."""

    def cost(self, state, action, next_state):
        return self.arcs[state, action][1]


class Counted(Priced):
    """The same, with actions whose number is known at once."""

    def actions(self, state):
        return [*super().actions(state)]


class Listed(Priced):
    """The same, with successors of its own."""

    def successors(self, state, after=None):
        for action in self.actions(state):
            yield action, self.result(state, action), self.arcs[state, action][1]


def seen(problem, configuration, limits, followed):
    """All that a search tells, and what it did."""
    events = []
    result = solve(problem, configuration, limits=limits, **({"on_event": events.append} if followed else {}))
    told = [replace(event, seconds=0) for event in events if event.kind != "progress"]
    stats = replace(result.stats, seconds=0, peak_memory=0, started=0, ended=0)
    return told, stats, result.path, result.cost, result.bound, result.optimal


@settings(deadline=None, max_examples=150)
@given(
    st.integers(0, 10**6), st.sampled_from(SEARCHES), st.sampled_from([None, 3]), st.sampled_from([5, 200]),
    st.booleans(),
)  # fmt: skip
def test_steps_made_in_the_loop_are_those_of_successors(seed, configuration, depth, nodes, unit):
    limits = Limits(nodes=nodes, depth=depth)
    kinds = (Plain, Priced, Counted, Listed) if unit else (Priced, Counted, Listed)
    first, *others = [seen(kind(seed, unit), configuration, limits, followed=True) for kind in kinds]
    assert all(other == first for other in others)
    unfollowed = [seen(kind(seed, unit), configuration, limits, followed=False) for kind in kinds]
    assert all(other[1:] == first[1:] for other in unfollowed)


@pytest.mark.parametrize(("kind", "method"), [(Plain, "cost"), (Priced, "successors")])
def test_what_an_instance_defines_for_itself_is_used(kind, method):
    problem, listed, limits = kind(2, unit=False), Listed(2, unit=False), Limits(nodes=200)
    setattr(problem, method, getattr(listed, method))
    assert seen(problem, "ucs", limits, followed=True) == seen(listed, "ucs", limits, followed=True)


class Lists(Problem):
    """States that cannot be hashed, which a tree search need not do."""

    initial = ()

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        return [*state, action]

    def is_goal(self, state):
        return state == [2, 1]


def test_a_tree_search_hashes_no_state():
    assert solve(Lists(), "astar,tree=true", limits=Limits(nodes=50)).actions == (2, 1)
