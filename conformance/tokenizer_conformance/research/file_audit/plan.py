"""What is to be looked into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.defaults import SEARCH_SECONDS
from tokenizer_conformance.research.file_audit.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.file_audit.finding import Defect


@dataclass(frozen=True, slots=True)
class Selection:
    """Which defects are wanted: those ``selected`` (all, where empty) that are not ``ignored`` and not too slight.

    Words are ids of defects, or beginnings of some that end with ``-``. ``least`` is the slightest severity that is
    shown, ``fails`` the slightest for which the command fails; ``None``: it fails for none.
    """

    selected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    least: Severity = Severity.NOTE
    fails: Severity | None = Severity.ERROR

    def wants(self, defect: Defect) -> bool:
        """Return whether ``defect`` is wanted."""
        is_selected = not self.selected or _is_among(defect.id, self.selected)
        return is_selected and not _is_among(defect.id, self.ignored) and defect.severity.reaches(self.least)

    def fails_for(self, defect: Defect) -> bool:
        """Return whether the command fails where there is ``defect``."""
        return self.fails is not None and defect.severity.reaches(self.fails)


def _is_among(id: str, words: tuple[str, ...]) -> bool:
    return any(id == word or (word.endswith("-") and id.startswith(word)) for word in words)


@dataclass(frozen=True, slots=True)
class FileAuditPlan:
    """The files of ``tokenizers`` are looked into, and ``baseline`` is asked about them.

    ``measured`` starts it in a process of its own, which may take its time. A search may take ``seconds``.
    ``fix_to`` is where the mended file is to be written, of which there is one. ``refusals`` were given and cannot be
    used; ``command`` is the command line.
    """

    tokenizers: tuple[TokenizerFile, ...]
    baseline: Implementation
    measured: Callable[[], Implementation] | None = None
    selection: Selection = field(default_factory=Selection)
    seconds: float = SEARCH_SECONDS
    fix_to: Path | None = None
    refusals: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
