"""What processes and the one that runs the tests tell each other of the lines that they run.

A process that a test starts or forks writes a file as it ends, into the folder that :data:`FOLDER` names: the part of a
test for which it worked, which :data:`CONTEXT` names, and the lines.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDER = "TOKCONF_LINES"
"""The environment variable that names the folder into which processes write."""

SOURCES = "TOKCONF_LINES_OF"
"""The environment variable that names the folders whose files are recorded, separated as paths are."""

CONTEXT = "TOKCONF_LINES_FOR"
"""The environment variable that names the part of a test for which a process works."""

Lines = dict[str, list[int]]
"""The lines of each file, by its path."""


class LineRecorder(Protocol):
    """What records the lines that this process runs."""

    def record_for(self, context: str) -> None:
        """Have what is run from now on recorded for ``context``."""

    def by_context(self) -> dict[str, Lines]:
        """Return the lines that were run for each context; this process has to tell them then."""


recorders: list[LineRecorder] = []
"""That of this process, if it has one."""


def written_by_others(folder: Path) -> Mapping[str, list[Lines]]:
    """Return what other processes have written into ``folder``, by context, and take it out."""
    found: dict[str, list[Lines]] = defaultdict(list)
    for file in folder.glob("*.json"):
        context, lines = json.loads(file.read_text(encoding="utf-8"))
        found[context].append(lines)
        file.unlink()
    return found
