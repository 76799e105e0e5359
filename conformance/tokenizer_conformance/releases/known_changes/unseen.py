"""Release notes of changes that no probe shows: each with what was measured in its place."""

from __future__ import annotations

import importlib.resources
import tomllib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnseenChange:
    """A change that ``release`` of ``package`` has by ``link``, and the ``reason`` why no probe shows it."""

    package: str
    release: str
    link: str
    title: str
    reason: str


def unseen_changes() -> tuple[UnseenChange, ...]:
    """Return what the project says of release notes without a probe, in the order of the file."""
    file = importlib.resources.files("tokenizer_conformance.releases.known_changes") / "known" / "unseen.toml"
    notes: list[dict[str, str]] = tomllib.loads(file.read_text("utf-8"))["note"]
    return tuple(UnseenChange(**{**note, "reason": " ".join(note["reason"].split())}) for note in notes)
