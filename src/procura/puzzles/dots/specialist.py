"""``profile``, the specialist of Dots and Boxes."""

from __future__ import annotations

from procura.algorithm import Algorithm, Ended, Option, Proof

EXACT = 16
"""The most boxes along the shorter side of a board whose masks are all kept."""


def _proof(ended: Ended) -> Proof:
    bound = ended.found.bound
    if ended.cost is None:
        return Proof(None, bound)
    return Proof(ended.cost <= bound, bound, "not all masks could be kept, or a limit ended it")


PROFILE = Algorithm(
    name="profile",
    about="Dots by dynamic programming over which of the last boxes along the shorter side are closed",
    requires="the rules of Dots and Boxes",
    guarantees=f"optimal up to {EXACT} boxes wide, if memory suffices; else an answer and a bound",
    compiled="procura.puzzles.dots.profile_search:profile",
    stand_in="anytime:polyomino,prove=idastar,share=0.25",
    options=(Option("width", "int", 128, "masks kept for each number of boxes, on boards too wide", low=1),),
    tree=False,
    proof=_proof,
)
