"""Watching in a browser, on both carriers: searches of each kind stepped through, side by side, and games for two."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from browsing import until

pytestmark = pytest.mark.slow

EIGHT = "8 1 3 4 0 2 7 6 5"
GRID = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."
LOADED = "document.querySelector('.player .scrub').max > 0 && !document.querySelector('#next_goal + p').textContent"


def watch(visit, fragment):
    page = visit.go(f"#/watch/{fragment}")
    until(page, LOADED)
    return page


def at(page):
    return int(page.input_value(".scrub"))


def figure(page, name, track=0):
    return page.locator(".track").nth(track).locator(f".figures div:has(dt:text-is('{name}')) dd").inner_text()


def test_a_search_is_stepped_through_to_its_goal_and_back(visit):
    page = watch(visit, f"sliding?board={quote(EIGHT)}&with=astar%3Amanhattan")
    page.click("[aria-label='One step forward']")
    until(page, "document.querySelector('.track .help').textContent.includes('expanded')")
    assert (figure(page, "f"), figure(page, "g"), figure(page, "Expanded")) == ("10", "0", "1")
    assert page.locator("caption:has-text('Frontier')").count() == 1
    page.click("#next_level")
    until(page, "document.querySelector('.scrub').value > 1")
    assert at(page) > 1
    page.click("#next_goal")
    until(page, "document.querySelector('.track .help').textContent.includes('solution is found')")
    assert figure(page, "g") == "14" and figure(page, "h") == "0"
    assert "the node at hand at depth 14" in page.get_attribute("canvas.tree", "aria-label")
    goal = at(page)
    page.click("[aria-label='One step back']")
    until(page, f"location.hash.includes('step={goal - 1}')")
    page.reload()
    until(page, f"document.querySelector('.scrub')?.value === '{goal - 1}'")


def test_why_a_child_was_dropped_is_said(visit):
    page = watch(visit, f"sliding?board={quote(EIGHT)}&with=idastar%3Amanhattan&step=12")
    fates = set()
    for _ in range(12):
        fates |= set(page.locator("table.nodes tr[data-fate] td:last-child").all_inner_texts())
        page.click("[aria-label='One step forward']")
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert {"kept", "above the bound"} <= fates


@pytest.mark.parametrize("puzzle", ["sliding", "sudoku", "tetris", "dots"])
def test_each_puzzle_can_be_watched_in_two_searches_side_by_side(visit, puzzle):
    page = watch(visit, f"{puzzle}?with=dfs&beside=bfs&l.nodes=300")
    assert page.locator(".track").count() == 2
    page.locator(".scrub").fill("3")
    until(page, "document.querySelectorAll('.track .figures dd').length > 4")
    until(
        page,
        "[...document.querySelectorAll('.track .help[role]')].every((one) => one.textContent.includes('expanded'))",
    )
    assert figure(page, "Expanded", 0) == figure(page, "Expanded", 1) == "3"
    assert page.locator(".track .board svg, .track .plain").count() >= 2


@pytest.mark.parametrize(("search", "curve"), [("annealing", "temperature"), ("genetic", "mean")])
def test_local_search_shows_its_board_and_curves(visit, search, curve):
    page = watch(visit, f"sudoku?board={GRID}&with={search}&l.nodes=2000&seed=1&step=20")
    until(page, "document.querySelector('.legend')?.textContent.includes('energy')")
    assert page.locator(f".curve.{curve}").count() == 1
    assert int(figure(page, "Energy")) > 0


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "mcts%2Cplayouts%3D50"])
def test_a_game_for_two_is_watched(visit, search):
    board = "(4 (((1 1) (0 1) (1 1)) ((1 0) (1 1) (1 0))))"
    page = watch(visit, f"dots?board={quote(board)}&players=2&with={search}&step=3")
    until(page, "document.querySelectorAll('table.nodes').length === 2")
    line, moves = page.locator("table.nodes").nth(0), page.locator("table.nodes").nth(1)
    assert line.locator("tbody tr").count() >= 1
    assert "Games" in line.inner_text() if "mcts" in search else "What became of it" in moves.inner_text()


def test_the_tree_of_a_game_grows_below_the_position_at_hand(visit):
    board = "(4 (((1 1) (0 1) (1 1)) ((1 0) (1 1) (1 0))))"
    page = watch(visit, f"dots?board={quote(board)}&players=2&with=minimax&step=1")
    label = "document.querySelector('canvas.tree')?.getAttribute('aria-label') ?? ''"
    until(page, f"/: 1 nodes?, .* depth 0/.test({label})")
    page.click("[aria-label='One step forward']")
    until(page, f"/: 2 nodes, .* depth 1/.test({label})")
    page.click("[aria-label='One step forward']")
    until(page, f"/: 3 nodes, .* depth 2/.test({label})")


def test_the_tree_is_moved_zoomed_and_folded_by_mouse_and_keys(visit):
    page = watch(visit, f"sliding?board={quote(EIGHT)}&with=bfs&l.nodes=60&step=6")
    label = "() => document.querySelector('canvas.tree').getAttribute('aria-label')"
    until(page, f"({label})().includes('nodes')")
    before = page.evaluate(label)
    page.click("[aria-label='All of it']")
    page.focus("canvas.tree")
    for key in ("+", "-", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    assert page.get_attribute(".tree button[aria-pressed]", "aria-pressed") == "false"
    page.keyboard.press("Enter")
    folded = page.evaluate(label)
    page.keyboard.press("Enter")
    assert page.evaluate(label) == before != folded
    box = page.locator("canvas.tree").bounding_box()
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.wheel(0, -200)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 90)
    page.mouse.up()


def test_five_thousand_steps_are_scrubbed_through(visit):
    page = visit.go("#/watch/sliding?sample=moodle-5&with=bfs&l.nodes=5100")
    until(page, "document.querySelector('.player .scrub').max >= 5000")
    seen = page.evaluate(
        """async () => {
             const scrub = document.querySelector('.scrub');
             const seen = new Set();
             for (let i = 1; i <= 100; i++) {
               scrub.value = 50 * i;
               scrub.dispatchEvent(new Event('input'));
               await new Promise(requestAnimationFrame);
               await new Promise(requestAnimationFrame);
               seen.add([...document.querySelectorAll('.track dd')].map((one) => one.textContent).join());
             }
             return seen.size;
           }"""
    )
    assert seen == 100


def test_a_search_that_tells_no_steps_is_refused_in_words(visit):
    page = visit.go("#/watch/sudoku?with=nonsense")
    page.wait_for_selector(".track .trouble:visible")


def test_watching_fits_every_width(visit):
    page = watch(visit, f"sliding?board={quote(EIGHT)}&with=astar%3Amanhattan&beside=bfs&l.nodes=200&step=9")
    for width in (400, 1280, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
