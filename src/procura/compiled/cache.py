"""The kernel cache: compiled kernels on disk, one file each, named by a hash of all that they depend on.

Numba's own file cache is replaced by this one, because it keys by the file of the outer function only, numbers its
data files and trusts what it reads. Here a file is ``header, SHA-256 of its name and the rest, pickled machine code``,
written under a temporary name and renamed, so that processes that race each write the same thing whole. It is read and
written through a ``Folder`` that nobody else can write to; anything unexpected in it counts as absent, and the kernel
is compiled again.
"""

from __future__ import annotations

import hashlib
import pickle
from contextlib import suppress
from typing import Any

from procura.compiled.inside import OwnCache
from procura.compiled.kernels import KERNELS, kernel_folder

HEADER = KERNELS.magic + b"2\n"
MOST_BYTES = 256 << 20


class KernelCache(OwnCache):
    """The cache of one dispatcher that is compiled for one signature."""

    def __init__(self, digest: str) -> None:
        self.name = f"{digest}.kernel"

    def read(self) -> Any:
        """The compiled kernel from disk."""
        with kernel_folder() as folder:
            raw = folder.read(self.name)
        body = raw[len(HEADER) + 32 :]
        if raw[: -len(body)] != self._head(body):
            raise ValueError("not the kernel that it says it is")
        return pickle.loads(body)

    def write(self, body: bytes) -> None:
        """Write the compiled kernel, whole or not at all; a folder that takes no files is no error."""
        with suppress(OSError), kernel_folder() as folder:
            folder.write(self.name, self._head(body) + body)
            folder.trim(KERNELS, MOST_BYTES)

    def _head(self, body: bytes) -> bytes:
        """What stands before the machine code; it fits no other code, and no other name."""
        return HEADER + hashlib.sha256(self.name.encode() + b"\0" + body).digest()
