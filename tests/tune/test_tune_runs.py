"""Runs in this process: the same seed gives the same trials, early stopping changes no winner, files are read back."""

from __future__ import annotations

import json
import math
import os
import sys
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings, strategies as st
from tune_helpers import log, small_objective, trials

from procura import Limits, Sliding, solve
from procura.configuration import Configuration
from procura.errors import InputError
from procura.tune import owners
from procura.tune.boards import BoardObjective
from procura.tune.files import read_start
from procura.tune.intervals import mean_of
from procura.tune.jobs import Job, Outcome, make_objective
from procura.tune.journal import Book, Journal, read_journal
from procura.tune.racing import is_hopeless, rests
from procura.tune.spaces import Space
from procura.tune.sums import sum_text
from procura.tune.tuning import Budget, NothingFound, Tuned, best_trial, tune

METHODS = ("random", "genetic", "cmaes", "tpe")


def small(method="random", trials=12, journal=None, objective=None, **more) -> Tuned:
    return tune(
        objective or small_objective(), method, budget=Budget(trials=trials), population=4, seed=3,
        journal=None if journal is None else str(journal), **more,
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_a_run_in_memory_and_one_on_a_journal_are_the_same(method, tmp_path):
    kept, again = tmp_path / "kept.log", tmp_path / "again.log"
    assert small(method, journal=kept) == small(method)
    small(method, journal=again)
    assert trials(kept) == trials(again) and len(trials(kept)) == 12


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_goes_on_makes_the_trials_of_one_that_was_never_ended(method, tmp_path):
    whole, parts = tmp_path / "whole.log", tmp_path / "parts.log"
    expected = small(method, 12, whole)
    for count in (1, 5, 6):
        small(method, count, parts)
    got = small(method, 12, parts)
    assert trials(parts) == trials(whole)
    assert (got.best, got.trials, got.stopped) == (expected.best, expected.trials, expected.stopped)


def test_a_smaller_budget_reports_what_it_covers_and_counts_the_rest_apart(tmp_path):
    path = tmp_path / "kept.log"
    small("random", 12, path)
    got, expected = small("random", 6, path), small("random", 6)
    assert (got.best, got.trials, got.history) == (expected.best, 6, expected.history)
    assert (got.beyond, expected.beyond) == (6, 0)


def test_boards_that_nobody_solves_are_counted():
    hard = small_objective(limits=Limits(nodes=12))
    assert small(objective=small_objective(limits=Limits(nodes=1)), against=(0, 0, 1)).unsolved == {
        "train": 5, "validate": 4,
    }  # fmt: skip
    assert small(against=(0, 0, 1)).unsolved == {"train": 0, "validate": 0}
    tuned = small(objective=hard, against=(0.0, 0.0, 1.0))
    for name, boards in (("train", hard.train), ("validate", hard.validate)):
        solved = [
            any(
                solve(
                    Sliding.from_text(board.text), "astar", heuristic=sum_text(hard.space.names, list(weights)),
                    limits=hard.limits, engine="python",
                ).solved
                for weights in (tuned.best.weights.values(), (0.0, 0.0, 1.0))
            )
            for board in boards
        ]  # fmt: skip
        assert tuned.unsolved[name] == solved.count(False)


@pytest.mark.parametrize("scoring", ["points", "expansions", "time", "cost"])
def test_a_score_tells_whether_there_was_an_answer(scoring):
    base = tetris_objective() if scoring == "points" else small_objective(scoring_name=scoring)
    weights, task = (0.5,) * len(base.space.names), {"set": "train", "boards": [0], "count": 1}
    limits = Limits(seconds=0) if scoring == "time" else Limits(nodes=0)
    for objective, unsolved in ((base, 0), (replace(base, limits=limits), 1)):
        assert objective.unsolved("train", [objective.evaluate(weights, task)]) == unsolved


def test_a_journal_cut_off_anywhere_loses_no_finished_trial(tmp_path):
    whole, cut = tmp_path / "whole.log", tmp_path / "cut.log"
    small("genetic", 8, whole)
    expected = trials(whole)
    content = whole.read_bytes().replace(f'"started":"{owners.started(os.getpid())}"'.encode(), b'"started":"0"')
    for at in range(1, len(content), len(content) // 23):
        cut.write_bytes(content[:at])
        before = trials(cut) if at > 9000 else []
        small("genetic", 8, cut)
        assert trials(cut) == expected and set(before) <= set(expected)


def test_a_half_written_line_is_taken_out(tmp_path):
    path = tmp_path / "torn.log"
    small(trials=4, journal=path)
    path.write_bytes(path.read_bytes() + b'{"op_code":5,"worker_i')
    small(trials=8, journal=path)
    assert all("op_code" in line for line in log(path))
    assert len(trials(path)) == 8


@pytest.mark.parametrize("method", METHODS)
def test_weights_sum_to_one(method, tmp_path):
    path = tmp_path / "kept.log"
    small(method, journal=path)
    for trial in read_journal(str(path))[1]:
        assert math.fsum(trial.weights.values()) == pytest.approx(1, abs=1e-12)


def test_optuna_opens_the_journal_and_finds_the_same_best(tmp_path):
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    path = tmp_path / "kept.log"
    tuned = small("random", journal=path)
    storage = JournalStorage(JournalFileBackend(str(path)))
    names = optuna.get_all_study_names(storage)
    study = optuna.load_study(study_name=names[0], storage=storage)
    assert study.best_params == tuned.best.weights
    assert study.best_value == tuned.best.train.mean
    assert len(study.trials) == 12 and study.user_attrs["settings"]["seed"] == 3


def test_the_result_is_what_solving_the_boards_gives():
    tuned = small("random")
    weights = tuned.best.weights
    text = " + ".join(f"{weight!r}*{name}" for name, weight in weights.items())
    objective = small_objective()

    def mean(boards):
        made = [
            solve(Sliding.from_text(b.text), "astar", heuristic=text, limits=Limits(nodes=300), engine="python")
            for b in boards
        ]
        return sum(r.stats.expanded if r.solved else 300 for r in made) / len(made)

    assert tuned.best.train.mean == pytest.approx(mean(objective.train))
    assert tuned.best.validate.mean == pytest.approx(mean(objective.validate))


def test_the_reference_is_judged_on_the_same_boards_and_paired():
    against = (0.0, 0.0, 1.0)
    tuned = small("random", against=against)
    assert tuned.reference.weights == dict(zip(small_objective().space.names, against, strict=True))
    assert tuned.difference.mean == pytest.approx(tuned.best.validate.mean - tuned.reference.validate.mean)
    assert tuned.train_difference.mean == pytest.approx(tuned.best.train.mean - tuned.reference.train.mean)


# Early stopping


@given(st.lists(st.tuples(st.integers(-5, 0), st.integers(0, 5)), min_size=1, max_size=8), st.integers(-40, 40))
def test_a_candidate_that_reaches_the_bar_is_never_hopeless(boards, bar):
    """Each board: what the candidate lacks to the ceiling, and the ceiling."""
    ceilings = [ceiling for _, ceiling in boards]
    scores = [ceiling + lack for lack, ceiling in boards]
    stopped = any(is_hopeless(sum(scores[:n]), rests(ceilings)[n], bar) for n in range(len(scores) + 1))
    assert stopped == (sum(scores) < bar)


@settings(deadline=None, max_examples=6)
@given(st.sampled_from(METHODS), st.integers(0, 1000))
def test_early_stopping_never_stops_the_winner(method, seed):
    """Whatever was stopped would have been worse than the best that was found, on all boards."""
    objective = small_objective()
    found = []
    tuned = tune(objective, method, budget=Budget(trials=16), population=4, seed=seed, follower=Noting(found))
    whole = {"set": "train", "boards": list(range(5)), "count": 5}
    for job, outcome in found:
        if outcome.stopped:
            assert sum(objective.evaluate(job.weights, whole)) / 5 > tuned.best.train.mean
    assert tuned.stopped == sum(outcome.stopped for _, outcome in found)


class Noting:
    """Notes the outcomes of a search."""

    def __init__(self, found):
        self.found = found

    def ended(self, job, outcome):
        if job.generation is not None:
            self.found.append((job, outcome))

    def __getattr__(self, name):
        return lambda *arguments: None


def test_a_random_search_finds_the_same_best_with_early_stopping_and_without():
    stopping, patient = small("random", 24), small("random", 24, early_stop=False)
    assert stopping.best == patient.best
    assert stopping.stopped > 0 == patient.stopped


def test_ceilings_of_tetris_are_the_best_possible_points():
    objective = tetris_objective()
    (most,) = objective.evaluate((), {"ceilings": [0], "count": 1})
    assert most == 300
    scores = objective.evaluate((0.1, 0.9), {"set": "train", "boards": [0], "count": 1})
    assert scores[0] <= most


def tetris_objective():
    from procura.tune.boards import Board

    board = Board("pieces: i\n#########.\n#########.", {"cost": "report1"})
    names = ("holes_share", "relief_share")
    search = Configuration.parse("astar,tree=true")
    return BoardObjective("tetris", search, Space("box", names), (board,), (), "points", Limits(nodes=50), "python")


def test_costs_that_can_be_negative_have_no_ceiling():
    assert tetris_objective().has_ceilings() and small_objective(scoring_name="cost").has_ceilings()
    objective = replace(tetris_objective(), scoring_name="cost")
    assert not objective.has_ceilings()
    tuned = tune(objective, "random", budget=Budget(trials=6), population=2)
    assert tuned.stopped == 0 and tuned.best.train.mean < 0.1


def test_a_board_without_an_answer_scores_minus_500():
    objective = replace(tetris_objective(), limits=Limits(nodes=0))
    assert objective.evaluate((1.0, 1.0), {"set": "train", "boards": [0], "count": 1}) == [-500.0]


def test_an_objective_is_made_again_from_its_spec():
    objective = small_objective()
    again = make_objective(json.loads(json.dumps(objective.spec())))
    assert again == objective


def test_costs_come_before_expansions():
    objective = small_objective(scoring_name="cost")
    task = {"set": "train", "boards": list(range(5)), "count": 5}
    scores = objective.evaluate((0.0, 0.0, 1.0), task)
    whole = [solve(Sliding.from_text(b.text), "astar:manhattan", engine="python").cost for b in objective.train]
    assert [math.floor(score) for score in scores] == whole
    assert 0 < sum(scores) - sum(whole) < 1


# Journals and starts


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 4}, "has --seed 3: expected 4"),
        ({"method": "genetic"}, "has --method random: expected genetic"),
        ({"early_stop": False}, "expected --no-early-stop in both runs"),
        ({"objective": small_objective(limits=Limits(nodes=200))}, "has --limit nodes=300: expected nodes=200"),
        ({"objective": small_objective(train=small_objective().validate)}, "its training boards differ: expected the"),
        ({"objective": small_objective(validate=())}, "its validation boards differ: expected the same --validate"),
        ({"start": [(0.0, 0.0, 1.0)]}, "it began from other weights: expected the same --start"),
        ({"population": 5}, "has --population 4: expected 5"),
    ],
)
def test_a_journal_of_other_settings_is_refused(changes, told, tmp_path):
    path = tmp_path / "kept.log"
    small(trials=1, journal=path)
    before = path.read_bytes()
    given = {"objective": small_objective(), "method": "random", "population": 4, "seed": 3, **changes}
    with pytest.raises(InputError) as raised:
        tune(given.pop("objective"), given.pop("method"), budget=Budget(trials=1), journal=str(path), **given)
    assert told in str(raised.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"buy milk\n", "line 1: expected a line of an Optuna journal"),
        (b"buy milk", "line 1: expected a line of an Optuna journal"),
        (b'{"op_code":0,"worker_id":"a","study_name":"x","directions":[1]}\nbread\n', "line 2"),
        (b'{"op_code":0,"worker_id":"a","study_name":"x","directions":[1]}\n', "holds the study 'x'"),
        (b'{"op_code":99}\n', "Optuna cannot read it"),
    ],
)
def test_a_file_that_is_no_journal_of_ours_is_refused_and_left_as_it_is(content, told, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        small(trials=1, journal=path)
    assert told in str(raised.value)
    assert path.read_bytes() == content


def test_a_run_begins_from_the_best_of_a_journal_or_of_a_saved_file(tmp_path):
    path, saved = tmp_path / "kept.log", tmp_path / "weights.txt"
    first = small("random", 12, path)
    names = small_objective().space.names
    start = read_start(str(path), names, Sliding.heuristics, 5)
    assert start[0] == tuple(first.best.weights.values()) and len(start) == 5
    second = small("genetic", 4, start=start)
    assert second.best.train.mean <= first.best.train.mean
    saved.write_text("# mine\n0.25*misplaced + 0.75*manhattan\n")
    assert read_start(str(saved), names, Sliding.heuristics, 5) == [(0.25, 0.0, 0.75)]


@pytest.mark.parametrize(("scoring", "best"), [("points", 2), ("expansions", 0)])
def test_the_best_of_a_journal_are_the_best_by_its_own_score(scoring, best, tmp_path):
    path, space = str(tmp_path / "kept.log"), Space("box", ("misplaced", "manhattan"))
    book = Journal(path, {"names": list(space.names), "scoring": scoring}, space, scoring == "points").search
    for number in range(3):
        job = Job(f"0.{number}", (number / 10, 1.0), {}, 0)
        book.finish(book.claim(job), Outcome(job.weights, (number,)), number)
    assert read_start(path, space.names, Sliding.heuristics, 1) == [(best / 10, 1.0)]


def test_a_journal_of_other_weights_is_no_start(tmp_path):
    path = tmp_path / "kept.log"
    small(trials=1, journal=path)
    with pytest.raises(InputError, match="expected manhattan"):
        read_start(str(path), ["manhattan"], Sliding.heuristics, 5)


def test_the_lock_of_a_journal_is_free_while_its_lines_are_used(tmp_path):
    """Else an error among the lines would keep the lock, and giving up what is under way would wait for ever."""
    import fcntl

    from procura.tune.logfile import LogFile

    path = tmp_path / "kept.log"
    small(trials=1, journal=path)
    lines = iter(LogFile(str(path)).read_logs(0))
    next(lines)
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_journal_that_goes_away_is_named(tmp_path):
    path = tmp_path / "kept.log"
    with pytest.raises(InputError, match=r"kept.log' cannot be (read|written): no such file or directory"):
        small(trials=8, journal=path, cancel=lambda: path.unlink(missing_ok=True) or False)


@pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read in /proc")
def test_a_process_that_ended_unnoticed_is_dead():
    import subprocess

    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = {"id": "x", "host": owners.host(), "pid": process.pid, "started": owners.started(process.pid)}
    assert owners.Census().is_alive(owner, None)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended; its parent has not asked
    assert not owners.Census().is_alive(owner, None)
    process.communicate()


def test_a_generation_does_not_read_all_trials_again(monkeypatch):
    """What a generation costs beside its candidates must not grow with the journal."""
    counted = []
    monkeypatch.setattr(Book, "finished", lambda book, whole=Book.finished: counted.append(1) or whole(book))
    small("random", 24)
    assert len(counted) <= 2


def test_a_trial_of_a_dead_process_is_taken_over(tmp_path):
    path = tmp_path / "kept.log"
    objective = small_objective()
    settings = {"names": list(objective.space.names)}
    dead = Journal(str(path), settings, objective.space, False)
    job = Job("0.0", (0.0, 0.0, 1.0), {}, 0)
    dead.search.refresh()
    dead.search.me["started"] = "long ago"
    assert dead.search.claim(job) == 0
    alive = Journal(str(path), settings, objective.space, False)
    alive.search.refresh()
    assert alive.search.is_free(job, {})
    assert alive.search.claim(job) == 1
    dead.search.finish(0, Outcome(job.weights, (1.0,)), 1.0)
    assert alive.search.outcome(job) is None, "the dead do not count"
    alive.search.finish(1, Outcome(job.weights, (2.0,)), 2.0)
    assert alive.search.outcome(job).scores == (2.0,)


def test_a_job_that_is_given_up_is_never_free_again(tmp_path):
    """Else one process would take it for failed while another finishes it, and they would go different ways."""
    objective = small_objective()
    book = Journal(str(tmp_path / "kept.log"), {"names": []}, objective.space, False).search
    job = Job("0.0", (0.0, 0.0, 1.0), {}, 0)
    for _ in range(3):
        assert book.is_free(job, {})
        book.fail(book.claim(job), "it burst", crash=True)
        book.refresh()
    assert not book.is_free(job, {}) and book.outcome(job).failed == "it burst"


def test_the_first_of_two_claims_counts(tmp_path):
    path = tmp_path / "kept.log"
    objective = small_objective()
    one, other = (Journal(str(path), {"names": []}, objective.space, False).search for _ in range(2))
    job = Job("0.0", (0.0, 0.0, 1.0), {}, 0)
    for book in (one, other):
        book.refresh()
    assert one.is_free(job, {}) and other.is_free(job, {})
    assert one.claim(job) == 0
    assert other.claim(job) is None
    assert not other.is_free(job, {})


def test_a_process_of_another_machine_is_dead_after_a_long_silence(monkeypatch):
    census = owners.Census()
    far = {"id": "x", "host": "elsewhere", "pid": 1, "started": "1"}
    now = [0.0]
    monkeypatch.setattr(owners.time, "monotonic", lambda: now[0])
    assert census.is_alive(far, 1)
    now[0] = owners.SILENT_SECONDS - 1
    assert census.is_alive(far, 1)
    assert census.is_alive(far, 2), "a new sign"
    now[0] += owners.SILENT_SECONDS - 1
    assert census.is_alive(far, 2)
    now[0] += 2
    assert not census.is_alive(far, 2)


def test_a_search_without_a_finished_trial_says_so():
    with pytest.raises(NothingFound):
        tune(small_objective(), "random", budget=Budget(seconds=0))


def test_cancel_ends_a_run_with_what_it_has():
    found = []
    tuned = tune(
        small_objective(), "random", budget=Budget(rounds=1000), population=4, follower=Noting(found),
        cancel=lambda: len(found) >= 6,
    )  # fmt: skip
    assert tuned.interrupted and tuned.trials == 6 and tuned.best.validate is None


@pytest.mark.parametrize("given", [{}, {"trials": 0}, {"trials": 1.5}, {"rounds": -1}, {"seconds": math.nan}])
def test_a_budget_that_is_none_is_refused(given):
    with pytest.raises(InputError):
        Budget(**given)


def test_without_optuna_tuning_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(InputError, match=r"needs the package optuna: pip install 'procura\[tune\]'"):
        small()


def test_of_equal_trials_the_earliest_slot_is_best(tmp_path):
    path = tmp_path / "kept.log"
    small("random", journal=path)
    found = read_journal(str(path))[1]
    best = best_trial(list(reversed(found)), False)
    assert best == best_trial(found, False)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
@settings(deadline=None, max_examples=20)
def test_the_interval_holds_the_mean_and_lies_among_the_values(values):
    mean = mean_of(values)
    assert min(values) - 1e-9 <= mean.low <= mean.mean + 1e-9
    assert mean.mean - 1e-9 <= mean.high <= max(values) + 1e-9
    assert mean == mean_of(values), "the same every time"


class Earlier(BoardObjective):
    """An objective of a version that wrote options out at their defaults."""

    def settings(self):
        return {**super().settings(), "configuration": "astar,ties=lifo"}


def test_a_journal_of_an_earlier_version_is_gone_on_with(tmp_path):
    journal, now = tmp_path / "journal", small_objective()
    earlier = Earlier(**{field.name: getattr(now, field.name) for field in fields(now)})
    first = small(trials=4, journal=journal, objective=earlier)
    again = small(trials=4, journal=journal)
    assert first.made > 0 and again.made == 0 and again.best == first.best
    other = small_objective(configuration=Configuration.parse("astar,ties=fifo"))
    with pytest.raises(InputError, match="has --with astar: expected astar,ties=fifo, as in this run"):
        small(trials=4, journal=journal, objective=other)
