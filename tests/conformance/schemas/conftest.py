"""What the reference is tested with, importable by the tests."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

sys.path.insert(0, str(ROOT / "tests" / "reference" / "material"))  # test folders are no packages
