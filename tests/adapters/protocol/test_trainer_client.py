"""A program as a trainer: each training in a process of its own, whatever becomes of that."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Failed,
    TimedOut,
    UnavailableError,
    WithoutValue,
)
from tokenizer_adapters.protocol.launch import CannotStartError, Program
from tokenizer_adapters.protocol.messages import Started
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.protocol.trainer_client import ProcessTrainer
from tokenizer_adapters.registry import UnknownImplementationError, WrongImplementationError
from tokenizer_adapters.selection import SelectionError, select_trainer, served_trainer
from tokenizer_adapters.trainers import load_trainer
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    Trainer,
    TrainingOptions,
    TrainingRequest,
)

PROGRAMS = Path(__file__).parent / "programs"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "protocol"
WORDS = CountedWords({"to": 3, "be": 3, "or": 1, "not": 2})


def request_of(corpus: TextFiles | CountedWords = WORDS, algorithm: Algorithm = Algorithm.WORDLEVEL) -> TrainingRequest:
    return TrainingRequest(
        algorithm=algorithm,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=corpus,
        options=TrainingOptions(vocab_size=40, special_tokens=("<s>",)),
    )


@pytest.fixture
def corpus(tmp_path: Path) -> TextFiles:
    path = tmp_path / "corpus.txt"
    path.write_text("to be or not to be\nto be not 12 7\n", encoding="utf-8")
    return TextFiles((str(path),))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the trainers of ``served_trainers`` found by the processes that serve them."""
    monkeypatch.syspath_prepend(str(PROGRAMS))


def trainer(name: str, limits: Limits | None = None) -> ProcessTrainer:
    return ProcessTrainer(served_trainer(f"served_trainers:{name}"), limits)


# As in this process ---------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", ["reference", "tokenizers"])
def test_a_trainer_answers_there_as_it_does_here(name: str, corpus: TextFiles) -> None:
    here, there = load_trainer(name), ProcessTrainer(served_trainer(name))
    assert isinstance(there, Trainer)
    assert there.info == here.info
    for pre_tokenizer in (PreTokenizer.WHITESPACE, PreTokenizer.METASPACE):
        counted = there.count_words(pre_tokenizer, corpus.paths)
        assert counted == here.count_words(pre_tokenizer, corpus.paths)
        assert isinstance(counted, CountedWords)
    for algorithm in (Algorithm.BPE, Algorithm.WORDLEVEL):
        one, other = (each.train(request_of(corpus, algorithm)) for each in (here, there))
        assert isinstance(one, TrainedModel)
        assert isinstance(other, TrainedModel)
        assert (list(other.tokens.items()), other.merges) == (list(one.tokens.items()), one.merges)


@pytest.mark.long
def test_words_come_in_the_order_in_which_they_are_met(corpus: TextFiles) -> None:
    counted = ProcessTrainer(served_trainer("tokenizers")).count_words(PreTokenizer.WHITESPACE, corpus.paths)
    assert isinstance(counted, CountedWords)
    assert list(counted.counts.items()) == [("to", 3), ("be", 3), ("or", 1), ("not", 2), ("12", 1), ("7", 1)]


def test_any_program_can_be_a_trainer() -> None:
    program = Program((sys.executable, "-I", "-S", str(EXAMPLES / "train_words.py")), "it")
    trained = ProcessTrainer(program, name="mine").train(request_of())
    assert trained == TrainedModel({"<s>": 0, "be": 1, "to": 2, "not": 3, "or": 4})


@pytest.mark.long
@pytest.mark.usefixtures("fake")
def test_each_training_has_a_process_of_its_own(corpus: TextFiles) -> None:
    honest = trainer("Honest")
    first, second = (honest.train(request_of(corpus)) for _ in range(2))
    assert isinstance(first, TrainedModel)
    assert isinstance(second, TrainedModel)
    assert first.tokens.keys() != second.tokens.keys()
    assert (first.merges, first.scores, first.seconds, first.peak_memory) == ((("a", "b"),), {"é\0": -1.5}, 2.0, 3)


# Whatever it does -----------------------------------------------------------------------------------------------------

LIMITS = Limits(train_seconds=0.5)

