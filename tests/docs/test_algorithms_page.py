"""docs/algorithms.md says of every algorithm what the catalog says."""

import re
from pathlib import Path

import pytest

from procura import catalog

PAGE = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def written(value):
    return str(value).lower() if isinstance(value, bool | None) else f"{value:g}" if value != str(value) else value


ALGORITHMS = {
    name: info for puzzle in catalog.PUZZLES.values() for name, info in catalog.algorithms(puzzle.load()).items()
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_option_is_described_with_its_default(name):
    shown = set(re.findall(r"`(\w+=[\w.]+)`", SECTIONS[name]))
    options = {f"{option.name}={written(option.default)}" for option in ALGORITHMS[name].options}
    assert options <= shown
    known = {option.name for option in ALGORITHMS[name].options}
    assert {text.partition("=")[0] for text in shown} <= known
