"""Large read-only tables: built once, checked, mapped from disk.

A ``Table`` is a field of ``data`` that is too large for a list: a pattern database, the distances of a simpler puzzle.
It is built when a kernel that reads it is about to run, and kept in the cache folder, from where the next run maps it:
its pages are read as they are used, shared by all processes, and never copied. A file is::

    16 bytes   what it is: "procura table 1\\n"
    16         which table: a hash of all that its entries depend on
    16         a checksum of the entries
    16         a hash of the size, time and inode that the file had when the checksum was last compared
    ...        the entries
    ...        what it is for, in words, and the length of these words

It is written whole and renamed. The checksum is compared after that, and again whenever size, time or inode are not
those noted. Whatever is wrong with a file, the table is built again; where none can be kept, it is built in memory.
"""

from __future__ import annotations

import dis
import hashlib
import mmap
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, BinaryIO, Literal, NamedTuple
from weakref import WeakValueDictionary

from procura.errors import InputError
from procura.folder import Folder, Kind, cache_root
from procura.kept import about_to_make

FORMATS: dict[str, Literal["b", "h", "i", "q"]] = {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}
"""The types of entries. All are signed, so that arithmetic on them is the same interpreted and compiled."""
TABLES = Kind(names=r"[0-9a-f]{32}\.table", magic=b"procura table 1\n")
MOST_BYTES = 2 << 30
"""Of all tables kept; those unused longest go first."""
MOST_ENTRIES = 1 << 40
LONGEST_PURPOSE = 1000
KEPT_OPEN = 8
"""So many tables stay open even if no problem that uses them is left."""
WAIT_SECONDS = 0.05
CHUNK = 16 << 20

_HEADER = 64
_NOTED = slice(48, 64)

Report = Callable[[float], None]
"""Takes how much of a table is built, from 0 to 1; raises if that is to end."""


class Watch:
    """Whoever waits for a table: is told how it gets on, and ends it by raising."""

    def allow(self, table: Table) -> None:
        """The table is about to be built, which takes ``table.needed`` bytes."""

    def building(self, table: Table, part: float) -> None:
        """Told often; ``part`` of the table is built."""

    def waiting(self, table: Table) -> None:
        """Told often while another process, or another thread, builds the table."""

    def note(self, text: str) -> None:
        """Something a reader of the result should know."""


class Table:
    """``length`` integers of ``dtype``, written by ``build(entries, report)`` when they are first needed.

    ``purpose`` says in words what the table is for, with everything that its entries depend on: tables of the same
    purpose, type, length and source file are the same table, also those that another run has kept on disk. ``sources``
    names modules beside that of ``build`` whose files count too, such as one that it imports when it is called.
    ``entries`` is a memoryview of zeros; ``report(part)`` is to be called now and then with how much is done, from 0 to
    1, and raises what ends the run. Kernels read it like any other field of ``data``, by its name.

    >>> def squares(entries, report):
    ...     for i in range(len(entries)):
    ...         entries[i] = i * i
    >>> table = Table("the squares of 0 to 9", "int16", 10, squares)
    >>> table.open()[9], len(table)
    (81, 10)
    """

    by_name = False
    """Whether only kernels that name it read it, so that one which reads ``data`` by number does not mean it."""

    def __init__(
        self,
        purpose: str,
        dtype: str,
        length: int,
        build: Callable[[memoryview, Report], None],
        sources: tuple[str, ...] = (),
    ) -> None:
        if dtype not in FORMATS:
            raise InputError(f"table {purpose!r}: dtype {dtype!r}: expected one of {', '.join(FORMATS)}")
        if not isinstance(length, int) or not 1 <= length <= MOST_ENTRIES:
            raise InputError(f"table {purpose!r}: length {length!r}: expected 1 to 2^40 entries")
        if not purpose.isprintable() or not 1 <= len(purpose) <= LONGEST_PURPOSE:
            raise InputError(f"table: purpose {purpose[:40]!r}: expected 1 to {LONGEST_PURPOSE} characters on a line")
        self.purpose, self.dtype, self.length, self.build = purpose, dtype, length, build
        self.sources = sources

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"<Table: {self.purpose}, {self.length} x {self.dtype}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def size(self) -> int:
        """The bytes of its entries."""
        return self.length * int(self.dtype[3:]) // 8

    @property
    def needed(self) -> int:
        """The bytes that building it takes in all."""
        return self.size

    @cached_property
    def identity(self) -> bytes:
        """A hash of all that the entries depend on, as far as it is known: also of the file that ``build`` is in."""
        told = (self.purpose, self.dtype, self.length, sys.byteorder, _source(self.build), *map(_module, self.sources))
        return hashlib.blake2b(repr(told).encode(), digest_size=16).digest()

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.identity.hex()}.table"

    def open(self, watch: Watch | None = None) -> memoryview:
        """The entries, read-only: those open already, those on disk, or built now."""
        view = _views.get(self.identity)
        if view is None:
            with _turn(self, watch or Watch()):
                view = _views.get(self.identity)
                if view is None:
                    view = _views[self.identity] = _opened(self, watch or Watch())
        with _keeping:
            _recent[self.identity] = view
            _recent.move_to_end(self.identity)
            while len(_recent) > KEPT_OPEN:
                _recent.popitem(last=False)
        return view

    def built(self) -> bool:
        """Whether it is open, or on disk as far as can be seen from its file's size."""
        if self.identity in _views:
            return True
        with suppress(OSError), Folder(cache_root() / "tables") as folder, folder.open(self.name) as file:
            return os.fstat(file.fileno()).st_size == _file_size(self)
        return False

    def closed(self) -> memoryview:
        """What stands for the entries as long as no kernel reads them: none, of the same type."""
        return memoryview(b"").cast(FORMATS[self.dtype])


