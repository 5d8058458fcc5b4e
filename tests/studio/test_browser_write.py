"""Writing a puzzle in a browser, on both carriers: checked, solved, played, watched, compared, kept, sent, stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browsing import Visit, solved, until
from test_studio_session import RINGS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
JUGS = (ROOT / "examples" / "jugs.py").read_text(encoding="utf-8")


def write(page, code=None):
    """Put code into the editor, have it checked, and what the page says then."""
    if code is not None:
        page.fill("#code", code)
    page.click("#check")
    page.wait_for_selector("#found h2")
    return page.inner_text("#found")


def test_the_example_is_checked_solved_played_watched_and_compared(visit):
    page = visit.go("#/write")
    page.click("#example")
    assert "Jugs is ready" in write(page)
    page.click("#found a:has-text('Solve')")
    assert "Solved in 6 moves, proved optimal" in solved(page)
    page.get_by_role("button", name="Play this board").click()
    page.click("[data-mode=play] .actions button:has-text('fill5')")
    page.wait_for_selector(".plain:has-text('(0, 5)')")
    page.click("#activities a:has-text('Watch')")
    until(page, "document.querySelector('.player .scrub')?.max > 3")
    page.click("#activities a:has-text('Compare')")
    page.click("#compare_run")
    until(page, "[...document.querySelectorAll('.compared tr')].some(row => row.textContent.includes('optimal'))")
    assert "puzzle.py:Jugs" in page.inner_text("#study-lines")


def test_a_class_of_four_rules_and_a_picture_is_enough(visit):
    page = visit.go("#/write")
    assert "Rings is ready" in write(page, RINGS)
    page.click("#found a:has-text('Solve')")
    assert "Solved in 3 moves, proved optimal" in solved(page)
    page.wait_for_selector("[data-mode=show] .plain img")
    with page.expect_download() as download:
        page.get_by_role("button", name="Animation", exact=True).click()
    assert "<animate" in Path(download.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Play this board").click()
    page.locator(".actions button").first.click()
    page.wait_for_selector("dd:has-text('1 move')")


def test_a_syntax_error_is_marked_at_its_line(visit):
    page = visit.go("#/write")
    said = write(page, JUGS.replace("def is_goal(self, state):", "def is_goal(self, state)"))
    line = JUGS.splitlines().index("    def is_goal(self, state):") + 1
    assert f"line {line}" in said
    assert page.inner_text(".numbers .wrong") == str(line)


def test_what_a_rule_raises_is_marked_at_its_line(visit):
    page = visit.go("#/write")
    said = write(page, JUGS.replace("return after[action]", "return after[action + 'x']"))
    assert "KeyError" in said and page.inner_text(".numbers .wrong") in said


def test_a_wrong_rule_is_explained(visit):
    page = visit.go("#/write")
    said = write(page, JUGS.replace("return after[action]", "return list(after[action])"))
    assert "hash" in said.lower()


def test_an_endless_loop_is_stopped_and_explained(visit):
    page = visit.go("#/write")
    loop = JUGS.replace("three, five = state\n", "three, five = state\n        while True: pass\n")
    assert "endless loop" in write(page, loop)
    assert "Jugs is ready" in write(page, JUGS)


def test_the_editor_indents_numbers_lines_and_lets_the_keyboard_out(visit):
    page = visit.go("#/write")
    page.fill("#code", "")
    page.focus("#code")
    page.keyboard.type("class A:")
    page.keyboard.press("Enter")
    page.keyboard.type("x = 1")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("y")
    page.keyboard.press("Shift+Tab")
    assert page.input_value("#code") == "class A:\n    x = 1\n    y"
    assert page.locator(".numbers span").all_inner_texts() == ["1", "2", "3"]
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "code"


def test_code_is_saved_opened_and_kept(visit, tmp_path):
    page = visit.go("#/write")
    page.click("#example")
    with page.expect_download() as download:
        page.click("#save_file")
    assert Path(download.value.path()).read_text(encoding="utf-8") == JUGS
    other = tmp_path / "mine.py"
    other.write_text(JUGS.replace("class Jugs", "class Mine"), encoding="utf-8")
    page.set_input_files("input[type=file]", other)
    assert "Mine is ready" in write(page)
    visit.open("#/solve/Mine")
    assert "Solved in 6 moves" in solved(page)
    page = visit.go("#/write")
    page.get_by_role("button", name="Remove: Mine").click()


def test_a_link_to_a_written_puzzle_shows_the_same_in_a_fresh_browser(browser, studio, static):
    for address in (static, studio):
        one, other = Visit(browser, address), Visit(browser, address)
        page = one.open("#/write")
        write(page, JUGS)
        page.click("#found a:has-text('Solve')")
        solved(page)
        until(page, "location.hash.includes('step=')")
        link = page.evaluate("location.hash")
        assert re.search("code=[-\\w]{200,}", link)
        there = other.open(link)
        if address == studio:  # nothing of a link is run on this machine before it was read
            there.wait_for_selector(".trouble.mild:has-text('came with a link')")
            assert there.input_value("#code") == JUGS and not there.locator("#found").is_visible()
            write(there)
            there.click("#found a:has-text('Solve')")
            assert "Solved in 6 moves" in solved(there)
        else:
            assert "Solved in 6 moves, proved optimal" in solved(there, run=False)
        assert one.wrong == other.wrong == []
        one.context.close()
        other.context.close()


def test_a_studio_without_leave_runs_no_code(browser, plain_studio):
    visit = Visit(browser, plain_studio)
    page = visit.open("#/write")
    assert "--allow-code" in page.inner_text("#no-code")
    assert page.locator("#check").count() == 0
    visit.context.close()


def test_writing_fits_every_width(visit):
    page = visit.go("#/write")
    for width in (400, 1280, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
