"""``best``, the specialist of Tetris."""

from __future__ import annotations

from procura.algorithm import Algorithm, Ended, Option, Proof


def _proof(ended: Ended) -> Proof:
    if ended.cost is None:
        return Proof(None, ended.found.bound)
    if ended.found.exhausted:
        return Proof(True, ended.cost)
    return Proof(False, ended.found.bound, "not every board that could beat it was looked at")


BEST = Algorithm(
    name="best",
    about="Tetris by beams that find many points and layers of all boards that prove how many there can be",
    requires="the rules of Tetris",
    guarantees="an answer soon, better ones later, each with a bound; optimal if it comes to an end",
    compiled="procura.puzzles.tetris.best_search:best",
    stand_in="anytime:quality_bound,guide=surface",
    options=(Option("jobs", "int", 1, "threads", low=1, high=64),),
    tree=False,
    proof=_proof,
)
