"""The smallest example of a finding has the whole answers of both sides, also where a record was read and written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from snapshots import Making, diff_of, named, of_type

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.comparison.differences import OutcomeInUnit
from tokenizer_conformance.comparison.whole_answers import whole_answers
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running import shrinking
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.record import record_of
from tokenizer_conformance.validation.running.recorded_run import tokenizer_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance import Event
    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    EventsOf = Callable[..., list[Event]]

TEXTS = ("é abc aBc d-e zebra", "B-a abc", "x", "éabc")


class SwappedInBytes(fakes.Utf8):
    """Merges in another order; offsets in UTF-8 bytes."""

    name = "swapped-in-bytes"

    class subject(fakes.Utf8.subject):  # noqa: N801
        merges = fakes.SwappedMerge.subject.merges


class Remembering(fakes.SwappedMerge):
    """Has answers at hand for as long as an input is at work, so that it is asked before examples are made small."""

    name = "remembering"

    class subject(fakes.SwappedMerge.subject):  # noqa: N801
        def forget(self) -> None:
            pass


FAULTY = (
    fakes.WrongNormalization,
    fakes.WrongPieces,
    fakes.SwappedMerge,
    fakes.LossyDecode,
    SwappedInBytes,
    Remembering,
)


def findings_of(events: list[Event]) -> tuple[Finding, ...]:
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings
    return finished.findings


@pytest.mark.parametrize("most", [shrinking.MOST_SHRUNK, 0], ids=["made small", "as found"])
@pytest.mark.parametrize("fake", FAULTY)
def test_the_smallest_example_has_what_both_sides_answered(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch, fake: type[fakes.Toy], most: int
) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", most)
    for finding in findings_of(events_of(fake, texts=TEXTS)):
        question = finding.smallest.question
        expected = fakes.ToySubject().observe(question)
        assert finding.smallest.answers == whole_answers(
            question,
            OutcomeInUnit(expected, fakes.Toy.unit),
            OutcomeInUnit(fake.subject().observe(question), fake.unit),
        )


def test_offsets_in_bytes_are_code_points_in_answers(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    examples = [each.smallest for each in findings_of(events_of(SwappedInBytes, texts=("éabc",)))]
    example = next(each for each in examples if each.question == Encode("éabc", add_special_tokens=False))
    baseline = fakes.ToySubject().observe(example.question)
    assert isinstance(baseline, Encoded)
    assert example.answers is not None
    assert example.answers.baseline["answer"]["tokens"] == list(baseline.tokens or ())
    assert example.answers.implementation["answer"]["offsets"] == [[0, 1], [1, 2], [2, 4]]


def test_what_gave_no_answer_is_not_asked_for_one(events_of: EventsOf) -> None:
    assert {each.smallest.answers for each in findings_of(events_of(fakes.Crashing, texts=TEXTS))} == {None}


def test_answers_that_came_once_are_not_those_of_an_example(events_of: EventsOf) -> None:
    (finished,) = of_type(events_of(fakes.Flaky, texts=TEXTS), TokenizerFinished)
    assert {each.smallest.answers for each in finished.unstable} == {None}


def test_examples_keep_their_answers_when_a_record_is_read_and_written(events_of: EventsOf) -> None:
    (finished,) = of_type(events_of(fakes.SwappedMerge, texts=TEXTS), TokenizerFinished)
    line = json.loads(json.dumps(record_of(finished)))
    assert all("answers" in finding["smallest"] for finding in line["findings"])
    again = record_of(tokenizer_of(FORMAT.read(line), line))
    assert again == record_of(finished)


@pytest.mark.parametrize("fake", [fakes.SwappedMerge, SwappedInBytes])
def test_examples_of_two_snapshots_have_the_answers_in_them(
    tmp_path: Path, toy_file: TokenizerFile, fake: type[fakes.Toy]
) -> None:
    """They are at hand only while an input is at work."""
    making = Making(tmp_path, (toy_file,))
    texts = named([*TEXTS, *(f"{number} xyz" for number in range(20))])
    old, new = (making.snapshot(each.name, each(), texts) for each in (fakes.Toy, fake))
    found = findings_of(diff_of(old, new))
    for finding in found:
        answers = finding.smallest.answers
        assert answers is not None
        assert answers.baseline != answers.implementation
        assert answers == whole_answers(
            finding.smallest.question,
            OutcomeInUnit(fakes.ToySubject().observe(finding.smallest.question)),
            OutcomeInUnit(fake.subject().observe(finding.smallest.question), fake.unit),
        )
