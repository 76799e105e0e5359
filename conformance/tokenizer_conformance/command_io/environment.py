"""Where a run takes place, for the header of its reports."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.configuration import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.command_io.configuration import Configuration

DISTRIBUTION = "tokenizer-conformance"

IS_GITHUB = "GITHUB_ACTIONS"
"""The environment variable that is ``true`` in every step that runs at GitHub."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a run takes place; ``configuration`` is the file that options were taken from, if there was one."""

    tokconf: str
    python: str
    platform: str
    started: str
    command: tuple[str, ...]
    configuration: Configuration | None = None


def is_at_github(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether this is a step of a run at GitHub."""
    return environment.get(IS_GITHUB) == "true"


@cache
def version() -> str:
    """Return the version of this package."""
    return importlib.metadata.version(DISTRIBUTION)


def current_environment(command: Sequence[str] = ()) -> Environment:
    """Return the environment of this process, now. ``command`` is the command line that started the run."""
    return Environment(
        tokconf=version(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=f"{platform.system()} {platform.machine()}",
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        command=tuple(command),
        configuration=CONFIGURATION.current,
    )
