"""A cause in a record, as a page shows it; runs, searches, diffs and versions have them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.bug.page_snippets import snippets_of
from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import (
    changed_file_lines,
    earlier_lines,
    reason_in_words,
    titled,
    what_differs,
)
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.answers import excerpt_of, marked, pipeline_of, sides_of, subjects_of
from tokenizer_conformance.results.page import Fact, Novelty, ShownFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.causes.cause import Cause, ExplainedBy
    from tokenizer_conformance.results.page import Answer

Json = dict[str, Any]

KNOWN_CHANGE = "known change"
"""What stands for the class of a cause that no class explains, but a known change between releases does."""


def cause_finding(
    recorded: Json,
    *,
    number: int,
    baseline: str,
    total: str = "",
    repeat: str = "",
    agreeing: Iterable[str] = (),
    seen: tuple[Sequence[Stage], Sequence[Stage]] = ((), ()),
    versions: Mapping[str, str] | None = None,
    facts: Iterable[Fact] = (),
) -> ShownFinding:
    """Return the cause that is ``recorded``, which has that ``number`` in its record, as a finding.

    ``baseline`` is the name of the other side. ``total`` says how many inputs there were. ``seen`` are the stages that
    agree for this implementation, and those that it does not show. ``versions`` are those of published packages, by
    name, which programs may ask. ``facts`` are added. Raises one of ``MALFORMED``.
    """
    cause = cause_of(recorded)
    sides, shown = (baseline, cause.implementation), cause.shown
    return ShownFinding(
        id=f"cause-{number}",
        group="causes",
        headline=titled(what_differs(cause), cause),
        implementation=cause.implementation,
        tokenizer=cause.witness.source.name,
        stage=str(cause.witness.stage),
        reason=cause.reason.name if cause.reason.is_proven or not cause.explained_by else KNOWN_CHANGE,
        standing=standing_of(cause.explained_by),
        count=cause.inputs,
        impact=_impact(cause, total),
        subjects=subjects_of(shown.question),
        answers=answers_in(recorded.get("own", recorded), sides),
        window=tuple(window(shown.difference, *sides)),
        lines=(*earlier_lines(cause.earlier), *changed_file_lines(shown.document)),
        pipeline=pipeline_of(cause.witness.stage, *seen),
        explanation=reason_in_words(cause)
        if cause.reason.is_proven or cause.explained_by or cause.reason.parameter
        else f"{UNEXPLAINED}: no experiment has proven why",
        proof=cause.reason.proof,
        known=explained_words(cause.explained_by or ()),
        agreeing=tuple(agreeing),
        repeat=repeat or cause.repeat,
        snippets=snippets_of(
            cause.witness.document, recorded["question"], recorded["difference"], sides, versions or {}
        ),
        facts=(*_facts(cause), *facts),
    )


def minimizing(record: str, number: int) -> str:
    """Return the command that makes the cause ``number`` of the record called so as small as it gets."""
    return shlex.join(["tokconf", "minimize", record, "--finding", str(number)])


def standing_of(explained_by: Sequence[ExplainedBy] | None) -> Novelty:
    """Return whether what these known changes explain is news; ``None`` is where nobody looked for any."""
    return Novelty.EXPLAINED if explained_by else Novelty.NEW


def explained_words(explained_by: Iterable[ExplainedBy]) -> str:
    """Name the known changes that explain something, each with its title; empty where there are none."""
    return "; ".join(f"{each.id}, {each.when}: {each.title}" for each in explained_by)


def answers_in(recorded: Json, sides: tuple[str, str]) -> tuple[Answer, ...]:
    """Return both answers of a difference as it is ``recorded``: whole ones, or what stands around the place."""
    whole = recorded.get("answers")
    if whole is not None:
        found = sides_of(sides, (whole.get("baseline"), whole.get("implementation")))
        if found:
            return found
    difference = recorded["difference"]
    return marked(excerpt_of(sides[0], difference["baseline"]), excerpt_of(sides[1], difference["implementation"]))


def _impact(cause: Cause, total: str) -> str:
    return f"{counted(cause.inputs, 'input')}{total}, {counted(cause.differences, 'difference')}"


def _facts(cause: Cause) -> tuple[Fact, ...]:
    signature = cause.signature
    facts = [
        Fact("question", describe(cause.witness.question)),
        Fact("component", signature.component, is_detail=True),
        Fact("seen on", ", ".join(f"{name} ({count:,})" for name, count in cause.tokenizers.items()), is_detail=True),
        Fact("first inputs", ", ".join(cause.examples[:5]), is_detail=True),
    ]
    return tuple(fact for fact in facts if fact.value)
