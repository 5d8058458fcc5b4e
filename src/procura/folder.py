"""A folder that belongs to this user alone: opened once, checked while open, read and written through what is open.

What the cache folder holds is run or believed, so nobody else may have put it there. A path can lead elsewhere from
one moment to the next; a folder that is open stays what it is. So ``Folder`` opens every name from the root down in
the folder opened before, and looks at the owner and the mode of each: others must not be able to put anything in its
place. Files are opened in it without following links, and looked at in the same way. Where a system cannot open names
in a folder (Windows), the folder is used by its path.

The folder may hold files of several kinds, and of other people: only what is ours by its name and by how its content
begins is ever deleted.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

CHECKED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system can open names in an open folder."""
MOST_LINKS = 40
ABANDONED_SECONDS = 3600.0
"""A file half written for so long is being written by nobody."""

_PART = re.compile(r"(.+)\.[0-9a-f]{16}\.part")
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_READ = _PLAIN | os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOATIME", 0)
"""To read without counting as used, which ``touch`` does."""
_CHANGE = _PLAIN | os.O_RDWR | getattr(os, "O_NONBLOCK", 0)
_WRITE = _PLAIN | os.O_RDWR | os.O_CREAT | os.O_EXCL
_FOLDER = _PLAIN | getattr(os, "O_DIRECTORY", 0)
_PASS = _FOLDER | getattr(os, "O_PATH", os.O_RDONLY)
"""To pass through a folder, which needs no right to list it."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: a regular expression for its names, and what its content begins with."""

    names: str
    magic: bytes


@dataclass(frozen=True)
class File:
    """A file of a folder."""

    name: str
    size: int
    used: float
    """When it was last written or read, in seconds since 1970."""
    part: bool
    """Half written: by somebody who is at it, or was killed."""


def cache_root() -> Path:
    """The folder of all that is kept on disk: ``PROCURA_CACHE``, or else in the user's cache folder.

    ``OSError`` if that is ``off``.
    """
    named = os.environ.get("PROCURA_CACHE")
    if named == "off":
        raise FileNotFoundError("PROCURA_CACHE is off")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("procura", appauthor=False))


