"""Comparing in a browser, on both carriers: the table, its bars, and what is saved of them."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing import until

pytestmark = pytest.mark.slow

EIGHT = "8 1 3 4 0 2 7 6 5"
HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
DONE = "!document.querySelector('.compared tr[data-state=waiting], .compared tr[data-state=running]')"
LIMITS = "l.seconds=60&l.nodes=3000"


def run(page):
    """Run all, and the rows of the table then."""
    page.click("#compare_run")
    until(page, DONE)
    return page.locator(".compared tbody tr").all_inner_texts()


def column(page, name):
    names = page.locator(".compared thead button").evaluate_all("all => all.map(one => one.dataset.column)")
    return page.locator(f".compared tbody tr > :nth-child({names.index(name) + 1})").all_inner_texts()


@pytest.mark.parametrize("puzzle", ["sliding", "sudoku", "tetris", "dots"])
def test_the_searches_that_suit_each_puzzle_are_compared(visit, puzzle):
    page = visit.go(f"#/compare/{puzzle}?{LIMITS}")
    rows = run(page)
    assert len(rows) >= 3 and any("solved" in row for row in rows)
    assert page.locator(".plot b").count() >= 3
    assert f'puzzle = "{puzzle}"' in page.inner_text("#study-lines")


def test_boards_and_searches_are_added_sorted_saved_and_sent(visit):
    page = visit.go(f"#/compare/sliding?board={quote(EIGHT)}&with={quote('astar:misplaced; astar:manhattan')}")
    page.select_option("#algorithm", "bfs")
    page.click("#add_search")
    page.select_option("#sample", "moodle-1")
    until(page, "document.querySelectorAll('.compared tbody tr').length === 6")
    page.get_by_role("button", name="Remove: astar:misplaced").click()
    assert len(run(page)) == 4
    assert set(column(page, "length")) == {"14", "8"}
    page.click("[data-column=expanded]")
    expanded = [int(text.replace(",", "")) for text in column(page, "expanded")]
    assert expanded == sorted(expanded)
    page.click("[data-column=expanded]")
    assert [int(text.replace(",", "")) for text in column(page, "expanded")] == sorted(expanded, reverse=True)
    assert page.get_attribute("th:has([data-column=expanded])", "aria-sort") == "descending"
    widths = page.locator(".plot b").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert widths == sorted(widths, reverse=True) and widths[0] > 2 * widths[-1]
    page.select_option("#measure", "seconds")
    with page.expect_download() as download:
        page.click("#save_csv")
    lines = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))
    assert len(lines) == 4 and {line["search"] for line in lines} == {"bfs", "astar:manhattan"}
    assert {line["length"] for line in lines} == {"14", "8"} and lines[0]["optimal"] == "true"
    with page.expect_download() as download:
        page.click("#save_markdown")
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("| Board | Search |") and "| moodle-1 | bfs |" in text
    until(page, "document.getElementById('study-lines').textContent.includes('bfs')")
    study = tomllib.loads(page.inner_text("#study-lines"))
    assert [one["with"] for one in study["configurations"]] == ["astar:manhattan", "bfs"] and len(
        study["problems"]
    ) == 2
    page.reload()
    until(page, "document.querySelectorAll('.compared tbody tr').length === 4")


def test_one_search_on_several_boards_of_a_text(visit):
    page = visit.go("#/compare/sliding?with=idastar%3Amanhattan")
    page.click("summary:has-text('As text')")
    page.fill("#text", f"{EIGHT}\n1 2 3 4 5 6 0 7 8\n")
    page.click("#add_text")
    until(page, "document.querySelectorAll('.compared tbody tr').length === 3")
    run(page)
    assert column(page, "length")[1:] == ["14", "2"]
    boards = json.dumps([{"board": EIGHT, "options": {}}, {"sample": "moodle-1"}])
    page = visit.go(f"#/compare/sliding?boards={quote(boards)}&with=bfs")
    assert page.locator(".compared tbody tr").count() == 2


def test_a_comparison_is_stopped_and_a_wrong_search_said_in_its_row(visit):
    page = visit.go(
        f"#/compare/sliding?board={quote(HARD)}&with={quote('bfs; astar:nonsense')}&l.seconds=600&engine=python"
    )
    page.click("#compare_run")
    live = "document.querySelector('tr[data-state=running] td.figure:last-child')?.textContent ?? ''"
    until(page, f"/[1-9]/.test({live})")
    page.click("#stop")
    page.wait_for_selector("#compare_run:visible")
    page.get_by_role("button", name="Remove: bfs").click()
    assert "nonsense" in run(page)[0] and page.locator("tr[data-state=error]").count() == 1


def test_solve_leads_to_compare_and_nothing_is_wider_than_the_window(visit):
    page = visit.go(f"#/solve/sliding?board={quote(EIGHT)}")
    page.get_by_role("button", name="Compare searches").click()
    page.wait_for_selector(".compared tbody tr")
    run(page)
    for width in (400, 1280, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
