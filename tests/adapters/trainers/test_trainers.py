"""The trainers behind the contract: what they learn, what they answer where they cannot, and how they are found."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Failed, UnavailableError, Unsupported
from tokenizer_adapters.registry import BrokenImplementationError, UnknownImplementationError
from tokenizer_adapters.trainers import GROUP, build_named_trainer, build_trainer, load_trainer, registered_trainers
from tokenizer_adapters.trainers.measurement import measured
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    Trainer,
    TrainingOptions,
    TrainingRequest,
    sequences,
)

if TYPE_CHECKING:
    from pathlib import Path

PIPELINES = ("reference", "tokenizers")
needs_sentencepiece = pytest.mark.skipif(
    importlib.util.find_spec("sentencepiece") is None, reason="needs: pip install sentencepiece"
)
EVERY = [
    *PIPELINES,
    "textbook",
    pytest.param("sentencepiece", marks=needs_sentencepiece),
]

TEXT = "hug hug pug hugs bun\r\n\nhug pun\n"
WORDS = {"hug": 3, "pug": 1, "hugs": 1, "bun": 1, "pun": 1}


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXT.encode())
    return str(path)


def request_of(name: str, corpus: str, algorithm: Algorithm, vocab_size: int = 14, **options: Any) -> TrainingRequest:
    """Return a request to the trainer called ``name``: words for those that take them."""
    takes_words = name in {"textbook", "sentencepiece"}
    if algorithm is Algorithm.WORDPIECE:
        options.setdefault("continuing_subword_prefix", "##")
    return TrainingRequest(
        algorithm=algorithm,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=CountedWords(WORDS) if takes_words else TextFiles((corpus,)),
        options=TrainingOptions(vocab_size=vocab_size, **options),
    )


def learned(name: str, request: TrainingRequest) -> TrainedModel:
    model = load_trainer(name).train(request)
    assert isinstance(model, TrainedModel), model
    return model


# What they learn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_tokens_are_numbered_from_0_on_special_ones_first(name: str, algorithm: Algorithm, corpus: str) -> None:
    trainer = load_trainer(name)
    request = request_of(name, corpus, algorithm, special_tokens=("<s>", "</s>"))
    model = trainer.train(request)
    if algorithm not in trainer.info.algorithms:
        assert isinstance(model, Unsupported)
        return
    assert isinstance(model, TrainedModel)
    assert sorted(model.tokens.values()) == list(range(len(model.tokens)))
    assert (model.tokens["<s>"], model.tokens["</s>"]) == (0, 1)
    assert model.seconds is not None
    assert model.seconds >= 0
    assert (model.scores is not None) == (algorithm is Algorithm.UNIGRAM)


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDLEVEL])
def test_the_reference_learns_what_tokenizers_learns(algorithm: Algorithm, corpus: str) -> None:
    first, second = (learned(name, request_of(name, corpus, algorithm)) for name in PIPELINES)
    assert first.tokens == second.tokens
    assert first.merges == second.merges


def test_the_textbook_learns_the_merges_of_the_course(corpus: str) -> None:
    model = learned("textbook", request_of("textbook", corpus, Algorithm.BPE, vocab_size=9))
    assert model.merges == (("u", "g"), ("h", "ug"))
    assert list(model.tokens) == ["b", "g", "h", "n", "p", "s", "u", "ug", "hug"]
    model = learned("textbook", request_of("textbook", corpus, Algorithm.WORDPIECE, vocab_size=9))
    assert model.merges == (("##g", "##s"), ("h", "##u"))
    assert list(model.tokens) == ["##g", "##n", "##s", "##u", "b", "h", "p", "##gs", "hu"]


def test_the_textbook_learns_the_pieces_that_are_left_after_pruning(corpus: str) -> None:
    options = {"special_tokens": ("<unk>", "<s>"), "unk_token": "<unk>"}
    model = learned("textbook", request_of("textbook", corpus, Algorithm.UNIGRAM, vocab_size=12, **options))
    assert list(model.tokens)[:2] == ["<unk>", "<s>"]
    assert len(model.tokens) <= 12
    assert model.scores is not None
    pieces = [token for token in model.tokens if token in model.scores]
    assert set("bghnpsu") <= set(pieces)
    assert sum(map(math.exp, model.scores.values())) == pytest.approx(1)
    assert [model.scores[piece] for piece in pieces] == sorted(model.scores.values(), reverse=True)


@needs_sentencepiece
@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.UNIGRAM, Algorithm.WORDLEVEL])
def test_sentencepiece_learns_no_token_for_what_is_unknown_unless_asked_to(algorithm: Algorithm, corpus: str) -> None:
    assert "<unk>" not in learned("sentencepiece", request_of("sentencepiece", corpus, algorithm)).tokens
    assert (
        "<unk>"
        in learned("sentencepiece", request_of("sentencepiece", corpus, algorithm, special_tokens=("<unk>",))).tokens
    )


@pytest.mark.parametrize("name", PIPELINES)
def test_words_are_those_of_the_own_pre_tokenizer(name: str, corpus: str) -> None:
    trainer = load_trainer(name)
    assert trainer.count_words(PreTokenizer.WHITESPACE, (corpus,)) == CountedWords(WORDS)
    byte_level = trainer.count_words(PreTokenizer.BYTELEVEL, (corpus,))
    assert isinstance(byte_level, CountedWords)
    assert byte_level.counts["Ġhug"] == 1
    metaspace = trainer.count_words(PreTokenizer.METASPACE, (corpus,))
    assert isinstance(metaspace, CountedWords)
    assert metaspace.counts["▁hug"] == 3


@pytest.mark.parametrize("name", EVERY[2:])
def test_those_that_take_words_have_no_pre_tokenizer(name: str) -> None:
    trainer = load_trainer(name)
    assert trainer.info.takes_words
    assert isinstance(trainer.count_words(PreTokenizer.WHITESPACE, ()), Unsupported)


@pytest.mark.parametrize("name", EVERY)
def test_what_a_trainer_does_not_learn_from_is_unsupported(name: str, corpus: str) -> None:
    trainer = load_trainer(name)
    other = TextFiles((corpus,)) if trainer.info.takes_words else CountedWords(WORDS)
    request = replace(request_of(name, corpus, Algorithm.BPE), corpus=other)
    assert isinstance(trainer.train(request), Unsupported)


def test_sequences_are_lines_without_their_ends(corpus: str) -> None:
    assert list(sequences([corpus])) == ["hug hug pug hugs bun", "hug pun"]


# What they cannot ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "algorithm", "options", "reason"),
    [
        ("textbook", Algorithm.WORDLEVEL, {}, "no training for wordlevel"),
        ("textbook", Algorithm.BPE, {"min_frequency": 2}, "has no min_frequency"),
        ("textbook", Algorithm.WORDPIECE, {"continuing_subword_prefix": "@@"}, "no other prefix than ##"),
        pytest.param(
            *("sentencepiece", Algorithm.WORDPIECE, {}, "no trainer for wordpiece"), marks=needs_sentencepiece
        ),
        pytest.param(
            *("sentencepiece", Algorithm.BPE, {"limit_alphabet": 3}, "has no limit_alphabet"), marks=needs_sentencepiece
        ),
    ],
)
def test_what_a_trainer_has_not_is_unsupported(
    name: str, algorithm: Algorithm, options: dict[str, Any], reason: str, corpus: str
) -> None:
    answer = load_trainer(name).train(request_of(name, corpus, algorithm, **options))
    assert isinstance(answer, Unsupported)
    assert reason in answer.reason


def test_the_textbook_refuses_a_corpus_that_its_unigram_would_take_days_for() -> None:
    words = {f"{'word' * 5}{number}": 1 for number in range(10_000)}
    request = TrainingRequest(
        algorithm=Algorithm.UNIGRAM,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=CountedWords(words),
        options=TrainingOptions(vocab_size=2000),
    )
    answer = load_trainer("textbook").train(request)
    assert isinstance(answer, Unsupported)
    assert "take a smaller corpus or vocabulary" in answer.reason


@pytest.mark.parametrize("name", PIPELINES)
def test_an_error_is_an_answer(name: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.txt")
    assert isinstance(load_trainer(name).train(request_of(name, missing, Algorithm.BPE)), Failed)
    assert isinstance(load_trainer(name).count_words(PreTokenizer.WHITESPACE, (missing,)), Failed)


# How they are found --------------------------------------------------------------------------------------------------


def test_trainers_are_found_by_name() -> None:
    assert {"reference", "sentencepiece", "textbook", "tokenizers"} <= registered_trainers().keys()
    with pytest.raises(UnknownImplementationError, match="'tokenizer'; did you mean 'tokenizers'"):
        load_trainer("tokenizer")
    for name in ("reference", "textbook", "tokenizers"):
        trainer = load_trainer(name)
        assert isinstance(trainer, Trainer)
        assert trainer.info.name == name


@pytest.mark.parametrize("value", ["no_such_module:Trainer", "builtins:int", "builtins:no_such_name"])
def test_a_broken_trainer_is_named(value: str) -> None:
    with pytest.raises(BrokenImplementationError, match="trainer 'mine'"):
        build_trainer(EntryPoint("mine", value, GROUP))


def test_a_broken_trainer_that_is_given_by_its_path_is_named_by_that() -> None:
    with pytest.raises(BrokenImplementationError, match="trainer 'builtins:int'"):
        build_named_trainer("builtins:int")


def test_a_trainer_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(UnavailableError, match="pip install sentencepiece"):
        load_trainer("sentencepiece")


def test_memory_that_work_takes_is_measured() -> None:
    done = measured(lambda: len(bytearray(50_000_000)))
    assert done.value == 50_000_000
    assert done.peak_memory is None or done.peak_memory > 40_000_000
