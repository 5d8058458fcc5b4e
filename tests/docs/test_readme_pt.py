"""README.pt.md says what README.md says: the same commands, code, links and chapters."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGLISH, PORTUGUESE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.pt.md"))


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(re.compile(r"^```\w+\n.*?^```$", re.MULTILINE | re.DOTALL), id="blocks"),
        pytest.param(re.compile(r"^#+ ", re.MULTILINE), id="chapters"),
        pytest.param(re.compile(r"\]\(((?!README)[^)]+)\)"), id="links"),
    ],
)
def test_both_have_the_same(pattern):
    assert pattern.findall(PORTUGUESE) == pattern.findall(ENGLISH) != []


def test_each_links_to_the_other():
    assert "(README.pt.md)" in ENGLISH and "(README.md)" in PORTUGUESE
