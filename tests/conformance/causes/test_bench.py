"""The bench gives both sides any tokenizer, and tells a difference from its consequences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Encode, Normalize, Stage, TokenizerSource
from tokenizer_conformance.causes.bench import MOST_LOADED, Bench
from tokenizer_conformance.causes.cause_time import CauseTime, TimeSpentError
from tokenizer_conformance.comparison.asking import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.causes.bench import Trial


@pytest.fixture
def source(tmp_path: Path) -> TokenizerSource:
    file = tmp_path / "toy.json"
    file.write_text('{"model": {"type": "Toy"}}')
    return TokenizerSource("toy", str(file))


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench(fakes.Toy(), fakes.WrongNormalization()) as bench:
        yield bench


def test_a_witness_has_both_answers_and_the_stage_to_blame(bench: Bench, source: TokenizerSource) -> None:
    trial = bench.trial(source)
    witness = trial.witness(Normalize("xBx"))
    assert witness is not None
    assert witness.stage is Stage.NORMALIZE
    assert (witness.expected, witness.actual) == (
        trial.expected(Normalize("xBx")),
        trial.actual(Normalize("xBx")),
    )
    assert witness.expected != witness.actual
    assert bench.witness_again(witness) == witness


class SwappedInBytes(fakes.Utf8):
    """Merges in another order; offsets in UTF-8 bytes."""

    name = "swapped-in-bytes"

    class subject(fakes.Utf8.subject):  # noqa: N801
        merges = fakes.SwappedMerge.subject.merges


def test_a_witness_has_both_answers_whole_for_records_each_side_with_offsets_in_code_points(
    source: TokenizerSource,
) -> None:
    question = Encode("é abc d", add_special_tokens=False)
    with Bench(fakes.Toy(), SwappedInBytes()) as bench:
        witness = bench.trial(source).witness(question)
    assert witness is not None
    assert witness.answers is not None
    baseline, implementation = witness.answers.baseline, witness.answers.implementation
    assert (baseline["outcome"], implementation["outcome"]) == ("Encoded", "Encoded")
    assert baseline["answer"]["tokens"] == ["<unk>", "abc", "d"]
    assert implementation["answer"]["tokens"] == ["<unk>", "a", "bc", "d"]
    assert baseline["answer"]["offsets"] == [[0, 1], [2, 5], [6, 7]]
    assert implementation["answer"]["offsets"] == [[0, 1], [2, 3], [3, 5], [6, 7]]


def test_what_an_earlier_stage_explains_is_no_witness(bench: Bench, source: TokenizerSource) -> None:
    trial = bench.trial(source)
    assert trial.differs(Encode("xBx"))
    assert trial.witness(Encode("xBx")) is None


def test_where_both_agree_there_is_no_witness(bench: Bench, source: TokenizerSource) -> None:
    assert bench.trial(source).witness(Normalize("abc")) is None


def test_a_changed_document_is_loaded_from_a_file_of_its_own(bench: Bench, source: TokenizerSource) -> None:
    trials = [bench.trial_of(source, {"model": {"type": "Toy"}, "number": number}) for number in range(MOST_LOADED + 1)]
    first, *rest = [trial for trial in trials if trial is not None]
    assert len(rest) == MOST_LOADED
    assert not Path(first.source.file).exists()
    assert [json.loads(Path(each.source.file).read_text())["number"] for each in rest] == list(
        range(1, MOST_LOADED + 1)
    )
    assert bench.trial_of(source, {"model": {"type": "Toy"}, "number": 3}) is rest[2]


def test_each_question_is_asked_once_and_a_witness_puts_it_again(
    bench: Bench, source: TokenizerSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = bench.trial(source)
    asked: list[str] = []
    for name in ("ask", "ask_again"):
        done = getattr(Asked, name)

        def noted(self: Asked, questions: object, name: str = name, done: Callable[..., object] = done) -> object:
            if self is trial.implementation:
                asked.append(name)
            return done(self, questions)

        monkeypatch.setattr(Asked, name, noted)
    assert trial.differs(Normalize("xBx"))
    assert trial.actual(Normalize("xBx")) == trial.actual(Normalize("xBx"))
    assert asked == ["ask"]
    assert trial.witness(Normalize("xBx")) is not None
    assert asked[:2] == ["ask", "ask_again"]
    assert trial.actual(Normalize("other")) is not None
    assert asked.count("ask") == 1 + asked[2:].count("ask")


DOCUMENT = {"model": {"type": "Toy"}}


@pytest.mark.parametrize(
    "tried",
    [
        lambda bench, _trial, source: bench.trial_of(source, DOCUMENT),
        lambda bench, _trial, source: bench.trial_of_baseline(source, DOCUMENT),
        lambda bench, _trial, source: bench.baseline_with(source, DOCUMENT),
        lambda _bench, trial, _source: trial.expected(Normalize("a")),
        lambda _bench, trial, _source: trial.actual(Normalize("a")),
        lambda bench, _trial, source: bench.trial(source).witness(Normalize("xBx")),
    ],
    ids=["document", "document of the baseline", "baseline alone", "expected", "actual", "witness"],
)
def test_nothing_is_tried_once_the_time_is_spent(
    tried: Callable[[Bench, Trial, TokenizerSource], object], source: TokenizerSource
) -> None:
    now = [0.0]
    with Bench(fakes.Toy(), fakes.WrongNormalization(), time=CauseTime(1.0, lambda: now[0])) as bench:
        trials = [bench.trial(source), bench.trial_of_baseline(source, DOCUMENT)]
        now[0] = 2.0
        for trial in trials:
            assert trial is not None
            with pytest.raises(TimeSpentError):
                tried(bench, trial, source)
