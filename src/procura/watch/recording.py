"""A run whose events can be had one after the other, however often, without a thread: it is made again to go further.

Searches that are run twice tell the same events twice. So what is not known yet is found by making the run from its
start and passing over the events that are known; ``Player`` then records some more than was asked for, the more the
further it has got, so that stepping through a search costs a few searches in all. It is the one recording of the
terminal and of the page. A page, or whoever else wants plain data, does

    player = Player(Recording(plan(problem, configuration, "python", seed), limits))      # a search
    player = Player(Recording(game_plan(game, configuration, "python", seed), limits))    # a game for two
    steps = player.steps(0, 200)                # steps 0 to 199 as JSON has them, fewer at the end
    more = player.steps(200, 400, go_on)        # goes on while ``go_on()`` is true; again for what is missing
    player.known, player.ended                  # the number of the last step known so far; whether it is the last
    player.result                               # the ``Result`` or ``Analysis``, once the player is at the last step

where ``plan`` is that of ``procura.solving``, ``game_plan`` that of ``procura.analysing``; both raise ``InputError``,
as ``Player`` does for a search that reports no steps. Steps are numbered from 0, the start, and never change; a caller
keeps those it has. What does not apply to a step is None or missing.

A step of a **search**: ``step`` (its number), ``kind`` (see ``Frame.kind``), ``board`` (the state by ``to_text``, or
what the argument ``board`` of ``steps`` makes of problem and state), ``expanded``, ``generated``, ``duplicates``,
``dropped``, ``waiting``, ``largest`` (counts so far), ``bound``, ``level`` (it differs from the step before where an
iteration begins), ``why`` (of a node that was taken and left: ``depth`` or ``known``), ``solved``, and

- ``node``: the node at hand: ``node``, ``parent`` (numbers; None for the root), ``action`` (text), ``g``, ``h``, ``f``,
  ``depth``. A step of kind ``bound`` begins a new tree, and numbers begin anew. It was a successor before, but for the
  root and the goal of a beam.
- ``successors``: each as ``node``, and ``fate`` (see ``Successor.fate``); its ``node`` is None if it never became one.
  One of fate ``cheaper`` with a number that is known already moves below its new parent.
- ``frontier``: the numbers of the first nodes that wait, in the order in which they are taken; where only a path is
  kept (``path_only``), the nodes on it, the last first.

A step of **local search** has ``energy``, ``best`` (the least so far), and ``figures``: of ``annealing``
``temperature`` and ``attempt``, of ``genetic`` ``mean``, ``worst``, ``population``, ``round`` and ``attempt``.

A step of a **game** for two: ``step``, ``kind`` (see ``GameFrame.kind``), ``board``, ``expanded`` (in mcts the random
games so far), ``generated``, ``cuts``, ``level``, ``solved`` (never), ``bound`` (alphabeta: how many moves it looks
ahead), ``value`` (alphabeta: of the initial state, after the last depth that is done; mcts: how this game ended), and

- ``line``: the positions from the root to the one at hand, each with ``node``, ``parent``, ``action``, ``player`` (0 or
  1: who moves there), ``alpha``, ``beta``, ``value`` (the best so far; mcts: the mean) and ``visits`` (mcts only);
- ``moves``: the legal moves of the position at hand, in mcts those of the root: ``action``, ``fate``, once it is made
  ``node``, once it has one ``value``, ``bound``, ``proved``, ``by``, ``visits``, as ``watch.game_frames.Move`` says;
- ``move``: the one of them whose value has come with this step.

Values, alpha and beta are what the first player ends up ahead by, an infinite one is None. A step of kind ``bound``
begins a new tree: nodes have new numbers, but for the root, which is 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from procura import analysing, solving
from procura.analysing import GamePlan
from procura.control import EVENT_KINDS, Control, Event
from procura.debug import debugging
from procura.game import Analysis
from procura.interrupts import raised_at_once
from procura.result import Limits, Result
from procura.solving import Plan

_KINDS = EVENT_KINDS - {"progress"}


class Enough(BaseException):
    """Raised in a run: nobody wants more of its events."""


class Recording:
    """The events of a run on the python engine. What is done with them does not count as time of the run."""

    def __init__(self, plan: Plan | GamePlan, limits: Limits | None = None) -> None:
        self.plan, self.limits = plan, limits
        self.result: Result | Analysis | None = None
        """The result, once a run has come to its end."""

    def play(self, after: int, take: Callable[[Event], bool], go_on: Callable[[], bool] = lambda: True) -> None:
        """Make the run, and hand all events but the first ``after`` to ``take``, until it or ``go_on`` says no.

        ``result`` is set if the run comes to its end; what the search raises is raised.
        """
        left = after

        def tell(event: Event) -> None:
            nonlocal left
            began = time.perf_counter()
            left -= 1
            if (left < 0 and not take(event)) or not go_on():
                raise Enough
            control.forgive(time.perf_counter() - began)

        def ask() -> bool:
            began = time.perf_counter()
            if not go_on():
                raise Enough
            control.forgive(time.perf_counter() - began)
            return False

        improves = self.plan.info.local or isinstance(self.plan, GamePlan)
        control = Control(self.limits, tell, _KINDS if improves else _KINDS - {"improve"}, ask, debugging())
        with suppress(Enough), raised_at_once():
            self.result = self._execute(control)

    def _execute(self, control: Control) -> Result | Analysis:
        if isinstance(self.plan, GamePlan):
            return analysing.execute(self.plan, control)
        return solving.execute(self.plan, control)
