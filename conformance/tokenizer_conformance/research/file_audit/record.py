"""An audit of files as JSON Lines: a line for each file that is begun, each finding, and each file that is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.research.file_audit.checks_table import ALL_DEFECTS
from tokenizer_conformance.research.file_audit.events import (
    FileAudited,
    FileAuditFinished,
    FileAuditStarted,
    FileBegun,
    FileFixed,
    FindingMade,
)
from tokenizer_conformance.research.file_audit.finding import Severity, path_text
from tokenizer_conformance.research.file_audit.fixing import why_left
from tokenizer_conformance.results.records.file_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.research.file_audit.events import FileAuditEvent
    from tokenizer_conformance.research.file_audit.finding import Defect, Finding


LONGEST_TEXT = 2000
"""Texts of witnesses are cut at so many code points."""


class FileAuditJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: FileAuditEvent) -> None:
        """Write the line of ``event``. Raises ``OSError``."""
        self.write(record_of(event))


def record_of(event: FileAuditEvent) -> dict[str, Any]:
    """Return the line of the record for ``event``."""
    match event:
        case FileAuditStarted():
            return _header(event)
        case InputRefused():
            return refusal_record(event)
        case FileBegun(tokenizer):
            source = tokenizer.source
            return {"type": "file", "tokenizer": source.name, "file": source.file, "sha256": tokenizer.sha256}
        case FindingMade():
            return _finding(event.tokenizer.source.name, event.finding, event.line, fails=event.fails)
        case FileAudited():
            return {
                "type": "audited",
                "tokenizer": event.tokenizer.source.name,
                "loaded": event.is_loaded,
                "checks": {name: list(ids) for name, ids in event.checks.items()},
                "counts": _counts(event.counts),
                "cut_short": list(event.cut_short),
                "seconds": rounded(event.seconds),
            }
        case FileFixed(tokenizer, fix, target):
            return {
                "type": "fixed",
                "tokenizer": tokenizer.source.name,
                "target": target,
                "reason": fix.reason or None,
                "questions": fix.questions,
                "fixed": [{"defect": each.defect.id, "path": path_text(each.path)} for each in fix.fixed],
                "left": [
                    {"defect": each.defect.id, "path": path_text(each.path), "reason": why_left(each)}
                    for each in fix.left
                ],
            }
        case FileAuditFinished():
            return {
                **footer_record(event),
                "audited": event.audited,
                "failing": event.failing,
                "counts": _counts(event.counts),
            }


def _header(event: FileAuditStarted) -> dict[str, Any]:
    wanted = [defect for defect in ALL_DEFECTS if event.selection.wants(defect)]
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "baseline": implementation_record(event.baseline),
        "tokenizers": [each.source.name for each in event.tokenizers],
        "defects": list(map(_defect, wanted)),
        "fail_on": event.selection.fails,
        "seconds": event.seconds,
    }


def _defect(defect: Defect) -> dict[str, Any]:
    return {
        "id": defect.id,
        "title": defect.title,
        "severity": defect.severity,
        "explanation": defect.explanation,
        "remedy": defect.remedy,
    }


def _finding(tokenizer: str, finding: Finding, line: int | None, *, fails: bool) -> dict[str, Any]:
    witness = finding.witness
    return {
        "type": "finding",
        "tokenizer": tokenizer,
        "defect": finding.defect.id,
        "severity": finding.defect.severity,
        "path": path_text(finding.path),
        "keys": list(finding.path),
        "line": line,
        "message": finding.message,
        "certainty": finding.certainty,
        "witness": None
        if witness is None
        else {
            "text": None if witness.text is None else witness.text[:LONGEST_TEXT],
            "length": None if witness.text is None else len(witness.text),
            "ids": None if witness.ids is None else list(witness.ids),
            "result": witness.result,
        },
        "remedy": finding.remedy or finding.defect.remedy,
        "count": finding.count,
        "examples": [{"path": path_text(each.path), "message": each.message} for each in finding.examples],
        "details": list(finding.details),
        "fails": fails,
    }


def _counts(counts: Mapping[Severity, int]) -> dict[str, int]:
    return {severity.value: counts.get(severity, 0) for severity in Severity}
