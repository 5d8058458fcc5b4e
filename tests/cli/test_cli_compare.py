"""``procura compare``: the same problems by several configurations."""

from __future__ import annotations

import io
from dataclasses import replace
from types import SimpleNamespace

import pytest
from helpers import EASY, NO_FILL, ODD, ONE_MOVE, RUSH_HOUR, is_one_sentence, objects, run
from rich.console import Console

from procura import Sliding, catalog, solve
from procura.cli.tables import COLUMNS, TableReport, cells, show_table

TEN_MOVES = "5 8 2 1 0 3 4 7 6"
JAM = "A..B.. A..B.. XX.B.. ...... ...... ......"
FOUR = ["--with", "astar:manhattan", "--with", "bfs", "--with", "astar:report_h3", "--with", "dfs"]


def table(text, heading=None):
    """The rows of a plain table below a heading, by configuration, each a dictionary."""
    lines = text.splitlines()
    lines = lines[lines.index(f"== {heading} ==") + 1 :] if heading else lines
    names = lines[0].split()
    rows = {}
    for line in lines[1:]:
        if not line.strip():
            break
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        rows[cells[0]] = dict(zip(names, cells, strict=True))
    return rows


def test_a_table_tells_answers_and_proofs_apart():
    result = run("compare", "sliding", TEN_MOVES, *FOUR)
    rows = table(result.stdout)
    assert list(rows) == ["astar:manhattan", "bfs", "astar:report_h3", "dfs"]
    assert tuple(rows["bfs"]) == tuple(name for name in COLUMNS if name != "points")
    assert {name: row["outcome"] for name, row in rows.items()} == dict.fromkeys(rows, "solved")
    assert [row["proof"] for row in rows.values()] == ["proved", "proved", "not proved", "not proved"]
    assert rows["bfs"]["cost"] == rows["bfs"]["length"] == "10"
    assert rows["bfs"]["memory"].endswith(" MB")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_table_agrees_with_json():
    rows = table(run("compare", "sliding", TEN_MOVES, *FOUR).stdout)
    told = objects(run("compare", "sliding", TEN_MOVES, *FOUR, "--json"))
    assert [item["algorithm"] for item in told] == ["astar", "bfs", "astar", "dfs"]
    for row, item in zip(rows.values(), told, strict=True):
        for name in ("cost", "length", "generated", "expanded"):
            assert row[name].replace(",", "") == str(item[name])
        assert float(row["penetrance"]) == pytest.approx(item["penetrance"], rel=1e-3)
        assert float(row["branching"]) == pytest.approx(item["branching_factor"], rel=1e-3)
        assert (row["proof"] == "proved") == bool(item["optimal"])


def test_runs_without_an_answer_say_why():
    result = run("compare", "sliding", TEN_MOVES, "--with", "bfs", "--with", "idastar:manhattan", "--limit", "nodes=20")
    rows = table(result.stdout)
    assert rows["bfs"]["outcome"] == "not found (nodes)"
    assert rows["bfs"]["cost"] == rows["bfs"]["proof"] == "-"
    assert result.exit_code == 3
    (row,) = table(run("compare", "sliding", ODD, "--with", "bfs").stdout).values()
    assert (row["outcome"], row["proof"]) == ("no solution", "proved")


def test_several_problems_have_a_table_each_and_a_sum():
    result = run(
        "compare", "sliding", "--sample", "moodle-1", "--sample", "moodle-10", *FOUR[:4], "--limit", "nodes=1e3"
    )
    parts = [table(result.stdout, name) for name in ("moodle-1", "moodle-10")]
    total = table(result.stdout, "2 problems")
    assert [part["bfs"]["outcome"] for part in parts] == ["solved", "not found (nodes)"]
    assert (total["bfs"]["solved"], total["bfs"]["proved"]) == ("1", "1")
    for name, row in total.items():
        assert int(row["expanded"].replace(",", "")) == sum(
            int(part[name]["expanded"].replace(",", "")) for part in parts
        )
    assert result.exit_code == 3


def test_points_are_told_where_a_puzzle_counts_them():
    arguments = ["#########.", "--pieces", "i", "--with", "report2_best", "--with", "auto"]
    rows = table(run("compare", "tetris", *arguments).stdout)
    assert [row["points"] for row in rows.values()] == ["100", "100"]
    assert rows["auto"]["cost"] == "-100" != rows["report2_best"]["cost"]


def test_the_sum_tells_proofs_of_an_optimum_from_proofs_that_there_is_none():
    boards = f"{ONE_MOVE}\n{ODD}\n{ONE_MOVE}\n"
    total = table(run("compare", "sliding", "-", "--with", "bfs", "--with", "dfs", text=boards).stdout, "3 problems")
    assert [total["bfs"][name] for name in ("solved", "proved", "unsolvable")] == ["2", "2", "1"]
    assert [total["dfs"][name] for name in ("solved", "proved", "unsolvable")] == ["2", "0", "1"]
    fills = "1234341221434321\n" * 2
    total = table(run("compare", "sudoku", "-", "--with", "dfs", text=fills).stdout, "2 problems")
    assert total["dfs"]["proved"] == "-"
    assert "unsolvable" not in total["dfs"]


def test_an_interrupted_run_is_told_in_the_words_of_solve():
    result = solve(Sliding(TEN_MOVES), "bfs", engine="python", cancel=lambda: True)
    assert cells(result)[0] == "not found (interrupted)"