def unsigned(value: int, bits: int) -> int:
    """An entry of a table read as a number from 0: of ``int8`` with 8 bits, -1 is 255. For use in kernels.

    >>> unsigned(-1, 8), unsigned(100, 8)
    (255, 100)
    """
    return value & ((1 << bits) - 1)


_views: WeakValueDictionary[bytes, memoryview] = WeakValueDictionary()
_recent: OrderedDict[bytes, memoryview] = OrderedDict()
_turns: dict[bytes, threading.Lock] = {}
_keeping = threading.Lock()


@contextmanager
def _turn(table: Table, watch: Watch) -> Iterator[None]:
    """One thread at a time opens a table."""
    lock = _turns.setdefault(table.identity, threading.Lock())
    while not lock.acquire(timeout=WAIT_SECONDS):
        watch.waiting(table)
    try:
        yield
    finally:
        lock.release()


def _opened(table: Table, watch: Watch) -> memoryview:
    """The entries from disk, or else built, and kept there if that can be."""
    try:
        folder = Folder(cache_root() / "tables")
    except OSError as error:
        if os.environ.get("PROCURA_CACHE") != "off":
            watch.note(_not_kept(table, error))
        return _readonly(table, _built(table, watch))
    with folder:
        view = _mapped(folder, table)
        if view is not None:
            return view
        about_to_make(table.purpose)  # or wait for whoever makes it
        with folder.locked(table.name, partial(watch.waiting, table), WAIT_SECONDS):
            view = _mapped(folder, table)  # another process may have built it meanwhile
            return _kept(folder, table, _built(table, watch), watch) if view is None else view


def _built(table: Table, watch: Watch) -> mmap.mmap:
    """Memory with the entries."""
    about_to_make(table.purpose)
    watch.allow(table)
    try:
        memory = mmap.mmap(-1, table.size)
    except (OSError, ValueError, OverflowError):
        raise InputError(f"table of {table.purpose}: {table.size / 1e6:,.0f} MB of memory are not to be had") from None
    with memoryview(memory) as whole, whole.cast(FORMATS[table.dtype]) as entries:
        table.build(entries, partial(watch.building, table))
    return memory


