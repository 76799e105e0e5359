"""A snapshot answers what was answered then, to whatever is asked near the input at work, in any order of inputs."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from snapshots import Making, named

from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Normalize, Stage, TokenizerSource, Unsupported
from tokenizer_conformance.comparison.batching import INPUTS_AT_ONCE
from tokenizer_conformance.inputs.corpus import EVERYTHING, Selection
from tokenizer_conformance.releases.snapshot_file import lines, replay
from tokenizer_conformance.releases.snapshot_file.questions import asked_of
from tokenizer_conformance.releases.snapshot_file.replay import (
    MOST_INPUTS,
    NOT_ASKED,
    NumberedInput,
    Position,
    ReplayedCorpus,
    ReplayedImplementation,
    ReplayedSubject,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenizer_conformance import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot

TOY = fakes.ToySubject()


def corpus(snapshot: Snapshot, position: Position, selection: Selection = EVERYTHING) -> Iterator[NumberedInput]:
    """Yield the inputs, each when it is reached."""
    for each in ReplayedCorpus(snapshot, snapshot.count, snapshot.header.inputs.sha256, selection):
        position.reach(each)
        yield each


def loaded(snapshot: Snapshot, position: Position, numbers: Sequence[int] | None = None) -> ReplayedSubject:
    return ReplayedImplementation(snapshot, snapshot.header.info, position, numbers).load(
        TokenizerSource(snapshot.header.tokenizers[0].name, "")
    )


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile) -> Making:
    return Making(tmp_path, (toy_file,))


SOURCES: dict[str, list[tuple[Input, ...]]] = {
    "one input": [named(["aBc d"])],
    "two": [named(["a", "b c"])],
    "several sources": [named(["a b", "c", "d"], "x"), named(["e"], "y"), named(["f", "g B"], "z")],
    "equal texts": [named(["a", "a", "b", "a", "a"])],
    "empty texts": [named(["", "", " "])],
    "more than are kept": [named([f"{'abc'[number % 3]}b {chr(97 + number % 26)}" for number in range(1000)])],
    "many sources": [named([f"{chr(97 + number % 26)}a"], f"s{number}") for number in range(300)],
}


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("ahead", [1, INPUTS_AT_ONCE])
def test_everything_that_is_asked_of_an_input_is_held(making: Making, name: str, ahead: int) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Toy(), *SOURCES[name])
    subject = loaded(snapshot, position)
    batch = []
    for each in corpus(snapshot, position):
        batch.append(each)
        if len(batch) < ahead and each.number < snapshot.count - 1:
            continue
        for one in batch:  # a batch of inputs is read before the first of it is compared
            text, following = one.input.text, one.following.text
            alone = asked_of(following, "", [Stage.NORMALIZE, Stage.MODEL, Stage.DECODE], TOY.observe)
            for _, question in (*asked_of(text, following, snapshot.header.stages, TOY.observe), *alone):
                assert subject.holds(question)
                assert subject.observe(question) == TOY.observe(question)
        batch = []
    assert len(subject._inputs) <= MOST_INPUTS


def test_what_was_not_asked_is_not_held(making: Making) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Toy(), named(["a", "b"]))
    subject = loaded(snapshot, position)
    assert len(list(corpus(snapshot, position))) == 2
    for question in (Normalize("zzz"), Encode("a", "a"), Decode((1, 2, 3, 4))):
        assert not subject.holds(question)
        assert subject.observe(question) is NOT_ASKED


def test_what_an_implementation_does_not_show_was_asked_all_the_same(making: Making) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Mute(), named(["a", "b"]))
    subject = loaded(snapshot, position)
    assert list(corpus(snapshot, position))
    assert subject.holds(Normalize("a"))
    assert subject.observe(Normalize("a")) == Unsupported("says nothing to Normalize(text='a')")


@pytest.mark.long_but(1)
@pytest.mark.parametrize("seed", range(3))
def test_inputs_in_any_order_are_found(making: Making, seed: int) -> None:
    position = Position()
    inputs = named([f"{number // 26 % 26 * 'a'}{chr(97 + number % 26)} b" for number in range(400)])
    shuffled = tuple(random.Random(seed).sample(inputs, len(inputs)))
    old = making.snapshot("old", fakes.Toy(), inputs)
    new = making.snapshot("new", fakes.Toy(), shuffled)
    numbers = [shuffled.index(each) for each in inputs]
    subject = loaded(new, position, numbers)
    for each in corpus(old, position):
        assert subject.observe(Encode(each.input.text)) == TOY.observe(Encode(each.input.text))
        assert subject.holds(Normalize(each.input.text))


def test_what_is_forgotten_takes_nothing_from_an_equal_text(making: Making) -> None:
    """In any order the text after one is read with it, and forgotten before it; its equal neighbour stays."""
    position = Position()
    inputs = named(["x", "same", "same", "y"])
    snapshot = making.snapshot("a", fakes.Toy(), inputs)
    subject = loaded(snapshot, position, [1, 0, 2, 3])
    for each in corpus(snapshot, position):
        subject.forget()
        if each.number == 1:
            assert subject.holds(Encode("x"))
            assert subject.holds(Normalize("same"))
            assert subject.holds(Encode("x", "same"))


@pytest.mark.long
def test_a_selection_skips_what_stands_before(making: Making) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Toy(), named([f"a{'b' * number}" for number in range(300)]))
    subject = loaded(snapshot, position)
    (only,) = corpus(snapshot, position, Selection(ids=frozenset({"test 299"})))
    assert only.following.text == "a"
    assert subject.observe(Encode(only.input.text, only.following.text)) == TOY.observe(
        Encode(only.input.text, only.following.text)
    )
    assert subject.holds(Normalize("a"))
    assert len(subject._inputs) == 2


@pytest.mark.long_but(1)
@pytest.mark.parametrize("is_in_order", [True, False])
def test_answers_that_nobody_wants_are_passed_over_unread(
    making: Making, is_in_order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Toy(), named([f"a{'b' * number}" for number in range(300)]))
    subject = loaded(snapshot, position, None if is_in_order else [1, 0, *range(2, 300)])
    read: list[int] = []

    def answers_in(line: Any) -> Any:
        read.append(line["input"])
        return lines.answers_in(line)

    monkeypatch.setattr(replay, "answers_in", answers_in)
    for each in islice(ReplayedCorpus(snapshot, snapshot.count, ""), 200, 202):
        position.reach(each)
        assert subject.holds(Encode(each.input.text))
    assert read == [200, 201, 202]


@pytest.mark.parametrize("name", ["several sources", "more than are kept", "many sources"])
def test_an_earlier_input_can_be_reached_again(making: Making, name: str) -> None:
    position = Position()
    snapshot = making.snapshot("a", fakes.Toy(), *SOURCES[name])
    inputs = list(ReplayedCorpus(snapshot, snapshot.count, ""))
    subject = loaded(snapshot, position)
    for each in random.Random(0).choices(inputs, k=20):
        position.reach(each)
        text, following = each.input.text, each.following.text
        for _, question in asked_of(text, following, snapshot.header.stages, TOY.observe):
            assert subject.observe(question) == TOY.observe(question)


def test_a_refusal_of_then_is_one_again(making: Making) -> None:
    class Refusing(fakes.Toy):
        def load(self, source: TokenizerSource) -> fakes.ToySubject:
            raise CannotLoadError(f"no {source.name}, please")

    snapshot = making.snapshot("a", Refusing(), named(["a"]))
    with pytest.raises(CannotLoadError, match="no toy-tokenizer, please"):
        loaded(snapshot, Position())
    with pytest.raises(CannotLoadError, match="has no tokenizer 'another'"):
        ReplayedImplementation(snapshot, snapshot.header.info, Position()).load(TokenizerSource("another", ""))


def test_a_long_text_does_not_push_out_those_that_are_compared_with_it(
    making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch ends with the text that makes it long enough: those before it are compared after that was read."""
    monkeypatch.setattr(replay, "MOST_CHARACTERS", 30)
    position = Position()
    inputs = named(["ab c", "b", "cab", "d", "e", "f" * 500, "g" * 500, "h" * 20, "i" * 20])
    snapshot = making.snapshot("a", fakes.Toy(), inputs)
    subject = loaded(snapshot, position)
    for number, _ in enumerate(corpus(snapshot, position)):
        if number == 5:
            assert all(subject.holds(Normalize(each.text)) for each in inputs[:7])
    assert not subject.holds(Normalize("f" * 500))
