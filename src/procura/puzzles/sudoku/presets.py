"""Whole searches for Sudoku under a name: those of the report, and the local searches that proved best."""

from __future__ import annotations

from procura.problem import Preset

_FIRST = {"choice": "first"}
_GENETIC = "genetic,selection={},tournament=5,elitism=0,mutation=0.1,crossover=blocks,population={},rounds={}"
_END = "ends at the first solution, where the report's went on"
_SIZES = {"easy": (500, 2000), "medium": (2000, 8000), "diabolic": (10_000, 10_000)}


def _report_genetic() -> dict[str, Preset]:
    """The report's genetic algorithm: the whole generation is replaced, and nobody is kept."""
    found = {}
    for name, (population, rounds) in _SIZES.items():
        about = f"the report's genetic algorithm for {name} boards"
        by_tournament = _GENETIC.format("tournament", population, rounds)
        by_roulette = _GENETIC.format("roulette", population, rounds)
        found[f"report_genetic_{name}"] = Preset(by_tournament, f"{about}: tournaments of 5; {_END}")
        found[f"report_roulette_{name}"] = Preset(by_roulette, f"{about}: roulette; {_END}")
    return found


PRESETS = {
    "report_iddfs": Preset(
        "iddfs,successors=first", "the report's iterative deepening: the first empty cell, digits from 1", _FIRST
    ),
    "report_astar": Preset(
        "astar:empty,tree=true,successors=first",
        "the report's A*: the first empty cell, digits from 1, h = empty cells",
        _FIRST,
    ),
    "report_annealing": Preset(  # the report prints neither its moves at each temperature nor its cooling rate
        "annealing,moves=1000,cooling=0.99,stuck=round,patience=101,reheat=2",
        "the report's annealing: after 100 rounds that ended no lower, 2 degrees more a round until one does",
    ),
    **_report_genetic(),
    "fewest": Preset("dfs", "depth first, the cell with the fewest candidates", {"choice": "fewest"}),
    "annealing_constant": Preset(
        "annealing,temperature=0.38,cooling=1,moves=10000,patience=100",
        "annealing at the one temperature that solves quickest",
    ),
    "annealing_few_clues": Preset(
        "annealing,temperature=0.32,cooling=1,moves=10000,patience=100",
        "the same cooler, for boards of about 17 clues",
    ),
    "genetic_bands": Preset(
        "genetic,crossover=bands,tournament=2,mutation=0.9,population=2000,patience=20,restarts=none",
        "the better bands or stacks of two parents, and a new population when it gets stuck",
    ),
}
