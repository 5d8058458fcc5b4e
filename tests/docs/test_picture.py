"""The README's picture shows what the commands print today, and holds nothing from elsewhere."""

import importlib.util
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "session.svg"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("picture", ROOT / "tools" / "picture.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_shows_what_the_commands_print(tool):
    now = tool.picture(tool.frames())
    assert PICTURE.read_text(encoding="utf-8") == now, "draw it again: python tools/picture.py"


def test_it_is_well_formed_and_loads_nothing():
    text = PICTURE.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert not re.search(r"<script|<image|<foreignObject|@import|@font-face|url\(|href", text)
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]


def test_one_screen_stands_still_where_nothing_moves():
    screens = re.findall(r'<g id="s\d+" class="s"( visibility="hidden")?>', PICTURE.read_text(encoding="utf-8"))
    assert len(screens) > 10 and screens.count("") == 1


def test_words_keep_their_columns_and_colours(tool):
    drawn = tool.row_of("a \x1b[1;32mb  c\x1b[0m", 0)
    assert drawn.count("<text") == 3
    assert re.findall(r'x="([\d.]+)"', drawn) == [f"{tool.MARGIN + column * tool.CELL:.1f}" for column in (0, 2, 5)]
    assert drawn.count('font-weight="bold"') == drawn.count(tool.COLOURS["32"]) == 2
