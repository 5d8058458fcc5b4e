"""The local studio: a server for this machine only, which runs the session's searches in threads.

Everything is below the token, the first part of the address, and only a browser page of this very server may connect:
Host and Origin are compared, messages are bounded in size and rate, and a search ends when its page is gone.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from asyncio.subprocess import PIPE
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from procura import catalog
from procura.errors import InputError
from procura.studio.files import Files
from procura.studio.session import VERSION, Session, load_own

PAGE = Path(__file__).parent / "page"
PORT = 8642
LARGEST_MESSAGE = 512_000
"""Bytes of a message; a larger one closes the connection."""
RATE, BURST = 50.0, 200.0
"""Messages a second that a page may send, and how many at once."""
MOST_AT_ONCE = 6
"""Requests of one page under way at once."""
THREADS = 32
LARGEST_REPLY = 64_000_000
"""Bytes of a child's reply."""
CHILD = (sys.executable, "-m", "procura.studio.child")
"""What runs a page's own code."""
BESIDE = ("solve",)
"""Requests that run beside others of the same page; the rest wait for each other."""
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Studio:
    """The application: pages and files of the studio, and a WebSocket for each page."""

    def __init__(
        self, own: Sequence[str] = (), folder: str | None = None, token: str | None = None, code: bool = False
    ) -> None:
        self.code = code
        self.token = token or secrets.token_urlsafe(24)
        self.hosts: tuple[str, ...] = ()
        self.own, self.files = load_own(own), None if folder is None else Files(folder)
        self.threads = ThreadPoolExecutor(THREADS, "studio")
        self.public = _public_files()

    def listens_at(self, port: int) -> None:
        """Note the names that this server has."""
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            page = WebSocket(scope, receive, send)
            if refusal is not None:
                return await page.close(1008, refusal)
            return await Page(self, page).serve()
        answer = PlainTextResponse(f"{refusal}\n", 403) if refusal else self._response(scope)
        for name, value in _headers(self.hosts).items():
            answer.headers[name] = value
        return await answer(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> str | None:
        """Why a request is refused; None if it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return "the studio answers to 127.0.0.1 only"
        if origin is not None and origin != f"http://{host}":
            return "the studio answers its own pages only"
        if scope["type"] == "websocket":
            if origin is None:
                return "the studio answers its own pages only"
            if not self._has_token(scope["path"]):
                return "the address lacks the studio's token"
        return None

    def _has_token(self, path: str) -> bool:
        first = path[1:].partition("/")[0]
        return hmac.compare_digest(first.encode(), self.token.encode())

    def _response(self, scope: Scope) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("expected GET\n", 405)
        path: str = scope["path"]
        if path == "/door.js":
            return FileResponse(PAGE / "door.js", media_type=KINDS[".js"])
        if not self._has_token(path):
            return FileResponse(PAGE / "door.html", 403, media_type="text/html")
        _, slash, name = path[1:].partition("/")
        if not slash:
            return Response(status_code=307, headers={"location": f"/{self.token}/"})
        file = self.public.get(name or "index.html")
        if file is None:
            return PlainTextResponse("there is no such page\n", 404)
        return FileResponse(file, media_type=KINDS[file.suffix])


def _public_files() -> dict[str, Path]:
    """All that is served, by name: the page, and what each puzzle of the catalog brings to it."""
    found = {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.suffix in KINDS}
    for name, entry in catalog.PUZZLES.items():
        for path in entry.page.parent.glob("*.js"):
            found[f"puzzles/{name}/{path.name}"] = path
    return {name: path for name, path in found.items() if path.is_file()}


def _headers(hosts: Sequence[str]) -> dict[str, str]:
    sockets = " ".join(f"ws://{host}" for host in hosts)
    rules = [
        "default-src 'self'",
        f"connect-src 'self' {sockets}",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
    return {
        "content-security-policy": "; ".join(rules),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
    }


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


class Page:
    """One page that is connected: its session, and the requests under way."""

    def __init__(self, studio: Studio, connection: WebSocket) -> None:
        self.studio, self.connection = studio, connection
        self.session = Session(studio.own, files=studio.files)
        self.session.offers_code = studio.code
        self.running: dict[Any, threading.Event] = {}
        self.replies: asyncio.Queue[str] = asyncio.Queue()
        self.in_turn, self.in_child = asyncio.Lock(), asyncio.Lock()
        self.child: asyncio.subprocess.Process | None = None
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        """Where the child keeps what it writes, which goes when the page is gone."""
        self.asked_child: Any = None
        """The request that the child has."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.allowance, self.seen = BURST, time.monotonic()

    async def serve(self) -> None:
        """Take messages until the page is gone; then its searches end."""
        await self.connection.accept()
        writer = asyncio.create_task(self._write())
        try:
            while True:
                text = await self.connection.receive_text()
                if not self._allowed():
                    await self.connection.close(1008, f"too many messages: expected at most {RATE:g} a second")
                    break
                self._take(text)
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass
        finally:
            for cancelled in self.running.values():
                cancelled.set()
            self._end_child()
            if self.folder is not None:
                self.folder.cleanup()
            for task in [*self.tasks, writer]:
                task.cancel()

    def _allowed(self) -> bool:
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.seen) * RATE) - 1
        self.seen = now
        return self.allowance >= 0

    def _take(self, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return self._error(None, "expected a message in JSON")
        if not isinstance(message, dict):
            return self._error(None, "expected an object")
        if message.get("do") == "stop":
            stopped = self.running.get(_mark(message.get("of")))
            if stopped is not None:
                stopped.set()
                if stopped is self.asked_child:
                    self._end_child()
            return None
        mark = _mark(message.get("id"))
        if len(self.running) >= MOST_AT_ONCE or mark in self.running:
            return self._error(mark, f"{len(self.running)} requests of this page are under way: expected to wait")
        self.running[mark] = cancelled = threading.Event()
        task = asyncio.create_task(self._answer(mark, message, cancelled))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return None

    async def _answer(self, mark: Any, message: dict[str, Any], cancelled: threading.Event) -> None:
        """Answer a message in a thread; most wait for the one before, a search does not keep others waiting."""
        try:
            if self.studio.code and "code" in message:
                await self._by_child(mark, message, cancelled)
            elif message.get("do") in BESIDE:
                await self._in_thread(mark, message, cancelled)
            else:
                async with self.in_turn:
                    await self._in_thread(mark, message, cancelled)
        finally:
            self._ended(mark, cancelled)

    async def _in_thread(self, mark: Any, message: dict[str, Any], cancelled: threading.Event) -> None:
        loop = asyncio.get_running_loop()

        def send(reply: dict[str, Any]) -> None:
            text = json.dumps(reply, allow_nan=False)
            with suppress(RuntimeError):  # the server is closing
                if reply["last"]:  # before the page can hear of it and ask again
                    loop.call_soon_threadsafe(self._ended, mark, cancelled)
                loop.call_soon_threadsafe(self.replies.put_nowait, text)

        await loop.run_in_executor(self.studio.threads, lambda: self.session.handle(message, send, cancelled.is_set))

    async def _by_child(self, mark: Any, message: dict[str, Any], cancelled: threading.Event) -> None:
        """Answer a message with code in it: a child of this page runs it, which is ended if that is stopped."""
        async with self.in_child:
            if self.child is None:
                self.folder = self.folder or tempfile.TemporaryDirectory(prefix="procura-", ignore_cleanup_errors=True)
                self.child = await asyncio.create_subprocess_exec(
                    *CHILD, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=LARGEST_REPLY,
                    env={**os.environ, "TMPDIR": self.folder.name},
                )  # fmt: skip
            child, self.asked_child = self.child, cancelled
            assert child.stdin is not None and child.stdout is not None
            with suppress(ConnectionError, ValueError):
                if cancelled.is_set():
                    self._end_child()
                child.stdin.write(json.dumps(message).encode() + b"\n")
                while line := await child.stdout.readline():
                    if json.loads(line)["last"]:
                        self._ended(mark, cancelled)
                        return self.replies.put_nowait(line.decode())
                    self.replies.put_nowait(line.decode())
            self._end_child()
            self._ended(mark, cancelled)
            if not cancelled.is_set():
                return self._error(mark, "the process that ran the puzzle's code has ended")
            return self.replies.put_nowait(json.dumps({"v": VERSION, "id": mark, "is": "stopped", "last": True}))

    def _end_child(self) -> None:
        """Kill the child and what it started."""
        child, self.child, self.asked_child = self.child, None, None
        if child is not None and child.returncode is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(child.pid, signal.SIGKILL)
                else:
                    child.kill()

    def _ended(self, mark: Any, cancelled: threading.Event) -> None:
        if self.running.get(mark) is cancelled:
            del self.running[mark]

    def _error(self, mark: Any, text: str) -> None:
        told = {"v": VERSION, "id": mark, "is": "error", "text": text, "last": True}
        self.replies.put_nowait(json.dumps(told))

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self.connection.send_text(await self.replies.get())


def _mark(value: Any) -> int | str | None:
    return value if isinstance(value, int | str) else None


def serve(
    own: Sequence[str] = (),
    folder: str | None = None,
    port: int | None = None,
    ready: Callable[[str], None] = print,
    code: bool = False,
) -> None:
    """Serve the studio until Ctrl-C; ``ready`` is told its address, with the token, as soon as it listens.

    With ``code`` a page may bring a puzzle's code, which a child process runs.
    """
    studio = Studio(own, folder, code=code)
    listener = _listener(port)
    studio.listens_at(listener.getsockname()[1])
    server = uvicorn.Server(
        uvicorn.Config(
            studio, log_level="error", access_log=False, lifespan="on", ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE, ws_ping_interval=20, ws_ping_timeout=20, timeout_graceful_shutdown=1,
            server_header=False,
        )
    )  # fmt: skip
    ready(f"http://127.0.0.1:{listener.getsockname()[1]}/{studio.token}/")  # who comes now waits a moment
    try:
        server.run([listener])
    finally:
        studio.threads.shutdown(wait=False, cancel_futures=True)


def _listener(port: int | None) -> socket.socket:
    """A socket of this machine; without a port asked for, the usual one or any that is free."""
    for wanted in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", wanted))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            if wanted == port:
                raise InputError(f"--port {port}: {error.strerror}") from None
    raise InputError("there is no free port on this machine")
