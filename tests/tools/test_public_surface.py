"""All that users can rely on is written down, and what is lost shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def test_what_is_written_down_is_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    # A line that goes is something that users lose: say so in CHANGELOG.md, then write the list again.
    monkeypatch.syspath_prepend(str(TOOLS))
    import public_surface

    assert public_surface.WRITTEN.read_text("utf-8").splitlines() == sorted(set(public_surface.facts()))
