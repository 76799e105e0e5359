"""The words in which an audit of offsets is told, on a terminal and on a page. Text of tokenizers is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.wording import describe, subject_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.offsets_audit.settings import BARE

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.events import EncodingsAudited, KnownFinding, OffsetsAuditFinished
    from tokenizer_conformance.research.offsets_audit.findings import InvariantTally


def ending(event: OffsetsAuditFinished) -> str:
    """Return the result of the whole audit."""
    pairs = counted(event.audited, "pair") + " of implementation and tokenizer"
    if event.conclusion is Conclusion.INTERRUPTED:
        return f"interrupted: {pairs} were audited"
    if not event.audited:
        return f"{event.conclusion}: no span was looked at"
    known = f", {event.known:,} of them known" if event.known else ""
    found = counted(event.findings, "finding") + known if event.findings else "nothing found"
    return f"{event.conclusion}: {pairs}, {event.things:,} things checked, {found}"


def headline(found: KnownFinding) -> str:
    """Return what is violated, in what manner, and how often."""
    finding = found.finding
    told = f"{finding.invariant.id}: {one_line(finding.manner)} ({_counts(found)})"
    return told if found.known is None else f"{told}, known"


def _counts(found: KnownFinding) -> str:
    finding = found.finding
    return f"{counted(finding.answers, 'answer')}, {counted(finding.places, 'place')}"


def finding_lines(found: KnownFinding) -> list[str]:
    """Return the lines that show a finding: its example, the place, and how to see it again or why it is known."""
    finding = found.finding
    setting = "" if finding.asking.setting == BARE else f", {finding.asking.setting.name}"
    lines = [f"{describe(finding.asking.question)}{setting}{_reduction(found)}"]
    lines += subject_lines(finding.asking.question)
    lines.append(finding.detail)
    if found.known is None:
        lines.append(f"repeat: {found.repeat}")
    else:
        lines.append(f"known: {one_line(found.known.reason)}")
    return lines


def _reduction(found: KnownFinding) -> str:
    finding = found.finding
    if finding.reduced_from is None:
        return f" (input {one_line(finding.input)})"
    return f" (made smaller from {counted(finding.reduced_from, 'character')} of input {one_line(finding.input)})"


def summary_line(event: EncodingsAudited) -> str:
    """Return what was asked, and what of the answers could be judged."""
    told = [f"{counted(event.inputs, 'input')}, {counted(event.answers, 'answer')} judged"]
    if event.unsupported:
        told.append(f"{event.unsupported:,} questions that it has no way to answer")
    if event.failed:
        told.append(f"{event.failed:,} answered with an error")
    if event.lost:
        told.append(f"{event.lost:,} without any answer")
    return "; ".join(told)


def why_not(tally: InvariantTally) -> str:
    """Return why an invariant was not checked on anything."""
    return tally.why_not or "no such question was answered"
