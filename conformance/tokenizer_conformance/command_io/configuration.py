"""The file of settings that a command was given, so that its record can say which one it was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file of settings: its ``name`` without folders, and the SHA-256 of what stood in it."""

    name: str
    sha256: str


class ConfigurationInUse:
    """What this process was given; a command sets it before it begins."""

    def __init__(self) -> None:
        self.current: Configuration | None = None


CONFIGURATION = ConfigurationInUse()
