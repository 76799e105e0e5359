"""Records of training compared: trainers that learn otherwise, fail, or do not repeat themselves, now or then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_trainers
import pytest
from record_pairs import Compared, lawful

from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainingOptions
from tokenizer_conformance.releases.diff.records.changes import Change
from tokenizer_conformance.research.training.engine import train
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.training.preparation import TrainingPlan, corpus_files
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Trained = Callable[..., Path]

Honest = fake_trainers.Honest

TEXT = "low lower lowest newer wider\nnew low slow wide\nlow new\n"


@pytest.fixture
def trained(tmp_path: Path) -> Trained:
    """A function that writes the record of training of an honest trainer and one that is called ``mine``."""
    numbers = iter(range(100))

    def write(fault: type[Honest], text: str = TEXT, size: int = 14, repeat: int = 1) -> Path:
        number = next(numbers)
        corpus, path = tmp_path / f"corpus-{number}.txt", tmp_path / f"training-{number}.jsonl"
        corpus.write_text(text, encoding="utf-8")
        mine: Any = type("Mine", (fault,), {"name": "mine"})
        plan: dict[str, Any] = {
            "trainers": (Honest(), mine()),
            "corpus": corpus_files([str(corpus)]),
            "pre_tokenizer": PreTokenizer.WHITESPACE,
            "words": Honest().count_words(PreTokenizer.WHITESPACE, (str(corpus),)).counts,
            "counter": "honest",
            "options": {Algorithm.BPE: TrainingOptions(vocab_size=size)},
            "repeat": repeat,
        }
        with PageOf(TRAININGS, lines_of).record(path) as report:
            for event in train(TrainingPlan(**plan)):
                report.handle(event)  # type: ignore[arg-type]  # no internal error
        return path

    return write


@pytest.mark.parametrize(
    ("then", "now", "change", "told", "status"),
    [
        (Honest, Honest, "same", None, 0),
        (Honest, fake_trainers.LastDropped, "new", "level tokens", 1),
        (fake_trainers.LastDropped, Honest, "fixed", "level tokens", 0),
        (Honest, fake_trainers.OtherEquals, "changed", "model bpe", 0),
        (Honest, fake_trainers.Failing, "new", "training bpe", 1),
        (fake_trainers.LastDropped, fake_trainers.Failing, "not compared now", "level tokens", 1),
        (fake_trainers.Failing, Honest, "fixed", "training bpe", 0),
    ],
)
def test_what_becomes_of_training(
    trained: Trained, then: type[Honest], now: type[Honest], change: str, told: str | None, status: int
) -> None:
    compared = lawful(trained(then), trained(now))
    assert told is None or told in compared.told(change)
    assert compared.last.exit_status == status


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"text": "new words\n"}, "the words to learn from are others"),
        ({"size": 13}, "bpe was trained with other options"),
    ],
)
def test_another_task_is_not_comparable(trained: Trained, other: dict[str, Any], why: str) -> None:
    compared = Compared(trained(Honest), trained(Honest, **other))
    assert why in {each.why for each in compared.found if each.change is Change.NOT_COMPARABLE}
    assert not compared.told("changed")
    assert compared.last.exit_status in (0, 3)


def test_what_a_whole_training_does_not_have_is_not_put_down_to_its_end(trained: Trained) -> None:
    compared = Compared(trained(fake_trainers.LastDropped), trained(fake_trainers.Failing))
    whys = {each.why for each in compared.found if each.change is Change.NOT_COMPARED_NOW}
    assert "there was no model to look at" in whys
    assert not any("ended before" in why for why in whys)


def test_trainings_that_ended_early_fix_nothing(trained: Trained) -> None:
    old, new = trained(fake_trainers.LastDropped), trained(Honest)
    lines = [json.loads(line) for line in new.read_text("ascii").splitlines()]
    new.write_text("".join(json.dumps(line) + "\n" for line in lines if line["type"] in ("header", "words")))
    compared = Compared(old, new)
    assert not compared.told("fixed")
    assert "training ended before mine had reached that" in {each.why for each in compared.found}