@pytest.mark.parametrize(("engines", "told"), [("pc", True), ("pp", False), ("cc", False)])
def test_seconds_of_different_engines_are_told_apart(engines, told, capsys):
    report = TableReport(1, list(engines))
    result = solve(Sliding(ONE_MOVE), "bfs", engine="python")
    for label, engine in zip(("first", "second"), engines, strict=True):
        ended = replace(result, engine={"p": "python", "c": "compiled"}[engine])
        report.result(SimpleNamespace(result=ended, settings=SimpleNamespace(label=label)))
    report.problem_done(SimpleNamespace(place=None, name=None))
    assert ("Seconds of first are of the interpreted engine" in capsys.readouterr().out) is told


def test_json_names_the_configuration_last():
    told = objects(run("compare", "sliding", ONE_MOVE, "--with", "bfs", "--with", "astar:manhattan", "--json"))
    assert [list(item)[-1] for item in told] == ["configuration"] * 2
    assert [item["configuration"] for item in told] == ["bfs", "astar:manhattan"]


def test_all_samples_can_be_compared():
    told = objects(run("compare", "sudoku", "--sample", "all", "--with", "dfs", "--json", "--limit", "nodes=10"))
    assert [item["name"] for item in told] == list(catalog.puzzle("sudoku").samples())


def test_a_batch_ends_with_the_worst_and_a_bad_board_does_not_end_it():
    boards = "\n".join(
        board.replace(" ", "") for board in ("1234 3412 2143 43..", NO_FILL, "bad", "1234 3412 2143 43..")
    )
    result = run("compare", "sudoku", "-", "--with", "dfs", "--with", "bfs", "--json", text=boards)
    told = objects(result)
    outcomes = ["solved", "solved", "no_solution", "no_solution", None, None, "solved", "solved"]
    assert [item["outcome"] for item in told] == outcomes
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    shown = run("compare", "sudoku", "-", "--with", "dfs", "--with", "bfs", text=boards)
    assert shown.exit_code == 2
    assert table(shown.stdout, "4 problems")["dfs"]["solved"] == "2"


@pytest.mark.parametrize(
    "bad, told",
    [
        ("astra", "did you mean 'astar'?"),
        ("astar:manhatan", "did you mean 'manhattan'?"),
        ("astar:2*", "heuristic '2*', character 3"),
        ("bfs:manhattan", "bfs uses no heuristic"),
        ("astar,ties=last", "option ties='last'"),
        ("", "expected ALGORITHM"),
        ("bfs", "--with 'bfs' is given twice"),
    ],
)
def test_a_bad_configuration_is_told_before_anything_runs(bad, told):
    result = run("compare", "sliding", ONE_MOVE, "--with", "bfs", "--with", bad, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert is_one_sentence(result.stderr)
    assert told in result.stderr


def test_without_a_configuration_those_that_suit_the_puzzle_are_compared():
    told = run("compare", "sliding", ONE_MOVE, "--engine", "python").stdout
    assert [line.split()[0] for line in told.splitlines()[1:]] == list(Sliding.compared)
    lines = objects(run("compare", f"{RUSH_HOUR}:RushHour", JAM, "--engine", "python", "--json"))
    assert [line["configuration"] for line in lines][:3] == ["auto", "bfs", "dfs"]


def test_a_configuration_that_the_problem_refuses_leaves_the_others():
    result = run("compare", "tetris", "empty", "--pieces", "o", "--with", "ucs", "--with", "dfs")
    rows = table(result.stdout)
    assert (rows["ucs"]["outcome"], rows["dfs"]["outcome"]) == ("error", "solved")
    assert result.stderr.startswith("procura: ucs: Tetris has negative costs")
    assert result.exit_code == 2


def test_a_run_that_took_long_is_told_before_the_table(monkeypatch):
    monkeypatch.setattr("procura.cli.tables.LONG_SECONDS", 0.0)
    result = run("compare", "sliding", ONE_MOVE, "--with", "bfs", "--with", "dfs", "--engine", "python")
    assert result.stderr.startswith("bfs: solved in 1 move, proved optimal; 0.")
    assert "dfs" not in result.stderr and list(table(result.stdout)) == ["bfs", "dfs"]


def test_presets_can_be_compared():
    rows = table(run("compare", "sudoku", EASY, "--with", "report_astar", "--with", "fewest").stdout)
    assert [row["outcome"] for row in rows.values()] == ["solved", "solved"]


ROW = ("astar:0.05*misplaced + 0.94*manhattan,ties=fifo", "solved", "1,200", "28", "not proved", "28", "1,234,567",
       "456,789", "0.0002", "1.2345", "12.345", "1,234 MB")  # fmt: skip


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_nothing_is_cut_on_any_terminal(width):
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system=None, highlight=False, markup=False)
    show_table(console, COLUMNS, [ROW, ROW])
    text = stream.getvalue()
    assert all(len(line) <= width for line in text.splitlines())
    joined = " ".join(text.split())
    assert all(cell in joined for cell in ROW)
    assert "…" not in text


def test_a_plain_table_is_as_wide_as_it_needs(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    text = run("compare", "sliding", TEN_MOVES, "--with", "astar:0.5*misplaced + 0.5*manhattan,ties=high_g").stdout
    assert "astar:0.5*misplaced + 0.5*manhattan,ties=high_g  solved" in text
    assert "…" not in text
    assert len(text.splitlines()) == 2
