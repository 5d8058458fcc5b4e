"""Random searches: 20,000 runs, some compiled, whose claims are held against the truth; ``make fuzz`` makes more."""

from dataclasses import replace
from itertools import count

import pytest
from fuzz import claims
from fuzz.making import Mix
from fuzz.running import Failure, failures

from procura import Outcome

PARTS = 8
"""So that several workers share the runs."""


def run_without_a_failure(seed, runs, mix):
    done = number = 0
    while done < runs:
        for seen in failures(seed, number, mix):
            if isinstance(seen, Failure):
                pytest.fail(seen.small(), pytrace=False)
            done += seen
        number += 1


@pytest.mark.parametrize("part", range(PARTS))
def test_no_interpreted_search_breaks_a_claim(part):
    run_without_a_failure(f"interpreted {part}", 20_000 // PARTS, Mix(compiled=0))


COMPILED = Mix(compiled=1, unusual=0, portfolio=0, batch=0)


def test_no_compiled_search_that_is_soon_compiled_breaks_a_claim_or_differs_from_the_interpreted_one():
    run_without_a_failure("soon compiled", 600, replace(COMPILED, algorithms=("bfs", "dfs")))


@pytest.mark.slow
def test_no_compiled_search_breaks_a_claim_or_differs_from_the_interpreted_one():
    run_without_a_failure("compiled", 3_000, COMPILED)


def proves_too_much(result):
    return replace(result, optimal=True, bound=result.cost) if result.solved else result


def gives_up_too_soon(result):
    return replace(result, outcome=Outcome.NO_SOLUTION, bound=None) if result.stopped_by is None else result


def counts_one_too_few(result):
    return replace(result, cost=result.cost - 1) if result.solved else result


def hides_a_limit(result):
    return replace(result, stopped_by=None)


@pytest.mark.parametrize(
    ("lie", "kind"),
    [
        (proves_too_much, "optimal, but not the least cost"),
        (proves_too_much, "a bound above the least cost"),
        (gives_up_too_soon, "no_solution where there is one"),
        (counts_one_too_few, "a cost that is not that of the actions"),
        (hides_a_limit, "not found, and no limit to blame"),
    ],
)
def test_a_search_that_lies_is_found_out_and_shown_on_a_small_graph(monkeypatch, lie, kind):
    solve = claims.solve
    monkeypatch.setattr(claims, "solve", lambda *given, **named: lie(solve(*given, **named)))
    seen = (seen for number in count() for seen in failures("lies", number, Mix(compiled=0, portfolio=0, batch=0)))
    found = next(one for one in seen if isinstance(one, Failure) and kind in [f.kind for f in claims.faults(one.case)])
    told = replace(found, fault=replace(found.fault, kind=kind, way="plain")).small()
    assert told.startswith(f"FAILS: {kind} (plain)") and len(told.splitlines()) < 30
    assert told.count("(0, ") < 5
