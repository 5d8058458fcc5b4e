"""The static studio: ``python tools/site/studio.py [FOLDER]`` puts it together, by default in site/studio.

It is the page of ``procura studio`` with a worker in place of the server: Pyodide, which npm fetches once, runs the
package's own source. What npm fetched is compared with the hash below. Without npm a page says what is missing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from links import ROOT

SOURCE = ROOT / "src" / "procura"
PAGE = SOURCE / "studio" / "page"
VERSION = "314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package as npm publishes it."""
PATIENCE = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=120000")
"""How long npm tries where nothing can be fetched."""
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LOCAL_ONLY = {"door.html", "door.js"}
NOT_IN_PAGES = ("cli/", "runners/", "study/", "tune/", "studio/server.py", "studio/files.py", "studio/child.py")
"""Parts of the package that a page never asks for."""
MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>procura studio</title>
<body style="font: 17px/1.6 system-ui, sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 20px">
<h1>The studio is not in this copy</h1><p>These pages were built without npm, which brings the Python that runs in a
browser. <code>procura studio</code> opens the same page on your machine; <code>make docs</code> where npm is installed
puts it here.</p>
"""


class Missing(Exception):
    """Pyodide cannot be had; the message says why."""


def fetch() -> Path:
    """The package of Pyodide, from npm or as it was fetched before; raises ``Missing``. Several may fetch at once."""
    kept = Path(sys.prefix) / f"pyodide-{VERSION}.tgz"
    if kept.exists() and _is_expected(kept):
        return kept
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is not installed")
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        command = [npm, "pack", f"pyodide@{VERSION}", "--pack-destination", folder, "--silent", *PATIENCE]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        fetched = Path(folder) / kept.name
        if made.returncode or not fetched.exists():
            raise Missing(f"npm could not fetch pyodide {VERSION}")
        if not _is_expected(fetched):
            raise Missing(f"what npm fetched as pyodide {VERSION} has another hash than expected")
        os.replace(fetched, kept)
    return kept


def _is_expected(package: Path) -> bool:
    return base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode() == INTEGRITY


def unpack(package: Path, folder: Path) -> int:
    """Put what a page needs of Pyodide into a folder; how many bytes that is."""
    folder.mkdir(parents=True)
    total = 0
    with tarfile.open(package) as archive:
        for name in NEEDED:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            content = member.read()
            (folder / name).write_bytes(content)
            total += len(content)
    return total


def pack_source(target: Path) -> int:
    """The package's source as a zip, the same for the same source; how many bytes that is."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SOURCE.rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            if not name.startswith(NOT_IN_PAGES):
                info = zipfile.ZipInfo(f"procura/{name}", (1980, 1, 1, 0, 0, 0))
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target.stat().st_size


def _asked(session: Any, **message: Any) -> dict[str, Any]:
    said: list[dict[str, Any]] = []
    session.handle({"v": 1, "id": 0, **message}, said.append)
    return said[-1]


def build(folder: Path) -> str | None:
    """Put the static studio into a folder, in place of what was there; what is missing, if anything is."""
    from procura import catalog
    from procura.studio.session import Session

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        package = fetch()
    except Missing as missing:
        (folder / "index.html").write_text(MISSING, encoding="utf-8")
        return str(missing)
    for path in PAGE.iterdir():
        if path.name not in LOCAL_ONLY:
            shutil.copy(path, folder)
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert 'data-carrier="socket"' in index
    (folder / "index.html").write_text(
        index.replace('data-carrier="socket"', 'data-carrier="worker"'), encoding="utf-8"
    )
    for name, entry in catalog.PUZZLES.items():
        place = folder / "puzzles" / name
        place.mkdir(parents=True)
        for path in entry.page.parent.glob("*.js"):
            shutil.copy(path, place)
    session = Session(engines=("python",), limits={"seconds": "20", "nodes": "200000"}, code=True)
    welcome = _asked(session, do="hello")
    welcome["boards"] = {
        puzzle["name"]: {
            sample: _asked(session, do="board", puzzle=puzzle["name"], sample=sample) for sample in puzzle["samples"]
        }
        for puzzle in welcome["puzzles"]
    }
    (folder / "welcome.json").write_text(json.dumps(welcome), encoding="utf-8")
    total = unpack(package, folder / "pyodide") + pack_source(folder / "procura.zip")
    (folder / "sizes.json").write_text(json.dumps({"bytes": total}), encoding="utf-8")
    return None


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site" / "studio"
    missing = build(target)
    if missing:
        print(f"studio: not in the site, for {missing}; a page in its place says so", file=sys.stderr)
    else:
        print(f"studio: {target}, to be served: python -m http.server --directory {target}")
