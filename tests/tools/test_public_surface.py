"""All that users can rely on is written down, and what is lost shows."""

from __future__ import annotations

import public_surface

from tokenizer_conformance.releases.known_changes.reader import known_changes


def test_what_is_written_down_is_what_is_there() -> None:
    # A line that goes is something that users lose: say so in changelog.d, then write the list again.
    written = public_surface.WRITTEN.read_text("utf-8").splitlines()
    assert written == sorted(set(public_surface.facts())), "run `python tools/public_surface.py --write`"


def test_every_known_change_is_written_down() -> None:
    """Also one without a link."""
    written = set(public_surface.WRITTEN.read_text("utf-8").splitlines())
    assert {f"known change: {change.id}" for change in known_changes().changes} <= written


def test_commands_are_those_that_are_written_down() -> None:
    """The quick part of it."""
    kinds = ("command ", "argument ", "option ")
    written = [line for line in public_surface.WRITTEN.read_text("utf-8").splitlines() if line.startswith(kinds)]
    assert written == sorted(set(public_surface.commands()))
