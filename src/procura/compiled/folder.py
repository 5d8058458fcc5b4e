"""The folder of compiled kernels, and writing files into it whole."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def folder() -> Path | None:
    """The folder of compiled kernels, made if need be; None if there is none that can be trusted.

    ``PROCURA_CACHE`` names another folder than the user's cache folder, or ``off``.
    """
    named = os.environ.get("PROCURA_CACHE")
    if named == "off":
        return None
    if named:
        root = Path(named)
    else:
        import platformdirs

        root = Path(platformdirs.user_cache_dir("procura", appauthor=False))
    path = root / "kernels"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path if _private(path) else None
    except OSError:
        return None


def _private(path: Path) -> bool:
    """Whether nobody but this user can write into ``path``, which is no link."""
    info = os.lstat(path)
    if not stat.S_ISDIR(info.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return info.st_uid == os.geteuid() and not info.st_mode & 0o022


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it, so that it is never seen in part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def trim(root: Path, most: int) -> None:
    """Delete the files unused longest until at most ``most`` bytes are left."""
    found = []
    for path in root.iterdir():
        with suppress(OSError):
            info = path.stat()
            found.append((info.st_mtime, info.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= most:
            return
        with suppress(OSError):
            path.unlink()
            total -= size
