"""The end of a run: counts, what was not answered often enough, and the conclusion.

Of a part of a run (a shard, or the repetition of what failed) only that is said which holds for the part: whether
enough was answered, and which entries of a ledger are stale, can be known of the whole run alone. Without the former,
an implementation that answers "unsupported" to nearly everything would conform.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage, shown_of
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.comparison.verdicts import ENOUGH, NO_ANSWER, Verdict
from tokenizer_conformance.lazy import lazy
from tokenizer_conformance.results.records.run import LOST_ANSWERS, LOST_EXTRAS, FooterShare, Shortfall
from tokenizer_conformance.validation.running.events import RunFinished
from tokenizer_conformance.validation.running.vocabularies import is_vocabulary_alone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Field, ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.run import Result
    from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished
    from tokenizer_conformance.validation.running.plan import Requirement

INTERRUPTED = "interrupted"

_merged = lazy("tokenizer_conformance.causes.collecting:merged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a run went: the tokenizers that are ``done``, and the ``reason`` why it did not finish, if not.

    ``refused``: something that was given cannot be used. ``failed``: an implementation that was asked for is not there.
    ``broken``: something went wrong that nobody expected. ``incomplete``: parts of the run are not there.
    """

    done: Sequence[TokenizerFinished]
    reason: str | None
    seconds: float
    refused: bool
    failed: bool
    broken: bool
    incomplete: bool = False


def concluded(started: RunStarted, course: Course, stale: tuple[Entry, ...]) -> RunFinished:
    """Return the end of the run that was ``started``; ``stale`` are the entries of ledgers that it shows to be so."""
    causes = [cause for done in course.done for cause in done.causes]
    rows = [row for done in course.done for row in done.results]
    short = () if started.is_part else tuple(_shortfalls(started, course.done))
    return RunFinished(
        finished=course.reason is None,
        reason=course.reason,
        conclusion=_conclusion(started, course, short, stale),
        tokenizers=len(course.done),
        inputs=sum(done.inputs for done in course.done),
        compared=sum(row.compared for row in rows),
        differences=sum(finding.differences for done in course.done for finding in done.findings)
        + sum(row.other_entries for row in rows),
        seconds=course.seconds,
        shares=shares(rows),
        shortfalls=short,
        known=sum(finding.differences for done in course.done for finding in done.known)
        + sum(row.vocabulary.known for row in rows if row.vocabulary is not None),
        stale=stale,
        causes=_merged(causes) if causes else (),
        unexamined=tuple(each for done in course.done for each in done.unexamined),
        uncounted=sum(done.uncounted for done in course.done),
    )


def _shortfalls(started: RunStarted, finished: Sequence[TokenizerFinished]) -> Iterator[Shortfall]:
    for done in finished:
        for row in done.results:
            if row.load_error is None and done.baseline_load_error is None and done.complete:
                info = started.info(row.implementation)
                yield from shortfalls(done.tokenizer, row, info, frozenset(started.fields), started.required)


def _conclusion(
    started: RunStarted, course: Course, short: tuple[Shortfall, ...], stale: tuple[Entry, ...]
) -> Conclusion:
    rows = [row for done in course.done for row in done.results]
    needed = [row for row in rows if row.load_error is None or row.implementation not in started.optional]
    failed = any(row.load_error for row in needed) or any(done.baseline_load_error for done in course.done)
    no_answer = any(row.has(*NO_ANSWER, Verdict.UNSTABLE) or _is_unsteady(row) for row in rows)
    return conclusion_from(
        {
            Conclusion.INTERRUPTED: course.reason == INTERRUPTED,
            Conclusion.INTERNAL_ERROR: course.broken,
            Conclusion.BAD_INPUT: course.refused,
            Conclusion.INCOMPLETE: course.incomplete,
            Conclusion.IMPLEMENTATION_FAILED: course.failed or failed or no_answer,
            Conclusion.NOTHING_COMPARED: not _has_compared(started, course.done),
            Conclusion.TOO_LITTLE: short or _lacks_ids(started, course.done),
            Conclusion.DIFFERENCES: any(row.has(Verdict.DIFFER, Verdict.ERROR) or row.other_entries for row in rows),
            Conclusion.STALE: stale,
        }
    )


