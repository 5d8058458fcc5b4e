"""The kernel cache: compiled kernels on disk, one file each, named by a hash of all that they depend on.

Numba's own file cache is replaced by this one, because it keys by the file of the outer function only, numbers its
data files and trusts what it reads. Here a file is ``magic, SHA-256 of the rest, pickled machine code``, written
under a temporary name and renamed, so that processes that race each write the same thing whole. The folder must
belong to this user, and nobody else may write into it; anything unexpected in it counts as absent, and the kernel is
compiled again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import compiler
from numba.core.caching import NullCache
from numba.core.serialize import dumps

from procura.compiled.folder import folder, trim, write_whole

MAGIC = b"procura kernel 1\n"
MOST_BYTES = 256 << 20


class KernelCache(NullCache):  # type: ignore[misc]
    """Stands in for Numba's cache of one dispatcher that is compiled for one signature."""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel from disk, or None."""
        target_context.refresh()
        path = self._path()
        if path is None:
            return None
        try:
            raw = path.read_bytes()
            body = raw[len(MAGIC) + 32 :]
            if not raw.startswith(MAGIC) or hashlib.sha256(body).digest() != raw[len(MAGIC) : len(MAGIC) + 32]:
                raise ValueError("not a whole kernel file")
            result = compiler.CompileResult._rebuild(target_context, *pickle.loads(body))
        except FileNotFoundError:
            return None
        except Exception:  # whatever is wrong with the file, the kernel can be compiled again
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return result

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Write the compiled kernel, whole or not at all; a folder that takes no files is no error."""
        path = self._path()
        if path is None or cres.library.has_dynamic_globals:
            return
        body = dumps(cres._reduce())
        with suppress(OSError):
            write_whole(path, MAGIC + hashlib.sha256(body).digest() + body)
            trim(path.parent, MOST_BYTES)

    def _path(self) -> Path | None:
        root = folder()
        return None if root is None else root / f"{self.digest}.kernel"
