"""A runner on a dask cluster: each task of ours is a task of dask, on a worker that is chosen here.

Dask carries tasks and answers, and knows which workers there are. What it does not do is left to us: a task is pinned
to its worker, so that it is made again, elsewhere, when we say so and not otherwise; it starts a child process there
that can be killed (``remote.py``), under a lease that is renewed from here. Whoever owns the results hears of each task
once, whatever became of its earlier attempts.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Self

from procura.errors import InputError, one_line
from procura.runners import remote
from procura.runners.code import own_files
from procura.runners.endings import Ending
from procura.runners.runner import LOST, Ended, RunnerError, Task, versions

LEASE_SECONDS = 15.0
"""How long the children of a client that is gone may go on."""
RENEW_SECONDS = 3.0
"""Between two renewals of the lease."""
SILENT_SECONDS = 30.0
"""A worker that does not answer for so long is taken for hung, until it answers again."""
LOOK_SECONDS = 0.5
"""Between two looks at which workers there are."""
CONNECT_SECONDS = 30.0
"""The most that a scheduler may take to answer, at first and when it was lost."""
CLOSING_SECONDS = 5.0
MOST_LOST = 5
"""How often a task is begun whose worker is lost."""


@dataclass
class _Attempt:
    """A task on a worker."""

    name: str
    task: Task
    worker: str
    began: float


@dataclass
class _Worker:
    """A worker, as it is known here."""

    slots: int
    busy: int = 0
    silent: bool = False
    refused: bool = False

    @property
    def free(self) -> int:
        """How many tasks more it takes."""
        return 0 if self.silent or self.refused else self.slots - self.busy


class Cluster:
    """The workers of a scheduler, or some on this machine.

    ``where`` is ``dask`` (workers are started here), ``dask://HOST:PORT``, an address as dask writes it, or the name of
    a scheduler file. ``jobs`` are the most tasks at once, or the workers to be started.
    """

    def __init__(
        self,
        where: str,
        jobs: int | None,
        compiled: bool,
        allow_code: bool,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.where, self.jobs, self.compiled, self.allow_code, self.say = where, jobs, compiled, allow_code, say
        self.again = 0
        """Attempts that were lost."""
        self._me = uuid.uuid4().hex
        self._workers: dict[str, _Worker] = {}
        self._attempts: dict[str, _Attempt] = {}
        self._waiting: deque[Task] = deque()
        self._losses: dict[int, list[str]] = {}
        """Why attempts at a task were lost, by the task's identity."""
        self._files: dict[str, Mapping[str, bytes]] = {}
        self._link: _Link | None = None

    def __enter__(self) -> Self:
        self._link = _Link(self.where, self.jobs, self._me)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def is_free(self) -> bool:
        room = sum(worker.free for worker in self._workers.values()) - len(self._waiting)
        most = room if self.jobs is None else min(room, self.jobs - len(self._attempts) - len(self._waiting))
        return most > 0

    def start(self, task: Task) -> None:
        if task.own is not None and not self.allow_code:
            raise InputError(f"{task.own} would be run on the cluster: allow it by --allow-code")
        self._waiting.append(task)
        self._assign()

    def wait(self, seconds: float) -> list[tuple[Task, Ended]]:
        assert self._link is not None
        end = time.monotonic() + seconds
        done: list[tuple[Task, Ended]] = []
        while True:
            try:
                event = self._link.events.get(timeout=0.0 if done else max(end - time.monotonic(), 0.001))
            except queue.Empty:
                return done
            done += self._take(*event)
            self._assign()

    def _take(self, kind: str, subject: Any, value: Any) -> list[tuple[Task, Ended]]:
        """Note what happened; the tasks that have ended by it."""
        if kind == "gone":
            raise RunnerError(f"the scheduler at {self.where} is gone: {value}")
        if kind == "workers":
            return self._note_workers(value)
        if kind in ("silent", "answers"):
            if subject in self._workers:
                self._workers[subject].silent = kind == "silent"
            return self._lose(subject, f"{subject} does not answer") if kind == "silent" else []
        attempt = self._attempts.get(subject)
        if attempt is None:  # it was taken for lost
            return []
        if kind == "failed":
            return self._failed(attempt, value)
        self._forget(attempt)
        if "ended" in value:
            self._losses.pop(id(attempt.task), None)
            told = value["ended"]
            ending = None if told["ending"] is None else Ending(told["ending"])
            return [(attempt.task, Ended(**{**told, "ending": ending}))]
        if "refused" in value:
            self._refuse(attempt, value["refused"])
            return []
        return self._again(attempt, value["lost"])

    def _failed(self, attempt: _Attempt, error: BaseException) -> list[tuple[Task, Ended]]:
        """Dask could not make a task, or does not know."""
        sentence = one_line(f"{type(error).__name__}: {error}")
        self._forget(attempt)
        if isinstance(error, ImportError | AttributeError):
            self._refuse(attempt, f"it cannot run procura: {sentence}")
            return []
        if attempt.worker in self._workers:  # the scheduler may be gone: no task more until the worker answers
            self._workers[attempt.worker].silent = True
        return self._again(attempt, f"{attempt.worker}: {sentence}")

    def _note_workers(self, slots: Mapping[str, int]) -> list[tuple[Task, Ended]]:
        done = []
        for address in [address for address in self._workers if address not in slots]:
            del self._workers[address]
            done += self._lose(address, f"{address} is gone")
        for address, number in slots.items():
            self._workers.setdefault(address, _Worker(number)).slots = number
        return done

    def _lose(self, address: str, why: str) -> list[tuple[Task, Ended]]:
        """Make what a worker was at again."""
        assert self._link is not None
        done = []
        for attempt in [attempt for attempt in self._attempts.values() if attempt.worker == address]:
            self._forget(attempt)
            self._link.forget([attempt.name], address)
            done += self._again(attempt, why)
        return done

    def _forget(self, attempt: _Attempt) -> None:
        del self._attempts[attempt.name]
        if attempt.worker in self._workers:
            self._workers[attempt.worker].busy -= 1

    def _again(self, attempt: _Attempt, why: str) -> list[tuple[Task, Ended]]:
        """Begin a task anew; one that is lost time and again has ended with that."""
        self.again += 1
        losses = self._losses.setdefault(id(attempt.task), [])
        losses.append(why)
        if len(losses) < MOST_LOST:
            self._waiting.appendleft(attempt.task)
            return []
        del self._losses[id(attempt.task)]
        now = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
        lines = [f"lost {MOST_LOST} times with its worker:", *losses]
        ended = Ended(None, Ending.KILLED_OUTSIDE, LOST, lines, 0.0, None, 0.0, 0, now, now, {"worker": attempt.worker})
        return [(attempt.task, ended)]

    def _refuse(self, attempt: _Attempt, why: str) -> None:
        self._waiting.appendleft(attempt.task)
        worker = self._workers.get(attempt.worker)
        if worker is not None and not worker.refused:
            worker.refused = True
            self.say(f"worker {attempt.worker} is not used: {why}")
        if self._workers and all(worker.refused for worker in self._workers.values()):
            raise RunnerError(f"no worker can be used: {attempt.worker}: {why}")

    def _assign(self) -> None:
        """Give waiting tasks to the workers that have most room."""
        assert self._link is not None
        while self._waiting and self._workers:
            address = max(self._workers, key=lambda one: self._workers[one].free)
            if self._workers[address].free <= 0:
                return
            attempt = _Attempt(f"procura-{uuid.uuid4().hex}", self._waiting.popleft(), address, time.monotonic())
            self._attempts[attempt.name] = attempt
            self._workers[address].busy += 1
            self._link.submit(attempt.name, address, self._payload(attempt))

    def _payload(self, attempt: _Attempt) -> dict[str, Any]:
        """What a worker is told."""
        task = attempt.task
        main = task.request if task.setup is None else task.setup.request
        return {
            "name": attempt.name,
            "client": self._me,
            "lease": LEASE_SECONDS,
            "versions": versions(),
            "compiled": self.compiled,
            "request": task.request,
            "setup": None if task.setup is None else task.setup.request,
            "limits": {name: value for name, value in asdict(task.limits).items() if value is not None},
            "shape": task.shape,
            "code": main.get("code"),
            "files": None if task.own is None else self._shipped(task),
        }

    def _shipped(self, task: Task) -> Mapping[str, bytes]:
        """The files of a user's class, read once."""
        name = str(task.own)
        if name not in self._files:
            assert task.own is not None
            try:
                self._files[name] = own_files(task.own)
            except OSError as error:
                raise InputError(f"{name} cannot be read: {error.strerror}") from None
        return self._files[name]

    def drop(self) -> list[Task]:
        assert self._link is not None
        dropped = [*self._waiting, *(attempt.task for attempt in self._attempts.values())]
        for address in {attempt.worker for attempt in self._attempts.values()}:
            names = [attempt.name for attempt in self._attempts.values() if attempt.worker == address]
            self._link.forget(names, address)
        for attempt in list(self._attempts.values()):
            self._forget(attempt)
        self._waiting.clear()
        self._losses.clear()
        return dropped

    def warm(self, tasks: Sequence[Task], told: Callable[[int, int], None], cancel: Callable[[], bool]) -> None:
        """Every machine compiles what it needs when it needs it."""

    def words(self) -> str:
        usable = [worker for worker in self._workers.values() if not (worker.refused or worker.silent)]
        if not usable:
            return "waiting for workers"
        told = f"{sum(worker.busy > 0 for worker in usable)} of {len(usable)} workers at work"
        if self._attempts:
            longest = min(self._attempts.values(), key=lambda attempt: attempt.began)
            label = getattr(longest.task.tag, "label", None)
            told += f", longest {time.monotonic() - longest.began:.0f} s on {longest.worker}"
            told += f": {label}" if label else ""
        return told + (f"; {self.again} lost and made again" if self.again else "")


