"""A study that is killed, changed, damaged or started twice: no finished run is lost, and none is made twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import uuid
from collections import Counter

import pytest
from processes import gone, run, start
from study_helpers import hostile_study, results, write_study

from procura.study.plan import read_study

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")

SHORT = ('engine = "python"', "[[problems]]", 'puzzle = "sliding"')


def short_runs(folder, count):
    """A study of so many runs of a few milliseconds, by four configurations."""
    return write_study(
        folder,
        f"repeats = {count // 4}",
        *SHORT,
        "generate = {size = '2x3', moves = 6}",
        "[[configurations]]",
        'with = ["bfs", "astar:manhattan", "idastar:manhattan", "greedy:misplaced"]',
    )


def lines_of(study):
    path = study.with_suffix(".results.jsonl")
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_at_a_random_moment(study, rng, environment):
    """Start the study and kill it: as it comes up, or some time after it has made another result."""
    before = lines_of(study)
    process = start("study", study, env=environment)
    if rng.random() < 0.2:
        time.sleep(rng.uniform(0, 0.6))
    else:
        while lines_of(study) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.3))
    finished = process.poll() is not None
    process.kill()
    process.communicate()
    return not finished


def check_kills(folder, count, kills, seed):
    """Kill a study ``kills`` times, let it end, and check that every run has one result."""
    study, rng, mark = short_runs(folder, count), random.Random(seed), uuid.uuid4().hex
    environment = {**os.environ, "STUDY_MARK": mark}
    killed, seen = 0, []
    for _ in range(kills):
        killed += kill_at_a_random_moment(study, rng, environment)
        assert gone(f"STUDY_MARK={mark}")
        now = study.with_suffix(".results.jsonl").read_bytes() if lines_of(study) else b""
        whole = now[: now.rfind(b"\n") + 1].splitlines()
        assert whole[: len(seen)] == seen, "a finished run was lost"
        seen = whole
    assert killed, "it was never killed"
    assert run("study", study, env=environment).returncode == 0
    keys = Counter(record["key"] for record in results(study))
    assert len(keys) == count and set(keys) == set(read_study(str(study)).runs)
    assert set(keys.values()) == {1}
    assert all(record["ending"] == "solved" for record in results(study))


@linux
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_study_of_200_runs_killed_five_times_makes_every_run_once(tmp_path, seed):
    check_kills(tmp_path, 200, 5, seed)


@linux
def test_a_study_killed_twice_makes_every_run_once(tmp_path):
    check_kills(tmp_path, 120, 2, seed=5)


def test_a_study_that_is_complete_runs_nothing(tmp_path):
    study = short_runs(tmp_path, 4)
    assert "4 runs, 4 made now" in run("study", study).out
    before = results(study)
    assert "4 runs, 0 made now" in run("study", study).out
    assert results(study) == before


def test_a_line_that_was_cut_off_is_taken_out_and_its_run_made_again(tmp_path):
    study = short_runs(tmp_path, 4)
    run("study", study)
    path = study.with_suffix(".results.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    done = run("study", study)
    assert done.returncode == 0 and "cut off" in done.err
    assert path.read_bytes().startswith(whole[: whole[:-1].rfind(b"\n") + 1])
    assert sorted(record["key"] for record in results(study)) == sorted(read_study(str(study)).runs)


def test_a_damaged_line_is_ignored_and_its_run_made_again(tmp_path):
    study = short_runs(tmp_path, 4)
    run("study", study)
    path = study.with_suffix(".results.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{", *lines[2:]]) + "\n")
    done = run("study", study)
    assert "line 2" in done.err and "1 made now" in done.out
    assert "line 2" in run("study", study).err and len(path.read_text().splitlines()) == 5


def test_a_changed_study_says_which_results_no_longer_belong(tmp_path):
    study = short_runs(tmp_path, 8)
    run("study", study)
    study.write_text(study.read_text().replace('"bfs", ', '"dfs", '))
    done = run("study", study)
    assert "no longer part of the study, kept but ignored: 2 results" in done.err and "/ bfs" in done.err
    assert "2 made now" in done.out
    assert len(results(study)) == 10, "results are kept"
    report = run("report", study)
    assert "bfs" not in report.out and "dfs" in report.out and "left out: 2 results" in report.err


def test_renaming_changes_no_run(tmp_path):
    study = short_runs(tmp_path, 4)
    run("study", study)
    study.write_text(study.read_text() + 'name = "my {with}"\n')
    assert "0 made now" in run("study", study).out
    assert "my bfs" in run("report", study).out


@linux
def test_two_programs_do_not_run_one_study_at_once(tmp_path):
    study = hostile_study(tmp_path, "ignore", limits="seconds = 60")
    first = start("study", study, "--allow-code")
    while not study.with_suffix(".results.jsonl").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    second = run("study", study, "--allow-code")
    assert second.returncode == 2 and "is in use" in second.err
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)


def test_a_study_with_runs_that_failed_before_ends_as_it_did_then(tmp_path):
    study = hostile_study(tmp_path, "fail", "walk")
    first, second = (run("study", study, "--allow-code") for _ in range(2))
    assert "2 made now" in first.out and "0 made now" in second.out
    assert (first.returncode, second.returncode) == (70, 70)
    assert "1 run failed; --retry makes them again" in second.out


def test_runs_that_failed_are_told_apart(tmp_path):
    done = run("study", hostile_study(tmp_path, "fail", more=["repeats = 2"]), "--allow-code")
    for name in ("Hostile / Hostile board 1 / bfs", "Hostile / Hostile board 1 / bfs, repeat 2"):
        assert f"crashed: {name} (exit status 70)\n" in done.out


def test_retry_runs_those_again_that_crashed(tmp_path):
    study = hostile_study(tmp_path, "fail", "walk")
    run("study", study, "--allow-code")
    retried = run("study", study, "--allow-code", "--retry")
    assert "2 runs, 1 made now" in retried.out and retried.returncode == 70
    assert [record["run"]["board"] for record in results(study)].count("walk") == 1


def test_another_code_is_another_run(tmp_path):
    study = hostile_study(tmp_path, "walk")
    run("study", study, "--allow-code")
    code = tmp_path / "hostile.py"
    code.write_text(code.read_text() + "\n# changed\n")
    assert "1 made now" in run("study", study, "--allow-code").out


def test_another_neighbour_is_another_code(tmp_path):
    study = hostile_study(tmp_path, "walk")
    code, package = tmp_path / "hostile.py", tmp_path / "parts"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inner.py").write_text("import far\n")
    code.write_text(
        code.read_text().replace("    def walk(self):", "    def walk(self):\n        import parts.inner\n")
    )
    files = {"near": tmp_path / "parts" / "inner.py", "far": tmp_path / "far.py", "stranger": tmp_path / "stranger.py"}
    keys = []
    for name in (None, *files):
        if name is not None:
            files[name].write_text(f"# changed\n{files[name].read_text() if files[name].exists() else ''}")
        keys += read_study(str(study), allow_code=True).runs
    assert len(set(keys)) == 3 and keys[2] == keys[3], "a file that is not imported does not count"


@linux
@pytest.mark.parametrize("name", ["hostile.py", "neighbour.py"])
def test_runs_of_code_that_changes_during_the_study_are_not_made(tmp_path, name):
    """The first run changes the code; the others do not run it under the name of the old."""
    study = hostile_study(tmp_path, "walk", more=["repeats = 3"])
    (tmp_path / "neighbour.py").write_text("# a neighbour\n")
    code = tmp_path / "hostile.py"
    change = f"with open({str(tmp_path / name)!r}, 'a') as file:\n            file.write('# changed')\n"
    code.write_text(f"import neighbour\n{code.read_text().replace('pass', change, 1)}")
    done = run("study", study, "--allow-code", "--jobs", 1)
    assert done.returncode == 70 and f"{code}, or a module that it imports" in done.out
    assert [record["ending"] for record in results(study)] == ["solved", "code_changed", "code_changed"]
    code.write_text(code.read_text() + "\nbroken (")
    again = run("study", study, "--allow-code", "--retry")
    assert again.returncode == 2 and "line 3" in again.err


ODD_COSTS = """
import datetime, decimal, fractions
class Odd(Hostile):
    costs, integer_costs = "nonnegative", False
    def result(self, state, action):
        return state + 1
    def cost(self, state, action, next_state):
        return {"fraction": fractions.Fraction(1, 3), "decimal": decimal.Decimal(1), "nan": float("nan"), "set": {1},
                "inf": float("inf"), "date": datetime.date.today(), "huge": 10**400}.get(self.how, 1)
    def points(self, state):
        return {"half": fractions.Fraction(1, 2), "dated": datetime.date.today()}.get(self.how, 1)
