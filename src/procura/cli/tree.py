"""``--tree``: the search tree as Graphviz text, made from the events of an interpreted run.

A tree keeps the first nodes that were generated, up to a bound, and always the whole path of the solution. Of searches
in iterations (idastar, iddfs) it is the last one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from procura import words
from procura.cli.files import Output, check_writable
from procura.cli.harmless import harmless
from procura.cli.running import Run, Subscriber
from procura.cli.settings import Settings
from procura.cli.status import say
from procura.control import Event
from procura.problem import Problem
from procura.result import Result
from procura.texts import Task

_PATH = 'color="#1a7f37" penwidth=2.5'


@dataclass
class TreeNode:
    """A node of the tree, with the numbers of its expansions in their order; of a node that was not kept, none."""

    state: Any
    parent: int | None = None
    action: Any = None
    g: Any = 0
    h: Any = None
    expansions: list[int] = field(default_factory=list)
    expanded: bool = False
    """Whether it was, though nobody knows when."""


class SearchTree:
    """The nodes that events tell, up to ``most``; the root is number 0."""

    def __init__(self, problem: Problem, most: int) -> None:
        self.problem, self.most = problem, most
        self.iterations = 0
        self.bound: Any = None
        self._clear()

    def _clear(self) -> None:
        self.nodes = {0: TreeNode(self.problem.initial)}
        self.generated = 1

    def __call__(self, event: Event) -> None:
        """Take an event."""
        if event.kind == "bound":
            self.iterations += 1
            self.bound = event.value
            self._clear()
        elif event.kind == "generate":
            self.generated += 1
            if len(self.nodes) < self.most and event.node is not None:
                self.nodes[event.node] = TreeNode(event.state, event.parent, event.action, event.g, event.h)
        elif event.kind == "reopen" and event.node in self.nodes:
            node = self.nodes[event.node]
            node.state, node.parent, node.action, node.g, node.h = (
                event.state, event.parent, event.action, event.g, event.h,
            )  # fmt: skip
        elif event.kind == "expand" and event.node in self.nodes:
            self.nodes[event.node].h = event.h
            self.nodes[event.node].expansions.append(event.expanded)

    def add_path(self, result: Result) -> list[int]:
        """The numbers of the nodes on the solution's path; those that are not kept are made from its actions."""
        path, states = [0], result.states()
        next(states, None)
        children = {(node.parent, repr(node.action)): number for number, node in self.nodes.items()}
        actions = result.actions or ()
        for value, state in zip(actions, states, strict=True):
            action, parent = self.problem.action_from_json(value), path[-1]
            number = children.get((parent, repr(action)))
            if number is None:
                number = -len(path)
                above = self.nodes[parent]
                cost = self.problem.cost(above.state, action, state)
                expanded = len(path) < len(actions)  # all but the goal, or there were no path
                self.nodes[number] = TreeNode(state, parent, action, above.g + cost, expanded=expanded)
            path.append(number)
        return path

    def note(self) -> str | None:
        """What is left out, in a sentence without a full stop."""
        parts = []
        if self.generated > self.most:
            parts.append(f"the first {self.most:,} of {self.generated:,} nodes, and the path of the solution")
        if self.iterations > 1:
            parts.append(f"only the last of {self.iterations:,} iterations, with bound {words.number(self.bound)}")
        return "; ".join(parts) or None


class TreeFile(Output):
    """An observer that writes the tree of one run to a file."""

    def __init__(self, path: str, most: int) -> None:
        super().__init__(path, "--tree")
        check_writable(path, self.option)
        self.most = most

    def begin(self, number: int, task: Task, settings: Settings, problem: Problem) -> Subscriber:
        """Follow the run."""
        self.tree = SearchTree(problem, self.most)
        return self.tree

    def end(self, run: Run | None) -> None:
        """Write the file, and say what is not in it."""
        if run is None:
            return
        self.write_whole(harmless(dot(self.tree, run.result)))
        note = self.tree.note()
        if note is not None and self.failure is None:
            say(f"--tree {self.path} shows {note}")


def dot(tree: SearchTree, result: Result) -> str:
    """The tree in the language of Graphviz; the path of the solution is green, the goal has a double border."""
    tree.problem = result.problem  # a preset may have set options of its own
    path = tree.add_path(result) if result.solved and result.actions is not None else []
    note = tree.note()
    title = f"{words.configuration(result)}: {words.outcome(result)}"
    lines = [f"// {title}", *([f"// {note}"] if note else []), "digraph search {"]
    lines += [
        f'  label="{_quoted(title + (chr(10) + note if note else ""))}"; labelloc=t;',
        '  node [shape=box fontname="monospace"]; edge [fontname="monospace"];',
    ]
    on_path = set(path)
    for number, node in tree.nodes.items():
        marks = f" {_PATH}" if number in on_path else ""
        marks += " peripheries=2" if path and number == path[-1] else ""
        lines.append(f'  {_name(number)} [label="{_label(tree.problem, node, result)}"{marks}];')
    for number, node in tree.nodes.items():
        if node.parent in tree.nodes:
            assert node.parent is not None
            action = tree.problem.action_text(tree.problem.action_to_json(node.action))
            marks = f" {_PATH}" if number in on_path and node.parent in on_path else ""
            lines.append(f'  {_name(node.parent)} -> {_name(number)} [label="{_quoted(action)}"{marks}];')
    return "\n".join([*lines, "}"]) + "\n"


def _name(number: int) -> str:
    """The identifier of a node; those made from the solution's actions have one of their own."""
    return f"n{number}" if number >= 0 else f"path{-number}"


def _label(problem: Problem, node: TreeNode, result: Result) -> str:
    """The board, f = g + h, and when it was expanded."""
    values = [f"g={words.number(node.g)}"]
    if node.h is not None and result.heuristic is not None:
        values = [f"f={words.number(_f(result, node))}", *values, f"h={words.number(node.h)}"]
    order = "expanded" if node.expansions or node.expanded else "not expanded"
    order += "".join(f"{',' if i else ''} {number:,}" for i, number in enumerate(node.expansions))
    return _quoted("\n".join([problem.to_text(node.state), " ".join(values), order]), left=True)


def _f(result: Result, node: TreeNode) -> Any:
    """What the search ordered the node by."""
    order = result.configuration.info.order
    f = None if order is None else order(result.options).f
    return node.g + node.h if f is None else f(node.g, node.h)


def _quoted(text: str, left: bool = False) -> str:
    r"""The text inside quotes; its lines end with ``\l`` (to the left) or ``\n`` (in the middle)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return escaped.replace("\n", "\\l") + "\\l" if left else escaped.replace("\n", "\\n")
