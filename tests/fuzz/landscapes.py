"""Local search on small random energy landscapes, and what it must keep to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from fuzz.claims import Fault, seen, stores
from fuzz.making import random_search

from procura import ArrayProblem, Data, InputError, Limits, Outcome, Result, catalog, kernel, solve
from procura.rng import below

LOCAL = [info for info in catalog.ALGORITHMS.values() if info.local]


@dataclass(frozen=True)
class LocalCase:
    """The energies of the states 0, 1, 2 ..., a power of 2 of them, and what is run on them."""

    energies: tuple[int, ...]
    search: str
    seed: int = 0
    nodes: int = 300
    ways: tuple[str, ...] = ("python",)
    tiny: bool = False


class Landscape(ArrayProblem):
    """States are numbers; a move flips some of their bits."""

    def __init__(self, energies: tuple[int, ...]) -> None:
        super().__init__(size=1, dtype="int16", max_moves=1, data=Data(energies=list(energies)))

    def start(self) -> list[int]:
        return [0]

    @kernel
    def solved(s, data, work):
        return data.energies[s[0]] <= 0

    @kernel
    def energy(s, data, work):
        return data.energies[s[0]]

    @kernel
    def randomise(s, data, work, rng):
        s[0] = below(rng, len(data.energies))

    @kernel
    def propose(s, data, work, rng):
        return below(rng, len(data.energies))

    @kernel
    def change(s, data, work, move):
        before = data.energies[s[0]]
        s[0] ^= move
        return data.energies[s[0]] - before

    @kernel
    def revert(s, data, work, move):
        s[0] ^= move

    @kernel
    def cross(a, b, child, data, work, rng):
        mask = below(rng, len(data.energies))
        child[0] = (a[0] & mask) | (b[0] & ~mask)


def random_landscape(rng: random.Random, compiled: float) -> LocalCase:
    """A landscape, most often with a state or two of energy 0."""
    size = 1 << rng.randrange(5)
    kind = rng.randrange(4)
    height = (3, 10, 1000, rng.choice((1 << 31, 1 << 52, 1 << 53)))[kind]
    low = rng.choice((0, 1, 1, 1, -2))
    energies = tuple(low + rng.randrange(height) if rng.random() < 0.8 else low for _ in range(size))
    ways = ("python", "compiled") if rng.random() < compiled else ("python",)
    search = random_search(rng, rng.choice(LOCAL), [0.5, 10.0])
    nodes = rng.choice((0, 1, 7, 60, 300, 300))
    return LocalCase(energies, search, rng.randrange(1 << 32), nodes, ways, rng.random() < 0.5)


def local_faults(case: LocalCase) -> list[Fault]:
    """Run a case in all its ways; every claim that was broken."""
    found: list[Fault] = []
    answers = []
    for way in case.ways:
        try:
            result = run_local(case, way)
        except InputError as error:
            answers.append(str(error))
            continue
        except Exception as error:
            found.append(Fault(f"raises {type(error).__name__}", way, str(error)))
            continue
        answers.append({**seen(result), "final": result.final})
        found += [Fault(kind, way, str(result)) for kind in broken(case, result)]
    if len(answers) == 2 and answers[0] != answers[1]:
        found.append(Fault("engines differ", "compiled", f"{answers[0]} and {answers[1]}"))
    return found


def run_local(case: LocalCase, way: str) -> Result:
    """One search."""
    with stores(case.tiny and way == "compiled"):
        limits = Limits(nodes=case.nodes)
        return solve(Landscape(case.energies), case.search, engine=way, seed=case.seed, limits=limits)


def broken(case: LocalCase, result: Result) -> Iterator[str]:
    """The claims that a result does not keep."""
    energy = None if result.final is None else case.energies[result.final[0]]
    if (result.optimal, result.bound) != (None, None):
        yield "local search speaks of an optimum"
    if result.outcome is Outcome.NO_SOLUTION:
        yield "local search proves that there is none"
    if result.cost != energy:
        yield "a cost that is not the energy of the state"
    if result.solved != (energy is not None and energy <= 0):
        yield "solved and the energy disagree"
    if result.stopped_by not in (None, "nodes"):
        yield "stopped by what was no limit"
    if result.stats.generated > case.nodes or (result.stopped_by and result.stats.generated < case.nodes):
        yield "not stopped at the limit on nodes"
    if min(case.energies) > 0 and result.stopped_by is None and not gives_up(result.options):
        yield "gave up though nothing told it to"


def gives_up(options: Any) -> bool:
    """Whether a search may end without a limit: its new starts are counted."""
    return options["restarts"] is not None


def simpler_local_cases(case: LocalCase) -> Iterator[LocalCase]:
    """The case with one thing made plainer."""
    if len(case.energies) > 1:
        yield replace(case, energies=case.energies[: len(case.energies) // 2])
    for at, energy in enumerate(case.energies):
        for plainer in (0, 1, energy // 2):
            if abs(plainer) < abs(energy):
                yield replace(case, energies=(*case.energies[:at], plainer, *case.energies[at + 1 :]))
    name, *options = case.search.split(",")
    for at in range(len(options)):
        yield replace(case, search=",".join([name, *options[:at], *options[at + 1 :]]))
    for way in case.ways:
        if len(case.ways) > 1:
            yield replace(case, ways=(way,))
    if case.nodes > 1:
        yield replace(case, nodes=case.nodes // 2)
    if case.seed:
        yield replace(case, seed=case.seed // 2)
    if case.tiny:
        yield replace(case, tiny=False)


def local_snippet(case: LocalCase) -> str:
    """Python that runs the case."""
    lines = [
        "# PYTHONPATH=tests",
        "from fuzz.landscapes import LocalCase, local_faults, run_local",
        f"case = {case!r}",
        *(f"print(run_local(case, {way!r}))" for way in case.ways),
        "print(*local_faults(case), sep='\\n')",
    ]
    return "\n".join(lines)
