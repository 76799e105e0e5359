"""The lines of the record of an audit: each file that is begun, each finding, and each file that is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.record import rounded
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
from tokenizer_conformance.results.records import file_audit as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, made, refusal_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.research.file_audit.events import FileAuditEvent
    from tokenizer_conformance.research.file_audit.finding import Witness
    from tokenizer_conformance.results.records.value import Value

LONGEST_TEXT = 2000
"""Texts of witnesses are cut at so many code points."""


def lines_of(event: FileAuditEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    match event:
        case FileAuditStarted():
            yield _header(event)
        case InputRefused():
            yield refusal_of(event)
        case FileBegun(tokenizer):
            yield lines.File(tokenizer=tokenizer.source.name, file=tokenizer.source.file, sha256=tokenizer.sha256)
        case FindingMade():
            yield _finding(event)
        case FileAudited():
            yield lines.Audited(
                tokenizer=event.tokenizer.source.name,
                loaded=event.is_loaded,
                checks={name: tuple(ids) for name, ids in event.checks.items()},
                counts=_counts(event.counts),
                cut_short=tuple(event.cut_short),
                seconds=rounded(event.seconds),
            )
        case FileFixed():
            yield _fixed(event)
        case FileAuditFinished():
            yield lines.Footer(
                **footer_of(event), audited=event.audited, failing=event.failing, counts=_counts(event.counts)
            )


def _header(event: FileAuditStarted) -> lines.Header:
    wanted = [defect for defect in ALL_DEFECTS if event.selection.wants(defect)]
    fails = event.selection.fails
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        baseline=implementation_of(event.baseline),
        tokenizers=tuple(each.source.name for each in event.tokenizers),
        defects=tuple(made(lines.Defect, each) for each in wanted),
        fail_on=None if fails is None else fails.value,
        seconds=event.seconds,
    )


def _finding(event: FindingMade) -> lines.Finding:
    finding = event.finding
    return made(
        lines.Finding,
        finding,
        tokenizer=event.tokenizer.source.name,
        defect=finding.defect.id,
        severity=finding.defect.severity,
        path=path_text(finding.path),
        keys=finding.path,
        line=event.line,
        witness=None if finding.witness is None else _witness(finding.witness),
        remedy=finding.remedy or finding.defect.remedy,
        examples=[{"path": path_text(each.path), "message": each.message} for each in finding.examples],
        fails=event.fails,
    )


def _witness(witness: Witness) -> lines.Witness:
    return lines.Witness(
        text=None if witness.text is None else witness.text[:LONGEST_TEXT],
        length=None if witness.text is None else len(witness.text),
        ids=None if witness.ids is None else tuple(witness.ids),
        result=witness.result,
    )


def _fixed(event: FileFixed) -> lines.Fixed:
    fix = event.fix
    return lines.Fixed(
        tokenizer=event.tokenizer.source.name,
        target=event.target,
        reason=fix.reason or None,
        questions=fix.questions,
        fixed=tuple(lines.FixedFixed(defect=each.defect.id, path=path_text(each.path)) for each in fix.fixed),
        left=tuple(
            lines.Left(defect=each.defect.id, path=path_text(each.path), reason=why_left(each)) for each in fix.left
        ),
    )


def _counts(counts: Mapping[Severity, int]) -> lines.Counts:
    return lines.Counts(
        error=counts.get(Severity.ERROR, 0), warning=counts.get(Severity.WARNING, 0), note=counts.get(Severity.NOTE, 0)
    )
