"""Every public name has an example in its docstring, which is run as a doctest."""

import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import procura

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def public_names():
    """What ``procura`` offers and what the Python reference shows, but for constants; of a module all it defines."""
    documented = re.findall(r"^::: procura\.(\S+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    for name in sorted({*procura.__all__, *documented}):
        value = pkgutil.resolve_name(f"procura.{name}")
        if inspect.ismodule(value) and name in procura.__all__:
            for inner, thing in vars(value).items():
                if getattr(thing, "__module__", None) == value.__name__ and not inner.startswith("_"):
                    yield f"{name}.{inner}", thing
        else:
            yield name, value


EXAMPLES = {name: thing for name, thing in public_names() if inspect.isclass(thing) or inspect.isfunction(thing)}


def test_the_public_names_are_found():
    assert {"solve", "Result", "catalog.flag", "rng.below", "testing.check", "errors.ReplayError"} <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_public_name_has_an_example(name):
    assert ">>> " in (inspect.getdoc(EXAMPLES[name]) or "")
