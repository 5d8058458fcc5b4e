"""The guided tours in a browser, on both carriers: each driven through, and every step shows what it speaks of."""

from __future__ import annotations

import pytest
from browsing import Visit, until

pytestmark = pytest.mark.slow

TOURS = {"fifteen": 4, "sudoku": 4, "tetris-first": 4, "tetris-second": 3, "dots": 5}
SHOWN = "document.querySelector('.board:not(.waiting) svg *, .compared tbody tr, .plain *')"


@pytest.mark.parametrize("tour", TOURS)
def test_a_tour_is_driven_through_to_its_questions(visit, tour):
    page = visit.go("#/learn")
    assert page.locator("[data-tour]").count() == len(TOURS)
    page.click(f"[data-tour={tour}]")
    for step in range(1, TOURS[tour] + 1):
        page.wait_for_selector(f"#tour .help:text-is('Step {step} of {TOURS[tour]}')")
        until(page, f"!document.querySelector('.stage[aria-busy=true]') && {SHOWN} !== null")
        assert page.locator(".trouble:not(.mild):visible").count() == 0
        if step < TOURS[tour]:
            page.click("#tour-next")
    questions = page.locator(".questions details")
    assert questions.count() == 3
    questions.first.locator("summary").click()
    assert len(questions.first.locator("p").inner_text()) > 20
    page.click("#tour-back")
    page.wait_for_selector("#tour-next")
    page.click("#tour-end")
    page.wait_for_selector("#tour", state="hidden")


def test_a_tour_speaks_portuguese_and_goes_on_after_reloading(browser, studio):
    visit = Visit(browser, studio, locale="pt-PT", viewport={"width": 400, "height": 800})
    page = visit.open("#/learn")
    page.click("[data-tour=dots]")
    page.wait_for_selector("#tour h2:has-text('Pontos e Caixas')")
    page.click("#tour-next")
    page.reload()
    page.wait_for_selector("#tour .help:has-text('Passo 2 de 5')")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert visit.wrong == []
    visit.context.close()
