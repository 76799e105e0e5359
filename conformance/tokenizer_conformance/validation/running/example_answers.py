"""The whole answers to the smallest example of each finding, which a record has beside the difference.

Both sides are asked once more, at the end: answers are not kept of every difference, and examples are made smaller. A
side that has answers at hand for as long as an input is at work is asked as soon as an example is the smallest so far.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.asking import RememberingSubject
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.findings import Example, FindingCollector
    from tokenizer_conformance.validation.running.sides import Sides

MOST_ASKED = 400
"""Of how many findings of a tokenizer the whole answers are asked for."""

ALL_SECONDS = 30.0
"""How long they are asked for, for all findings of a tokenizer."""


def answered_at_once(sides: Sides, name: str, example: Example) -> Example:
    """Return ``example`` of the implementation called ``name`` with its answers, where later these are gone."""
    both = (sides.baseline, sides.others[name])
    if not any(isinstance(asked.subject, RememberingSubject) for asked in both):
        return example
    return _answered(sides, name, example)


def add_answers(sides: Sides, collector: FindingCollector) -> None:
    """Give the smallest example of each finding its answers, where it has none yet."""
    end = time.monotonic() + ALL_SECONDS
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
