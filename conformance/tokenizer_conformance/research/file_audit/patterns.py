"""The regexes that are written in a tokenizer.json, with their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import is_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile


@dataclass(frozen=True, slots=True)
class WrittenRegex:
    """A ``pattern``, where it stands."""

    path: Path
    pattern: str


def written_regexes(audited: AuditedFile) -> Iterator[WrittenRegex]:
    """Yield every regex of a component; patterns that are plain text are none."""
    for part in audited.components:
        written = part.members.get("pattern")
        pattern = written.get("Regex") if isinstance(written, dict) else None
        if is_text(pattern):
            yield WrittenRegex((*part.path, "pattern", "Regex"), pattern)
