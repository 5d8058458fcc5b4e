"""Slices: small at first, for a node may take long, and soon as long as the clock says they may be."""

import time

import pytest

from procura import Limits, Sliding, solve
from procura.compiled.engine import FIRST_SLICE, run_slices
from procura.compiled.templates.counts import RUNNING, Counters
from procura.control import SLICE_SECONDS, Control


class Clock:
    """A clock that stands still but for what is done, and slices that expand nodes at a price in seconds."""

    def __init__(self, monkeypatch, price):
        self.now, self.price, self.slices, self.pace = 0.0, price, [], 1
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def run(self, **limits):
        """Expand nodes without end; the run's control."""
        control = Control(Limits(**limits))
        counts = Counters()

        def one_slice():
            self.slices.append(counts.until - counts.expanded)
            self.now += self.price * self.slices[-1]
            counts.expanded = counts.until
            return RUNNING

        run_slices(control, counts, self, one_slice, lambda status: False)
        return control


@pytest.mark.parametrize("seconds_a_node", [0.07, 0.5])
def test_nodes_that_take_long_are_expanded_one_at_a_time(monkeypatch, seconds_a_node):
    clock = Clock(monkeypatch, seconds_a_node)
    for _ in range(3):
        control = clock.run(seconds=1.0)
        assert control.stopped_by == "time"
        assert control.seconds < 1.0 + seconds_a_node
    assert set(clock.slices) == {1}


@pytest.mark.parametrize("seconds_a_node", [1e-7, 1e-6, 1e-4, 0.003])
def test_slices_soon_take_as_long_as_they_may_and_hardly_longer(monkeypatch, seconds_a_node):
    clock = Clock(monkeypatch, seconds_a_node)
    clock.run(seconds=1.0)
    took = [nodes * seconds_a_node for nodes in clock.slices]
    assert clock.slices[0] == 1 and len(took) < 60
    assert all(seconds < 1.5 * SLICE_SECONDS for seconds in took)
    assert all(seconds > 0.4 * SLICE_SECONDS for seconds in took[8:])


def test_a_kernel_that_is_known_begins_with_more_than_one_node(monkeypatch):
    clock = Clock(monkeypatch, 1e-6)
    clock.run(seconds=0.1)
    clock.slices.clear()
    clock.run(seconds=0.1)
    assert clock.slices[0] == FIRST_SLICE


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_run_that_is_cancelled_before_it_begins_expands_nothing_however_near_its_goal_is(engine):
    near = Sliding([1, 2, 3, 4, 5, 6, 7, 0, 8], size=(3, 3))
    assert solve(near, "bfs", engine=engine).stats.expanded > 0  # its kernels are known now
    result = solve(near, "bfs", engine=engine, cancel=lambda: True)
    assert (result.stopped_by, result.stats.expanded) == ("cancelled", 0)