def _kept(folder: Folder, table: Table, memory: mmap.mmap, watch: Watch) -> memoryview:
    """The entries written to disk and mapped from there; those in memory if they cannot be kept."""
    words = table.purpose.encode()

    def tick() -> None:
        watch.building(table, 1.0)

    try:
        with folder.writing(table.name) as file:
            file.write(TABLES.magic + table.identity + _checksum(memory, tick) + bytes(16))
            for chunk in _chunks(memory):
                file.write(chunk)
                tick()
            file.write(words + len(words).to_bytes(2, "little"))
            file.flush()
            os.fsync(file.fileno())
        deleted = folder.trim(TABLES, MOST_BYTES, keep=table.name)
        if deleted:
            size = sum(file.size for file in deleted)
            were = "1 table unused longest was" if len(deleted) == 1 else f"{len(deleted)} tables unused longest were"
            watch.note(f"{were} deleted from disk, {size / 1e6:,.1f} MB")
        view = _mapped(folder, table)
    except OSError as error:
        watch.note(_not_kept(table, error))
        return _readonly(table, memory)
    return _readonly(table, memory) if view is None else view


def _mapped(folder: Folder, table: Table) -> memoryview | None:
    """The entries mapped from disk; None if there is no file, or none that is whole and of this table."""
    with suppress(OSError, ValueError), folder.open(table.name) as file:
        info = os.fstat(file.fileno())
        if info.st_size != _file_size(table):
            return None
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        head = memory[:_HEADER]
        if head[:32] != TABLES.magic + table.identity:
            return None
        entries = memoryview(memory)[_HEADER : _HEADER + table.size]
        if head[_NOTED] != _noted(info.st_size, info.st_mtime_ns, info.st_ino):
            if head[32:48] != _checksum(entries):
                return None
            _note(folder, table.name, info.st_ino)
        else:
            folder.touch(file, table.name)
        return entries.cast(FORMATS[table.dtype])
    return None


def _file_size(table: Table) -> int:
    return _HEADER + table.size + len(table.purpose.encode()) + 2


def _note(folder: Folder, name: str, inode: int) -> None:
    """Note in a file whose checksum is right that it is; without the right to, it is compared again next time."""
    whole = int(time.time()) // 2 * 2 * 10**9  # a time that every file system can keep
    with suppress(OSError), folder.open(name, change=True) as file:
        info = os.fstat(file.fileno())
        if info.st_ino != inode:
            return
        file.seek(_NOTED.start)
        file.write(_noted(info.st_size, whole, info.st_ino))
        file.flush()
        folder.touch(file, name, whole)


def _noted(size: int, time_ns: int, inode: int) -> bytes:
    return hashlib.blake2b(repr((size, time_ns, inode)).encode(), digest_size=16).digest()


def _checksum(entries: Any, tick: Callable[[], None] = lambda: None) -> bytes:
    total = hashlib.blake2b(digest_size=16)
    for chunk in _chunks(entries):
        total.update(chunk)
        tick()
    return total.digest()


def _chunks(entries: Any) -> Iterator[memoryview]:
    """The bytes of a table, in parts that are written in no time."""
    with memoryview(entries).cast("B") as whole:
        for start in range(0, len(whole), CHUNK):
            with whole[start : start + CHUNK] as chunk:
                yield chunk


def _readonly(table: Table, memory: mmap.mmap) -> memoryview:
    return memoryview(memory).toreadonly().cast(FORMATS[table.dtype])


def _not_kept(table: Table, error: OSError) -> str:
    why = f"{error.filename}: {error.strerror}" if error.filename else (error.strerror or str(error))
    return f"the table of {table.purpose} is not kept on disk: {why}"


