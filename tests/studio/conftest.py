"""Studios that run: the address of ``procura studio``, that of the static page, and pages of a browser on both."""

from __future__ import annotations

import asyncio
import fcntl
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(ROOT / "tools" / "site"))

from browsing import LONG, Visit  # noqa: E402


@contextmanager
def _serving(*options):
    """The address that ``procura studio`` prints."""
    pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    command = [sys.executable, "-m", "procura", "studio", "--port", "0", "--no-browser", *map(str, options)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(LONG)


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    """A studio with a class of a user's own, a folder of boards, and leave to run code."""
    folder = tmp_path_factory.mktemp("boards")
    (folder / "eight.txt").write_text("8 1 3 4 0 2 7 6 5\n1 2 3 4 5 6 0 7 8\n")
    own = f"{ROOT / 'examples' / 'jugs.py'}:Jugs"
    with _serving("--puzzle", own, "--allow-code", folder) as address:
        yield address


@pytest.fixture(scope="session")
def plain_studio():
    """A studio as it is without options."""
    with _serving() as address:
        yield address


class _Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def static(tmp_path_factory):
    """The address of the static studio, served alone; the first worker builds it for all of them."""
    import studio as builder

    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, built = shared / "studio", shared / "studio-built"
    with open(shared / "studio-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            built.write_text(builder.build(folder) or "")
    if built.read_text():
        pytest.skip(built.read_text())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    """Chromium with the loop that Playwright runs for it, once for each worker."""
    api = pytest.importorskip("playwright.sync_api", reason="the extra browser is not installed")
    place = os.environ.get("PROCURA_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if place is None:
        pytest.skip("there is no Chromium: apt-get install chromium, or PROCURA_CHROMIUM names another")
    with api.sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=place, args=["--no-sandbox", "--disable-dev-shm-usage"])
        except api.Error as error:
            pytest.skip(f"{place} does not start: {str(error).splitlines()[0]}")
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield opened, loop
        asyncio._set_running_loop(loop)
        opened.close()


@pytest.fixture
def browser(chromium):
    """Chromium; between the tests that use it Playwright's loop is out of the way of other tests' loops."""
    opened, loop = chromium
    asyncio._set_running_loop(loop)
    yield opened
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def visits():
    """The pages that are open, by carrier: Python starts slowly in a page, so tests share one."""
    return {}


@pytest.fixture(params=["studio", "static"])
def visit(request, browser, visits):
    """A page on one of the carriers, shared by the tests; after each, no error stands in its console."""
    if request.param not in visits:
        visits[request.param] = Visit(browser, request.getfixturevalue(request.param))
    made = visits[request.param]
    yield made
    wrong, made.wrong = made.wrong, []
    assert wrong == []
