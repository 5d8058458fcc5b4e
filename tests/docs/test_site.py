"""The documentation site: every page has its place, what is generated is current, and nothing leads nowhere.

The quick tests look at the sources. The slow one builds the site, which needs the extra ``docs``; ``make test-all``
installs it.
"""

from __future__ import annotations

import doctest
import importlib.util
import pkgutil
import re
import shlex
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

import procura
from procura.cli import COMMANDS, cli

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools" / "site"
sys.path.append(str(TOOLS))

import command_line  # noqa: E402
import links  # noqa: E402

DOCS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
PAGES = [*DOCS, *(place for place in links.PAGES if (ROOT / place).exists()), "benchmarks/README.md"]
"""All pages of the site, from the root of the repository."""


def text_of(place):
    """A page without its fenced blocks."""
    return links.FENCE.sub("", (ROOT / place).read_text(encoding="utf-8"))


def slugs(place):
    """The anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", text_of(place), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def in_navigation(entry):
    """The pages that an entry of the navigation names."""
    if isinstance(entry, str):
        return [entry]
    inner = entry.values() if isinstance(entry, dict) else entry
    return [page for one in inner for page in in_navigation(one)]


def test_every_page_is_in_the_navigation_once():
    project = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    listed = in_navigation(project["nav"])
    outside = [page for place, page in links.PAGES.items() if place != "README.md"]
    assert sorted(listed) == sorted([*(links.page_of(place) for place in DOCS), *outside])


@pytest.mark.parametrize("place", PAGES)
def test_links_lead_to_files_and_headings(place):
    for match in links.LINK.finditer(text_of(place)):
        target = links.target_of(match, place) or place
        if ":" in match["target"]:
            continue
        assert (ROOT / target).exists(), f"{place} links to {match['target']}"
        if match["anchor"]:
            assert match["anchor"][1:] in slugs(target), f"{place} links to {match['target']}{match['anchor']}"


@pytest.mark.parametrize("place", PAGES)
def test_a_list_has_a_blank_line_before_it(place):
    """Else Markdown as the site reads it takes it for more of the paragraph."""
    item = re.compile(r"(- |1\. )")
    lines = text_of(place).splitlines()
    for above, line in pairwise(lines):
        if item.match(line):
            assert not above.strip() or above.startswith(" ") or item.match(above), f"{place}: {line}"


def test_the_command_line_page_is_current():
    stored = command_line.PAGE.read_text(encoding="utf-8")
    assert stored == command_line.page(), "python tools/site/command_line.py writes docs/command-line.md anew"


def test_every_command_is_on_its_page():
    assert {f"procura-{name}" for name in COMMANDS} <= slugs("docs/command-line.md")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_help_use_options_that_exist(name):
    command = cli.get_command(click.Context(cli), name)
    told = re.sub(r"\n {6,}", " ", command.epilog.partition("Examples:")[2].partition("\n\n")[0])
    examples = re.findall(r"\bprocura (.+?)(?= [|<>]|$)", told, re.MULTILINE)
    assert examples
    for example in examples:
        command, *words = shlex.split(example)
        assert command in COMMANDS, example
        cli.get_command(click.Context(cli), command).make_context(command, words)


def test_the_python_page_has_every_public_name():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    listed = re.findall(r"^::: procura\.(\S+)$", page, re.MULTILINE)
    assert set(procura.__all__) - {"__version__"} <= {name.partition(".")[0] for name in listed}
    assert len(set(listed)) == len(listed)
    for name in listed:
        pkgutil.resolve_name(f"procura.{name}")


def test_links_out_of_docs_are_led_to_pages_of_the_site():
    assert doctest.testmod(links).failed == 0
    page = "[a](../CHANGELOG.md#x) [b](faq.md) [c](../examples/demo.py) [d](../src) [e](https://e.org) ![f](#g)\n"
    led, used = links.on_site(page + "```text\n[a](../CHANGELOG.md)\n```\n", "docs/studies.md")
    assert led == (
        "[a](changelog.md#x) [b](faq.md) [c](files/examples/demo.py.md) d [e](https://e.org) ![f](#g)\n"
        "```text\n[a](../CHANGELOG.md)\n```\n"
    )
    assert used == {"CHANGELOG.md", "docs/faq.md", "examples/demo.py"}
    assert links.on_site("[a](docs/faq.md)", "README.pt.md")[0] == "[a](faq.md)"
    assert links.on_site("[a](../studies.md)", "docs/reports/dots.md")[0] == "[a](../studies.md)"


class Page(HTMLParser):
    """What a built page has and uses: anchors, links to follow, resources that a browser loads by itself."""

    def __init__(self, path):
        super().__init__()
        self.path, self.anchors, self.links, self.resources, self.classes = path, {""}, [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = {name: value or "" for name, value in attributes}
        self.anchors |= {found.get("id", ""), found.get("name", "")}
        self.classes |= set(found.get("class", "").split())
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link":
            self.resources += [found["href"]] if found.get("rel") not in ("canonical", "prev", "next") else []
        elif "src" in found or tag == "object":
            self.resources.append(found.get("src") or found["data"])
        if re.search(r"url\(|@import", found.get("style", "")):
            self.resources.append(found["style"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("the site needs the extra docs: make test-all installs it")
    folder = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run([sys.executable, TOOLS / "build.py", folder], capture_output=True, text=True, timeout=300)
    told = done.stdout + done.stderr
    assert done.returncode == 0 and "No issues found" in told and "warning" not in told.lower(), told
    return {path: Page(path) for path in folder.rglob("*.html") if path.parent != folder / "studio"}


def is_elsewhere(address):
    return re.match(r"(?!data:)\w+:|//", address) is not None


@pytest.mark.slow
def test_the_site_has_every_page_and_picture(site):
    folder = next(path for path in site if path.name == "algorithms.html").parent
    names = {links.page_of(place).replace("README.md", "index.md") for place in PAGES if place in DOCS}
    assert {str(Path(name).with_suffix(".html")) for name in names} <= {str(path.relative_to(folder)) for path in site}
    pictures = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.svg")}
    assert pictures <= {str(path.relative_to(folder)) for path in folder.rglob("*.svg")}
    text = (folder / "python.html").read_text(encoding="utf-8")
    assert "The legal actions in" in text and 'id="procura.solve"' in text
    assert (folder / "search.js").stat().st_size > 100_000


@pytest.mark.slow
def test_no_star_of_an_algorithm_is_taken_for_emphasis(site):
    for path in site:
        prose = re.sub(r"<pre.*?</pre>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\w<em>|<em>\W|A</em>", prose), path.name


@pytest.mark.slow
def test_no_link_of_the_site_leads_nowhere(site):
    for path, page in site.items():
        for link in page.links:
            if is_elsewhere(link):
                assert link.startswith("https://"), f"{path.name} links to {link}"
                continue
            target, _, anchor = unquote(link).partition("#")
            place = (path.parent / target).resolve() if target else path
            assert place.is_file(), f"{path.name} links to {link}"
            if place in site:
                assert anchor in site[place].anchors, f"{path.name} links to {link}"


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site):
    for path, page in site.items():
        for address in page.resources:
            assert not is_elsewhere(address), f"{path.name} loads {address}"
            assert address.startswith("data:") or (path.parent / unquote(address)).is_file(), f"{path.name}: {address}"
        # What the theme would fetch a script for, were it on a page.
        assert not page.classes & {"mermaid", "glightbox", "pyodide", "md-source"}, path.name
    folder = next(path for path in site if path.name == "algorithms.html").parent
    loads = re.compile(r"""@import|url\(['"]?(https?:)?//|href=["'](https?:)?//""")
    for path in (*folder.rglob("*.css"), *folder.rglob("*.svg")):
        assert not loads.search(path.read_text(encoding="utf-8")), path.name
