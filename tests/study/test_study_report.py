"""Tables and plots of results that are made up, so that every figure is known."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import example, given, settings, strategies as st
from processes import run
from study_helpers import a_record, write_study

from procura.cli.commands import report
from procura.runners.endings import Ending
from procura.study.layout import Plot, Table
from procura.study.measures import aggregate, quartiles, read_value, written
from procura.study.plan import read_study
from procura.study.plots import DRAW, draw_plots
from procura.study.store import Contents, read_results
from procura.study.summarise import rows_of_results, rows_of_study, sheets

STUDY = """\
title = "Two boards"
repeats = 3
[limits]
seconds = 20
[[problems]]
puzzle = "tetris"
board = "empty"
pieces = ["t", "t i"]
name = "{pieces}"
[[configurations]]
with = "dfs"
name = "DFS & co"
[[configurations]]
with = "astar"
name = "A*"
[score]
of = "points"
missing = -500
"""
TABLES = """
[[report.tables]]
title = "Totals"
rows = "configuration"
values = ["solved", "sum score", {value = "quartiles seconds", name = "time", digits = 2}, {value = "max length", name = "most pieces"}]
[[report.tables]]
title = "Boards"
columns = "configuration"
values = ["endings", "mean score"]
total = true
"""  # noqa: E501
PLOTS = """
[[report.plots]]
kind = "bars"
file = "bars"
value = "mean score"
[[report.plots]]
kind = "log_times"
file = "times"
group = "problem"
[[report.plots]]
kind = "solved_against_time"
file = "solved"
[[report.plots]]
kind = "scatter"
file = "scatter"
x = "DFS & co"
y = "A*"
log = true
[[report.plots]]
kind = "sorted_sums"
file = "sums"
"""
FIGURES = {
    ("t", "DFS & co"): [("solved", 100, 1, 0.5), ("solved", 100, 1, 0.25), ("solved", 100, 1, 0.75)],
    ("t", "A*"): [("solved", 300, 1, 2.0), ("solved", 300, 1, 4.0), ("solved", 300, 1, 3.0)],
    ("t i", "DFS & co"): [("solved", 200, 2, 1.0), ("solved", 200, 2, 1.25), ("solved", 200, 2, 1.5)],
    ("t i", "A*"): [("killed_time", None, None, 20.5), ("stopped_time", None, None, 20.0), ("solved", 800, 2, 19.0)],
}
TERMINAL = """\
Totals
configuration  solved  sum score                   time  most pieces
DFS & co          6/6        300    0.88 (0.56 to 1.19)            2
A*                4/6       -200  11.50 (3.25 to 19.75)            2

Boards
problem  DFS & co: endings  DFS & co: mean score                              A*: endings  A*: mean score
t                   solved                   100                                   solved             300
t i                 solved                   200  1 killed_time, 1 stopped_time, 1 solved           -66.7
all                 solved                   150  4 solved, 1 killed_time, 1 stopped_time             117
"""
NARROW = """\
Totals
configuration  solved  sum score
DFS & co          6/6        300
A*                4/6       -200

configuration                   time
DFS & co         0.88 (0.56 to 1.19)
A*             11.50 (3.25 to 19.75)

configuration  most pieces
DFS & co                 2
A*                       2
"""
MARKDOWN = """\
### Totals

| configuration | solved | sum score | time | most pieces |
|---|---:|---:|---:|---:|
| DFS & co | 6/6 | 300 | 0.88 (0.56 to 1.19) | 2 |
| A* | 4/6 | -200 | 11.50 (3.25 to 19.75) | 2 |

### Boards

| problem | DFS & co: endings | DFS & co: mean score | A*: endings | A*: mean score |
|---|---:|---:|---:|---:|
| t | solved | 100 | solved | 300 |
| t i | solved | 200 | 1 killed_time, 1 stopped_time, 1 solved | -66.7 |
| all | solved | 150 | 4 solved, 1 killed_time, 1 stopped_time | 117 |
"""
CSV = """\
Totals
configuration,solved,solved of,sum score,time lower quartile,time median,time upper quartile,most pieces
DFS & co,6,6,300,0.5625,0.875,1.1875,2
A*,4,6,-200,3.25,11.5,19.75,2

