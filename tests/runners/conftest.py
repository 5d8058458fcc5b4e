"""Let the tests of runners import their helpers, and those of studies and tuning."""

import sys
from pathlib import Path

for name in ("runners", "study", "tune"):
    sys.path.insert(0, str(Path(__file__).parent.parent / name))
