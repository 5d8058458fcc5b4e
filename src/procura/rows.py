"""States that are rows of integers and rules that are kernels: what array problems and array games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, partial
from operator import attrgetter
from types import MethodType
from typing import Any, ParamSpec, TypeVar

from procura.data import Data, DataMemo, integers
from procura.debug import CheckedBuffer, CheckedConstants, CheckedRow, CheckedTable, debugging
from procura.errors import InputError, shown
from procura.presentation import Presentation
from procura.tables import ANY_FIELD, Table, Watch, names_read

P = ParamSpec("P")
R = TypeVar("R")

DTYPES = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
MOST_MOVES = 1 << 16
_as_integers = DataMemo(Table)
_attributes = cache(attrgetter)


def made_of(data: Any, of_field: Callable[[Any], Any], of_table: Callable[[Table], Any]) -> Any:
    """``data`` with something else in the place of each field, and of each table."""
    return type(data)(*(of_table(field) if isinstance(field, Table) else of_field(field) for field in data))


def kernel(function: Callable[P, R]) -> staticmethod[P, R]:
    """Mark a plain function over integers as a rule that runs interpreted and compiled alike.

    A kernel reads and writes the sequences it is given, in place, and allocates nothing. It may call other
    module-level functions and read module-level constants. In a class body it takes no ``self``.

    >>> from procura import ArrayProblem
    >>> class Corner(ArrayProblem):
    ...     @kernel
    ...     def solved(s, data, work):
    ...         return s[0] == 0 and s[1] == 0
    >>> Corner.solved([0, 0], None, None)
    True
    """
    return staticmethod(function)


class Rows(Presentation):
    """The rows, constants and kernels of an instance; what ``ArrayProblem`` says of them holds here."""

    required_kernels: tuple[str, ...] = ()
    """The names of the kernels that a class must define."""
    optional_kernels: tuple[str, ...] = ()

    def __init__(
        self,
        *,
        size: int,
        max_moves: int,
        dtype: str = "int8",
        data: Any = None,
        scratch: int = 0,
        key: int | None = None,
        bits: int | None = None,
    ) -> None:
        if dtype not in DTYPES:
            raise InputError(f"dtype {dtype!r}: expected one of {', '.join(DTYPES)}")
        if not 1 <= max_moves <= MOST_MOVES:
            raise InputError(f"max_moves {max_moves}: expected 1 to {MOST_MOVES}")
        key = size if key is None else key
        if not 1 <= key <= size:
            raise InputError(f"key {key}: expected 1 to the size of the row, {size}")
        if bits is not None and not 1 <= bits < DTYPES[dtype]:
            raise InputError(f"bits {bits}: expected 1 to {DTYPES[dtype] - 1} in rows of {dtype}")
        self.size, self.key, self.max_moves = size, key, max_moves
        self.dtype, self.bits, self.scratch = dtype, bits, max(scratch, 1)
        self.data = Data() if data is None else data
        self.opened: dict[str, memoryview] = {}
        """By field of ``data`` the entries of the tables that are open: those that a kernel needs."""
        self._lists: dict[bool, tuple[int, Any]] = {}
        """In debug and without: how many tables were open, and ``data`` with a list in each field."""
        if not isinstance(self.data, tuple):
            raise InputError(f"data {type(data).__name__}: expected Data(name=[...], ...)")
        home: Any = next(cls for cls in type(self).__mro__ if "required_kernels" in vars(cls))
        for name in self.required_kernels:
            if getattr(type(self), name) is getattr(home, name) and getattr(self, "energy", None) is None:
                raise InputError(f"{self.name} defines no kernel {name.removesuffix('_kernel')}")
        for name in (*self.required_kernels, *self.optional_kernels):
            if isinstance(getattr(self, name), MethodType):
                raise InputError(f"{self.name}.{name} is a method: mark it @kernel, without self")

    def start(self) -> Sequence[int]:
        """The initial row."""
        raise NotImplementedError(f"{self.name} must define start, which gives the initial row")

    @kernel
    def moves(s: Any, data: Any, work: Any, out: Any) -> int:
        """Write the legal moves of ``s`` into ``out`` in a fixed order; return how many."""
        raise NotImplementedError

    @kernel
    def apply(s: Any, data: Any, work: Any, move: int) -> Any:
        """Change ``s`` in place by a legal ``move``; return the step's cost."""
        raise NotImplementedError

    def kernels(self) -> list[Callable[..., Any]]:
        """Every kernel that the instance has."""
        return [function for function in self.kernels_by_name if function is not None]

    @property
    def kernels_by_name(self) -> tuple[Callable[..., Any] | None, ...]:
        """The required kernels, then the optional ones, in the order of their names; None where there is none."""
        found: tuple[Any, ...] = _attributes(*self.required_kernels, *self.optional_kernels)(self)
        return found

    def required(self, name: str) -> Callable[..., Any]:
        """The kernel ``name``, or an ``InputError`` that says it is missing."""
        function = getattr(self, name)
        if function is None:
            raise InputError(f"{self.name} defines no kernel {name}, which this algorithm requires")
        return function

    @cached_property
    def initial(self) -> tuple[int, ...]:
        start: Any = self.start()
        if isinstance(start, str) or not isinstance(start, Iterable):
            raise InputError(f"{self.name}.start gives {shown(start)}: expected the integers of the initial row")
        row = tuple(int(v) for v in start)
        if len(row) != self.size:
            raise InputError(f"{self.name}.start gives {len(row)} integers: expected size, {self.size}")
        limit = 1 << (DTYPES[self.dtype] - 1)
        largest = (1 << self.bits) - 1 if self.bits else limit - 1
        if min(row) >= 0 and max(row) < limit and max(row[: self.key]) <= largest:
            return row
        for i, v in enumerate(row):
            if not -limit <= v < limit or (self.bits and i < self.key and not 0 <= v < 1 << self.bits):
                kind = f"{self.bits} bits" if self.bits and i < self.key else self.dtype
                raise InputError(f"{self.name}.start: entry {i} is {v}, which {kind} cannot hold")
        return row

    def row(self, state: Sequence[int]) -> list[int]:
        """A fresh row for interpreted kernels; in debug one that checks every index and value."""
        if debugging():
            return CheckedRow(state, DTYPES[self.dtype], self.bits, self.key)
        return list(state)

    def work(self, rubbish: int = -77) -> list[int]:
        """A fresh scratch row; in debug filled with rubbish, since kernels may not rely on what is in it."""
        if debugging():
            return CheckedBuffer([rubbish] * self.scratch, "work", "scratch")
        return [0] * self.scratch

    def new_out(self) -> list[int]:
        """A fresh ``out``, for ``moves`` to write into."""
        if debugging():
            return CheckedBuffer([-1] * self.max_moves, "out", "max_moves")
        return [0] * self.max_moves

    @property
    def lists(self) -> Any:
        """``data`` with a list in each field, as interpreted kernels get it; in debug lists that cannot be changed."""
        debug = debugging()
        opened, lists = self._lists.get(debug, (-1, None))
        if opened != len(self.opened):  # tables are opened, never closed
            self.open_tables()
            opened, lists = self._lists[debug] = len(self.opened), self._as_lists(debug)
        return lists

    def look_again(self) -> None:
        """Let the next run read ``data`` as it is by then: who made the problem may have changed it."""
        self._lists.clear()

    def _as_lists(self, debug: bool) -> Any:
        lists = _as_integers.of(self.data, partial(made_of, self.data, integers, Table.closed))._replace(**self.opened)
        if not debug:
            return lists
        fields = zip(lists._fields, lists, self.data, strict=True)
        return type(lists)(
            *((CheckedTable if isinstance(f, Table) else CheckedConstants)(made, name) for name, made, f in fields)
        )

    def open_tables(self, *heuristics: str, watch: Watch | None = None) -> None:
        """Map from disk, or build, each ``Table`` of ``data`` that the rules or these heuristics read by its name."""
        fields = zip(self.data._fields, self.data, strict=True)
        closed = [(name, field) for name, field in fields if isinstance(field, Table) and name not in self.opened]
        if not closed:
            return
        read = names_read(self.readers(heuristics))
        for name, table in closed:
            if name in read or (ANY_FIELD in read and not table.by_name):
                self.opened[name] = table.open(watch)

    def readers(self, heuristics: Iterable[str]) -> list[Callable[..., Any]]:
        """The kernels that are run in a search with these heuristics."""
        return self.kernels()

    def actions(self, state: Any) -> list[int]:
        out = self.new_out()
        count = self.moves(self.row(state), self.lists, self.work(), out)
        if not isinstance(count, int) or not 0 <= count <= self.max_moves:
            raise InputError(f"{self.name}.moves lists {shown(count)} moves: max_moves is {self.max_moves}")
        return out[:count]

    def identity(self, state: Any) -> tuple[int, ...]:
        return state[: self.key]

    def constants(self) -> list[Any]:
        """What two problems of the same kind differ by, apart from where they start."""
        return [self.data._fields, *(field if isinstance(field, Table) else integers(field) for field in self.data)]