class Folder:
    """An open folder of this user's own, made if need be; ``OSError``, in a sentence, if it cannot be one."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._handle: int | None = None
        if CHECKED:
            self._handle = _open_folder(self.path)
        else:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def close(self) -> None:
        """Let go of the folder."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def open(self, name: str, change: bool = False) -> BinaryIO:
        """A file, to be read or changed in place; ``OSError`` if none is there that only this user can have written."""
        handle = os.open(self._place(name), _CHANGE if change else _READ, dir_fd=self._handle)
        try:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", name)
            if CHECKED:
                _check(info, self.path / name, (os.geteuid(),))
            return os.fdopen(handle, "r+b" if change else "rb")
        except BaseException:
            os.close(handle)
            raise

    def read(self, name: str) -> bytes:
        """The content of a file, which counts as used now."""
        with self.open(name) as file:
            self.touch(file, name)
            return file.read()

    def touch(self, file: BinaryIO, name: str, written: int | None = None) -> None:
        """Let an open file count as used now, and as last written at ``written``, in nanoseconds since 1970."""
        with suppress(OSError):
            times = (time.time_ns(), os.fstat(file.fileno()).st_mtime_ns if written is None else written)
            os.utime(file.fileno() if os.utime in os.supports_fd else self._place(name), ns=times)

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """A new file, to be written; it gets its name at the end, and if anything is raised before it is deleted."""
        part = f"{name}.{secrets.token_hex(8)}.part"
        with os.fdopen(os.open(self._place(part), _WRITE, 0o600, dir_fd=self._handle), "w+b") as file:
            try:
                yield file
                file.flush()
            except BaseException:
                with suppress(OSError):  # on a full disk it cannot write what it holds
                    file.close()
                self._delete(part)
                raise
        try:
            os.replace(self._place(part), self._place(name), src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except BaseException:
            self._delete(part)
            raise

    @contextmanager
    def locked(self, name: str, waiting: Callable[[], None], seconds: float) -> Iterator[None]:
        """Only one process at a time is inside for a name; ``waiting`` is called every so many ``seconds`` until then.

        A lock ends with its process. Where the system or the folder has no locks, everybody goes in.
        """
        lock = f"{name}.lock"
        handle = self._lock(lock, waiting, seconds)
        try:
            if handle is not None:
                self._delete_parts(name)
            yield
        finally:
            if handle is not None:
                self._delete(lock)
                os.close(handle)

    def _lock(self, lock: str, waiting: Callable[[], None], seconds: float) -> int | None:
        try:
            import fcntl
        except ImportError:
            return None
        while True:
            try:
                handle = os.open(self._place(lock), _PLAIN | os.O_RDWR | os.O_CREAT, 0o600, dir_fd=self._handle)
            except OSError:
                return None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_still(lock, handle):
                    return handle
                os.close(handle)  # whoever had the lock has deleted the file
            except BlockingIOError:
                os.close(handle)
                time.sleep(seconds)
                waiting()
            except OSError:
                os.close(handle)
                return None

    def _is_still(self, name: str, handle: int) -> bool:
        """Whether the file of this name is the open one."""
        with suppress(OSError):
            there, here = os.stat(self._place(name), dir_fd=self._handle, follow_symlinks=False), os.fstat(handle)
            return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
        return False

    def _delete_parts(self, name: str) -> None:
        """Delete what others have left half written of a file that nobody else can be writing."""
        for other in os.listdir(self.path if self._handle is None else self._handle):
            part = _PART.fullmatch(other)
            if part and part[1] == name:
                self._delete(other)

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        with self.writing(name) as file:
            file.write(content)

    def files(self, kind: Kind) -> list[File]:
        """The files of a kind, also those half written; those unused longest first."""
        found = []
        for name in os.listdir(self.path if self._handle is None else self._handle):
            part = _PART.fullmatch(name)
            if not re.fullmatch(kind.names, part[1] if part else name):
                continue
            with suppress(OSError), self.open(name) as file:
                begins = file.read(len(kind.magic))
                if begins == kind.magic or (part and kind.magic.startswith(begins)):
                    info = os.fstat(file.fileno())
                    found.append(File(name, info.st_size, max(info.st_atime, info.st_mtime), part is not None))
        return sorted(found, key=lambda file: (file.used, file.name))

    def clear(self, kind: Kind) -> list[File]:
        """Delete all files of a kind; those deleted."""
        return [file for file in self.files(kind) if self._delete(file.name)]

    def trim(self, kind: Kind, most: int, keep: str | None = None) -> list[File]:
        """Delete what was abandoned half written, and what was unused longest until ``most`` bytes are left.

        The file named ``keep`` stays.
        """
        files = self.files(kind)
        total = sum(file.size for file in files)
        deleted = []
        for file in files:
            abandoned = file.part and file.used < time.time() - ABANDONED_SECONDS
            if (abandoned or (total > most and not file.part)) and file.name != keep and self._delete(file.name):
                deleted.append(file)
                total -= file.size
        return deleted

    def _place(self, name: str) -> str:
        """What opens ``name`` in this folder."""
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise ValueError(f"{name!r}: expected the name of a file")
        return name if CHECKED else str(self.path / name)

    def _delete(self, name: str) -> bool:
        try:
            os.unlink(self._place(name), dir_fd=self._handle)
        except OSError:
            return False
        return True


def _open_folder(path: Path) -> int:
    """Open a folder that is no link, made if need be: name after name from the root, each in one that is checked."""
    waiting = list(reversed(path.parts))
    handle, at, links = None, Path(), 0
    try:
        while waiting:
            name = waiting.pop()
            try:
                following = _open_or_make(name, handle)
            except OSError as error:
                target = _link(name, handle, at) if handle is not None and waiting else None
                if target is None or links == MOST_LINKS:
                    raise OSError(error.errno, error.strerror, str(at / name)) from None
                waiting += reversed(Path(target).parts)
                links += 1
                continue
            at /= name
            if handle is not None:
                os.close(handle)
            handle = following
            info = os.fstat(handle)
            _check(info, at, (os.geteuid(), 0), sticky=True)
        _check(info, at, (os.geteuid(),))
        return os.open(".", _FOLDER | os.O_RDONLY, dir_fd=handle)
    finally:
        if handle is not None:
            os.close(handle)


def _open_or_make(name: str, parent: int | None) -> int:
    try:
        return os.open(name, _PASS, dir_fd=parent)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=parent)
        return os.open(name, _PASS, dir_fd=parent)


def _link(name: str, parent: int, at: Path) -> str | None:
    """Where a link leads that this user or root has made; None if it is no link."""
    try:
        target = os.readlink(name, dir_fd=parent)
    except OSError:
        return None
    owner = os.stat(name, dir_fd=parent, follow_symlinks=False).st_uid
    if owner not in (os.geteuid(), 0):
        raise PermissionError(errno.EPERM, "somebody else's link", str(at / name))
    return target


def _check(info: os.stat_result, place: Path, owners: tuple[int, ...], sticky: bool = False) -> None:
    """Refuse what somebody else owns or can write to; ``sticky`` allows folders such as /tmp."""
    if info.st_uid not in owners:
        raise PermissionError(errno.EPERM, "it belongs to another user", str(place))
    if sticky and info.st_mode & stat.S_ISVTX:
        return
    by_group = info.st_mode & stat.S_IWGRP and not _own_group(info.st_gid)
    if by_group or info.st_mode & stat.S_IWOTH:
        raise PermissionError(errno.EPERM, "others can write to it", str(place))


def _own_group(number: int) -> bool:
    """Whether a group is the one that came with this user, and has no other member."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return (user.pw_gid, user.pw_name) == (number, group.gr_name) and set(group.gr_mem) <= {user.pw_name}
