"""Where a file of the repository is on the site, and a page's links led there.

The site has the pages of docs/, and of the files outside it:

- those in ``PAGES``, under names of their own;
- every other text file that a page links to: a page that shows it, below ``files/``;
- results of studies and pictures that a page links to, copied as they are.

A link to a folder outside docs/ becomes plain text, since there is no page for it.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "README.pt.md": "pt.md",
}
"""Files outside docs/ and the pages that stand for them; that for README.md is docs/index.md."""
COPIED = (".jsonl", ".svg", ".png")

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)")


def page_of(place: str) -> str:
    """The name on the site of the file at ``place`` in the repository.

    >>> page_of("docs/studies.md"), page_of("CHANGELOG.md"), page_of("examples/demo.py")
    ('studies.md', 'changelog.md', 'files/examples/demo.py.md')
    """
    if place in PAGES:
        return PAGES[place]
    if place.startswith("docs/"):
        return place.removeprefix("docs/")
    return f"files/{place}" if place.endswith(COPIED) else f"files/{place}.md"


def on_site(markdown: str, place: str) -> tuple[str, set[str]]:
    """The text of the page at ``place`` with its links led to pages of the site, and the files it links to.

    Links to what is not there stay as they are, for the builder to complain about.
    """
    used = set()

    def led(match: re.Match[str]) -> str:
        target = target_of(match, place)
        if target is None or not (ROOT / target).exists():
            return match[0]
        if (ROOT / target).is_dir():
            return match["text"]
        used.add(target)
        name = posixpath.relpath(page_of(target), posixpath.dirname(page_of(place)) or ".")
        return f"{match['image']}[{match['text']}]({name}{match['anchor'] or ''})"

    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(led, markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, LINK.sub(led, markdown[end:])]), used


def target_of(match: re.Match[str], place: str) -> str | None:
    """Where a link of the page at ``place`` leads, from the root of the repository; None if to no file."""
    if not match["target"] or ":" in match["target"]:
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), match["target"]))
