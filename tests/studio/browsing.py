"""A page in a browser, as the tests of the studio use it."""

from __future__ import annotations

import time

LONG = 300
"""Seconds that anything may take on a busy machine."""
READY = "document.documentElement.dataset.state === 'ready' && !document.querySelector('.stage[aria-busy=true]')"


class Visit:
    """A page in a browser, with what went wrong in it and what it asked for."""

    def __init__(self, browser, address, **options):
        settings = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | options
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(LONG * 1000)
        self.address, self.wrong, self.asked = address, [], []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page = self.tab()

    def tab(self):
        page = self.context.new_page()
        page.on("console", lambda message: message.type == "error" and self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        return page

    def open(self, fragment="", page=None):
        """Load the page anew at a fragment."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(self.address + fragment)
        until(page, f"document.querySelector('.stage') && {READY}")
        return page

    def go(self, fragment):
        """Show a fragment in the page, which stays loaded; games of other tests are forgotten."""
        page = self.page
        if not page.url.startswith(self.address):
            return self.open(fragment)
        page.set_viewport_size({"width": 1280, "height": 900})
        shown = page.evaluate(
            """fragment => {
                 sessionStorage.clear();
                 const { shown } = document.documentElement.dataset;
                 history.replaceState(null, "", fragment);
                 dispatchEvent(new PopStateEvent("popstate"));
                 return shown;
               }""",
            fragment,
        )
        until(page, f"document.documentElement.dataset.shown !== '{shown}' && {READY}")
        return page


def until(page, script):
    """Wait until a script says so; asked from outside, for the page's own rules forbid to evaluate text in it."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if page.evaluate(script):
            return
        page.wait_for_timeout(40)
    raise AssertionError(f"it never came: {script}")


def solved(page, run=True):
    """The headline of the answer, once it is there."""
    if run:
        page.click("#run")
    page.wait_for_selector("#result h2")
    return page.inner_text("#result h2")


def text_of(page):
    """The board as text."""
    return page.input_value("#text")


def wait_text(page, test):
    """The board as text, once it passes a test."""
    until(page, f"() => {{ const text = document.getElementById('text').value; return {test}; }}")
    return text_of(page)
