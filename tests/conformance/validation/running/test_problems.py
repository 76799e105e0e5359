"""One numbered list of problems: findings keep the numbers that were told before causes were looked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.validation.running.events import CausesSought, TokenizerFinished, Unexamined, WhyNot
from tokenizer_conformance.validation.running.problems import WHY_NOT, problems_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.findings import Signature

    EventsOf = Callable[..., list[Any]]


def found(events: list[Any]) -> tuple[TokenizerFinished, Cause]:
    """Return the end of the tokenizer, with the one cause that there is, and that cause."""
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    (sought,) = (event for event in events if isinstance(event, CausesSought))
    (cause,) = sought.causes
    return sought.of(finished), cause


def named(finished: TokenizerFinished, name: str) -> TokenizerFinished:
    """Return the same of a tokenizer called ``name``."""
    findings = [replace(each, signature=replace(each.signature, tokenizer=name)) for each in finished.findings]
    return replace(finished, tokenizer=name, findings=tuple(findings))


def signatures(finished: TokenizerFinished) -> list[Signature]:
    return [each.signature for each in finished.findings if each.signature.stage is Stage.NORMALIZE]


def test_a_cause_is_told_at_its_finding(events_of: EventsOf) -> None:
    finished, cause = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    (problem,) = problems_of([finished], [cause])
    assert (problem.number, problem.cause, problem.findings) == (1, cause, (1,))
    assert problem.line.startswith("toy-tokenizer, wrong-normalization at normalize: text (1 input): ")


def test_findings_with_one_cause_name_the_number_at_which_it_is_told(events_of: EventsOf) -> None:
    finished, cause = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    other = named(finished, "other")
    cause = replace(cause, findings={each: 1 for one in (finished, other) for each in signatures(one)})
    first, second = problems_of([finished, other], [cause])
    assert (first.cause, second.cause, second.same_as) == (cause, None, 1)
    assert second.line.endswith(": same cause as 1")


def test_a_cause_that_the_text_of_a_finding_does_not_show_is_not_told_there(events_of: EventsOf) -> None:
    """What is said of another text would not be true of the one that is shown."""
    finished, cause = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    difference = replace(cause.witness.difference, kind=DifferenceKind.LENGTH)
    other = replace(cause, witness=replace(cause.witness, difference=difference), own=None)
    left = [Unexamined(signature, 2, WhyNot.TIME) for signature in signatures(finished)]
    finding, further = problems_of([replace(finished, unexamined=tuple(left))], [other])
    assert (finding.cause, further.cause, further.findings) == (None, other, (1,))
    assert ": 1 of 3 differences have the cause of 2; 2 differences not analysed" in finding.line


def test_a_further_cause_of_a_finding_has_a_number_after_all_findings(events_of: EventsOf) -> None:
    finished, cause = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    other = named(finished, "other")
    less = replace(cause, findings=dict.fromkeys(signatures(finished), 1))
    more = replace(cause, findings=dict.fromkeys(signatures(finished), 2))
    first, second, third = problems_of([finished, other], [less, more])
    assert (first.cause, second.cause, third.cause) == (more, None, less)
    assert (third.number, third.findings, third.finding) == (3, (1,), None)
    assert "part of 1" in third.line


def test_a_finding_without_a_cause_says_why(events_of: EventsOf) -> None:
    finished, _ = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    (signature,) = signatures(finished)
    for why in WhyNot:
        left = replace(finished, causes=(), unexamined=(Unexamined(signature, 1, why),))
        (problem,) = problems_of([left], [])
        assert problem.line.endswith(f": {WHY_NOT[why]}")


def test_where_nobody_looked_nothing_is_said_of_causes(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=0.0)
    (problem,) = problems_of([event for event in events if isinstance(event, TokenizerFinished)], [])
    assert problem.line == "toy-tokenizer, wrong-normalization at normalize: text (1 input)"


def test_causes_of_earlier_records_name_no_finding_and_come_after_all(events_of: EventsOf) -> None:
    finished, cause = found(events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=60.0))
    earlier = replace(cause, findings={})
    first, second = problems_of([replace(finished, causes=(earlier,))], [earlier])
    assert (first.cause, first.line.count(": ")) == (None, 1)
    assert (second.number, second.cause) == (2, earlier)
