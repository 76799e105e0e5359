"""What was asked for and cannot be used: it is reported, and the rest is done without it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something given to the run that cannot be used: ``what`` it is, its ``name``, and why in one line."""

    what: str
    name: str
    reason: str