@lru_cache(maxsize=64)
def _source_digest(path: str, changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _source(build: Any) -> str:
    """A hash of the file that a function comes from; nothing if it comes from none."""
    while isinstance(build, partial):
        build = build.func
    code = getattr(build, "__code__", None)
    if code is None:
        return ""
    try:
        return _source_digest(code.co_filename, os.stat(code.co_filename).st_mtime_ns)
    except OSError:
        return str(code.co_code.hex())


ANY_FIELD = "*"
"""Among the names read: ``data`` is read by number or as a whole, so that any field may be meant."""


def _module(name: str) -> str:
    """A hash of the file of a module, which need not be imported."""
    found = find_spec(name)
    if found is None or found.origin is None:
        raise InputError(f"table: there is no file of the module {name!r}")
    return _source_digest(found.origin, os.stat(found.origin).st_mtime_ns)


Seen = list[tuple[Mapping[str, Any], str, Any]]
"""Every global that was looked up: (the scope, the name, what stood there)."""
_names_read: dict[tuple[Any, ...], tuple[frozenset[str], Seen]] = {}
_MOST_NAMES_READ = 256


def names_read(kernels: Iterable[Any]) -> frozenset[str]:
    """All names that kernels, and the functions they call, can mean fields of ``data`` by.

    They are kept, with every global that was looked up for them: while all of those are what they were, so are they.
    """
    key = tuple(kernels)
    known = _names_read.get(key)
    if known is None or any(scope.get(name) is not value for scope, name, value in known[1]):
        if len(_names_read) >= _MOST_NAMES_READ:
            _names_read.clear()
        known = _names_read[key] = _looked_up(key)
    return known[0]


def _looked_up(kernels: Iterable[Any]) -> tuple[frozenset[str], Seen]:
    """What ``names_read`` says, and all that it depends on."""
    names: set[str] = set()
    looked_up: Seen = []
    waiting, seen = list(kernels), set()
    while waiting:
        function = waiting.pop()
        function = getattr(function, "__func__", getattr(function, "py_func", function))
        code, scope = getattr(function, "__code__", None), getattr(function, "__globals__", {})
        if code is None or function in seen:
            continue
        seen.add(function)
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        used = {name for part in (code, *inner) for name in part.co_names}
        if _reads_by_number(code) or getattr(function, "__closure__", None):
            names.add(ANY_FIELD)
        names |= used
        found = [(scope, name, scope.get(name)) for name in used]
        found += [
            (vars(value), name, vars(value).get(name))
            for _, _, value in tuple(found) if isinstance(value, ModuleType) for name in used
        ]  # fmt: skip
        looked_up += found
        waiting += [value for _, _, value in found]
    return frozenset(names), looked_up


@lru_cache(maxsize=1024)
def _reads_by_number(code: CodeType) -> bool:
    """Whether code takes an element of ``data`` by its number, or all of them one after the other."""
    return takes_elements(dis.get_instructions(code))


def takes_elements(code: Iterable[Any]) -> bool:
    """The same of instructions; versions of Python differ in their names, and in how many loads are one of them."""
    steps: list[tuple[str, Any]] = []
    for step in code:
        if step.opname.startswith("LOAD_FAST"):
            steps += [("load", name) for name in (step.argval if isinstance(step.argval, tuple) else (step.argval,))]
        elif step.opname == "BINARY_SUBSCR" or (step.opname == "BINARY_OP" and step.argrepr == "[]"):
            steps.append(("[]", None))
        elif step.opname not in ("CACHE", "PRECALL"):
            steps.append((step.opname, None))
    for step, (after, _), (last, _) in zip(steps, steps[1:], [*steps[2:], steps[-1]], strict=False):
        if step == ("load", "data") and (after in ("GET_ITER", "UNPACK_SEQUENCE", "UNPACK_EX") or last == "[]"):
            return True
    return False


class KeptTable(NamedTuple):
    """A table on disk."""

    purpose: str
    size: int
    used: float
    name: str


def kept_tables(folder: Folder) -> list[KeptTable]:
    """The tables on disk, those unused longest first."""
    return [
        KeptTable(_words(folder, file.name), file.size, file.used, file.name)
        for file in folder.files(TABLES)
        if not file.part
    ]


def _words(folder: Folder, name: str) -> str:
    """What a table on disk is for."""
    with suppress(OSError), folder.open(name) as file:
        return _tail(file)
    return "?"


def _tail(file: BinaryIO) -> str:
    file.seek(-2, os.SEEK_END)
    length = int.from_bytes(file.read(2), "little")
    file.seek(-2 - length, os.SEEK_END)
    return file.read(length).decode(errors="replace")