"""


def test_costs_and_points_that_are_no_numbers_of_json_end_their_run_only(tmp_path):
    boards = ("fraction", "decimal", "nan", "inf", "set", "date", "huge", "half", "dated", "walk")
    study = hostile_study(tmp_path, *boards, more=["[score]", "of = '-cost'"])
    code = tmp_path / "hostile.py"
    code.write_text(code.read_text() + ODD_COSTS)
    study.write_text(study.read_text().replace(":Hostile", ":Odd"))
    assert run("study", study, "--allow-code").returncode == 70
    found = {record["run"]["board"]: record for record in results(study)}
    assert set(found) == set(boards)
    endings = {board: found[board]["ending"] for board in boards}
    assert {board for board in boards if endings[board] == "solved"} == {"fraction", "decimal", "walk"}
    assert {board for board in boards if endings[board] == "unrecordable"} >= {"half", "dated"}
    assert found["half"]["last_lines"] == [
        "points is Fraction(1, 2) (Fraction): expected a whole number or a finite float"
    ]
    assert set(endings.values()) == {"crashed", "solved", "unrecordable"}
    assert run("report", study, "--allow-code").returncode == 0


def test_results_onto_another_file_are_refused_and_the_file_is_left(tmp_path):
    study = short_runs(tmp_path, 4)
    study.write_text(study.read_text().rstrip())
    before = study.read_bytes()
    done = run("study", study, "--results", study)
    assert done.returncode == 2 and "study.toml is no results file: line 1" in done.err
    assert study.read_bytes() == before


@linux
def test_a_results_file_removed_during_a_study_is_written_again(tmp_path):
    study = hostile_study(tmp_path, "nap", more=["repeats = 6"])
    path = study.with_suffix(".results.jsonl")
    process = start("study", study, "--allow-code", "--jobs", 1)
    while lines_of(study) < 2:
        time.sleep(0.005)
    path.unlink()
    process.communicate(timeout=60)
    assert process.returncode == 0 and len({record["key"] for record in results(study)}) == 6


def test_results_of_another_state_of_the_source_are_told(tmp_path):
    study = short_runs(tmp_path, 4)
    run("study", study)
    path = study.with_suffix(".results.jsonl")
    (source,) = {record["versions"]["source"] for record in results(study)}
    assert "source" not in run("study", study).err + run("report", study).err
    path.write_text(path.read_text().replace(source, "0" * 16, 1))
    assert "made by another state of procura's source, kept: 1 result\n" in run("study", study).err
    assert f"made by 2 states of procura's source: {', '.join(sorted(['0' * 16, source]))}" in run("report", study).err


def test_a_record_has_all_that_redoes_the_run(tmp_path):
    study = write_study(
        tmp_path,
        'engine = "python"',
        "[[problems]]",
        'puzzle = "tetris"',
        'sample = "test-25"',
        "[[configurations]]",
        'with = "astar:quality_bound"',
        'limits = {seconds = 50, memory = "1GB"}',
        "[score]",
        "missing = -500",
    )
    run("study", study)
    (record,) = results(study)
    made = record["run"]
    assert made["puzzle"] == "tetris" and made["limits"] == {"seconds": 50.0, "memory": 10**9}
    assert made["searches"][0]["options"]["ties"] == "lifo" and made["options"] == {"pieces": "till"}
    assert (record["points"], record["score"], record["optimal"]) == (600, 600, True)
    assert record["points_after"][-1] == 600 and len(record["points_after"]) == 4
    assert set(record["versions"]) == {"procura", "source", "python", "numba", "numpy"}
    assert len(record["machine"]["load"]) == 3 and record["started"] < record["ended"]
    from procura import Limits, Tetris, solve

    problem = Tetris.from_text(made["board"], **made["options"])
    search = made["searches"][0]
    again = solve(problem, search["algorithm"], heuristic=search["heuristic"], limits=Limits(), engine=made["engine"],
                  **search["options"])  # fmt: skip
    assert json.loads(json.dumps(again.actions)) == record["actions"]
    assert (again.stats.expanded, again.stats.generated) == (record["expanded"], record["generated"])
