"""The tests of measures find their material."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "material"))  # test folders are not packages
