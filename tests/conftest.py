"""What all tests share. Kernels compiled by them are kept beside pytest's own cache, apart from the user's."""

import os
import signal
import sys
import uuid
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("procura", deadline=None)
settings.load_profile("procura")

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(ROOT / "examples"))

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it, and so do its children
if "PROCURA_CACHE" not in os.environ:
    os.environ["PROCURA_CACHE"] = str(ROOT / ".pytest_cache" / "procura")

FAULTY = """
from procura import Problem

class Faulty(Problem):
    initial = 0
    def actions(self, state):
        return [1]
    def is_goal(self, state):
        return False
    def result(self, state, action):
        if state > 2: raise KeyError("oh")
        return state + action
    @classmethod
    def from_text(cls, text):
        return cls()
"""


@pytest.fixture
def faulty_class(tmp_path):
    """A class of somebody's own that raises KeyError on its line 11, some steps from its start."""
    place = tmp_path / "faulty.py"
    place.write_text(FAULTY)
    return f"{place}:Faulty"


@pytest.fixture
def mark():
    """Something in the environment of a command and all processes it starts, by which they are found."""
    return f"PROCURA_TEST_MARK={uuid.uuid4().hex}"
