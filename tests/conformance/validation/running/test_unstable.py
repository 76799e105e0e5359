"""A wrong answer that is not given again is named unstable, and is no finding."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import fake_implementations as fakes

from tokenizer_adapters.contract import Encode, Encoded, Failed, Text
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.differences import Comparison, OutcomeInUnit, compare, confirmed
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records.run import Difference
from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine
    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]


def test_an_answer_that_is_not_given_again_is_no_finding(events_of: EventsOf) -> None:
    events = events_of(fakes.Flaky)
    (done,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert done.findings == ()
    assert not any(isinstance(event, Difference) for event in events)
    assert {finding.signature.verdict for finding in done.unstable} == {Verdict.UNSTABLE}
    assert done.results[0].has(Verdict.UNSTABLE)
    assert done.results[0].failing_inputs == 0
    impact = done.results[0].impact
    assert impact is not None
    assert (impact.documents.changed, impact.scripts) == (0, {}), "noise touches no texts"
    (end,) = (event for event in events if isinstance(event, RunFinished))
    assert (end.conclusion, end.differences) == (Conclusion.IMPLEMENTATION_FAILED, 0)


def test_an_answer_that_is_given_again_is_a_finding(events_of: EventsOf) -> None:
    (done,) = (event for event in events_of(fakes.LossyDecode) if isinstance(event, TokenizerFinished))
    assert done.findings
    assert done.unstable == ()


def test_the_command_names_it(tokconf: CommandLine, toy_tokenizer: object) -> None:
    result = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "flaky", "-k", "contractions")
    assert result.status == 3
    assert re.search(r"^flaky .*\? ", result.out, re.MULTILINE)
    assert "; unstable)" in result.out
    assert "answered in another way when asked again; first contractions/" in result.out


def test_only_what_is_gone_is_unstable() -> None:
    question = Encode("ab")

    def against(**fields: tuple[object, ...]) -> object:
        given = {"ids": (1, 2), "tokens": ("a", "b"), "type_ids": (0, 0)} | fields
        right = Encoded(ids=(1, 2), tokens=("a", "b"), type_ids=(0, 0))
        return compare(question, OutcomeInUnit(right), OutcomeInUnit(Encoded(**given)))  # type: ignore[arg-type]

    first, again = against(ids=(1, 3), type_ids=(0, 1)), against(ids=(1, 3))
    result = confirmed(first, again)  # type: ignore[arg-type]
    assert [each.field for each in result.differences] == ["ids"]
    assert [(each.field, each.verdict) for each in result.unstable] == [("type_ids", Verdict.UNSTABLE)]
    assert result.verdict is Verdict.DIFFER


def test_what_was_gone_before_stays_unstable() -> None:
    right = Encoded(ids=(1, 2), type_ids=(0, 0), attention_mask=(1, 1))

    def against(wrong: Encoded) -> Comparison:
        return compare(Encode("ab"), OutcomeInUnit(right), OutcomeInUnit(wrong))

    result = against(Encoded(ids=(1, 3), type_ids=(0, 1), attention_mask=(1, 0)))
    for again in (replace(right, ids=(1, 3), type_ids=(0, 1)), replace(right, ids=(1, 3)), right):
        result = confirmed(result, against(again))
    assert not result.differences
    assert [each.field for each in result.unstable] == ["attention_mask", "type_ids", "ids"]
    assert {each.verdict for each in result.unstable} == {Verdict.UNSTABLE}


def test_an_error_is_the_same_whatever_it_says() -> None:
    def failing(message: str) -> object:
        return compare(Encode("ab"), OutcomeInUnit(Encoded(ids=())), OutcomeInUnit(Failed("OSError", message)))

    result = confirmed(failing("at 0x7f01"), failing("at 0x7f02"))  # type: ignore[arg-type]
    assert len(result.differences) == 1
    assert not result.unstable
    changed = confirmed(failing("no"), compare(Encode("ab"), OutcomeInUnit(Text("")), OutcomeInUnit(Text(""))))
    assert not changed.differences


def test_who_is_known_to_be_unstable_is_asked_more_often(events_of: EventsOf) -> None:
    """An answer that is wrong half of the time is given twice a quarter of the time; not five times."""
    (done,) = (
        event for event in events_of(fakes.Tossing, texts=("abc d",) * 60) if isinstance(event, TokenizerFinished)
    )
    wrong = sum(finding.inputs for finding in done.findings if finding.signature.field == "ids")
    unstable = sum(finding.inputs for finding in done.unstable if finding.signature.field == "ids")
    assert unstable > 5 * wrong
