"""Kernels compiled by the tests are kept beside pytest's own cache, apart from the user's."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(ROOT / "examples"))

if "PROCURA_CACHE" not in os.environ:
    os.environ["PROCURA_CACHE"] = str(ROOT / ".pytest_cache" / "procura")
