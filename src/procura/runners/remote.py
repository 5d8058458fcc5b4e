"""What happens on a worker of a cluster: a task of dask starts a child process here, by the manager of this machine.

One thread a kind of work, the keeper, starts the children and holds them to their limits; a task waits for what it
tells. A child lives no longer than the lease of the client that asked for it, which the client renews as long as it
lives; and it dies with the worker.
"""

from __future__ import annotations

import atexit
import os
import platform
import queue
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from procura.errors import ProcuraError
from procura.result import Limits
from procura.runners.code import own_code
from procura.runners.local import Workers
from procura.runners.runner import Ended, Setup, Task, versions

MOST_AT_ONCE = 1024
"""Children of a worker; how many there are is dask's business: a task for each of its threads."""

Payload = Mapping[str, Any]


class Lease:
    """Until when the tasks of a client may go on, by the clock of this worker."""

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}

    def renew(self, client: str, seconds: float) -> None:
        """It begins anew."""
        self._ends[client] = time.monotonic() + seconds

    def end(self, client: str) -> None:
        """It ends now."""
        self._ends[client] = 0.0

    def holds(self, client: str) -> bool:
        """Whether it has not ended."""
        return time.monotonic() < self._ends.get(client, 0.0)

    def any_holds(self) -> bool:
        """Whether there is a client at all."""
        return any(map(self.holds, list(self._ends)))


LEASE = Lease()
_keepers: dict[tuple[bool, str], Keeper] = {}
_lock = threading.Lock()
_unpacking = threading.Lock()
_compiled: set[str | None] = {None}
"""What is known to be compiled on this machine."""


def renew(client: str, seconds: float) -> str:
    """Called by the client on every worker, now and then; which worker this is."""
    LEASE.renew(client, seconds)
    return platform.node()


def drop(client: str, names: list[str] | None) -> None:
    """Give up some tasks of a client, or all."""
    if names is None:
        LEASE.end(client)
    for keeper in list(_keepers.values()):
        keeper.drop(names or [])


def make(payload: Payload) -> dict[str, Any]:
    """Make a task; called by dask in a thread of the worker.

    The answer has ``ended``, or ``refused`` (this worker cannot make it) or ``lost`` (it was not finished), a sentence.
    """
    refusal = _refusal(payload["versions"])
    if refusal is not None:
        return {"refused": refusal}
    from distributed import get_worker

    LEASE.renew(payload["client"], payload["lease"])
    worker = get_worker()
    try:
        task = _task(payload)
        ended = _keeper(payload["compiled"], task).make(payload["name"], payload["client"], task).result()
    except (ProcuraError, OSError) as error:
        return {"lost": f"{platform.node()}: {error}"}
    if ended is None:
        return {"lost": f"{platform.node()}: the lease of its client ended, or the worker is closing"}
    if ended.result is not None:
        _compiled.add(payload["shape"])
    here = {"host": platform.node(), "worker": str(worker.name), "jobs": worker.state.nthreads}
    return {"ended": asdict(replace(ended, machine={**ended.machine, **here}))}


def _refusal(wanted: Mapping[str, str | None]) -> str | None:
    """Why this worker would give other results than the client, if it would."""
    here = versions()
    for name, version in wanted.items():
        if here.get(name) != version:
            what = {"source": "procura's source, by its digest"}.get(name, name)
            has = f"no {what}" if here.get(name) is None else f"{what} {here[name]}"
            return f"it has {has}: expected {'none' if version is None else version}, as the client has"
    return None


def _task(payload: Payload) -> Task:
    """The task, whose user's class is a file of this machine now."""
    request, setup = payload["request"], payload["setup"]
    if payload["files"] is not None:
        place = str(_unpacked(payload["files"], payload["code"]))
        request, setup = _moved(request, place), _moved(setup, place)
    alone = {} if payload["shape"] is None else {"alone": payload["shape"]}
    if setup is not None:
        setup = {**setup, **alone}
    elif payload["shape"] not in _compiled:
        request = {**request, **alone}
    return Task(request, Limits(**payload["limits"]), setup=None if setup is None else Setup(setup))


