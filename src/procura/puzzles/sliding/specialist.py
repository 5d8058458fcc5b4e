"""``pdb``, the specialist of sliding boards: searches with pattern databases; and which of them it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procura.algorithm import Algorithm, Ended, Option, Proof
from procura.puzzles.sliding.patterns import (
    LARGE_SIZES,
    MOST_CELLS,
    Cells,
    Layout,
    bit_table,
    layout,
    partition as partitioned,
    read_sizes,
    refuse_large,
    small_sizes,
)
from procura.tables import Table

if TYPE_CHECKING:
    from procura.puzzles.sliding.rules import Sliding


def databases(problem: Sliding, partition: str) -> tuple[Layout, tuple[Cells, ...], Table]:
    """How a board is turned, its patterns, and the table of their databases.

    ``auto`` is the large partition of boards of this size if it is built, else the one that is built in no time.
    """
    frame = layout(problem.rows, problem.columns, problem.goal.index(0))
    large = LARGE_SIZES.get(frame.shape)
    if partition == "auto" and large is not None:
        patterns = partitioned(frame, large)
        table = bit_table(frame, patterns)
        if table.built():
            return frame, patterns, table
    sizes = small_sizes(frame.cells) if partition == "auto" else read_sizes(partition, frame.cells)
    refuse_large(frame, sizes)
    patterns = partitioned(frame, sizes)
    return frame, patterns, bit_table(frame, patterns)


def _refusal(problem: Any, options: Any) -> str | None:
    cells = len(problem.goal)
    if cells > MOST_CELLS:
        return f"has {cells} cells: pdb takes boards of up to {MOST_CELLS}"
    if options["partition"] != "auto":
        frame = layout(problem.rows, problem.columns, problem.goal.index(0))
        refuse_large(frame, read_sizes(options["partition"], cells))
    return None


def _proof(ended: Ended) -> Proof:
    bound = ended.found.bound
    if ended.cost is None:
        return Proof(None, bound)
    return Proof(bool(ended.cost <= bound), bound, "the search was ended before it was proved")


PDB = Algorithm(
    name="pdb",
    about="iterative-deepening A* on additive pattern databases, with the region of the blank and a reflected view",
    requires="the rules of the sliding puzzle, on at most 25 cells",
    guarantees="optimal; memory for one path, beside the databases",
    compiled="procura.puzzles.sliding.pdb:pdb",
    many="procura.puzzles.sliding.batches:solve_boards",
    stand_in="anytime:linear_conflict,prove=idastar,share=0.02",
    options=(
        Option(
            "partition", "text", "auto", "sizes of the patterns, such as 6-6-3 or 7-8; auto: the best that is built"
        ),
        Option("jobs", "int", 1, "threads to search on", low=1, high=1024),
    ),
    proof=_proof,
    refusal=_refusal,
    bound="bound on f",
)
