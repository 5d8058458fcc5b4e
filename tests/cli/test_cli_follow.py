"""What follows a search into a file: ``--log``, ``--trace``, ``--tree``; and ``--solutions``."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import processes
import pytest
from helpers import EASY, NO_FILL, ONE_MOVE, objects, run

from procura import Limits, Sliding, solve
from procura.cli.tree import SearchTree, dot

TEN_MOVES = "5 8 2 1 0 3 4 7 6"
SEARCHES = ["bfs", "dfs", "iddfs", "ucs", "greedy:manhattan", "astar:manhattan", "astar:report_h3", "idastar:manhattan"]


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("configuration", SEARCHES)
def test_a_trace_is_complete(tmp_path, configuration):
    arguments = ["sliding", TEN_MOVES, "--with", configuration, "--limit", "depth=12,nodes=3000"]
    (told,) = objects(run("solve", *arguments, "--json", "--trace", tmp_path / "trace"))
    lines = lines_of(tmp_path / "trace")
    kinds = [line["event"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("start", "end")
    assert kinds.count("expand") == told["expanded"] == lines[-1]["expanded"]
    assert kinds.count("goal") == (told["outcome"] == "solved")
    made = kinds.count("generate") + kinds.count("duplicate") + kinds.count("reopen")
    assert made <= told["generated"]
    assert {line["problem"] for line in lines} == {1}


def test_a_trace_holds_states_as_text_and_actions_in_their_json_form(tmp_path):
    run("solve", "sliding", ONE_MOVE, "--with", "bfs", "--trace", tmp_path / "trace")
    start, first, *_, goal, end = lines_of(tmp_path / "trace")
    assert start["initial"] == first["state"] == "1 2 3\n4 5 6\n7 . 8"
    assert (first["event"], first["node"], first["g"], first["depth"]) == ("expand", 0, 0, 0)
    assert goal["state"] == "1 2 3\n4 5 6\n7 8 ."
    assert goal["action"] == "R"
    assert (end["outcome"], end["actions"]) == ("solved", ["R"])


def test_a_batch_has_one_trace(tmp_path):
    result = run("solve", "sudoku", "-", "--json", "--trace", tmp_path / "trace", text=f"{EASY}\nbad\n{EASY}\n")
    lines = lines_of(tmp_path / "trace")
    expanded = {1: 0, 3: 0}
    for line in lines:
        expanded[line["problem"]] += line["event"] == "expand"
    assert list(expanded.values()) == [told["expanded"] for told in objects(result) if not told["error"]]


def test_local_search_traces_its_improvements(tmp_path):
    arguments = ["12343412214343..", "--with", "annealing", "--trace", tmp_path / "trace"]
    assert run("solve", "sudoku", *arguments).exit_code == 0
    better = [line for line in lines_of(tmp_path / "trace") if line["event"] == "improve"]
    assert better[-1]["value"] == 0
    assert isinstance(better[-1]["state"], str)


def test_following_runs_on_the_python_engine_and_says_so(tmp_path):
    for option in ("--trace", "--tree"):
        result = run("solve", "sliding", ONE_MOVE, "--engine", "auto", "--json", option, tmp_path / "file.dot")
        assert objects(result)[0]["engine"] == "python"
        assert result.stderr == f"procura: {option} follows every node, so the search runs on the python engine\n"


@pytest.mark.slow
def test_a_compiled_trace_says_that_it_is_not_complete(tmp_path):
    result = run("solve", "sliding", ONE_MOVE, "--engine", "compiled", "--json", "--trace", tmp_path / "trace")
    assert result.exit_code == 0
    assert "not every node" in result.stderr.splitlines()[0]
    assert lines_of(tmp_path / "trace")[-1]["outcome"] == "solved"


LABEL = r'"(?:[^"\\\n]|\\["\\ln])*"'
NODE = re.compile(rf"  (\w+) \[label={LABEL}(?: color=\"#\w+\" penwidth=[\d.]+)?(?: peripheries=2)?\];")
EDGE = re.compile(rf"  (\w+) -> (\w+) \[label={LABEL}(?: color=\"#\w+\" penwidth=[\d.]+)?\];")


def read_dot(text):
    """Nodes, edges and the path of a tree; every line must be one that we know."""
    lines = text.splitlines()
    while lines[0].startswith("// "):
        lines.pop(0)
    assert lines[0] == "digraph search {"
    assert re.fullmatch(rf"  label={LABEL}; labelloc=t;", lines[1])
    assert lines[-1] == "}"
    nodes, edges = {}, {}
    for line in lines[3:-1]:
        node, edge = NODE.fullmatch(line), EDGE.fullmatch(line)
        assert node or edge, line
        if node:
            nodes[node[1]] = line
        else:
            edges[edge[1], edge[2]] = line
    assert all(a in nodes and b in nodes for a, b in edges)
    children = [b for _, b in edges]
    assert len(children) == len(set(children))
    return nodes, edges


@pytest.mark.parametrize("configuration", SEARCHES)
def test_a_tree_is_one(tmp_path, configuration):
    arguments = ["sliding", "1 2 3 4 0 5 7 8 6", "--with", configuration, "--limit", "depth=5"]
    result = run("solve", *arguments, "--json", "--tree", tmp_path / "tree.dot")
    (told,) = objects(result)
    nodes, edges = read_dot((tmp_path / "tree.dot").read_text())
    assert len(edges) == len(nodes) - 1
    green = [edge for edge, line in edges.items() if "color" in line]
    assert len(green) == told["length"]
    assert sum("peripheries=2" in line for line in nodes.values()) == 1


def test_a_tree_tells_boards_values_and_the_order_of_expansion(tmp_path):
    run("solve", "sliding", "1 2 3 4 0 5 7 8 6", "--with", "astar:manhattan,weight=2", "--tree", tmp_path / "t.dot")
    nodes, _ = read_dot((tmp_path / "t.dot").read_text())
    assert r"1 2 3\l4 . 5\l7 8 6\lf=4 g=0 h=2\lexpanded 1\l" in nodes["n0"]
    assert sum("not expanded" in line for line in nodes.values()) == len(nodes) - 2


def test_a_tree_is_bounded_says_so_and_keeps_the_solution(tmp_path):
    arguments = ["sliding", TEN_MOVES, "--with", "bfs", "--tree", tmp_path / "tree.dot", "--tree-nodes", "5"]
    result = run("solve", *arguments)
    text = (tmp_path / "tree.dot").read_text()
    nodes, edges = read_dot(text)
    assert sum(name.startswith("n") for name in nodes) == 5
    assert sum("color" in line for line in edges.values()) == 10
    path = [line for line in nodes.values() if "color" in line]
    assert [("not expanded" in line, "peripheries=2" in line) for line in path] == [(False, False)] * 10 + [
        (True, True)
    ]
    told = re.search(r"the first 5 of [\d,]+ nodes, and the path of the solution", result.stderr)
    assert told and text.count(told[0]) == 2


def test_a_tree_of_iterations_is_the_last_one(tmp_path):
    result = run("solve", "sliding", TEN_MOVES, "--with", "idastar:misplaced", "--tree", tmp_path / "tree.dot")
    assert "only the last of" in result.stderr
    assert "with bound 10" in (tmp_path / "tree.dot").read_text()


def test_a_tree_of_a_search_that_is_stopped_has_no_path():
    problem = Sliding(TEN_MOVES)
    tree = SearchTree(problem, 100)
    result = solve(problem, "bfs", engine="python", limits=Limits(nodes=3), on_event=tree)
    nodes, edges = read_dot(dot(tree, result))
    assert len(nodes) == 1 + result.stats.generated - 2
    assert not any("color" in line for line in (*nodes.values(), *edges.values()))


class Quoted(Sliding):
    """Draws its boards with what Graphviz must have escaped."""

    def to_text(self, state):
        return '"\\' + super().to_text(state) + '\\n"'


def test_what_graphviz_would_misread_is_escaped():
    problem = Quoted(ONE_MOVE)
    tree = SearchTree(problem, 100)
    read_dot(dot(tree, solve(problem, "bfs", engine="python", on_event=tree)))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_a_tree(tmp_path):
    run("solve", "sliding", TEN_MOVES, "--with", "astar:manhattan", "--tree", tmp_path / "tree.dot")
    assert subprocess.run(["dot", "-Tplain", tmp_path / "tree.dot"], capture_output=True, check=True).stdout


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["sudoku", "-"], "--tree: expected one problem, not 2"),
        (["sudoku", EASY, "--with", "annealing"], "--tree: annealing makes no tree"),
        (["sudoku", EASY, "--engine", "compiled"], "--tree: a compiled search does not tell its nodes"),
    ],
)
def test_what_has_no_tree_is_bad_input(tmp_path, arguments, told):
    result = run("solve", *arguments, "--tree", tmp_path / "tree.dot", text=f"{EASY}\n{EASY}\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert not (tmp_path / "tree.dot").exists()


def entries(path):
    """The records of a log, as labels and values."""
    found = []
    for part in re.split(r"(?m)^(?=puzzle  )", path.read_text())[1:]:
        rows = (line.split(None, 1) if "  " not in line else re.split("  +", line, maxsplit=1) for line in
                part.partition("\ninitial board")[0].splitlines())  # fmt: skip
        found.append(dict(rows))
    return found


def test_a_log_grows_by_a_record_a_run(tmp_path):
    path = tmp_path / "log"
    run("solve", "sliding", "--sample", "moodle-1", "--with", "astar:manhattan,ties=fifo", "--log", path)
    run("solve", "sudoku", "-", "--json", "--log", path, "--limit", "depth=90", text=f"{EASY}\nbad\n{EASY}\n")
    first, second, third = entries(path)
    assert (first["puzzle"], first["name"], first["depth limit"]) == ("sliding", "moodle-1", "-")
    assert first["target"] == "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7"
    assert first["algorithm"] == "astar with manhattan, ties=fifo, python"
    assert "tree=false, ties=fifo" in first["options"]
    assert first["start"] <= first["end"]
    assert len(first["actions"]) == 8
    assert {first[f"{name} limit"] for name in ("seconds", "nodes", "memory")} == {"-"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", first["start"])
    assert (first["outcome"], first["proof"], first["length"]) == ("solved in 8 moves, proved optimal", "proved", "8")
    assert second["read from"] == "standard input, line 1"
    assert third["depth limit"] == "90"
    text = path.read_text()
    assert "initial board\n     2  3  4  5\n" in text
    assert "final board\n     1  2  3  4\n" in text


def test_a_log_agrees_with_json(tmp_path):
    (told,) = objects(run("solve", "sliding", TEN_MOVES, "--with", "bfs", "--json", "--log", tmp_path / "log"))
    (entry,) = entries(tmp_path / "log")
    for name in ("generated", "expanded", "length"):
        assert entry[name].replace(",", "") == str(told[name])
    assert float(entry["penetrance"]) == pytest.approx(told["penetrance"], rel=1e-5)
    assert float(entry["branching factor"]) == pytest.approx(told["branching_factor"], rel=1e-5)


def test_a_run_without_a_solution_is_logged_too(tmp_path):
    run("solve", "sudoku", NO_FILL, "--log", tmp_path / "log", "--limit", "nodes=1e6,seconds=20,memory=9GB")
    (entry,) = entries(tmp_path / "log")
    assert (entry["proof"], entry["length"], entry["penetrance"]) == ("proved", "-", "-")
    limits = [entry[f"{name} limit"] for name in ("seconds", "nodes", "memory", "depth")]
    assert limits == ["20", "1,000,000", "9,000,000,000", "-"]
    assert entry["actions"] == "-"
    assert (tmp_path / "log").read_text().endswith("final board\n    -\n\n")


@pytest.mark.parametrize(
    "board, count",
    [("..34 3412 ..43 4321", 2), ("1234 3412 2143 43..", 1), (NO_FILL, 0), ("." * 16, 288)],
)
def test_solutions_are_counted(board, count):
    assert objects(run("solve", "sudoku", board, "--solutions", "1000", "--json"))[0]["solutions"] == count


def test_counting_ends_at_its_bound_and_says_so():
    assert objects(run("solve", "sudoku", "." * 16, "--solutions", "7", "--json"))[0]["solutions"] == 7
    assert "solutions         7 or more" in run("solve", "sudoku", "." * 16, "--solutions", "7").stdout
    assert "solutions         1\n" in run("solve", "sudoku", EASY, "--solutions", "2").stdout
    assert objects(run("solve", "sudoku", EASY, "--json"))[0]["solutions"] is None


FULL = "/dev/full"
no_full_disk = pytest.mark.skipif(not os.path.exists(FULL), reason="the system has no disk that is always full")


@no_full_disk
@pytest.mark.parametrize("option", ["--trace", "--tree", "--log", "--svg"])
@pytest.mark.parametrize("board", [ONE_MOVE, TEN_MOVES])
def test_a_full_disk_does_not_cost_the_answer(option, board):
    arguments = ["sliding", board, "--with", "bfs", "--json"]
    (expected,) = objects(run("solve", *arguments))
    result = run("solve", *arguments, option, FULL)
    (told,) = objects(result)
    assert (told["outcome"], told["actions"]) == ("solved", expected["actions"])
    assert result.stderr == f"procura: {option} '/dev/full' cannot be written: no space left on device\n"
    assert result.exit_code == 2


@no_full_disk
def test_a_batch_goes_on_without_the_file_that_is_full(tmp_path):
    text = f"{ONE_MOVE}\n{TEN_MOVES}\n1 2\n{TEN_MOVES}\n"
    arguments = ["-", "--with", "bfs", "--json", "--trace", FULL, "--log", tmp_path / "log"]
    result = run("solve", "sliding", *arguments, text=text)
    assert [told["length"] for told in objects(result)] == [1, 10, None, 10]
    assert result.stderr.count("--trace '/dev/full' cannot be written") == 1
    assert (tmp_path / "log").read_text().count("outcome") == 3


@no_full_disk
def test_a_status_that_is_worse_than_a_full_disk_stays(faulty_class):
    result = run("solve", "sliding", "1 2 3 4 5 6 8 7 0", "--with", "bfs", "--limit", "nodes=5", "--trace", FULL)
    assert result.exit_code == 2
    result = run("solve", faulty_class, "x", "--with", "bfs", "--trace", FULL)
    assert result.exit_code == 2
    assert "Faulty raises KeyError" in result.stderr and "cannot be written" in result.stderr


@pytest.mark.parametrize("option", ["--trace", "--tree"])
def test_a_disk_that_fills_up_leaves_the_answer_and_no_part_of_a_tree(option, tmp_path):
    pytest.importorskip("resource")
    arguments = ["sliding", TEN_MOVES, "--with", "bfs", "--json", "--engine", "python", option, tmp_path / "t.dot"]
    fill = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    done = processes.run("solve", *arguments, first=fill)
    assert json.loads(done.out)["length"] == 10
    assert done.returncode == 2
    assert done.err == f"procura: {option} '{tmp_path / 't.dot'}' cannot be written: file too large\n"
    assert os.listdir(tmp_path) == (["t.dot"] if option == "--trace" else [])


@no_full_disk
def test_the_record_of_a_run_is_written_though_nobody_can_read_the_answer(tmp_path):
    arguments = ["sliding", ONE_MOVE, "--with", "bfs", "--engine", "python", "--log", tmp_path / "log"]
    command = [sys.executable, "-m", "procura", "solve", *map(str, arguments)]
    with open(FULL, "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr == "procura: the output cannot be written: no space left on device\n"
    assert "solved in 1 move" in (tmp_path / "log").read_text()


def test_what_a_file_held_stays_until_a_run_begins(tmp_path):
    kept = tmp_path / "trace.jsonl"
    kept.write_text("of a run before")
    assert run("solve", "sliding", "1 2 3", "--trace", kept).exit_code == 2
    assert kept.read_text() == "of a run before"
    assert run("solve", "sliding", "1 2 3 4 5 6 7 0 8", "--engine", "python", "--trace", kept).exit_code == 0
    assert kept.read_text().startswith('{"problem": 1, "event": "start"')


def test_two_options_that_name_one_file_are_refused(tmp_path):
    done = run("solve", "sliding", "1 2 3 4 5 6 7 0 8", "--trace", tmp_path / "x", "--log", f"{tmp_path}/./x")
    assert done.exit_code == 2 and "names the same file" in done.stderr and not (tmp_path / "x").exists()
