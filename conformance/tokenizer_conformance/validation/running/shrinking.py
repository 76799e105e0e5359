"""The smallest example of each finding: a shorter question that shows the same, and the whole answers to it.

Both sides are asked for these once more, at the end: answers are not kept of every difference. A side that has answers
at hand for as long as an input is at work is asked as soon as an example is the smallest so far.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Unsupported, stage_of
from tokenizer_conformance.comparison.asking import RememberingSubject
from tokenizer_conformance.comparison.findings import length_of, near
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.findings import Example, FindingCollector, Signature
    from tokenizer_conformance.validation.running.known import KnownDifferences
    from tokenizer_conformance.validation.running.sides import Sides

MOST_SHRUNK = 200
"""Of how many findings of a tokenizer a smaller example is looked for."""

MOST_CHECKS = 1000
"""How many smaller questions are tried for one finding."""

MOST_SECONDS = 10.0
"""How long a smaller example is looked for, for one finding."""

ALL_SECONDS = 90.0
"""How long smaller examples are looked for, for all findings of a tokenizer."""

Manner = tuple[object, ...]
"""What a difference has in common with others of its signature."""


def shrink_examples(sides: Sides, collector: FindingCollector, ledger: KnownDifferences) -> Iterator[str]:
    """Put a smaller example in the place of the smallest one of each finding that is its own, where there is one.

    What ``ledger`` knows is no example of what is new. Yields the name of the implementation before each. Where an
    implementation gave no answer at all, nothing is tried: each try could cost its process or its time.
    """
    groups = [
        (signatures, example)
        for signatures, example in collector.own_groups()
        if signatures[0].implementation in sides.others
        and example.reduced_from is None
        and example.difference.verdict not in NO_ANSWER
    ]
    end = time.monotonic() + ALL_SECONDS
    for signatures, example in groups[:MOST_SHRUNK]:
        until = min(end, time.monotonic() + MOST_SECONDS)
        if time.monotonic() >= until:
            return
        yield signatures[0].implementation
        for signature, smaller in _smaller(sides, signatures, example, ledger, until):
            collector.replace_smallest(signature, smaller)


def _smaller(
    sides: Sides, signatures: list[Signature], example: Example, ledger: KnownDifferences, until: float
) -> Iterator[tuple[Signature, Example]]:
    name = signatures[0].implementation
    wanted = set(map(_manner, signatures))
    seen: dict[Observation, dict[Manner, Difference]] = {}

    def shows_the_same(question: Observation) -> bool:
        if time.monotonic() > until:
            raise BudgetSpentError
        if stage_of(question) not in sides.stages:  # nobody compares it
            return False
        if not wanted <= set(map(_manner, sides.compared_once(name, question).differences)):
            return False
        found = {_manner(difference): difference for difference in sides.confirmed(name, question).differences}
        if not wanted <= found.keys() or sides.is_consequence(name, question):
            return False
        if any(ledger.is_known(name, example.input.id, question, found[manner]) for manner in wanted):
            return False
        seen[question] = found
        return True

    question = reduced_question(example.question, shows_the_same, MOST_CHECKS, partial(_tokens, sides))
    if question == example.question:
        return
    answer = sides.baseline.ask(question)
    for signature in signatures:
        difference = seen[question][_manner(signature)]
        yield (
            signature,
            replace(
                example,
                question=question,
                difference=difference,
                near=near(question, difference.position, answer),
                reduced_from=length_of(example.question),
                answers=None,  # those to the longer question are no answers to this one
            ),
        )


def _tokens(sides: Sides) -> dict[str, int]:
    """Return the vocabulary as the baseline shows it; empty where it shows none."""
    vocabulary = sides.baseline.vocabulary()
    return {} if isinstance(vocabulary, Unsupported) else vocabulary


def _manner(each: Signature | Difference) -> Manner:
    return each.field, each.verdict, each.kind, each.party, each.detail


MOST_ASKED = 400
"""Of how many findings of a tokenizer the whole answers are asked for."""

ANSWER_SECONDS = 30.0
"""How long they are asked for, for all findings of a tokenizer."""


def answered_at_once(sides: Sides, name: str, example: Example) -> Example:
    """Return ``example`` of the implementation called ``name`` with its answers, where later these are gone."""
    both = (sides.baseline, sides.others[name])
    if not any(isinstance(asked.subject, RememberingSubject) for asked in both):
        return example
    return _answered(sides, name, example)


def add_answers(sides: Sides, collector: FindingCollector) -> None:
    """Give the smallest example of each finding its answers, where it has none yet."""
    end = time.monotonic() + ANSWER_SECONDS
    missing = [
        (signature, example)
        for signature, example in collector.smallest()
        if example.answers is None and signature.implementation in sides.others
    ]
    for signature, example in missing[:MOST_ASKED]:
        if time.monotonic() >= end:
            break
        if _may_be_asked(example):
            sides.baseline.ask_ahead([example.question])
            sides.others[signature.implementation].ask_ahead([example.question])
            collector.replace_smallest(signature, _answered(sides, signature.implementation, example))
    sides.forgetful()


def _answered(sides: Sides, name: str, example: Example) -> Example:
    if not _may_be_asked(example):
        return example
    return replace(example, answers=sides.whole_answers(name, example.question, example.difference))


def _may_be_asked(example: Example) -> bool:
    """Return whether asking again costs no process and no time, and can give the same answers."""
    return example.difference.verdict not in (*NO_ANSWER, Verdict.UNSTABLE)
