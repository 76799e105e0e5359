"""Makes the material of the component tests importable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "material"))  # test folders are not packages
