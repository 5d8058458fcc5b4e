"""The TOML in docs/studies.md is right: together its blocks are a study."""

from __future__ import annotations

import re
from pathlib import Path

from study_helpers import write_study

from procura.runners.endings import Ending
from procura.study.layout import KINDS, PLOT_KEYS, TABLE_KEYS
from procura.study.measures import AGGREGATES, COUNTS, MEASURES
from procura.study.plan import CONFIGURATION_KEYS, KEYS, read_study
from procura.study.problems import SOURCES
from procura.study.score import FIGURES, KEYS as SCORE_KEYS

PAGE = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")


def test_the_blocks_of_the_page_are_a_study(tmp_path):
    blocks = re.findall(r"(?<!-->\n)^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    study = read_study(str(write_study(tmp_path, *blocks)))
    assert len(study.runs) > 50 and len(study.tables) == 2 and len(study.plots) == 3


def test_the_page_names_all_there_is():
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    told = {name for code in re.findall(r"`([^`]+)`", prose) for name in re.findall(r"\w+", code)}
    names = [
        *KEYS,
        *CONFIGURATION_KEYS,
        *SOURCES,
        *TABLE_KEYS,
        *PLOT_KEYS,
        *KINDS,
        *sum(KINDS.values(), ()),
        *MEASURES,
        *COUNTS,
        *AGGREGATES,
    ]
    names += [*Ending, *SCORE_KEYS, *FIGURES]
    assert [name for name in names if name not in told] == []
