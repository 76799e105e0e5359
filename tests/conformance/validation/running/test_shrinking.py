"""Examples are made smaller, and long ones are shown where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Decode, Encode, Encoded, Normalize, Pieces, PreTokenize, Stage, Text
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.comparison.findings import Near, near
from tokenizer_conformance.comparison.wording import LONGEST_TEXT, shown_text
from tokenizer_conformance.validation.running import shrinking
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine
    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance import Event
    from tokenizer_conformance.comparison.findings import Finding

    EventsOf = Callable[..., list[Event]]

LONG = "abc " * 900 + "zebra" + " def" * 900
"""7,205 characters; what is wrong with it stands in the middle."""


def own(events: list[Event]) -> list[Finding]:
    (done,) = (event for event in events if isinstance(event, TokenizerFinished))
    return [finding for finding in done.findings if not finding.is_consequence]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("fake", "text", "stage", "smaller"),
    [
        (fakes.WrongNormalization, LONG.replace("z", "B"), Stage.NORMALIZE, Normalize("B")),
        (fakes.LossyDecode, LONG, Stage.DECODE, Decode((fakes.VOCABULARY["z"],), skip_special_tokens=False)),
    ],
)
def test_a_long_text_is_made_small(
    events_of: EventsOf, fake: type[fakes.Toy], text: str, stage: Stage, smaller: object
) -> None:
    finding = next(each for each in own(events_of(fake, texts=(text,))) if each.signature.stage is stage)
    assert finding.smallest.question == smaller
    assert finding.smallest.reduced_from is not None
    assert finding.first.reduced_from is None
    assert finding.smallest.input == finding.first.input


def test_a_smaller_example_is_still_its_own(events_of: EventsOf) -> None:
    """It may not become one that an earlier stage explains."""
    for fake in (fakes.SwappedMerge, fakes.ShiftedOffset, fakes.WrongNormalization, fakes.WrongPieces):
        for finding in own(events_of(fake, texts=("abc aBc d-e zebra", "B-a abc"))):
            toy, faulty = fakes.ToySubject(), fake.subject()
            example = finding.smallest
            assert toy.observe(example.question) != faulty.observe(example.question)
            if finding.signature.stage is Stage.MODEL and isinstance(example.question, Encode):
                text = str(example.question.text)
                assert toy.observe(Normalize(text)) == faulty.observe(Normalize(text))


class WrongAtStart(fakes.Toy):
    """Leaves a B as it is that a text begins with, and ends every text with a b in it with another token."""

    name = "wrong-at-start"

    class subject(fakes.ToySubject):  # noqa: N801
        def normalize(self, text: str) -> str:
            kept = 1 if text.startswith("B") else 0
            return text[:kept] + super().normalize(text[kept:])

        def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
            other = fakes.WrongSpecialToken.subject()
            return (other if "b" in text.lower() else super()).encode(text, pair, add_special_tokens)


def test_an_example_is_not_made_so_small_that_an_earlier_stage_explains_it(events_of: EventsOf) -> None:
    """The B alone would show the same ids, and another normalization."""
    findings = own(events_of(WrongAtStart, texts=("a zeal xB crossing",)))
    assert {finding.signature.stage for finding in findings} == {Stage.POST_PROCESS}
    for finding in findings:
        assert isinstance(finding.smallest.question, Encode)
        text = str(finding.smallest.question.text)
        assert len(text) == 2
        assert text.endswith("B")
        assert finding.smallest.reduced_from is not None


def test_a_smaller_example_is_confirmed_like_any_other(events_of: EventsOf) -> None:
    text = "abc de " * 30 + "zebra" + " fg" * 30
    finding = next(each for each in own(events_of(fakes.FlakyAndWrong, texts=(text,))))
    assert finding.smallest.question == Encode("z", add_special_tokens=False)


def test_an_example_does_not_become_one_of_a_stage_that_is_not_compared(events_of: EventsOf) -> None:
    """Without special tokens it would be a question about the model."""
    events = events_of(fakes.ShiftedOffset, texts=("abc aBc d-e zebra",), stages=(Stage.POST_PROCESS,))
    assert not any(isinstance(event, InternalError) for event in events)
    findings = own(events)
    assert {finding.signature.stage for finding in findings} == {Stage.POST_PROCESS}
    for finding in findings:
        assert isinstance(finding.smallest.question, Encode)
        assert finding.smallest.question.add_special_tokens
        assert finding.smallest.reduced_from is not None


def test_what_crashes_is_not_tried_again(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was tried")

    monkeypatch.setattr(shrinking, "reduced_question", refuse)
    assert own(events_of(fakes.Crashing))


@pytest.mark.long
def test_a_long_text_that_stays_long_is_shown_where_it_differs(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    text = LONG.replace("z", "B")
    finding = next(each for each in own(events_of(fakes.WrongNormalization, texts=(text,))))
    example = finding.smallest
    assert example.near == Near(3600)
    assert "Bebra" in shown_text(text, example.near.position)
    assert "Bebra" not in shown_text(text)


@pytest.mark.parametrize("position", [0, 59, 60, 61, 200, 339, 340, 399, 400])
def test_what_is_shown_of_a_long_text_holds_the_place(position: int) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(400))
    shown = shown_text(text, position)
    assert text[min(position, 399)] in shown
    assert sum("\u4e00" <= character <= "\u9fff" for character in shown) == LONGEST_TEXT
    assert "of 400)" in shown or "(400 characters)" in shown


@pytest.mark.parametrize(
    ("question", "position", "answer", "place"),
    [
        (Encode("ab cd"), 1, Encoded((7, 8), offsets=((0, 2), (3, 5))), Near(3)),
        (Encode("ab cd"), 9, Encoded((7, 8), offsets=((0, 2), (3, 5))), Near(3)),
        (Encode("ab", "cd"), 1, Encoded((7, 8), offsets=((0, 2), (1, 2)), sequence_ids=(0, 1)), Near(1, in_pair=True)),
        (Encode("ab"), 0, Encoded((7,)), None),
        (Encode("ab"), 0, Encoded((), offsets=()), None),
        (Encode(("ab", "cd")), 1, Encoded((7, 8), offsets=((0, 2), (0, 2))), None),
        (PreTokenize("ab cd"), 1, Pieces((("ab", (0, 2)), ("cd", (3, 5)))), Near(3)),
        (PreTokenize("ab"), 0, Pieces(()), None),
        (PreTokenize("ab"), 0, Pieces((("ab", None),)), None),
        (Normalize("ab"), 7, Text("abcdefghij"), Near(2)),
        (Decode((1, 2)), 0, Text("ab"), None),
        (Encode("ab"), None, Encoded((7,), offsets=((0, 2),)), None),
    ],
)
def test_where_a_difference_is_seen(question: object, position: int | None, answer: object, place: Near | None) -> None:
    assert near(question, position, answer) == place  # type: ignore[arg-type]


def test_the_command_says_how_much_smaller(tokconf: CommandLine, toy_tokenizer: object) -> None:
    (tokconf.folder / "long.txt").write_text(LONG, encoding="utf-8")
    result = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "lossy-decode", "--no-builtin", "--inputs", "long.txt")
    assert "; made smaller: 1 of " in result.out
    assert max(map(len, result.out.splitlines())) < 400
