"""All that users can rely on is written down, and what is lost shows."""

from __future__ import annotations

import public_surface


def test_what_is_written_down_is_what_is_there() -> None:
    # A line that goes is something that users lose: say so in CHANGELOG.md, then write the list again.
    assert public_surface.WRITTEN.read_text("utf-8").splitlines() == sorted(set(public_surface.facts()))