def _is_unsteady(row: Result) -> bool:
    return row.vocabulary is not None and row.vocabulary.unstable


def _has_compared(started: RunStarted, finished: Sequence[TokenizerFinished]) -> bool:
    """Whether every implementation was compared on every tokenizer; of a part, on those of which it has all inputs.

    Where all its answers about one tokenizer are errors, these are what differs, if it was compared on another one.
    """
    if started.is_part:
        finished = [done for done in finished if done.inputs and done.inputs == started.inputs]
        if not finished:
            return True
    able = frozenset(row.implementation for done in finished for row in done.results if row.compared)
    needed = [
        _is_compared(row, able)
        for done in finished
        for row in done.results
        if row.load_error is None or row.implementation not in started.optional
    ]
    return (
        bool(needed) and all(needed) and all(any(_is_compared(row, able) for row in done.results) for done in finished)
    )


def _is_compared(row: Result, able: frozenset[str]) -> bool:
    refuses_all = row.implementation in able and row.has(Verdict.ERROR)
    return bool(row.compared) or is_vocabulary_alone(row) or refuses_all


def _lacks_ids(started: RunStarted, finished: Sequence[TokenizerFinished]) -> bool:
    """Whether single ids were to be decoded, and no implementation shows which ids there are."""
    wanted = started.every_id and Stage.DECODE in started.stages and not started.is_part
    return wanted and any(done.complete and not done.ids for done in finished)


def shortfalls(
    tokenizer: str,
    result: Result,
    info: ImplementationInfo,
    fields: frozenset[Field],
    required: Sequence[Requirement],
) -> Iterator[Shortfall]:
    """Yield what ``result``, that of the implementation ``info``, did not answer often enough; of ``fields`` only.

    What it says it does not show of this tokenizer only the user can require.
    """
    shows = shown_of(result.shows, info)
    for stage, count in result.stages.items():
        wanted = {field for requirement in required if requirement.stage is stage for field in requirement.fields()}
        for field in compared_fields(stage, fields):
            if field in wanted:
                answered, asked = count.questions - count.unsupported_fields.get(field, 0), count.questions
            elif field in shows.get(stage, ()):
                answered, asked = count.answerable - count.unanswered_fields.get(field, 0), count.answerable
            else:
                continue
            if answered < ENOUGH * asked or (field in wanted and not answered):
                yield Shortfall(
                    tokenizer=tokenizer,
                    implementation=result.implementation,
                    stage=stage,
                    field=field,
                    answered=answered,
                    asked=asked,
                    required=field in wanted,
                )


def lost_answers(tokenizer: str, result: Result, fields: frozenset[Field]) -> Iterator[Shortfall]:
    """Yield what ``result`` does not show of what its baseline does, which is the same implementation before.

    However few these are, each is a change.
    """
    for stage, count in result.stages.items():
        of_stage = compared_fields(stage, fields)
        lost = [(LOST_ANSWERS, field, count.unanswered_fields.get(field, 0), count.answerable) for field in of_stage]
        lost += [(LOST_EXTRAS, field, count.extra_unanswered, count.extra_answerable) for field in of_stage]
        for what, field, missing, asked in lost:
            if missing:
                yield Shortfall(
                    tokenizer=tokenizer,
                    implementation=result.implementation,
                    stage=stage,
                    field=field,
                    answered=asked - missing,
                    asked=asked,
                    required=False,
                    lost=what,
                )


def shares(results: Iterable[Result]) -> dict[Stage, FooterShare]:
    """Return how many values were compared at each stage, and how many there were."""
    compared: Counter[Stage] = Counter()
    of: Counter[Stage] = Counter()
    for result in results:
        for stage, count in result.stages.items():
            compared[stage] += count.compared
            of[stage] += count.total
    return {stage: FooterShare(compared=compared[stage], of=of[stage]) for stage in of}
