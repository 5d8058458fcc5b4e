"""The journal of a tuning run: Optuna studies in a file, shared by all processes that work at the run.

A journal has two studies: the trials of the search, with the weights as parameters, and the checks beside it (ceilings
of boards, validation, finals). A slot of the run is claimed by adding a trial that is running and names the slot.
Trials have one order for everybody, and the first of a slot that has not failed is the one that counts; whoever comes
later fails its own and takes another slot. A trial whose process is dead is failed by whoever notices.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from procura.configuration import Configuration
from procura.errors import InputError
from procura.tune.jobs import Job, Outcome
from procura.tune.methods import load_optuna
from procura.tune.owners import BEAT_SECONDS, Census, this_process
from procura.tune.spaces import Space, Weights

MOST_CRASHES = 3
"""How often a slot is tried whose process ends."""
SCHEMA = 1
_OPTIONS = {
    "configuration": "--with", "scoring": "--objective", "space": "--space", "names": "--heuristic of",
    "limits": "--limit", "engine": "--engine", "method": "--method", "preset": "--preset", "seed": "--seed",
    "population": "--population", "games": "--games",
}  # fmt: skip
"""What a setting of a journal is for the user."""
_ENDLESS_OPTIONS = {**_OPTIONS, "names": "--features", "rows": "--size with rows"}
"""The same for endless play."""
_DIFFERENCES = {
    "objective": "it is of the other kind of tuning: expected the same of procura tune and procura endless tune",
    "train": "its training boards differ: expected the same --train, --boards, --boards-seed and puzzle options",
    "validate": "its validation boards differ: expected the same --validate, --validate-boards, --boards-seed and "
    "puzzle options",
    "start": "it began from other weights: expected the same --start, with the same content, or a new journal",
    "code": "the file of the class has changed since: expected a new journal",
    "early_stop": "it was made the other way: expected --no-early-stop in both runs, or in neither",
}
"""What is said where values are too long, or say nothing."""


class Book:
    """One study of a journal: its slots, and what is known of each."""

    def __init__(self, study: Any, storage: Any, space: Space | None, me: dict[str, Any], census: Census) -> None:
        self.study, self.storage, self.space, self.me, self._census = study, storage, space, me, census
        self._optuna = load_optuna()
        self._states = self._optuna.trial.TrialState
        self.id = storage.get_study_id_from_name(study.study_name)
        self._slots: dict[str, list[int]] = {}
        self._trials: list[Any] = []
        self._read = 0

    def refresh(self) -> None:
        """Read what others have written."""
        self._trials = self.storage.get_all_trials(self.id, deepcopy=False)
        for trial in self._trials[self._read :]:
            self._slots.setdefault(trial.user_attrs.get("slot", ""), []).append(trial.number)
        self._read = len(self._trials)

    def outcome(self, job: Job) -> Outcome | None:
        """What came of a job, if that is settled."""
        trial = self._counting(self._slots.get(job.slot, ()))
        if trial is not None and trial.state.is_finished():
            attributes = trial.user_attrs
            if tuple(attributes["weights"]) != job.weights:
                raise InputError(f"journal, slot {job.slot}: other weights than expected: it is of another version")
            return Outcome(job.weights, tuple(attributes["scores"]), trial.state == self._states.PRUNED)
        crashes = self._crashes(job)
        return Outcome(job.weights, (), failed=crashes[-1]) if len(crashes) >= MOST_CRASHES else None

    def _crashes(self, job: Job) -> list[str]:
        """Why processes ended that worked at a job."""
        attributes = (self._trials[number].user_attrs for number in self._slots.get(job.slot, ()))
        return [each["crash"] for each in attributes if "crash" in each]

    def _counting(self, numbers: Sequence[int]) -> Any:
        """The first trial of a slot that has not failed."""
        trials = (self._trials[number] for number in numbers)
        return next((trial for trial in trials if trial.state != self._states.FAIL), None)

    def is_free(self, job: Job, signs: Mapping[str, Any]) -> bool:
        """Whether nobody alive works at a job that is not settled; a trial of the dead is failed."""
        while (trial := self._counting(self._slots.get(job.slot, ()))) is not None:
            if trial.state.is_finished():
                return False
            owner = trial.user_attrs["owner"]
            if owner["id"] == self.me["id"] or self._census.is_alive(owner, signs.get(f"alive {owner['id']}")):
                return False
            self.fail(trial.number, "the process that worked at it is gone")
            self.refresh()
        return len(self._crashes(job)) < MOST_CRASHES

    def claim(self, job: Job) -> int | None:
        """Add a running trial for a job: its number, or None if somebody was faster."""
        attributes = {"slot": job.slot, "weights": list(job.weights), "owner": self.me, "generation": job.generation}
        params, axes = {}, {}
        if self.space is not None:
            axis = self._optuna.distributions.FloatDistribution(self.space.low, 1.0)
            axes = dict.fromkeys(self.space.names, axis)
            params = dict(zip(self.space.names, job.weights, strict=True))
        template = self._optuna.trial.create_trial(
            state=self._states.RUNNING, params=params, distributions=axes, user_attrs=attributes
        )
        number = self.storage.get_trial(self.storage.create_new_trial(self.id, template)).number
        self.refresh()
        if self._counting(self._slots[job.slot]).number == number:
            return int(number)
        self.fail(number, "another process was faster")
        return None

    def finish(self, number: int, outcome: Outcome, value: float) -> None:
        """Keep what came of a trial; it is in the file when this returns."""
        trial = self._trial_id(number)
        try:
            self.storage.set_trial_user_attr(trial, "scores", list(outcome.scores))
            if outcome.stopped:
                self.storage.set_trial_intermediate_value(trial, len(outcome.scores), value)
                self.study.tell(number, state=self._states.PRUNED)
            else:
                self.study.tell(number, value)
        except (self._optuna.exceptions.UpdateFinishedTrialError, ValueError):
            pass  # somebody took this process for dead, and the slot is theirs
        self.refresh()

    def fail(self, number: int, reason: str, crash: bool = False) -> None:
        """Give a trial up; ``crash`` counts against its slot."""
        with suppress(self._optuna.exceptions.UpdateFinishedTrialError, ValueError):
            self.storage.set_trial_user_attr(self._trial_id(number), "crash" if crash else "reason", reason)
            self.study.tell(number, state=self._states.FAIL)

    def _trial_id(self, number: int) -> int:
        return int(self.storage.get_trial_id_from_study_id_trial_number(self.id, number))

    def finished(self) -> list[Any]:
        """The trials that count, finished, in the order of the journal."""
        return [
            trial
            for trial in self._trials
            if trial.state in (self._states.COMPLETE, self._states.PRUNED)
            and self._counting(self._slots[trial.user_attrs.get("slot", "")]) is trial
        ]


class Journal:
    """The studies of a run. Without a path they are kept in memory only."""

    def __init__(self, path: str | None, settings: Mapping[str, Any], space: Space, maximise: bool) -> None:
        optuna = load_optuna()
        self.path = path
        self.me = this_process()
        storage = open_storage(path, create=True)
        settings = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        name = _check_first(storage, path, settings)
        sampler = optuna.samplers.RandomSampler(seed=0)

        def study(name: str) -> Any:
            direction = "maximize" if maximise else "minimize"
            return optuna.create_study(
                storage=storage, study_name=name, direction=direction, sampler=sampler, load_if_exists=True
            )

        search, checks = study(name), study(f"{name} checks")
        _check_first(storage, path, settings)
        if "settings" not in search.user_attrs:
            search.set_user_attr("settings", settings)
        census = Census()
        self.search = Book(search, storage, space, self.me, census)
        self.checks = Book(checks, storage, None, self.me, census)
        self._beaten = time.monotonic()
        self._beats = 0

    def beat(self) -> None:
        """Leave a sign of life now and then."""
        if self.path is not None and time.monotonic() - self._beaten >= BEAT_SECONDS:
            self._beaten = time.monotonic()
            self._beats += 1
            self.search.study.set_user_attr(f"alive {self.me['id']}", self._beats)

    def signs(self) -> Mapping[str, Any]:
        """The last sign of life of each process."""
        found: Mapping[str, Any] = self.search.storage.get_study_user_attrs(self.search.id)
        return found


def open_storage(path: str | None, create: bool = False) -> Any:
    """Optuna's storage on a journal file; in memory without one."""
    optuna = load_optuna()
    if path is None:
        return optuna.storages.InMemoryStorage()
    from procura.tune.logfile import LogFile, check_log

    check_log(path)
    try:
        if not create:
            open(path, "rb").close()
        return optuna.storages.JournalStorage(LogFile(path))
    except OSError as error:
        raise InputError(f"journal {path!r} cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, KeyError, TypeError, AssertionError, AttributeError) as error:
        raise InputError(f"journal {path!r}: Optuna cannot read it ({type(error).__name__}: {error})") from None


def _check_first(storage: Any, path: str | None, settings: Mapping[str, Any]) -> str:
    """The name of this run's study; a journal whose first study is another run's is refused, and why is said."""
    name = "procura " + hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
    studies = storage.get_all_studies()
    if not studies or studies[0].study_name == name:
        return name
    theirs = studies[0].user_attrs.get("settings")
    if not isinstance(theirs, dict):
        raise InputError(f"journal {path!r} holds the study {studies[0].study_name!r}: expected one of this run")
    theirs = _canonical(theirs)
    options = _ENDLESS_OPTIONS if settings.get("objective") == "endless" else _OPTIONS
    for key in [*settings, *theirs]:
        if settings.get(key) != theirs.get(key):
            if key in _DIFFERENCES:
                raise InputError(f"journal {path!r}: {_DIFFERENCES[key]}")
            there, here = _short(theirs.get(key)), _short(settings.get(key))
            raise InputError(f"journal {path!r} has {options.get(key, key)} {there}: expected {here}, as in this run")
    return str(studies[0].study_name)


def _canonical(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a journal with its search as it is written now, whatever defaults were written out."""
    search = settings.get("configuration")
    with suppress(InputError):
        if isinstance(search, str):
            return {**settings, "configuration": str(Configuration.parse(search))}
    return dict(settings)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={each}" for name, each in value.items()) or "none"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    text = value if isinstance(value, str) else "none" if value is None else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}... ({len(text):,} characters)"


@dataclass(frozen=True)
class Trial:
    """A finished trial of a search, as a journal has it."""

    slot: str
    generation: int
    weights: dict[str, float]
    value: float
    """The mean score; of a trial that was stopped early, of what it could have reached at best."""
    scores: tuple[float, ...]
    """By board or game, in their order."""
    stopped: bool
    seconds: float


def as_trial(names: Sequence[str], trial: Any) -> Trial:
    """What an Optuna trial of ours says."""
    attributes = trial.user_attrs
    weights = dict(zip(names, attributes["weights"], strict=True))
    stopped = trial.state.name == "PRUNED"
    return Trial(
        attributes["slot"], attributes["generation"], weights, trial.value, tuple(attributes["scores"]), stopped,
        trial.duration.total_seconds(),
    )  # fmt: skip


def read_journal(path: str) -> tuple[dict[str, Any], list[Trial]]:
    """The settings of a journal and the finished trials of its search, by generation and place."""
    storage = open_storage(path)
    studies = storage.get_all_studies()
    settings = studies[0].user_attrs.get("settings") if studies else None
    if not isinstance(settings, dict) or not isinstance(settings.get("names"), list):
        raise InputError(f"journal {path!r}: expected one of procura tune")
    optuna = load_optuna()
    study = optuna.load_study(storage=storage, study_name=studies[0].study_name)
    book = Book(study, storage, None, {}, Census())
    book.refresh()
    trials = [as_trial(settings["names"], trial) for trial in book.finished()]
    return settings, sorted(trials, key=lambda trial: place(trial.slot))


def place(slot: str) -> tuple[int, ...]:
    """Where a slot of a search stands: generation, then stage and number in it.

    >>> place("3.12") < place("3.again.0") < place("4.0")
    True
    """
    parts = slot.split(".")
    return int(parts[0]), int(len(parts) > 2), int(parts[-1])


def best_weights(trials: Sequence[Trial], maximise: bool, count: int) -> list[Weights]:
    """The weights of the best finished trials, each once; of equal ones the first."""
    sign = 1 if maximise else -1
    ranked = sorted((trial for trial in trials if not trial.stopped), key=lambda trial: -sign * trial.value)
    return list(dict.fromkeys(tuple(trial.weights.values()) for trial in ranked))[:count]
