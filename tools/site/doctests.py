"""An extension of griffe, which reads docstrings for the site: their doctests become blocks of Python."""

from __future__ import annotations

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    """Puts a fence around every doctest."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = DOCTEST.sub(lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value)
