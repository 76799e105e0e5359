"""All that users can rely on is written down, and what is lost shows."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))


def test_what_is_written_down_is_what_is_there() -> None:
    # A line that goes is something that users lose: name it in CHANGELOG.md, then `python tools/public_surface.py --write`.
    assert WRITTEN.read_text("utf-8").splitlines() == sorted(set(facts()))
