"""One random case after the other, and what breaks as small as it gets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fuzz.claims import Fault, faults
from fuzz.graphs import Case
from fuzz.landscapes import LocalCase, local_faults, local_snippet, random_landscape, simpler_local_cases
from fuzz.making import Mix, random_cases
from fuzz.shrinking import shrink, simpler_cases, snippet


@dataclass(frozen=True)
class Kind:
    """What is done with cases of one kind."""

    faults: Callable[[Any], list[Fault]]
    simpler: Callable[[Any], Iterator[Any]]
    snippet: Callable[[Any], str]


KINDS = {
    Case: Kind(faults, simpler_cases, snippet),
    LocalCase: Kind(local_faults, simpler_local_cases, local_snippet),
}


@dataclass(frozen=True)
class Failure:
    """A case that broke a claim; a place is a seed and a number."""

    case: Any
    fault: Fault
    place: str

    @property
    def title(self) -> str:
        """What failures have in common that are likely to have one cause."""
        search = self.case.searches[0] if isinstance(self.case, Case) else self.case.search
        return f"{search.partition(',')[0].partition(':')[0]}: {self.fault.kind}"

    def small(self) -> str:
        """The failure in words, with Python that shows it."""
        kind = KINDS[type(self.case)]

        def broken(case: Any) -> list[Fault]:
            return [
                fault for fault in kind.faults(case) if (fault.kind, fault.way) == (self.fault.kind, self.fault.way)
            ]

        case = shrink(self.case, lambda simpler: bool(broken(simpler)), kind.simpler)
        seen = broken(case) or [self.fault]  # what threads do may not come again
        return f"FAILS: {seen[0]}\n{self.place}\n\n{kind.snippet(case)}\n"


def cases(seed: str, number: int, mix: Mix) -> Iterator[Any]:
    """The cases of one number: some searches of a graph, and one of a landscape."""
    rng = random.Random(f"{seed}:{number}")
    yield from random_cases(rng, mix)
    yield random_landscape(rng, mix.compiled if mix.unusual else 0)


def failures(
    seed: str, number: int, mix: Mix, begin: Callable[[Any], None] = lambda case: None
) -> Iterator[Failure | int]:
    """Run the cases of one number: how many runs each took, and what it broke. ``begin`` is told of each before."""
    for case in cases(seed, number, mix):
        begin(case)
        found = KINDS[type(case)].faults(case)
        yield len(case.ways)
        for fault in found[:1]:
            yield Failure(case, fault, f"seed {seed}, number {number}")