OUTCOMES: list[tuple[str, type[WithoutValue], str]] = [
    ("Dying", Crashed, r"killed by signal 6 \(SIGABRT\)"),
    ("Hanging", TimedOut, ""),
    ("Raising", Failed, "of no value"),
    ("Unlike", BrokeProtocol, 'answer to train: value.tokens["a"]: expected an integer, found "0"'),
]


@pytest.mark.long_but(1)
@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(("name", "kind", "words"), OUTCOMES)
def test_what_a_trainer_does_is_the_outcome_of_that_training(
    name: str, kind: type[WithoutValue], words: str, corpus: TextFiles
) -> None:
    faulty = trainer(name, LIMITS)
    outcome = faulty.train(request_of(corpus))
    assert type(outcome) is kind
    match outcome:
        case Crashed(detail):
            assert re.match(words, detail)
        case BrokeProtocol(detail) | Failed(_, detail):
            assert detail == words
        case _:
            assert outcome == TimedOut(0.5)
    assert isinstance(faulty.count_words(PreTokenizer.WHITESPACE, corpus.paths), CountedWords)


@pytest.mark.long
@pytest.mark.usefixtures("fake")
def test_memory_is_limited(corpus: TextFiles) -> None:
    outcome = trainer("Greedy", Limits(train_seconds=60, memory=200 << 20)).train(request_of(corpus))
    assert outcome == Failed("MemoryError", "") or isinstance(outcome, Crashed)


@pytest.mark.usefixtures("fake")
def test_a_trainer_that_cannot_be_started_again_has_crashed(
    corpus: TextFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = trainer("StartingOnce").train(request_of(corpus))
    assert isinstance(outcome, Crashed)
    assert outcome.detail.startswith("it could not be started again: ")
    assert "once is enough" in outcome.detail


@pytest.mark.long
@pytest.mark.usefixtures("fake")
def test_what_serves_no_trainer_is_refused_with_the_reason() -> None:
    with pytest.raises(UnavailableError, match=r"^install it with: pip install missing$"):
        trainer("Missing")
    with pytest.raises(WrongImplementationError, match=r"^the module 'served_trainers' \(.*\) has no 'Nothing'"):
        trainer("Nothing")


def test_a_program_that_is_no_trainer_is_refused() -> None:
    words = Program((sys.executable, "-I", "-S", str(EXAMPLES / "words.py")), "words")
    with pytest.raises(CannotStartError, match=r"^words is no trainer: its answer to start announces no algorithms$"):
        ProcessTrainer(words)


# Selection ------------------------------------------------------------------------------------------------------------


def test_a_word_selects_a_trainer_or_a_program() -> None:
    registered = select_trainer("textbook")
    assert (registered.name, registered.program.command[-2:]) == ("textbook", ("--trainer", "textbook"))
    program = select_trainer(f"mine=command:{sys.executable} -I -S {os.fspath(EXAMPLES / 'train_words.py')}")
    assert program.start(Limits()).info.name == "mine"
    with pytest.raises(UnknownImplementationError, match="no trainer is called 'textbok'; did you mean 'textbook'"):
        select_trainer("textbok")
    with pytest.raises(SelectionError, match="gives no command"):
        select_trainer("command:")


def test_every_start_is_held_to_the_limits_that_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[object] = []
    info = load_trainer("textbook").info

    class FakeSession:
        started = Started(trainer=info)

        def __init__(self, program: Program, limits: Limits) -> None:
            notes.extend([program.label, limits])

        def ask(self, _requests: object, seconds: float) -> list[Failed]:
            notes.append(seconds)
            return [Failed("E", "no")]

        def end(self) -> None:
            notes.append("end")

        def kill(self) -> None:
            notes.append("kill")

    monkeypatch.setattr("tokenizer_adapters.protocol.trainer_client.Session", FakeSession)
    limits = Limits(seconds=1.0, start_seconds=2.0, train_seconds=3.0, memory=4)
    mine = ProcessTrainer(Program(("it",), "it"), limits, "mine")
    assert mine.info.name == "mine"
    assert mine.train(request_of()) == mine.count_words(PreTokenizer.WHITESPACE, ()) == Failed("E", "no")
    assert notes == ["it", limits, "end", *["it", limits, 3.0, "kill"] * 2]
