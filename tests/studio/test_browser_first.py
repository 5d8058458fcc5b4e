"""The studio in a browser, on both carriers: each activity for each puzzle, as people use it.

Needs Chromium and the extra ``browser``; ``.ci/run`` installs both where it can. ``PROCURA_PICTURES=1`` keeps the
pictures that are made on the way in docs/images.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing import Visit, solved, text_of, until, wait_text

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PUZZLES = ["sliding", "sudoku", "tetris", "dots"]
EIGHT = "8 1 3 4 0 2 7 6 5"
HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
GRID = "1....683..8.573.9.....28....7.3.198.549.8761.8..4.92.......23..763.....99287..5.."


def keep(page, name, tmp_path):
    """A picture of the page, kept in docs/images if that is asked for."""
    folder = ROOT / "docs" / "images" if os.environ.get("PROCURA_PICTURES") else tmp_path
    page.screenshot(path=folder / f"{name}.png")
    assert (folder / f"{name}.png").stat().st_size > 5_000


# Solve


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_board_is_solved_and_its_answer_stepped_through(visit, puzzle):
    page = visit.go(f"#/solve/{puzzle}")
    assert "Solved in" in solved(page)
    count = int(page.get_attribute(".scrub", "max"))
    page.click("[aria-label='To the end']")
    assert page.inner_text(".player .step") == f"Step {count} of {count}"
    page.click("[aria-label='One step back']")
    until(page, f"location.hash.includes('step={count - 1}')")
    page.click("[aria-label='To the start']")
    page.click("[aria-label='One step forward']")
    assert page.inner_text(".player .step") == f"Step 1 of {count}"
    assert "procura solve" in page.inner_text("#command-lines")
    assert "from procura import" in page.inner_text("#python-lines")


@pytest.mark.parametrize("name", ["Picture", "Animation"])
def test_a_picture_of_the_answer_can_be_saved(visit, name):
    page = visit.go(f"#/solve/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    solved(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg") and ("<animate" in text) == (name == "Animation")


def test_an_algorithm_its_heuristic_weights_and_options_are_chosen(visit):
    page = visit.go(f"#/solve/sliding?board={quote(EIGHT)}")
    page.select_option("#algorithm", "astar")
    page.select_option("#heuristic", "manhattan")
    page.select_option("#heuristic", "*")
    page.fill("#weight-misplaced", "0.5")
    page.get_by_text("Options", exact=True).first.click()
    page.get_by_label("ties", exact=True).select_option("fifo")
    assert "Solved in" in solved(page)
    assert page.inner_text("#result code") == "astar:manhattan + 0.5*misplaced,ties=fifo"
    assert "not proved optimal" in page.inner_text("#result h2")


def test_a_sample_a_random_board_and_several_boards_at_once(visit):
    page = visit.go("#/solve/sliding")
    page.select_option("#sample", "moodle-2")
    wait_text(page, "text.startsWith('12 1 5 4')")
    page.click("#random")
    wait_text(page, "text.split(' ').length === 9")
    page.click("summary:has-text('As text')")
    page.fill("#text", f"{EIGHT}\n1 2 3 4 5 6 7 0 8")
    page.press("#text", "Control+Enter")
    page.get_by_label("Problem").select_option("1")
    until(page, "location.hash.includes('1+2+3+4+5+6+7+0+8')")


def test_tiles_are_slid_and_swapped(visit):
    page = visit.go(f"#/solve/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.click("[data-tile='7']")
    assert wait_text(page, "text.includes('7 0')") == "1 2 3 4 5 6 7 0 8"
    page.focus("svg.sliding")
    page.keyboard.press("ArrowLeft")
    assert wait_text(page, "text.endsWith('8 0')") == "1 2 3 4 5 6 7 8 0"
    page.get_by_role("button", name="Swap", exact=True).click()
    page.click("[data-tile='1']")
    page.click("[data-tile='2']")
    assert wait_text(page, "text.startsWith('2 1')") == "2 1 3 4 5 6 7 8 0"
    page.wait_for_selector(".trouble.mild:has-text('no solution')")
    assert "no solution" in solved(page).lower()


def test_digits_are_written_with_keys_and_with_the_pad(visit):
    page = visit.go(f"#/solve/sudoku?board={GRID}")
    box = page.locator("svg.sudoku:visible").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 1.5 / 9, box["y"] + box["height"] * 0.5 / 9)
    page.keyboard.press("5")
    wait_text(page, "text.startsWith('15')")
    page.keyboard.press("ArrowRight")
    page.locator(".pad button", has_text="7").click()
    wait_text(page, "text.startsWith('157')")
    page.focus("svg.sudoku")
    page.keyboard.press("Delete")
    wait_text(page, "text.startsWith('15.')")
    page.keyboard.press("1")
    page.wait_for_selector(".trouble")
    page.get_by_role("button", name="Candidates").click()
    assert page.locator(".sudoku .mark").count() > 50


def test_cells_are_painted_and_pieces_queued(visit):
    page = visit.go("#/solve/tetris")
    page.get_by_role("button", name="Empty board").click()
    wait_text(page, "!text.includes('#')")
    box = page.locator("svg.tetris:visible").bounding_box()
    y = box["y"] + box["height"] * 17.3 / 18.4
    page.mouse.move(box["x"] + box["width"] * 0.07, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.68, y, steps=20)
    page.mouse.up()
    assert "#######..." in wait_text(page, "text.includes('#######...')")
    page.keyboard.press("o")
    wait_text(page, "text.startsWith('pieces: t i l l o')")
    page.get_by_role("button", name="Remove t, piece 1").click()
    wait_text(page, "text.startsWith('pieces: i l l o')")
    page.get_by_role("button", name="Add s").click()
    wait_text(page, "text.startsWith('pieces: i l l o s')")


def test_a_reply_about_an_older_board_does_not_undo_an_edit(browser, studio):
    visit = Visit(browser, studio)
    page = visit.open(f"#/solve/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.evaluate(
        """() => { const send = WebSocket.prototype.send;
                   WebSocket.prototype.send = function (text) { setTimeout(() => send.call(this, text), 300); }; }"""
    )
    page.focus("svg.sliding")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(350)  # the reply to the first edit is on its way
    page.keyboard.press("ArrowLeft")
    wait_text(page, "text === '1 2 3 4 5 6 7 8 0'")
    page.wait_for_timeout(500)
    assert text_of(page) == "1 2 3 4 5 6 7 8 0"
    visit.context.close()


def test_lines_are_drawn_with_mouse_and_keys(visit):
    page = visit.go("#/solve/dots")
    before = text_of(page)
    page.click(".board:visible [data-line='h,1,1'] .touch")
    after = wait_text(page, f"text !== {before!r}")
    assert after.count("1") == before.count("1") + 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    assert wait_text(page, f"text !== {after!r}").count("1") == after.count("1") + 1
    page.fill("#boxes", "2")
    page.press("#boxes", "Tab")
    wait_text(page, "text.startsWith('(2 ')")


def test_fingers_do_what_the_mouse_does(browser, studio):
    visit = Visit(browser, studio, viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    page = visit.open(f"#/solve/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.tap("[data-tile='7']")
    wait_text(page, "text.includes('7 0')")
    page = visit.open(f"#/solve/sudoku?board={GRID}")
    page.tap(".pad button:has-text('5')")
    wait_text(page, "text.startsWith('15')")
    page = visit.open("#/solve/dots")
    before = text_of(page)
    page.tap(".board:visible [data-line='h,1,1'] .touch")
    wait_text(page, f"text !== {before!r}")
    page = visit.open("#/solve/tetris")
    before = text_of(page)
    page.tap("svg.tetris >> nth=0")
    assert wait_text(page, f"text !== {before!r}").count("#") == before.count("#") + 1
    page = visit.open(f"#/play/tetris?board={quote('pieces: o' + chr(10) + 'empty')}")
    page.wait_for_selector(".tetris .landing")
    page.tap("svg.tetris")
    page.tap("[aria-label=Drop]")
    page.wait_for_selector(".panel h2.solved")
    assert visit.wrong == []
    visit.context.close()


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_wrong_input_is_named_and_can_be_mended(visit, puzzle):
    page = visit.go(f"#/solve/{puzzle}")
    good = text_of(page)
    page.click("summary:has-text('As text')")
    page.fill("#text", "1 2 x")
    page.click("#take")
    page.wait_for_selector(".trouble:visible")
    page.fill("#text", good)
    page.click("#take")
    page.wait_for_selector(".trouble", state="hidden")
    assert "Solved in" in solved(page)


def test_a_wrong_heuristic_is_named(visit):
    page = visit.go(f"#/solve/sliding?board={quote(EIGHT)}&with=astar%3Amannhattan")
    page.click("#run")
    page.wait_for_selector(".trouble:has-text('manhattan')")


def test_a_search_is_stopped_and_another_begun(visit):
    page = visit.go(f"#/solve/sliding?board={quote(HARD)}&with=bfs&l.seconds=600&engine=python")
    page.click("#run")
    page.wait_for_selector("#counts dd")
    page.click("#stop")
    assert "topped" in solved(page, run=False)
    page.select_option("#sample", "runcodes-1")
    wait_text(page, "text.startsWith('2 3 4')")
    page.select_option("#algorithm", "auto")
    assert "Solved in 9 moves" in solved(page)


def test_local_search_shows_its_best_board(visit):
    page = visit.go(f"#/solve/sudoku?board={GRID}&with=annealing&l.nodes=3000&seed=1")
    assert "No solution found" in solved(page)
    assert page.locator("[data-mode=show] .sudoku .clash").count() > 0


# Send


def test_reloading_shows_the_same(visit):
    page = visit.go(f"#/solve/sliding?board={quote(EIGHT)}&with=astar%3Amanhattan&step=5")
    assert "Solved in 14 moves" in solved(page, run=False)
    page.reload()
    assert "Solved in 14 moves" in solved(page, run=False)
    assert page.inner_text(".player .step") == "Step 5 of 14"
    assert page.inner_text("#result code") == "astar:manhattan"


def test_a_link_shows_the_same_on_the_other_carrier(browser, studio, static):
    one, other = Visit(browser, studio), Visit(browser, static)
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = one.open("#/solve/dots?sample=small-3x3&with=astar%3Apolyomino")
    solved(page)
    page.click("[aria-label='To the end']")
    page.click("#share")
    link = page.evaluate("navigator.clipboard.readText()")
    token = studio.rstrip("/").rpartition("/")[2]
    assert token not in link and "#/solve/dots" in link
    there = other.open(link[link.index("#") :])
    assert "Solved in 6 lines, proved optimal" in solved(there, run=False)
    assert there.inner_text(".player .step") == page.inner_text(".player .step") == "Step 6 of 6"
    again = one.tab()
    again.goto(link)  # without the token: this browser knows the way
    again.wait_for_selector("#result h2")
    assert one.wrong == other.wrong == [] or all("403" in text for text in one.wrong)
    one.context.close()
    other.context.close()


def test_two_tabs_search_at_once(visit):
    one, other = visit.open("#/solve/sliding"), visit.tab()
    visit.open("#/solve/sudoku", other)
    one.click("#run")
    other.click("#run")
    assert "Solved in 9 moves" in solved(one, run=False)
    assert "Solved in 43 digits" in solved(other, run=False)
    other.close()


# Play


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_game_is_played_with_hints_and_solved_to_its_end(visit, puzzle):
    page = visit.go(f"#/solve/{puzzle}")
    page.get_by_role("button", name="Play this board").click()
    page.wait_for_selector("[data-mode=play] svg[role=application] *")
    page.click("#hint")
    until(page, "document.querySelector('.message').textContent.length > 20")
    page.wait_for_selector("[data-mode=play] .hinted")
    page.click("#show_move")
    page.wait_for_selector("#undo:enabled")
    page.click("#undo")
    page.wait_for_selector("#redo:enabled")
    page.click("#redo")
    page.click("#show_rest")
    page.wait_for_selector(".panel h2.solved")
    if puzzle != "sudoku":
        page.wait_for_selector("dt:has-text('Best possible')")
    page.click("#restart")
    page.wait_for_selector(".panel h2.solved", state="hidden")


def test_each_puzzle_takes_moves_by_mouse_and_keys(visit):
    page = visit.go(f"#/play/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.wait_for_selector("[data-tile='7']")
    page.click("[data-tile='7']")
    page.wait_for_selector("dd:has-text('1 move')")
    page.focus("svg.sliding")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".panel h2.solved")
    page = visit.go(f"#/play/sudoku?board={GRID}")
    page.wait_for_selector(".sudoku .given")
    page.focus("svg.sudoku")
    page.keyboard.press("1")
    page.wait_for_selector(".message.wrong")
    page.keyboard.press("p")
    page.keyboard.press("2")
    page.wait_for_selector(".sudoku .mark")
    page = visit.go(f"#/play/tetris?board={quote('pieces: i o' + chr(10) + 'empty')}")
    page.wait_for_selector(".tetris .landing")
    page.focus("svg.tetris")
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", " "):
        page.keyboard.press(key)
    page.wait_for_selector(".tetris .cell.piece-i:not(.landing):not(.held)")
    page.locator("svg.tetris").click(position={"x": 60, "y": 300})
    page.wait_for_selector(".panel h2.solved")


def test_dots_is_played_against_the_computer(visit):
    page = visit.go("#/play/dots?against=computer")
    page.wait_for_selector(".dots .line")
    page.click("[data-line='h,0,0'] .touch")
    until(page, "document.querySelectorAll('.dots .line.drawn').length >= 2")
    page.click("#show_rest")
    page.wait_for_selector(".panel h2:not(:empty)")
    you, computer = (int(page.locator(".figures dd").nth(i).inner_text()) for i in range(2))
    assert you + computer == 9


def test_a_game_goes_on_after_reloading(visit):
    page = visit.go(f"#/play/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.wait_for_selector("[data-tile='7']")
    page.click("[data-tile='7']")
    page.wait_for_selector("dd:has-text('1 move')")
    page.reload()
    page.wait_for_selector("dd:has-text('1 move')")


# Looks


@pytest.mark.parametrize("activity", ["solve", "play"])
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_nothing_is_wider_than_the_window_and_everything_has_a_name(visit, puzzle, activity):
    page = visit.go(f"#/{activity}/{puzzle}")
    if activity == "solve":
        solved(page)
    else:
        page.wait_for_selector("dt:has-text('Time')")
    for width in (400, 1280, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("fragment", ["watch/sliding?with=bfs&beside=dfs&l.nodes=50", "compare/dots", "write", "learn"])
def test_everything_has_a_name_in_the_other_activities_too(visit, fragment):
    page = visit.go(f"#/{fragment}")
    until(page, f"({NAMELESS})().length === 0")


NAMELESS = """() => {
  const labelled = (id) => id && document.querySelector(`label[for="${CSS.escape(id)}"]`);
  const named = (element) => element.textContent.trim() || element.ariaLabel || labelled(element.id);
  return [...document.querySelectorAll("button, select, input:not([type=file]), textarea, a, svg[role], canvas")]
    .filter((element) => element.checkVisibility() && !named(element))
    .map((element) => element.outerHTML.slice(0, 120));
}"""


CONTRAST = """() => {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
                            return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (element) => { for (; element; element = element.parentElement) {
    const colour = rgb(getComputedStyle(element).backgroundColor); if (colour[3] > 250) return colour; }
    return [255, 255, 255, 255]; };
  const poor = [];
  for (const element of document.querySelectorAll("p, dt, dd, h2, h3, button, a, label, small, summary, code")) {
    if (!element.checkVisibility() || element.disabled || !element.textContent.trim()) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.tagName} ${element.textContent.slice(0, 30)}`);
  }
  return poor;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(visit, scheme):
    page = visit.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    fragments = ["#/solve/sliding?with=astar%3Amanhattan", "#/solve/sudoku", "#/play/dots", "#/compare/dots"]
    for fragment in [*fragments, "#/watch/sudoku?with=annealing&l.nodes=500&step=5", "#/write", "#/learn"]:
        page = visit.go(fragment)
        if "solve" in fragment:
            solved(page)
        page.wait_for_timeout(500)
        assert page.evaluate(CONTRAST) == []
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert (sum(map(int, re.findall(r"\d+", dark))) < 200) == (scheme == "dark")


def test_the_page_speaks_portuguese_too(browser, studio):
    visit = Visit(browser, studio, locale="pt-PT")
    page = visit.open("#/solve/sliding")
    assert page.get_attribute("html", "lang") == "pt"
    assert solved(page) == "Resolvido em 9 jogadas, ótimo, provado"
    page.select_option("#algorithm", "astar")
    page.wait_for_selector("small[lang=pt]:has-text('primeiro o menor f')")
    page = visit.open(f"#/play/sliding?board={quote('1 2 3 4 5 6 0 7 8')}")
    page.click("#hint")
    page.wait_for_selector(".message[lang=pt]:has-text('começa uma melhor solução do que falta: 2 jogadas')")
    page.get_by_role("button", name="English").click()
    page.wait_for_selector("html[lang=en] #activities a:has-text('Solve')")
    visit.context.close()


def test_the_keyboard_reaches_the_search(visit):
    page = visit.open("#/solve/sliding")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "run":
            break
    page.keyboard.press("Enter")
    assert "Solved in 9 moves" in solved(page, run=False)


# Carriers


def test_the_static_page_asks_for_nothing_from_elsewhere(browser, static):
    visit = Visit(browser, static)
    page = visit.open("#/solve/sliding")
    solved(page)
    assert visit.asked and all(url.startswith((static, "blob:", "data:")) for url in visit.asked)
    assert visit.wrong == []
    visit.context.close()


def test_the_static_page_can_be_edited_before_python_is_there(browser, static):
    visit = Visit(browser, static)
    visit.context.route("**/pyodide.asm.wasm", lambda route: None)  # never arrives
    page = visit.page
    page.goto(static + "#/solve/dots")
    page.wait_for_selector(".banner progress")
    page.wait_for_selector(".dots .line.drawn", state="attached")
    before = page.locator(".dots .line.drawn").count()
    page.click(".board:visible [data-line='h,1,1'] .touch")
    assert page.locator(".board:visible .dots .line.drawn").count() == before + 1
    visit.context.close()


def test_from_the_disk_the_page_says_that_it_wants_to_be_served(browser):
    visit = Visit(browser, "")
    page = visit.page
    page.goto((ROOT / "src" / "procura" / "studio" / "page" / "index.html").as_uri())
    page.wait_for_selector("#served:visible")
    visit.context.close()


def test_a_class_of_the_users_own_is_solved_and_played(browser, studio):
    visit = Visit(browser, studio)
    page = visit.open("#/solve/Jugs")
    assert "Solved in 6 moves, proved optimal" in solved(page)
    page.get_by_role("button", name="Play this board").click()
    page.click("[data-mode=play] .actions button:has-text('fill5')")
    page.wait_for_selector(".plain:has-text('(0, 5)')")
    assert visit.wrong == []
    visit.context.close()


def test_a_file_of_the_folder_is_opened(browser, studio):
    visit = Visit(browser, studio)
    page = visit.open("#/solve/sliding")
    page.click("summary:has-text('As text')")
    page.select_option("#file", "eight.txt")
    page.wait_for_selector("[aria-label=Problem]:visible")
    assert visit.wrong == []
    visit.context.close()


# Pictures


def test_pictures_of_each_activity_are_made(browser, studio, tmp_path):
    visit = Visit(browser, studio, viewport={"width": 1280, "height": 1000}, device_scale_factor=1.5)
    for _ in range(2):  # the second time nothing is compiled
        page = visit.open("#/solve/sliding?sample=runcodes-3&with=astar%3Amanhattan&step=6")
        solved(page, run=False)
    page.wait_for_timeout(500)
    keep(page, "studio-solve", tmp_path)
    page.set_viewport_size({"width": 1280, "height": 1320})
    page = visit.open("#/watch/sliding?sample=moodle-4&with=astar%3Amanhattan&beside=astar%3Amisplaced&step=12")
    until(page, "document.querySelectorAll('table.nodes').length === 4")
    page.wait_for_timeout(300)
    keep(page, "studio-watch", tmp_path)
    page.set_viewport_size({"width": 1280, "height": 1000})
    searches = quote("astar:misplaced; astar:manhattan; astar:linear_conflict; idastar:manhattan; greedy:manhattan")
    page = visit.open(f"#/compare/sliding?sample=moodle-5&with={searches}")
    page.click("#compare_run")
    page.wait_for_selector("#compare_run:visible")
    until(page, "!document.querySelector('tr[data-state=waiting], tr[data-state=running]')")
    keep(page, "studio-compare", tmp_path)
    page = visit.open("#/learn")
    page.click("[data-tour=dots]")
    page.wait_for_selector("#tour .help:has-text('Step 1')")
    page.wait_for_selector("[data-mode=play] .dots .line.drawn", state="attached")
    page.mouse.move(0, 0)
    keep(page, "studio-learn", tmp_path)
    page.click("#tour-end")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page = visit.open(f"#/play/sudoku?board={GRID}")
    page.wait_for_selector(".sudoku .given")
    page.click("#hint")
    page.wait_for_selector(".sudoku .hinted")
    keep(page, "studio-play", tmp_path)
    page = visit.open("#/write")
    page.click("#check")
    page.wait_for_selector("#found h2.solved")
    keep(page, "studio-write", tmp_path)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 400, "height": 860})
    page = visit.open("#/solve/tetris?sample=test-25&step=3")
    solved(page, run=False)
    page.wait_for_timeout(300)
    keep(page, "studio-small", tmp_path)
    visit.context.close()
