"""The studies that ship: they are valid, their results are whole, and docs/reports is what is made of these."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from processes import run

from procura.study.execute import missing, strangers
from procura.study.plan import read_study
from procura.study.store import read_results
from procura.study.summarise import rows_of_study

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "studies"
PAGES = ROOT / "docs" / "reports"
NAMES = sorted(path.stem for path in STUDIES.glob("*.toml"))


@pytest.fixture(scope="module")
def writer():
    """The script that writes the pages, as a module."""
    sys.path.insert(0, str(STUDIES))  # where it finds its neighbour
    spec = importlib.util.spec_from_file_location("write_reports", STUDIES / "write_reports.py")
    module = sys.modules["write_reports"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["write_reports"]
    sys.path.remove(str(STUDIES))


@pytest.fixture(scope="module")
def rows():
    """The results of a study by its name, each read once."""
    kept = {}

    def of(name):
        if name not in kept:
            study = read_study(str(STUDIES / f"{name}.toml"))
            kept[name] = rows_of_study(study, read_results(STUDIES / f"{name}.results.jsonl"))
        return kept[name]

    return of


def figures(rows, measure, **names):
    """A figure by problem, of the runs that have these names; of repeats the last."""
    chosen = [row for row in rows if all(row[name] == value for name, value in names.items())]
    return {row["problem"]: row[measure] for row in chosen}


def test_all_five_studies_are_there(writer):
    assert sorted(writer.NAMES) == NAMES == ["dots", "fifteen", "sudoku", "tetris-search", "tetris-second"]


def test_the_command_finds_a_shipped_study_valid_and_complete():
    process = run("study", STUDIES / "dots.toml", "--dry-run")
    assert process.returncode == 0, process.err
    assert re.fullmatch(r"\d+ runs, 0 missing, at most 0 s of search\n", process.out)


@pytest.mark.parametrize("name", NAMES)
def test_every_run_has_one_result_and_every_result_a_run(name):
    study = read_study(str(STUDIES / f"{name}.toml"))
    path = STUDIES / f"{name}.results.jsonl"
    contents = read_results(path)
    assert missing(study, contents, retry=True) == [] and strangers(study, contents) == []
    assert not contents.damaged and not contents.torn
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(study.runs)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_what_the_results_make(name, writer):
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == writer.page(name)


def test_the_index_is_what_the_results_make(writer):
    assert (PAGES / "README.md").read_text(encoding="utf-8") == writer.index()


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_every_link_and_plot_of_a_page_is_there(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", NAMES)
def test_every_plot_is_shown(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    drawn = {path.name for path in (PAGES / name).glob("*.svg")}
    assert drawn and drawn == set(re.findall(rf"\({name}/([^)]+)\)", page))


def test_the_writer_refuses_rows_of_another_width(writer):
    sheet = next(iter(writer.Results("fifteen").sheets.values()))
    with pytest.raises(ValueError, match="as many cells"):
        writer.table(sheet, ["| the report | 9 |"])


def test_the_twelve_boards_have_the_known_optima(rows):
    known = dict(zip(["runcodes-1", "runcodes-3"], [9, 38], strict=True))
    lengths = [8, 36, 41, 13, 28, 46, 48, 54, 52, 42]
    known |= {f"moodle-{i}": length for i, length in enumerate(lengths, 1)}
    for configuration in ("Manhattan", "mean", "largest", "walking distance", "IDA*, linear conflict"):
        assert figures(rows("fifteen"), "length", configuration=configuration) == known
        assert all(figures(rows("fifteen"), "optimal", configuration=configuration).values())


def test_counting_the_blank_costs_moodle_10_two_moves(rows):
    assert figures(rows("fifteen"), "length", configuration="h3")["moodle-10"] == 42
    assert figures(rows("fifteen"), "length", configuration="h3, greatest g first")["moodle-10"] == 44


def test_the_bound_reaches_the_true_maxima_of_the_second_report(rows):
    for group, most in (("empty board", [0, 0, 0, 100, 100, 200]), ("test 25", [100, 300, 400, 600, 600, 900])):
        points = figures(rows("tetris-second"), "points", group=group, configuration="A*, bound")
        assert list(points.values()) == most
    assert figures(rows("tetris-second"), "points", group="weights", configuration="A*, bound")["test-25-tlli"] == 800


def test_the_second_reports_search_explores_half_the_states_that_it_counted(rows):
    counted = {"empty board": [2, 18, 203, 6970, 21483, 23717], "test 25": [2, 12, 23, 194, 1184, 11853]}
    for group, states in counted.items():
        expanded = figures(rows("tetris-second"), "expanded", group=group, configuration="A*, cut").values()
        assert all(abs(2 * ours - theirs) <= 1 for ours, theirs in zip(expanded, states, strict=True))


def test_the_cut_and_nothing_else_loses_the_solution_with_six_pieces(rows):
    of = rows("tetris-second")
    assert figures(of, "ending", group="empty board", configuration="A*, cut")["tljili"] == "not_found"
    assert figures(of, "points", group="empty board", configuration="A*, no cut")["tljili"] == 200


def test_four_of_the_six_weights_make_the_points_of_annex_b(rows):
    annex = {"500 1 10 0 0": 600, "500 1 10 10 25": 500, "300 1 1 15 1": 500, "500 5 10 1 1": 400, "500 1 10 1 10": 400,
             "300 1 10 200 1": 300}  # fmt: skip
    ours = {row["configuration"]: row["points"] for row in rows("tetris-second") if row["configuration"] in annex}
    assert {name for name in annex if ours[name] != annex[name]} == {"300 1 1 15 1", "500 1 10 1 10"}


def test_polyomino_proves_all_six_problems_in_canonical_order(rows):
    for configuration in ("A*, polyomino", "IDA*, polyomino"):
        names = {"group": "canonical order", "configuration": configuration}
        assert list(figures(rows("dots"), "length", **names).values()) == [6, 3, 10, 27, 19, 79]
        assert all(figures(rows("dots"), "optimal", **names).values())


@pytest.mark.parametrize(
    ("generated", "depth", "printed"),
    [(18, 7, 1.2304687), (77, 3, 3.8725586), (1, 2, 0.59375), (20, 14, 1.0546875), (52, 39, 0.9902344),
     (43, 31, 1.0498047), (111, 94, 1.0026855)],
)  # fmt: skip
def test_the_branching_factors_of_the_dots_report_are_a_bisection_to_a_tenth(generated, depth, printed):
    low, high = 0.0, float(generated)
    while high - low >= 0.1:
        middle = (low + high) / 2
        above = sum(middle**power for power in range(1, depth + 1)) > generated
        low, high = (low, middle) if above else (middle, high)
    assert (low + high) / 2 == pytest.approx(printed, abs=1e-7)


def test_the_sudoku_searches_from_1_expand_what_the_page_says(rows):
    expanded = figures(rows("sudoku"), "expanded", configuration="A*, first cell, from 1")
    assert expanded == {"easy": 158, "medium": 390, "diabolic": 10_221}


@pytest.fixture(scope="module")
def weights(writer):
    """The results of the search for weights."""
    return writer.tetris_weights.Results()


def test_the_page_of_the_weights_is_what_the_results_make(writer):
    assert (PAGES / "tetris-weights.md").read_text(encoding="utf-8") == writer.page("tetris-weights")


def rounds(weights, name):
    """The weights of the trials by round."""
    made = {}
    for trial in weights.trials(name):
        made.setdefault(trial["round"], []).append(tuple(trial["weights"]))
    return list(made.values())


def test_the_reports_scheme_draws_from_the_first_five_as_it_ran_and_from_the_best_as_it_was_meant(weights):
    for scheme, as_run in (("report", True), ("report-as-meant", False)):
        scores = {tuple(trial["weights"]): sum(trial["scores"]) for trial in weights.trials(scheme)}
        first, *rest = rounds(weights, scheme)
        assert (len(first), len(rest)) == (5, 30)
        seen = list(first)
        for made in rest:
            *children, newcomer = made
            parents = first if as_run else sorted(dict.fromkeys(seen), key=lambda one: -scores[one])[:5]
            assert len(children) == 9
            assert all(weight in {p[i] for p in parents} for child in children for i, weight in enumerate(child))
            assert not any(weight in {p[i] for p in parents} for i, weight in enumerate(newcomer))
            seen += made


def test_no_weights_score_more_than_the_rules_allow(weights):
    possible = weights.head["best_possible"]
    for name in ("random", "report", "report-as-meant", "genetic", "cmaes"):
        for trial in weights.trials(name):
            assert all(score <= most for score, most in zip(trial["scores"], possible, strict=True))


def test_what_the_page_of_the_weights_says_is_so(weights):
    best = 5 * sum(weights.head["best_possible"])
    assert [weights.five_best(scheme).index(best) for scheme in ("report-as-meant", "report")] == [3, 17]
    assert sorted(sum(trial["scores"]) for trial in weights.trials("random"))[-21:] == [1200] * 21
    first = rounds(weights, "report")[0]
    for scheme in ("report", "report-as-meant"):
        winner = weights.best(scheme)["weights"]
        assert all(weight in {parent[i] for parent in first} for i, weight in enumerate(winner))
    more = {name: weights.head["judged"][name]["difference"] for name in weights.head["judged"]}
    assert all(difference["mean"] > 0 for difference in more.values())
    assert max(more, key=lambda name: more[name]["low"]) == "genetic"
