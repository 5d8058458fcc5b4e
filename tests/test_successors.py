"""Which successor goes first, goals seen when generated, trees: small spaces whose order can be told by hand."""

import pytest

from procura import Problem, solve


class Tree(Problem):
    """A binary tree of numbers: s has the children 2s and 2s + 1 down to 15; the goals are given."""

    acyclic = True

    def __init__(self, *goals):
        self.goals = goals

    initial = 1

    def actions(self, state):
        return ["left", "right"] if state < 8 else []

    def result(self, state, action):
        return 2 * state + (action == "right")

    def is_goal(self, state):
        return state in self.goals


class Diamond(Tree):
    """Both ways of each row lead to the same state, so a tree has 2, 4 and 8 nodes where a graph has one."""

    def result(self, state, action):
        return 2 * state


def expanded(problem, configuration):
    """The states in the order in which they were expanded, and the result."""
    seen = []
    result = solve(problem, configuration, on_event=seen.append, events=["expand"])
    return [event.state for event in seen], result


@pytest.mark.parametrize(
    ("configuration", "order"),
    [
        ("dfs", [1, 3, 7, 6, 2, 5, 4]),
        ("dfs,successors=first", [1, 2, 4]),
        ("ucs", [1, 3, 2, 5, 4, 7, 6]),
        ("ucs,successors=first", [1, 2, 3, 6, 7, 4, 5]),
        ("ucs,ties=fifo", [1, 2, 3, 4, 5, 6, 7]),
        ("ucs,ties=fifo,successors=last", [1, 3, 2, 7, 6, 5, 4]),
        ("ucs,ties=high_g,successors=first", [1, 2, 3, 6, 7, 4, 5]),
    ],
)
def test_the_first_or_the_last_successor_goes_first(configuration, order):
    seen, result = expanded(Tree(8), configuration)
    assert [state for state in seen if state < 8] == order
    assert result.actions == ("left", "left", "left")


def test_iterative_deepening_tries_the_first_successor_first_in_every_round():
    assert expanded(Tree(8), "iddfs,successors=first")[0] == [1, 1, 2, 3, 1, 2, 4]


@pytest.mark.parametrize(("successors", "answer"), [("first", ("left", "left")), ("last", ("left", "right"))])
def test_of_several_goals_generated_the_one_that_goes_first_is_taken(successors, answer):
    order, result = expanded(Tree(4, 5), f"dfs,early_goal=true,successors={successors}")
    assert result.actions == answer
    assert order[-1] == 2


def test_a_goal_seen_when_generated_is_never_expanded_past():
    late, early = (solve(Tree(15), "dfs", early_goal=early) for early in (False, True))
    assert late.actions == early.actions == ("right",) * 3
    assert early.stats.expanded == late.stats.expanded == 3
    assert solve(Tree(14), "dfs", early_goal=True).stats.expanded < solve(Tree(14), "dfs").stats.expanded


def test_breadth_first_search_of_a_tree_recognises_no_state():
    graph, tree = (solve(Diamond(8), "bfs", tree=tree) for tree in (False, True))
    assert (graph.stats.expanded, tree.stats.expanded) == (3, 7)
    assert len(graph.actions) == len(tree.actions) == 3
    assert graph.optimal and tree.optimal
