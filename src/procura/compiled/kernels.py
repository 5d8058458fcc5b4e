"""Where compiled kernels are kept, how their files are told from others, and which runs find theirs; without Numba.

A hint is a small file that names the kernels which one kind of run has used. If they are all there, such a run need
not wait for a compiler. A hint that is wrong costs time only.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec

from procura.folder import Folder, Kind, cache_root

KERNELS = Kind(names=r"[0-9a-f]{64}\.kernel", magic=b"procura kernel ")
HINTS = Kind(names=r"[0-9a-f]{64}\.hint", magic=b"procura hint ")
MOST_HINT_BYTES = 1 << 20


def kernel_folder() -> Folder:
    """The folder of compiled kernels; ``OSError`` if there is none that can be trusted."""
    return Folder(cache_root() / "kernels")


def hinted(digest: str) -> bool:
    """Whether all kernels that a kind of run has used lie in the cache."""
    try:
        with kernel_folder() as folder:
            names = folder.read(f"{digest}.hint").removeprefix(HINTS.magic).decode().split()
            for name in names:
                folder.open(name).close()
    except (OSError, ValueError):
        return False
    return bool(names)


def hint(digest: str, names: Iterable[str]) -> None:
    """Note the kernels that a kind of run uses; a folder that takes no files is no error."""
    with suppress(OSError), kernel_folder() as folder:
        folder.write(f"{digest}.hint", HINTS.magic + "\n".join(names).encode())
        folder.trim(HINTS, MOST_HINT_BYTES)


def can_compile() -> bool:
    """Whether there is Numba."""
    return find_spec("numba") is not None