def _moved(request: Any, place: str) -> Any:
    """A request with the puzzle's file in another place, wherever it names it."""
    if not isinstance(request, Mapping):
        return request
    moved = {name: _moved(value, place) for name, value in request.items()}
    if isinstance(moved.get("puzzle"), str):
        moved["puzzle"] = f"{place}:{moved['puzzle'].rpartition(':')[2]}"
    return moved


def _unpacked(files: Mapping[str, bytes], code: str) -> Path:
    """The first of these files, in a folder of this worker that is named by their digest."""
    first = next(iter(files))
    with _unpacking:
        home = _code_folder()
        folder = home / code
        if own_code(folder / first) != code:
            with tempfile.TemporaryDirectory(dir=home) as made:
                for name, content in files.items():
                    path = Path(made) / "files" / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                shutil.rmtree(folder, ignore_errors=True)
                os.rename(Path(made) / "files", folder)
    return folder / first


@cache
def _code_folder() -> Path:
    """Where users' classes are put; it goes with the worker."""
    folder = tempfile.mkdtemp(prefix="procura-code-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _keeper(compiled: bool, task: Task) -> Keeper:
    work: str = (task.setup or task).request["work"]
    with _lock:
        kind = compiled, work.partition(":")[0]
        if kind not in _keepers:
            _keepers[kind] = Keeper(compiled, _closing())
        return _keepers[kind]


def _closing() -> Callable[[], bool]:
    """Whether the worker of this thread is about to end."""
    from distributed import Status, get_worker

    worker = get_worker()
    return lambda: worker.status not in (Status.running, Status.paused, Status.closing_gracefully)


class Keeper:
    """A thread that has children of one kind of work started and watched."""

    def __init__(self, compiled: bool, closing: Callable[[], bool]) -> None:
        self.workers = Workers(MOST_AT_ONCE, compiled)
        self.closing = closing
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[str, Task, Future[Ended | None]]] = {}
        """By name: whose task it is, the task, and who waits for it."""
        self._over = False
        """Whether the thread has ended: no task is begun any more."""
        threading.Thread(target=self._keep, daemon=True, name="procura keeper").start()

    def make(self, name: str, client: str, task: Task) -> Future[Ended | None]:
        """Have a task made; None comes of it if it was given up."""
        future: Future[Ended | None] = Future()

        def begin() -> None:
            if self._over:
                future.set_result(None)
                return
            self._under_way[name] = client, task, future
            self.workers.start(task)

        self._order(begin)
        return future

    def drop(self, names: list[str]) -> None:
        """Give up some tasks, and those whose lease has ended."""

        def give_up() -> None:
            for name in names:
                if name in self._under_way:
                    self._give_up(name)

        self._order(give_up)

    def _order(self, order: Callable[[], None]) -> None:
        self._orders.put(order)
        self.workers.wake()
        if self._over:
            self._refuse_orders()

    def _refuse_orders(self) -> None:
        """When it is over, whoever waits for what was ordered hears of it."""
        with suppress(queue.Empty):
            while True:
                self._orders.get_nowait()()

    def _keep(self) -> None:
        try:
            self._keep_on()
        finally:
            with _lock:
                for kind in [kind for kind, keeper in _keepers.items() if keeper is self]:
                    del _keepers[kind]
            self._over = True
            self._refuse_orders()

    def _keep_on(self) -> None:
        with self.workers:
            while not self.closing():
                try:
                    self._go_on()
                except Exception as error:  # the fork server cannot be started: every task hears of it
                    for _, _, future in self._under_way.values():
                        future.set_exception(error)
                    self._under_way.clear()
                    self.workers.drop()
            for name in list(self._under_way):
                self._give_up(name)

    def _go_on(self) -> None:
        with suppress(queue.Empty):
            while True:
                self._orders.get(block=not self._under_way, timeout=1.0)()
        for name, (client, _, _) in list(self._under_way.items()):
            if not LEASE.holds(client):
                self._give_up(name)
        if not self._under_way and not LEASE.any_holds():
            self.workers.close()
        names = {id(task): name for name, (_, task, _) in self._under_way.items()}
        for task, ended in self.workers.wait(0.0) if names else ():
            if id(task) in names:
                self._under_way.pop(names[id(task)])[2].set_result(ended)

    def _give_up(self, name: str) -> None:
        _, task, future = self._under_way.pop(name)
        self.workers.cancel(task)
        future.set_result(None)
