"""An audit of streams as checks: of each implementation on each tokenizer its loading, and every reason found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.wording import describe, subject_lines
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.streams_audit.page import asked_in, example, headline
from tokenizer_conformance.research.streams_audit.reasons import CLASSES
from tokenizer_conformance.results.ci_results.check import Check, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import LOAD, NO_ANSWER, TOO_LITTLE, group_of, load_check
from tokenizer_conformance.results.records import streams_audit as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.streams_audit.engine import StreamsAuditPlan

TITLE = "tokconf audit streams"

RULES = {
    each.name: plain_rule(
        f"stream.{each.name.lower().replace(' ', '-')}", "A stream gives another text than decoding", each.sentence
    )
    for each in CLASSES.values()
    if not each.is_limit
}


def checks_of(plan: StreamsAuditPlan, told: Sequence[object]) -> Iterator[Check]:
    """Yield the checks of an audit by ``plan``, of which the lines of the record have ``told``."""
    done = {
        (line.implementation, line.tokenizer): line
        for line in told
        if isinstance(line, (lines.NotLoaded, lines.Audited))
    }
    for tokenizer in plan.tokenizers:
        for implementation in plan.implementations:
            info = implementation.info
            is_needed = info.name not in plan.optional
            yield from _of(tokenizer, info, done.get((info.name, tokenizer.source.name)), is_needed=is_needed)


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
            yield _streams(done, tokenizer, is_needed=is_needed)


def _streams(done: lines.Audited, tokenizer: TokenizerFile, *, is_needed: bool) -> Check:
    reasons = {each.name: each for each in map(_reason, CLASSES)}
    problems = [
        Problem(
            rule=RULES[each.reason],
            message=f"{headline(reasons[each.reason])} ({counted(each.streams, 'stream')})",
            details=tuple(_details(each)),
            repeat=each.repeat,
            identity=each.reason,
        )
        for each in done.findings
        if not reasons[each.reason].limit
    ]
    message = (
        f"{done.held:,} of {counted(done.judged, 'stream')} give the text of decoding at once, {done.limited:,} cannot"
    )
    outcome = CheckOutcome.FAILED if problems else CheckOutcome.PASSED
    if done.lost:
        problems.append(Problem(rule=NO_ANSWER, message=f"{done.lost:,} without any answer", details=done.trouble))
    elif not done.judged and is_needed and done.finished:
        problems.append(Problem(rule=TOO_LITTLE, message="it was judged on no stream"))
    if done.lost or not done.judged:
        outcome = CheckOutcome.ERROR if done.lost or is_needed else CheckOutcome.SKIPPED
    return Check(
        group=group_of(done.implementation, done.tokenizer),
        name="streams",
        outcome=outcome,
        message=message,
        problems=tuple(problems),
        location=tokenizer_location(tokenizer),
    )


def _details(found: lines.Finding) -> Iterator[str]:
    question = asked_in(found)
    yield describe(question)
    yield from subject_lines(question)
    yield from example(found)


def _reason(name: str) -> lines.Reason:
    found = CLASSES[name]
    return lines.Reason(name=found.name, sentence=found.sentence, limit=found.is_limit)


def ending(footer: lines.Footer) -> str:
    """Return the result of the whole audit."""
    if footer.conclusion is Conclusion.INTERRUPTED:
        return f"interrupted: {counted(footer.judged, 'stream')} were judged"
    if not footer.judged:
        return f"{footer.conclusion}: no stream was judged"
    broken = footer.judged - footer.held - footer.limited
    return (
        f"{footer.conclusion}: {counted(footer.judged, 'stream')} judged, {footer.held:,} give the text of decoding "
        f"at once, {broken:,} are wrong"
    )