class _Link:
    """The client of dask, in a thread with a loop of its own; what happens is put into a queue."""

    def __init__(self, where: str, jobs: int | None, me: str) -> None:
        self.events: queue.SimpleQueue[tuple[str, Any, Any]] = queue.SimpleQueue()
        self.me = me
        self._futures: dict[str, Any] = {}
        self._held: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._cluster: Any = None
        self._client: Any = None
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="procura cluster").start()
        try:
            self._call(self._connect(where, jobs), None)
        except BaseException:
            self.close()
            raise

    def _call(self, work: Coroutine[Any, Any, Any], seconds: float | None) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    async def _connect(self, where: str, jobs: int | None) -> None:
        distributed = load_distributed()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="distributed")
        given: dict[str, Any] = {"asynchronous": True, "set_as_default": False, "timeout": CONNECT_SECONDS}
        try:
            if where == "dask":
                self._cluster = await distributed.LocalCluster(
                    n_workers=jobs or os.cpu_count(), threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                    asynchronous=True, silence_logs=logging.CRITICAL,
                )  # fmt: skip
                self._client = await distributed.Client(self._cluster, **given)
            elif where.endswith(".json"):
                if not os.path.exists(where):
                    raise InputError(f"--on {where}: there is no such scheduler file")
                self._client = await distributed.Client(scheduler_file=where, **given)
            else:
                self._client = await distributed.Client(address_of(where), **given)
        except (OSError, ValueError, TypeError, KeyError, ImportError) as error:
            why = str(error).strip().splitlines()[:1] or [type(error).__name__]
            raise RunnerError(f"--on {where}: no scheduler answers: {why[0]}") from error
        self._spawn(self._look())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        made = self._loop.create_task(work)
        self._tasks.add(made)
        made.add_done_callback(self._tasks.discard)
        return made

    async def _look(self) -> None:
        """Tell which workers there are, and hold a lease on each."""
        known: Any = None
        lost_since: float | None = None
        while True:
            try:
                slots = await asyncio.wait_for(self._client.nthreads(), CONNECT_SECONDS)
                lost_since = None
            except Exception as error:
                lost_since = lost_since or time.monotonic()
                if self._client.status == "closed" or time.monotonic() - lost_since > CONNECT_SECONDS:
                    self.events.put(("gone", None, one_line(str(error)) or "it does not answer"))
                    return
            else:
                if slots != known:
                    known = slots
                    self.events.put(("workers", None, dict(slots)))
                for address in slots:
                    if address not in self._held:
                        self._held[address] = self._spawn(self._hold(address))
                for address in [address for address in self._held if address not in slots]:
                    self._held.pop(address).cancel()
            await asyncio.sleep(LOOK_SECONDS)

    async def _hold(self, address: str) -> None:
        """Renew the lease on a worker, and tell whether it answers."""
        while True:
            work = self._client.run(remote.renew, self.me, LEASE_SECONDS, workers=[address], on_error="ignore")
            asked = asyncio.ensure_future(work)
            asked.add_done_callback(lambda one: one.cancelled() or one.exception())  # nobody else may look
            done, _ = await asyncio.wait({asked}, timeout=SILENT_SECONDS)
            if not done:
                self.events.put(("silent", address, None))
                await asyncio.wait({asked})
            with suppress(Exception):
                if asked.result():
                    self.events.put(("answers", address, None))
            await asyncio.sleep(RENEW_SECONDS)

    def submit(self, name: str, worker: str, payload: Mapping[str, Any]) -> None:
        """Have a worker make a task."""
        self._loop.call_soon_threadsafe(lambda: self._spawn(self._follow(name, worker, payload)))

    async def _follow(self, name: str, worker: str, payload: Mapping[str, Any]) -> None:
        try:
            self._futures[name] = future = self._client.submit(
                remote.make, payload, key=name, workers=[worker], allow_other_workers=False, retries=0, pure=False
            )
            answer = await future
            self.events.put(("answer", name, answer))
        except (Exception, asyncio.CancelledError) as error:
            self.events.put(("failed", name, error))
        finally:
            self._futures.pop(name, None)

    def forget(self, names: Sequence[str], worker: str) -> None:
        """Have a worker give up tasks."""

        async def forget() -> None:
            for name in names:
                future = self._futures.get(name)
                if future is not None:
                    future.release()
            with suppress(Exception):
                await self._client.run(remote.drop, self.me, list(names), workers=[worker], on_error="ignore")

        self._loop.call_soon_threadsafe(lambda: self._spawn(forget()))

    def close(self) -> None:
        """End the lease, and the client."""

        async def end() -> None:
            for task in list(self._tasks):
                task.cancel()
            if self._client is not None:
                with suppress(Exception):
                    work = self._client.run(remote.drop, self.me, None, on_error="ignore")
                    await asyncio.wait_for(work, CLOSING_SECONDS)
                with suppress(Exception):
                    await asyncio.wait_for(self._client.close(), CLOSING_SECONDS)
            if self._cluster is not None:
                with suppress(Exception):
                    await asyncio.wait_for(self._cluster.close(), CLOSING_SECONDS)

        with suppress(Exception):
            self._call(end(), 4 * CLOSING_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)


def load_distributed() -> Any:
    """dask.distributed, or a sentence on how to get it."""
    try:
        import distributed
    except ImportError as error:
        told = "a cluster needs dask.distributed, which is not installed: pip install 'procura[cluster]'"
        raise InputError(f"{told} ({error})") from None
    return distributed


def address_of(where: str) -> str:
    """The address of a scheduler as dask writes it; encrypted if dask's own settings say so."""
    scheme, _, place = where.partition("://")
    if scheme != "dask":
        return where
    import dask.config
    from distributed.security import Security

    security = Security()
    secure = security.require_encryption or security.tls_client_cert is not None
    default = dask.config.get("distributed.comm.default-scheme", "tcp")
    return f"{'tls' if secure else default}://{place}"
