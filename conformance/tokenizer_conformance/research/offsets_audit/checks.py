"""An audit of offsets as checks: of each implementation on each tokenizer its loading, and every invariant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.record_forms import question_of
from tokenizer_conformance.comparison.wording import describe, subject_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.offsets_audit.loading import BARE
from tokenizer_conformance.research.offsets_audit.page import headline
from tokenizer_conformance.research.offsets_audit.table import TABLE
from tokenizer_conformance.results.ci_results.check import Check, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    LOAD,
    NO_ANSWER,
    TOO_LITTLE,
    group_of,
    load_check,
    stale_check,
)
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry

RULES = {
    each.id: plain_rule(each.id, f"An invariant of {topic} is violated", each.sentence)
    for topic, rows in TABLE.items()
    for each in rows
}


TITLE = "tokconf audit offsets"


@dataclass(frozen=True, slots=True)
class Subjects:
    """What is audited, as checks have it: ``optional`` implementations need not show offsets."""

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[ImplementationInfo, ...]
    optional: frozenset[str]


def checks_of(subjects: Subjects, entries: Mapping[str, Entry], told: Sequence[object]) -> Iterator[Check]:
    """Yield the checks of an audit of ``subjects``, of which the lines of the record have ``told``.

    ``entries`` are those of the ledgers, by the names that lines have for them.
    """
    done = {
        (line.implementation, line.tokenizer): line
        for line in told
        if isinstance(line, (lines.NotLoaded, lines.Audited))
    }
    for tokenizer in subjects.tokenizers:
        for info in subjects.implementations:
            is_needed = info.name not in subjects.optional
            yield from _of(tokenizer, info, done.get((info.name, tokenizer.source.name)), is_needed=is_needed)
    for footer in told:
        for each in footer.stale if isinstance(footer, lines.Footer) else ():
            yield stale_check(entries[each.entry], stale_line(entries[each.entry]))


def _of(
    tokenizer: TokenizerFile, info: ImplementationInfo, done: lines.NotLoaded | lines.Audited | None, *, is_needed: bool
) -> Iterator[Check]:
    match done:
        case None:
            group = group_of(info.name, tokenizer.source.name)
            yield Check(group=group, name=LOAD, outcome=CheckOutcome.SKIPPED, message="not reached")
        case lines.NotLoaded():
            yield load_check(info, info, tokenizer, done.reason, is_needed=not done.unsupported)
        case lines.Audited():
            yield load_check(info, info, tokenizer, None)
            yield _answers(done, tokenizer, is_needed=is_needed)
            yield from (_of_invariant(done, tally, tokenizer) for tally in done.invariants)


def _answers(done: lines.Audited, tokenizer: TokenizerFile, *, is_needed: bool) -> Check:
    """Return the check that every question was answered, and that there were spans to look at."""
    message = _summary(done)
    problems: tuple[Problem, ...] = ()
    if done.lost:
        problems = (Problem(rule=NO_ANSWER, message=message, details=done.trouble),)
    elif not done.has_spans and is_needed and done.finished:
        problems = (Problem(rule=TOO_LITTLE, message=f"it shows no spans; {message}"),)
    outcome = CheckOutcome.PASSED if done.has_spans else CheckOutcome.SKIPPED
    return Check(
        group=group_of(done.implementation, done.tokenizer),
        name="answers",
        outcome=CheckOutcome.ERROR if problems else outcome,
        message=message,
        problems=problems,
        location=tokenizer_location(tokenizer),
    )


def _of_invariant(done: lines.Audited, tally: lines.AuditedInvariant, tokenizer: TokenizerFile) -> Check:
    found = [each for each in done.findings if each.invariant == tally.id]
    problems = tuple(
        Problem(
            rule=RULES[tally.id],
            message=headline(each),
            details=tuple(_example(each)),
            repeat=each.repeat,
            identity=each.manner,
        )
        for each in found
        if each.known is None
    )
    known = [each for each in found if each.known is not None]
    outcome, message = CheckOutcome.PASSED, f"{tally.things:,} things in {tally.answers:,} answers"
    details: tuple[str, ...] = ()
    if problems:
        outcome = CheckOutcome.FAILED
    elif known:
        outcome, message = CheckOutcome.KNOWN, headline(known[0])
        details = tuple(line for each in known for line in _known_example(each))
    elif not tally.things:
        why_not = tally.unchecked[0].reason if tally.unchecked else "no such question was answered"
        outcome, message = CheckOutcome.SKIPPED, f"cannot be checked: {why_not}"
    return Check(
        group=group_of(done.implementation, done.tokenizer),
        name=tally.id,
        outcome=outcome,
        message=message,
        details=details,
        problems=problems,
        location=tokenizer_location(tokenizer),
    )


# Wording -------------------------------------------------------------------------------------------------------------


def _example(found: lines.Finding) -> Iterator[str]:
    """Yield the lines that show a finding: its example, and the place."""
    question, of = question_of(json_of(found.question)), f"input {one_line(found.input)}"
    setting = "" if found.setting == BARE.name else f", {found.setting}"
    if found.reduced_from is not None:
        of = f"made smaller from {counted(found.reduced_from, 'character')} of {of}"
    yield f"{describe(question)}{setting} ({of})"
    yield from subject_lines(question)
    yield found.detail


def _known_example(found: lines.Finding) -> Iterator[str]:
    yield from _example(found)
    if found.known is not None:
        yield f"known: {one_line(found.known.reason)}"


def _summary(done: lines.Audited) -> str:
    """Return what was asked, and what of the answers could be judged."""
    told = [f"{counted(done.inputs, 'input')}, {counted(done.answers, 'answer')} judged"]
    if done.unsupported:
        told.append(f"{done.unsupported:,} questions that it has no way to answer")
    if done.failed:
        told.append(f"{done.failed:,} answered with an error")
    if done.lost:
        told.append(f"{done.lost:,} without any answer")
    return "; ".join(told)


def ending(footer: lines.Footer) -> str:
    """Return the result of the whole audit."""
    pairs = counted(footer.audited, "pair") + " of implementation and tokenizer"
    if footer.conclusion is Conclusion.INTERRUPTED:
        return f"interrupted: {pairs} were audited"
    if not footer.audited:
        return f"{footer.conclusion}: no span was looked at"
    known = f", {footer.known:,} of them known" if footer.known else ""
    found = counted(footer.findings, "finding") + known if footer.findings else "nothing found"
    return f"{footer.conclusion}: {pairs}, {footer.things:,} things checked, {found}"
