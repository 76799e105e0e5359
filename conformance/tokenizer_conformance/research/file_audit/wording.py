"""The words in which an audit of files is told, on a terminal, on a page and as checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import visible
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Certainty, Severity, path_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.research.file_audit.events import FileAuditFinished
    from tokenizer_conformance.research.file_audit.finding import Finding

MOST_EXAMPLES = 5
"""How many places of a finding with many are shown; the record has more."""

LONGEST_WITNESS = 400
"""How many characters of a witness are shown."""


def severity_counts(counts: Mapping[Severity, int]) -> str:
    """Say how many findings there are of each severity.

    >>> severity_counts({Severity.NOTE: 2, Severity.ERROR: 1})
    '1 error, 2 notes'
    """
    found = [counted(counts[severity], severity) for severity in Severity if counts.get(severity)]
    return ", ".join(found) or "nothing found"


def place(finding: Finding, line: int | None) -> str:
    """Return where ``finding`` is."""
    where = visible(path_text(finding.path))
    return where if line is None else f"{where}, line {line}"


def finding_lines(finding: Finding, examples: int = MOST_EXAMPLES) -> Iterator[str]:
    """Yield what there is to say about ``finding`` besides its title, each line by what it is."""
    yield visible(finding.message) + (f" ({finding.certainty})" if finding.certainty is Certainty.SEARCHED else "")
    yield from (f"- {visible(example.message)}" for example in finding.examples[:examples])
    left = finding.count - min(examples, len(finding.examples))
    if finding.examples and left > 0:
        yield f"- and {left:,} more"
    yield from map(visible, finding.details)
    if finding.witness is not None:
        shown = visible(finding.witness.result)
        yield f"witness: {shown if len(shown) <= LONGEST_WITNESS else f'{shown[:LONGEST_WITNESS]}…'}"


def remedy(finding: Finding) -> str:
    """Say what to do about ``finding``."""
    return visible(finding.remedy or finding.defect.remedy)


def ending(event: FileAuditFinished) -> str:
    """Sum up the audit."""
    words = {Conclusion.CONFORM: "nothing to fail for", Conclusion.DIFFERENCES: "defects were found"}
    said = words.get(event.conclusion, event.conclusion)
    files = f"{counted(event.audited, 'file')} looked into, {event.failing:,} failing"
    return f"{said}; {files}; {severity_counts(event.counts)}"