Boards
problem,DFS & co: endings,DFS & co: mean score,A*: endings,A*: mean score
t,solved,100,solved,300
t i,solved,200,"1 killed_time, 1 stopped_time, 1 solved",-66.66666666666667
all,solved,150,"4 solved, 1 killed_time, 1 stopped_time",116.66666666666667
"""
LATEX = r"""\begin{table}[ht]
\centering
\caption{Totals}
\begin{tabular}{lrrrr}
\hline
configuration & solved & sum score & time & most pieces \\
\hline
DFS \& co & 6/6 & 300 & 0.88 (0.56 to 1.19) & 2 \\
A* & 4/6 & -200 & 11.50 (3.25 to 19.75) & 2 \\
\hline
\end{tabular}
\end{table}

\begin{table}[ht]
\centering
\caption{Boards}
\begin{tabular}{lrrrr}
\hline
problem & DFS \& co: endings & DFS \& co: mean score & A*: endings & A*: mean score \\
\hline
t & solved & 100 & solved & 300 \\
t i & solved & 200 & 1 killed\_time, 1 stopped\_time, 1 solved & -66.7 \\
all & solved & 150 & 4 solved, 1 killed\_time, 1 stopped\_time & 117 \\
\hline
\end{tabular}
\end{table}
"""


def made_up(folder, *parts):
    """A study whose results are those of ``FIGURES``."""
    path = write_study(folder, STUDY, *parts)
    lines = []
    for cell in read_study(str(path)).cells:
        ending, points, length, seconds = FIGURES[cell.problem, cell.configuration][cell.run.repeat - 1]
        outcome = {"solved": "solved", "stopped_time": "not_found"}.get(ending)
        record = {"key": cell.run.key, "run": cell.run.canonical, **cell.names, "ending": ending, "outcome": outcome,
                  "points": points, "length": length, "seconds": seconds, "score": 0, "expanded": 7}  # fmt: skip
        lines.append(json.dumps(record))
    path.with_suffix(".results.jsonl").write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("form", "text"), [("terminal", TERMINAL), ("markdown", MARKDOWN), ("csv", CSV), ("latex", LATEX)]
)
def test_tables_are_written_in_four_formats(tmp_path, form, text):
    done = run("report", made_up(tmp_path, TABLES), "--format", form)
    assert (done.returncode, done.err) == (0, "")
    assert done.out == text


def test_a_table_too_wide_for_the_terminal_goes_on_below(tmp_path):
    from procura.study import formats

    path = made_up(tmp_path, TABLES)
    study = read_study(str(path))
    rows = rows_of_study(study, read_results(path.with_suffix(".results.jsonl")))
    first = next(sheets(study.tables, rows))
    assert formats.terminal([first], 36) == NARROW


def test_a_study_without_tables_has_the_usual_ones(tmp_path):
    done = run("report", made_up(tmp_path))
    assert done.returncode == 0 and "Configurations: tetris" in done.out and "Problems: tetris" in done.out
    assert "sum score" in done.out


def test_results_alone_are_reported_with_the_names_and_scores_they_have(tmp_path):
    path = made_up(tmp_path)
    done = run("report", path.with_suffix(".results.jsonl"), "--format", "csv")
    assert done.returncode == 0 and "DFS & co,6,6,0,6,0," in done.out


def test_a_report_says_what_is_missing(tmp_path):
    path = made_up(tmp_path)
    results = path.with_suffix(".results.jsonl")
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:-2]))
    assert "without a result yet: 2 of 12 runs" in run("report", path).err


def test_without_results_there_is_no_report(tmp_path):
    path = write_study(tmp_path, STUDY)
    done = run("report", path)
    assert done.returncode == 2 and "run procura study first" in done.err


@pytest.mark.parametrize("damage", ['"seconds": "long"', '"length": [1]', '"points": {}', '"run": {}', '"ending": 3'])
def test_a_damaged_result_is_told_by_its_line_and_left_out(tmp_path, damage, capsys):
    path = made_up(tmp_path)
    results = path.with_suffix(".results.jsonl")
    lines = results.read_text().splitlines()
    lines[2] = lines[2][:-1] + f", {damage}}}"
    results.write_text("\n".join(lines) + "\n")
    for file in (path, results):
        report.command.callback(str(file), "runs-csv", None, None, None, False)
        out, err = capsys.readouterr()
        assert f"{results}: no results, left out: line 3: {damage.split(chr(34))[1]}" in err
        assert len(out.splitlines()) == 1 + 11
        assert ("without a result yet: 1 of 12 runs" in err) == (file == path)


def test_a_file_that_begins_with_no_result_is_refused(tmp_path):
    path = made_up(tmp_path)
    results = path.with_suffix(".results.jsonl")
    results.write_text("rubbish\n" + results.read_text())
    done = run("report", path)
    assert done.returncode == 2 and done.err == f"procura: {results} is no results file: line 1: not JSON\n"


def test_one_table_is_chosen_by_its_title(tmp_path):
    path = made_up(tmp_path, TABLES)
    done = run("report", path, "--format", "csv", "--table", "Boards")
    assert done.out == CSV.partition("\nBoards\n")[2]
    wrong = run("report", path, "--table", "Bords")
    assert (wrong.returncode, wrong.err) == (2, "procura: there is no table 'Bords': did you mean 'Boards'?\n")


def test_tables_of_a_group_are_chosen_together_or_one_by_one(tmp_path):
    grouped = "[[report.tables]]\ntitle = 'T'\ngroup = 'problem'\nrows = 'configuration'\n"
    path = made_up(tmp_path, grouped)
    assert run("report", path, "--table", "T").out.count("T: t") == 2
    assert run("report", path, "--table", "T: t i").out.startswith("T: t i\n")


def test_runs_are_written_one_a_line(tmp_path):
    done = run("report", made_up(tmp_path, TABLES), "--format", "runs-csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 12
    killed = next(row for row in rows if row["ending"] == "killed_time")
    assert (killed["problem"], killed["group"], killed["configuration"]) == ("t i", "tetris", "A*")
    assert (killed["repeat"], killed["seed"], killed["option pieces"]) == ("1", "-", "t i")
    assert (killed["outcome"], killed["points"], killed["score"], killed["seconds"]) == ("", "", "-500", "20.5")


def test_a_run_that_failed_has_no_seconds():
    rows = [{"ending": "solved", "seconds": 5.0}, {"ending": "killed_time", "seconds": 20.5}]
    rows += [{"ending": ending.value, "seconds": 0.01} for ending in Ending if ending.failed]
    assert read_value("min seconds").figure(rows).text == "5"
    assert read_value("seconds").figure(rows[2:]).text == "-"


def test_quartiles_of_negative_numbers_can_be_read():
    rows = [{"ending": "solved", "score": score} for score in (-500, -500, -500, 800, 800)]
    assert read_value("quartiles score").figure(rows).text == "-500 (-500 to 800)"


def test_plots_are_drawn_as_png_and_svg(tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra procura[plots]")
    done = run("report", made_up(tmp_path, TABLES, PLOTS), "--plots", tmp_path / "charts")
    assert done.returncode == 0, done.err
    names = {path.name for path in (tmp_path / "charts").iterdir()}
    stems = ("bars", "times-t", "times-t-i", "solved", "scatter", "sums")
    assert names == {f"{stem}.{ending}" for stem in stems for ending in ("png", "svg")}
    for path in (tmp_path / "charts").iterdir():
        start = b"\x89PNG" if path.suffix == ".png" else b"<?xml"
        assert path.read_bytes().startswith(start) and path.stat().st_size > 2000
    assert str(tmp_path / "charts" / "sums.svg") in done.err


def test_names_in_plots_are_shown_as_they_are(tmp_path, recwarn):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need the extra procura[plots]")
    drawn = []
    close = pyplot.close
    path = made_up(tmp_path, PLOTS.replace("[[report.plots]]\n", "[[report.plots]]\ntitle = '$x$ $\\\\frob$'\n", 1))
    path.write_text(path.read_text().replace('"DFS & co"', "'_$\\frob$'"))
    study = read_study(str(path))
    rows = rows_of_study(study, read_results(path.with_suffix(".results.jsonl")))
    pyplot.close = drawn.append
    try:
        assert len(list(draw_plots(study.plots, rows, tmp_path / "charts"))) == 12
    finally:
        pyplot.close = close
        for figure in drawn:
            close(figure)
    for figure in drawn:
        legend = figure.axes[0].get_legend()
        assert legend is None or [text.get_text() for text in legend.get_texts()] == ["_$\\frob$", "A*"]
    assert not [one for one in recwarn.list if issubclass(one.category, UserWarning)]  # what matplotlib says


def test_runs_solved_are_counted_from_0_in_whole_numbers(tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need the extra procura[plots]")
    plot = Plot("solved_against_time", "t", "f", read_value("seconds"))
    row = {"outcome": "solved", "ending": "solved", "seconds": 1.0, "of": {"configuration": "c"}}
    figure, axes = pyplot.subplots()
    DRAW[plot.kind](axes, plot, [row])
    low, high = axes.get_ylim()
    assert low == 0 and all(tick == int(tick) for tick in axes.get_yticks() if low <= tick <= high)
    pyplot.close(figure)


@pytest.mark.parametrize("kind", ["bars", "log_times", "scatter"])
def test_a_log_scale_without_positive_values_is_no_log_scale(kind, recwarn):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need the extra procura[plots]")
    plot = Plot(kind, "t", "f", read_value("score"), log=True, x="c", y="c")
    row = {"ending": "solved", "score": -500, "of": {"configuration": "c", "problem": "p", "group": "g"}}
    figure, axes = pyplot.subplots()
    DRAW[plot.kind](axes, plot, [row])
    figure.canvas.draw()
    assert axes.get_yscale() == "linear" and not recwarn.list
    pyplot.close(figure)


def test_a_plot_without_a_file_is_called_after_the_study(tmp_path):
    path = made_up(tmp_path, "[[report.plots]]\nkind = 'bars'\n[[report.plots]]\nkind = 'sorted_sums'\n")
    assert [plot.file for plot in read_study(str(path)).plots] == ["study-1", "study-2"]


def test_groups_whose_names_differ_only_in_signs_have_a_plot_each(tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra procura[plots]")
    plots = "[[report.plots]]\nkind = 'bars'\nfile = 'bars'\ngroup = 'configuration'\n"
    path = made_up(tmp_path, plots)
    path.write_text(path.read_text().replace('"DFS & co"', '"A"'))
    assert run("report", path, "--plots", tmp_path / "charts").returncode == 0
    assert {path.stem for path in (tmp_path / "charts").iterdir()} == {"bars-a", "bars-a-2"}


def test_without_matplotlib_one_sentence_says_how_to_get_it(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    import os

    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run("report", made_up(tmp_path, PLOTS), "--plots", tmp_path / "charts", env=environment)
    assert done.returncode == 2
    assert done.err == "procura: plots need matplotlib: install it by pip install 'procura[plots]'\n"


def test_a_study_that_asks_for_no_plots_says_so(tmp_path):
    done = run("report", made_up(tmp_path, TABLES), "--plots", tmp_path / "charts")
    assert (done.returncode, done.out) == (2, "") and "[[report.plots]]" in done.err


def test_plots_onto_a_file_are_refused_before_any_table(tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra procura[plots]")
    path = made_up(tmp_path, PLOTS)
    done = run("report", path, "--plots", path)
    assert (done.returncode, done.out) == (
        2,
        "",
    ) and done.err == f"procura: --plots '{path}' cannot be made: File exists\n"


numbers = st.lists(st.integers(-1000, 1000), min_size=1, max_size=9)


@given(numbers)
@settings(deadline=None)
def test_quartiles_split_a_sample_as_a_sorted_list_does(sample):
    low, middle, high = quartiles(sample)
    ordered = sorted(sample)

    def at(part):
        place = part * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

    assert (low, middle, high) == pytest.approx((at(0.25), at(0.5), at(0.75)))


@given(st.dictionaries(st.sampled_from("abcd"), numbers, min_size=1))
@settings(deadline=None)
def test_a_sum_adds_the_medians_of_each_problem(by_problem):
    import statistics

    rows = [
        {"group": "", "problem": problem, "configuration": "", "ending": "solved", "seconds": value}
        for problem, sample in by_problem.items()
        for value in sample
    ]
    assert aggregate("sum", "seconds", rows) == sum(statistics.median(sample) for sample in by_problem.values())


def test_runs_without_a_figure_do_not_count_in_it():
    rows = [{"outcome": "solved", "length": 3}, {"outcome": "not_found", "length": None}]
    assert read_value("mean length").figure(rows).text == "3"
    assert read_value("length").figure(rows[1:]).text == "-"
    assert read_value("solved").figure(rows).text == "1/2"


def test_runs_without_an_option_stand_in_a_column_of_their_own():
    plain = a_record("a", outcome="solved", length=3)
    sour = a_record("b", outcome="solved", length=4)
    sour["run"] = {**sour["run"], "options": {"flavour": "sour"}}
    table = Table(None, ("configuration",), "flavour", (read_value("length"),))
    (sheet,) = sheets([table], rows_of_results(Contents({"a": plain, "b": sour})))
    assert sheet.columns == ("-", "sour")
    assert [figure.text for figure in sheet.lines[0][1]] == ["3", "4"]


@given(st.floats(1e-3, 1e6))
@example(999.6)
@settings(deadline=None)
def test_a_number_is_written_with_three_digits_and_without_an_exponent(number):
    text = written(number)
    assert "e" not in text
    assert float(text.replace(",", "")) == pytest.approx(number, rel=6e-3)
