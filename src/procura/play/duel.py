"""A game for two by hand: you against the computer, which analyses the position before each move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procura.analysing import analyse
from procura.errors import InputError
from procura.game import FIRST, SECOND, Analysis, Game
from procura.play.advice import Cancel, Rest
from procura.play.attempt import Attempt, Hint, IllegalMove, clock
from procura.play.face import Face
from procura.result import Limits
from procura.rng import below, stream
from procura.words import number, verdict

SHORT, PATIENT = Limits(seconds=2), Limits(seconds=60)


class GameDuel(Attempt):
    """You and the computer move in turns. It looks ahead for two seconds, and takes one of the best moves by ``seed``.

    >>> from procura.puzzles.dots import DotsGame
    >>> game = GameDuel(DotsGame("(((1) (1)) ((1) (0)))"))
    >>> game.play(["v", 1, 0])
    >>> game.over, game.won
    (True, True)
    """

    problem: Any
    comparable = False
    against = "computer"
    algorithm, limits = "auto", SHORT
    """How the computer finds its move."""

    def __init__(self, problem: Game, options: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        super().__init__(problem, options, seed)  # type: ignore[arg-type]
        self.seed, self.you = seed, FIRST
        self._analyses: dict[Any, Analysis] = {}

    def face(self) -> Face:
        return DuelFace(self)

    def let_other_begin(self) -> None:
        self.you = SECOND

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.problem.is_over(self.state))

    @property
    def won(self) -> bool:
        """Whether it has ended well for you."""
        return self.over and self.ahead > 0

    @property
    def ahead(self) -> Any:
        """What you are ahead by."""
        score = self.problem.score(self.state)
        return score if self.you == FIRST else -score

    def legal(self) -> list[Any]:
        return [] if self.over else super().legal()

    def after(self, move: Any) -> Any:
        if self.over:
            raise IllegalMove("the game is over")
        return super().after(move)

    def turn_begins(self, made: int) -> bool:
        state = self.states[made]
        return made == 0 or self.problem.is_over(state) or self.problem.to_move(state) == self.you

    def analysis(self, algorithm: str, limits: Limits, cancel: Cancel | None = None) -> Analysis:
        """What the position is worth; what was found is remembered."""
        key = (self.state, algorithm)
        found = self._analyses.get(key)
        if found is None:
            here: Any = self.from_here()
            found = analyse(here, algorithm, limits=limits, seed=self.seed, cancel=cancel)
            if found.stopped_by != "cancelled":
                self._analyses[key] = found
        return found

    @property
    def others_turn(self) -> bool:
        return not self.over and self.problem.to_move(self.state) != self.you

    @property
    def patient(self) -> bool:
        return self.limits is PATIENT

    def answer(self) -> Any | None:
        if not self.others_turn:
            return None
        best = self.analysis(self.algorithm, self.limits).best or tuple(self.legal())
        return best[below([stream(self.seed, len(self.moves))], len(best))]

    def suggest(self, cancel: Cancel | None = None) -> Hint:
        """A best move, and what it is worth."""
        if self.over:
            return Hint(None, "the game is over: there is nothing left to do")
        found = self.analysis("auto", SHORT, cancel)
        if not found.best:
            return Hint(self.legal()[0], "nothing is known of it yet")
        return Hint(found.best[0], verdict(found).replace("the player to move wins", "you win").replace(
            "the player to move loses", "you lose"))  # fmt: skip

    def summary(self, best: Rest | None = None) -> str:
        ahead = self.ahead
        if not self.over:
            score = "even" if ahead == 0 else f"you are {'ahead' if ahead > 0 else 'behind'} by {number(abs(ahead))}"
            return f"not finished: {score}"
        end = "a draw" if ahead == 0 else f"{'you win' if ahead > 0 else 'the computer wins'} by {number(abs(ahead))}"
        return f"{end} after {clock(self.seconds)}{self.helped()}"

    def details(self) -> dict[str, Any]:
        return {"against": self.against, "seed": self.seed, "first": "you" if self.you == FIRST else "computer"}

    def take_details(self, details: Mapping[str, Any]) -> None:
        seed, first = details.get("seed", 0), details.get("first", "you")
        if type(seed) is not int or first not in ("you", "computer"):
            raise InputError(f"seed {seed!r:.40} and first {first!r:.40}: expected a whole number, and you or computer")
        self.seed, self.you = seed, FIRST if first == "you" else SECOND


class EasyDuel(GameDuel):
    """Against a computer that plays a hundred random games before each move."""

    against = "easy"
    algorithm = "mcts,playouts=100"


class StrongDuel(GameDuel):
    """Against a computer that looks ahead for two seconds."""

    against = "strong"


class PerfectDuel(GameDuel):
    """Against a computer that looks ahead until it is sure, for up to a minute."""

    against = "perfect"
    limits = PATIENT


GameDuel.opponents = {"computer": GameDuel, "easy": EasyDuel, "strong": StrongDuel, "perfect": PerfectDuel}


class DuelFace(Face):
    """The game's own drawing, whose turn it is, and the moves by number."""

    def title(self) -> str:
        who = "you begin" if self.game.you == FIRST else "the computer begins"
        return f"{self.game.problem.name}: you against the computer, {who}"

    def status(self) -> str:
        return "the game is over" if self.game.over else super().status()
