"""What a game for two must say: ``Game`` for any Python objects, ``ArrayGame`` for rows of integers; and what is found
of one: an ``Analysis``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from procura.errors import InputError, shown
from procura.presentation import Presentation
from procura.result import Stats
from procura.rows import Rows, kernel

if TYPE_CHECKING:
    from procura.algorithm import Algorithm
    from procura.configuration import Configuration

FIRST, SECOND = 0, 1
"""The players, as ``to_move`` tells them."""


class Game(Presentation):
    """A game for two on any Python objects, without chance and with nothing hidden: what one player wins, the other
    loses.

    A subclass sets ``initial`` and defines ``actions``, ``result``, ``to_move``, ``is_over`` and ``score``. States are
    hashable, actions opaque. It may say which states are worth the same (``symmetries``, ``identity``), what a state
    is probably worth (``estimate``), and the most that can be won (``most``).

    >>> class Subtract(Game):
    ...     "Take one or two of seven counters in turn; who takes the last one wins."
    ...     initial = (7, 0)
    ...     def actions(self, state):
    ...         return [take for take in (1, 2) if take <= state[0]]
    ...     def result(self, state, action):
    ...         return (state[0] - action, 1 - state[1])
    ...     def to_move(self, state):
    ...         return state[1]
    ...     def is_over(self, state):
    ...         return state[0] == 0
    ...     def score(self, state):
    ...         return 0 if state[0] else (-1 if state[1] == 0 else 1)
    >>> from procura import analyse
    >>> found = analyse(Subtract(), "minimax")
    >>> found.value, found.proved, found.best
    (1, True, (1,))
    """

    attempt = "procura.play.duel:GameDuel"
    most: int | None = None
    """No end is worth more than this to either player; None if nobody knows."""
    auto: str | None = None
    """The algorithm that ``"auto"`` stands for; None: ``alphabeta``."""
    specialists: tuple[Algorithm, ...] = ()
    """Algorithms that serve this game alone."""

    def actions(self, state: Any) -> Iterable[Any]:
        """The legal actions in ``state``, in a fixed order, good ones first where that is known; some, unless it is
        over."""
        raise NotImplementedError(f"{self.name} defines no actions")

    def result(self, state: Any, action: Any) -> Any:
        """The state that ``action`` leads to."""
        raise NotImplementedError(f"{self.name} defines no result")

    def to_move(self, state: Any) -> int:
        """Whose turn it is: 0 the first player, 1 the second."""
        raise NotImplementedError(f"{self.name} defines no to_move")

    def is_over(self, state: Any) -> bool:
        """Whether the game has ended."""
        raise NotImplementedError(f"{self.name} defines no is_over")

    def score(self, state: Any) -> Any:
        """What the first player is ahead by; where it is over, by how much the first player has won."""
        raise NotImplementedError(f"{self.name} defines no score")

    def estimate(self, state: Any) -> Any:
        """What the first player will probably be ahead by at the end; the score so far, unless a game knows better."""
        return self.score(state)

    def identity(self, state: Any) -> Hashable:
        """What the rest of the game depends on: the state, but for what has been won already."""
        return state

    def symmetries(self, state: Any) -> Iterable[Any]:
        """States that are worth the same as ``state``, itself among them, the same player to move."""
        return (state,)

    def table_key(self, state: Any) -> Any:
        """The least identity of its symmetries: all of them share one entry of a transposition table."""
        states = tuple(self.symmetries(state))
        return self.identity(states[0]) if len(states) == 1 else min(map(self.identity, states))  # type: ignore[type-var]


class ArrayGame(Rows, Game):
    """A game whose state is a row of integers and whose rules are kernels, run interpreted and compiled alike.

    ``super().__init__`` takes what ``ArrayProblem`` takes (size, max_moves, dtype, data, scratch, key, bits). The
    integers after the first ``key`` may only hold what has been won already. ``symmetries`` lists permutations of the
    key: the row whose entry i is the entry p[i] of another is worth the same.

    A subclass defines ``start`` and the kernels ``moves(s, data, work, out)``, ``apply(s, data, work, move)``, and
    ``over``, ``turn`` and ``score``, each of ``(s, data, work)``; if it likes, a kernel ``estimate`` too. Scores are
    whole numbers.

    >>> from procura import Data, analyse, kernel
    >>> class Heap(ArrayGame):
    ...     "Take one or two of so many counters in turn; who takes the last one wins."
    ...     most = 1
    ...     def __init__(self, counters):
    ...         super().__init__(size=2, max_moves=2, data=Data(counters=[counters]))
    ...     def start(self):
    ...         return [self.data.counters[0], 0]
    ...     @kernel
    ...     def moves(s, data, work, out):
    ...         out[0], out[1] = 1, 2
    ...         return min(2, s[0])
    ...     @kernel
    ...     def apply(s, data, work, move):
    ...         s[0] -= move
    ...         s[1] = 1 - s[1]
    ...     @kernel
    ...     def over(s, data, work):
    ...         return s[0] == 0
    ...     @kernel
    ...     def turn(s, data, work):
    ...         return s[1]
    ...     @kernel
    ...     def score(s, data, work):
    ...         return 0 if s[0] > 0 else 2 * s[1] - 1
    >>> game = Heap(9)
    >>> analyse(game, engine="python").value, game.score((0, 1))
    (-1, 1)
    """

    required_kernels = ("moves", "apply", "over", "turn", "score_kernel")
    optional_kernels = ("estimate_kernel",)
    estimate_kernel: Callable[..., int] | None = None

    def __init_subclass__(cls, **extra: Any) -> None:
        """Keep the kernels ``score`` and ``estimate`` beside the methods of those names, which take a state."""
        super().__init_subclass__(**extra)
        for name in ("score", "estimate"):
            function = vars(cls).get(name)
            if isinstance(function, staticmethod):
                setattr(cls, f"{name}_kernel", function)
                delattr(cls, name)
            elif function is not None:
                raise InputError(f"{cls.__name__}.{name} is a method: mark it @kernel, without self")

    def __init__(self, *, symmetries: Sequence[Sequence[int]] = (), **shape: Any) -> None:
        super().__init__(**shape)
        places = list(range(self.key))
        for permutation in symmetries:
            if sorted(permutation) != places:
                raise InputError(f"{self.name}: symmetry {shown(permutation)}: expected 0 to {self.key - 1}, each once")
        self.permutations = [list(permutation) for permutation in symmetries if list(permutation) != places]
        """Those that change anything."""

    @kernel
    def over(s: Any, data: Any, work: Any) -> bool:
        """Whether the game has ended."""
        raise NotImplementedError

    @kernel
    def turn(s: Any, data: Any, work: Any) -> int:
        """Whose turn it is: 0 the first player, 1 the second."""
        raise NotImplementedError

    @kernel
    def score_kernel(s: Any, data: Any, work: Any) -> int:
        """What the first player is ahead by."""
        raise NotImplementedError

    # What follows derives the interface of Game from the kernels; states are tuples.

    def result(self, state: Any, action: int) -> tuple[int, ...]:
        row = self.row(state)
        self.apply(row, self.lists, self.work(), action)
        return tuple(row)

    def is_over(self, state: Any) -> bool:
        return bool(self.over(self.row(state), self.lists, self.work()))

    def to_move(self, state: Any) -> int:
        return int(self.turn(self.row(state), self.lists, self.work()))

    if TYPE_CHECKING:
        score: Any
        estimate: Any
    else:

        def score(self, state: Any) -> Any:
            return self.score_kernel(self.row(state), self.lists, self.work())

        def estimate(self, state: Any) -> Any:
            function = self.estimate_kernel or self.score_kernel
            return function(self.row(state), self.lists, self.work())

    def symmetries(self, state: Any) -> Iterable[Any]:
        rest = state[self.key :]
        return (state, *(tuple(state[place] for place in p) + rest for p in self.permutations))


@dataclass(frozen=True)
class MoveValue:
    """A move, and what it is worth to the player who makes it.

    >>> MoveValue("a1", 0, True).value
    0
    """

    action: Any
    """In its JSON form."""
    value: Any
    """What the player ends up ahead by; None if the search had no need to know, or no time."""
    proved: bool
    """Whether the value is proved; else it is an estimate."""


@dataclass(frozen=True, repr=False)
class Analysis:
    """What a position is worth to the player to move, and each of the moves.

    >>> from procura import analyse
    >>> from procura.puzzles.dots import DotsGame
    >>> found = analyse(DotsGame(size="1x2"), "alphabeta", engine="python")
    >>> found.value, found.proved, len(found.moves), found.best[0]
    (0, True, 7, ['v', 1, 0])
    """

    game: Game
    configuration: Configuration
    """What was run: an algorithm by name, and its options."""
    engine: str
    """``python`` or ``compiled``."""
    seed: int | None
    """Of algorithms that draw random numbers; None for the others."""
    value: Any
    """What the player to move ends up ahead by; where the game is over, what that player is ahead by."""
    proved: bool
    """Whether the value is proved; else it is an estimate."""
    moves: tuple[MoveValue, ...]
    """Every legal move, in the order of ``actions``; the largest value is that of the position."""
    depth: int = 0
    """How many moves ahead was looked."""
    stopped_by: str | None = None
    """The limit that ended the run: time, nodes, memory, depth or cancelled; None if none did."""
    stats: Stats = field(default_factory=Stats)
    """What the run did and used."""
    notes: tuple[str, ...] = ()
    """What a reader should know about the run, in sentences."""

    @property
    def algorithm(self) -> str:
        """Its name."""
        return self.configuration.algorithm

    @property
    def known(self) -> bool:
        """Whether the run found out anything; else the value is a guess from before it began."""
        return self.proved or not self.moves or any(move.value is not None for move in self.moves)

    @property
    def best(self) -> tuple[Any, ...]:
        """The moves of the largest value, in their JSON form."""
        return tuple(move.action for move in self.moves if move.value is not None and move.value == self.value)

    def __repr__(self) -> str:
        proof = "proved" if self.proved else "estimated"
        stopped = "" if self.stopped_by is None else f", stopped by {self.stopped_by}"
        counts = f"{self.stats.expanded:,} expanded, {self.stats.seconds:.3f} s"
        return f"<Analysis: value {self.value}, {proof}{stopped}; {self.configuration}, {self.engine}; {counts}>"


@dataclass
class Valued:
    """What a search hands back, in terms of the first player: what it found of the moves of the initial state."""

    moves: list[tuple[Any, Any, bool]]
    """(action, value or None, proved) of every legal move, in the order of ``actions``."""
    value: Any
    proved: bool
    depth: int = 0
