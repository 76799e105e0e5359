"""The corpus, the options and what is asked of a library for them, to the value."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Crashed, Failed
from tokenizer_adapters.trainers import load_trainer, measurement
from tokenizer_adapters.trainers.measurement import Measured, measured
from tokenizer_adapters.trainers.pipeline import algorithms_of, learned, outcome_of_work, trainer_arguments
from tokenizer_adapters.trainers.textbook import _numbered
from tokenizer_adapters.training import (
    COMMON_OPTIONS,
    OPTIONS,
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
    count,
    sequences,
)

if TYPE_CHECKING:
    from pathlib import Path

PIPELINES = ("reference", "tokenizers")

# The corpus -----------------------------------------------------------------------------------------------------------


def test_a_sequence_is_a_line_as_it_stands(tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_bytes(b" a \r\n\n\r\nb\rc\nd\r")
    second.write_bytes("é\u2028\x0b\n\t".encode())
    assert list(sequences([str(first), str(second)])) == [" a ", "b\rc", "d\r", "é\u2028\x0b", "\t"]


def test_words_are_counted_in_the_order_in_which_they_are_first_met() -> None:
    assert list(count(["b", "a", "b", "c", "a", "b"]).counts.items()) == [("b", 3), ("a", 2), ("c", 1)]


def test_options_that_differ_from_the_default_are_told() -> None:
    assert TrainingOptions(vocab_size=7).changed() == ()
    assert TrainingOptions(vocab_size=7, limit_alphabet=3, shrinking_factor=0.5).changed() == (
        "limit_alphabet",
        "shrinking_factor",
    )


def test_each_algorithm_has_its_options() -> None:
    assert OPTIONS[Algorithm.BPE] - OPTIONS[Algorithm.WORDPIECE] == {"max_token_length"}
    assert OPTIONS[Algorithm.WORDLEVEL] == {"special_tokens", "min_frequency"}
    assert OPTIONS[Algorithm.UNIGRAM] - COMMON_OPTIONS == {
        "initial_alphabet",
        "unk_token",
        "max_piece_length",
        "shrinking_factor",
        "n_sub_iterations",
    }


# With the API of tokenizers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "options", "given"),
    [
        (Algorithm.BPE, {}, {}),
        (Algorithm.WORDPIECE, {}, {"continuing_subword_prefix": ""}),
        (Algorithm.WORDPIECE, {"continuing_subword_prefix": "@@"}, {"continuing_subword_prefix": "@@"}),
        (
            Algorithm.BPE,
            {"min_frequency": 2, "special_tokens": ("<s>",), "max_token_length": 4},
            {"min_frequency": 2, "special_tokens": ["<s>"], "max_token_length": 4},
        ),
        (
            Algorithm.UNIGRAM,
            {"unk_token": "<unk>", "n_sub_iterations": 1},
            {"unk_token": "<unk>", "n_sub_iterations": 1},
        ),
    ],
)
def test_a_trainer_is_given_what_differs_from_its_defaults(
    algorithm: Algorithm, options: dict[str, Any], given: dict[str, Any]
) -> None:
    arguments = trainer_arguments(algorithm, TrainingOptions(vocab_size=9, **options))
    assert arguments == {"vocab_size": 9, "show_progress": False, **given}


def test_a_library_learns_what_it_has_trainers_for() -> None:
    assert algorithms_of(SimpleNamespace(BpeTrainer=1, WordLevelTrainer=1)) == {Algorithm.BPE, Algorithm.WORDLEVEL}


def test_what_was_learned_is_read_from_the_document() -> None:
    added = [{"content": "<s>", "id": 5}]
    merging = {
        "model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"], ["ab", "a"]]},
        "added_tokens": added,
    }
    assert learned(merging, seconds=1.5, peak_memory=3) == TrainedModel(
        {"a": 0, "b": 1, "ab": 2, "<s>": 5}, (("a", "b"), ("ab", "a")), None, 1.5, 3
    )
    unigram = {"model": {"vocab": [["<s>", 0.0], ["a", -1.5]]}, "added_tokens": None}
    assert learned(unigram, seconds=2.5, peak_memory=None) == TrainedModel(
        {"<s>": 0, "a": 1}, None, {"<s>": 0.0, "a": -1.5}, 2.5, None
    )
    assert learned(unigram | {"added_tokens": added}, seconds=0, peak_memory=None).tokens == {"<s>": 5, "a": 1}
    assert learned({"model": {"vocab": {"a": 0}}}, seconds=0, peak_memory=None) == TrainedModel(
        {"a": 0}, None, None, 0, None
    )


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    file = tmp_path / "corpus.txt"
    file.write_text("ab, ab\n", encoding="utf-8")
    return str(file)


CUT: dict[PreTokenizer, dict[str, int]] = {
    PreTokenizer.WHITESPACE: {"ab": 2, ",": 1},
    PreTokenizer.BYTELEVEL: {"ab": 1, ",": 1, "Ġab": 1},
    PreTokenizer.METASPACE: {"▁ab,": 1, "▁ab": 1},
}


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("pre_tokenizer", list(PreTokenizer))
def test_words_are_counted_and_learned_with_the_pre_tokenizer_that_was_asked_for(
    name: str, pre_tokenizer: PreTokenizer, corpus: str
) -> None:
    trainer = load_trainer(name)
    assert trainer.count_words(pre_tokenizer, (corpus,)) == CountedWords(CUT[pre_tokenizer])
    request = TrainingRequest(
        algorithm=Algorithm.WORDLEVEL,
        pre_tokenizer=pre_tokenizer,
        corpus=TextFiles((corpus,)),
        options=TrainingOptions(vocab_size=9, special_tokens=("<s>",)),
    )
    model = trainer.train(request)
    assert isinstance(model, TrainedModel)
    assert model.tokens.keys() == {"<s>", *CUT[pre_tokenizer]}
    assert model.seconds is not None


class PanicException(BaseException):
    """Has the name of a Rust panic in Python."""


def test_errors_and_panics_are_outcomes_and_what_stops_the_program_passes() -> None:
    def raising(error: BaseException) -> object:
        def work() -> None:
            raise error

        return outcome_of_work(work)

    assert raising(ValueError("no")) == Failed("ValueError", "no")
    assert raising(PanicException("index")) == Crashed("index")
    for stop in (KeyboardInterrupt, SystemExit):
        with pytest.raises(stop):
            raising(stop())


# sentencepiece --------------------------------------------------------------------------------------------------------

TEXT_AS_IT_IS = {
    "normalization_rule_name": "identity",
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "split_by_unicode_script": False,
    "split_by_number": False,
    "character_coverage": 1.0,
    "max_sentence_length": 1 << 30,
    "hard_vocab_limit": False,
    "unk_id": 0,
    "bos_id": -1,
    "eos_id": -1,
    "pad_id": -1,
    "num_threads": 1,
    "minloglevel": 2,
}


@pytest.mark.parametrize(
    ("algorithm", "options", "given"),
    [
        (
            Algorithm.BPE,
            {"special_tokens": ("<s>",), "initial_alphabet": ("x", "y"), "max_piece_length": 5},
            {
                "model_type": "bpe",
                "vocab_size": 13,
                "control_symbols": ["<s>"],
                "required_chars": "xy",
                "max_sentencepiece_length": 512,
                "shrinking_factor": 0.75,
            },
        ),
        (
            Algorithm.UNIGRAM,
            {"special_tokens": ("<unk>", "<s>"), "unk_token": "<unk>", "max_piece_length": 5, "shrinking_factor": 0.5},
            {
                "model_type": "unigram",
                "vocab_size": 12,
                "control_symbols": ["<s>"],
                "required_chars": "",
                "max_sentencepiece_length": 5,
                "shrinking_factor": 0.5,
            },
        ),
        (
            Algorithm.WORDLEVEL,
            {},
            {
                "model_type": "word",
                "vocab_size": 13,
                "control_symbols": [],
                "required_chars": "",
                "max_sentencepiece_length": 512,
                "shrinking_factor": 0.75,
            },
        ),
    ],
)
def test_sentencepiece_is_asked_for_the_same_words_and_options(
    algorithm: Algorithm, options: dict[str, Any], given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = pytest.importorskip("sentencepiece", reason="needs: pip install sentencepiece")
    asked: dict[str, Any] = {}
    train = library.SentencePieceTrainer.train

    def noted(*, sentence_iterator: Any, model_writer: Any, **arguments: Any) -> None:
        asked.update(arguments, sentences=list(sentence_iterator))
        train(sentence_iterator=iter(asked["sentences"]), model_writer=model_writer, **arguments)

    monkeypatch.setattr(library.SentencePieceTrainer, "train", noted)
    request = TrainingRequest(
        algorithm=algorithm,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=CountedWords({"hug": 3, "pug": 1}),
        options=TrainingOptions(vocab_size=12, **options),
    )
    model = load_trainer("sentencepiece").train(request)
    assert isinstance(model, TrainedModel)
    assert asked == {**TEXT_AS_IT_IS, **given, "sentences": ["hug", "hug", "hug", "pug"]}
    assert sorted(model.tokens.values()) == list(range(len(model.tokens)))
    assert (model.scores is not None) is (algorithm is Algorithm.UNIGRAM)
    assert {"<unk>", "<s>"} & model.tokens.keys() == set(request.options.special_tokens)


# Measuring ------------------------------------------------------------------------------------------------------------


def test_what_a_process_grew_by_at_most_is_told_in_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, clear = tmp_path / "status", tmp_path / "clear_refs"
    times = iter([10.0, 12.5])
    monkeypatch.setattr(measurement, "_STATUS", status)
    monkeypatch.setattr(measurement, "_CLEAR", clear)
    monkeypatch.setattr(measurement, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    status.write_text("VmHWM:\t     900 kB\nVmRSS:\t     100 kB\n")

    def work() -> str:
        assert clear.read_text() == "5"  # the peak from here on
        status.write_text("VmHWM:\t     400 kB\nVmRSS:\t     150 kB\n")
        return "done"

    assert measured(work) == Measured("done", 2.5, 300 * 1024)


def test_a_process_that_shrinks_has_grown_by_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = tmp_path / "status"
    monkeypatch.setattr(measurement, "_STATUS", status)
    monkeypatch.setattr(measurement, "_CLEAR", tmp_path / "clear_refs")
    status.write_text("VmHWM:\t     900 kB\nVmRSS:\t     500 kB\n")
    assert measured(lambda: status.write_text("VmHWM:\t     400 kB\nVmRSS:\t     150 kB\n")).peak_memory == 0


def test_where_the_peak_cannot_be_set_back_no_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "_CLEAR", tmp_path / "missing" / "clear_refs")
    assert measured(lambda: 1).peak_memory is None


def test_a_token_that_is_learned_twice_keeps_its_first_place() -> None:
    assert list(_numbered(["<s>", "a", "b", "a", "<s>", "c"]).items()) == [("<s>", 0), ("a", 1), ("b", 2), ("c", 5)]


@pytest.mark.parametrize(
    ("algorithm", "words", "vocab_size", "merge"),
    [
        (Algorithm.BPE, {"ab": 1, "cd": 5}, 5, ("c", "d")),
        (Algorithm.BPE, {"ab": 1, "cd": 1}, 5, ("a", "b")),
        (Algorithm.WORDPIECE, {"ab": 1, "ac": 5, "db": 1}, 5, ("d", "##b")),
        (Algorithm.WORDPIECE, {"ab": 1, "ac": 1, "db": 1}, 5, ("a", "##c")),
    ],
)
def test_the_textbook_learns_from_each_word_as_often_as_it_occurs(
    algorithm: Algorithm, words: dict[str, int], vocab_size: int, merge: tuple[str, str]
) -> None:
    prefix = "##" if algorithm is Algorithm.WORDPIECE else ""
    request = TrainingRequest(
        algorithm=algorithm,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=CountedWords(words),
        options=TrainingOptions(vocab_size=vocab_size, continuing_subword_prefix=prefix),
    )
    model = load_trainer("textbook").train(request)
    assert isinstance(model, TrainedModel)
    assert model.merges == (merge,)
