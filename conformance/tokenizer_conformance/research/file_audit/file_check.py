"""The form of a check of a tokenizer.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Defect, Finding


@dataclass(frozen=True, slots=True)
class FileCheck:
    """A check: what it is called for people who wait, the ``defects`` that it finds, and what finds them.

    ``find`` yields findings as it comes upon them, of these defects alone. It needs nothing but the document; where it
    asks the implementation, and that has not loaded the file, it yields nothing.
    """

    name: str
    defects: tuple[Defect, ...]
    find: Callable[[AuditedFile], Iterator[Finding]]
