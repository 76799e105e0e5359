"""What cannot be learned from is refused in one line that says what to do."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.training import Algorithm, TrainingOptions
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.training.preparation import (
    CorpusFile,
    beginning,
    corpus_files,
    refuse_clashes,
    refuse_unlearnable,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.research.training.task import TrainingTask

FILES = (CorpusFile(name="a.txt", bytes=1, sha256="0" * 64),)


def test_files_are_named_as_given_and_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes("é\n".encode())
    digest = hashlib.sha256("é\n".encode()).hexdigest()
    assert corpus_files(["./a.txt", "./a.txt"]) == (CorpusFile(name="./a.txt", bytes=3, sha256=digest),)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"missing\.txt' cannot be read: No such file"):
        corpus_files([str(tmp_path / "missing.txt")])
    with pytest.raises(BadInputError, match="cannot be read: Is a directory"):
        corpus_files([str(tmp_path)])


def test_files_that_are_not_utf_8_are_refused_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"good\nb\xe9d\n")
    with pytest.raises(BadInputError, match=r"not UTF-8: byte 0xE9 at offset 6 \(line 2\): .*; convert it"):
        corpus_files([str(path)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"special_tokens": ("<s>", "<s>")}, "special token '<s>' is given twice"),
        ({"special_tokens": ("",)}, "a special token is empty"),
        ({"special_tokens": ("a",), "initial_alphabet": ("b", "a")}, "'a' is a character of the initial alphabet too"),
    ],
)
def test_special_tokens_that_clash_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        refuse_clashes(TrainingOptions(vocab_size=10, **options))


@pytest.mark.parametrize(
    ("algorithm", "options", "message"),
    [
        (Algorithm.BPE, {"words": {}}, r"no words to learn from \('a\.txt'\)"),
        (
            Algorithm.BPE,
            {"vocab_size": 6},
            "6 is smaller than the alphabet: bpe begins with 7 characters; .* at least 7,",
        ),
        (
            Algorithm.BPE,
            {"vocab_size": 7, "special_tokens": ("<s>",)},
            "7 characters beside 1 special tokens; .* 8, or",
        ),
        (Algorithm.BPE, {"vocab_size": 7, "initial_alphabet": ("z",)}, "begins with 8 characters"),
        (Algorithm.WORDPIECE, {"vocab_size": 10}, r"11 characters \(with and without affix\); ask for at least 11"),
        (Algorithm.UNIGRAM, {"vocab_size": 6}, "unigram begins with 7 characters; ask for at least 7$"),
        (Algorithm.WORDLEVEL, {"vocab_size": 1, "special_tokens": ("<s>",)}, "1 has no room for words .* at least 2"),
        (Algorithm.BPE, {"special_tokens": ("h",)}, "special token 'h' is a character of the corpus too"),
        (Algorithm.WORDPIECE, {"special_tokens": ("##u",)}, "special token '##u' is a character of the corpus too"),
        (Algorithm.WORDLEVEL, {"special_tokens": ("hug",)}, "special token 'hug' is a word of the corpus too"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    task: Callable[..., TrainingTask], algorithm: Algorithm, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadInputError, match=message):
        refuse_unlearnable(task(algorithm, **options), FILES)


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        (Algorithm.BPE, {"vocab_size": 7}),
        (Algorithm.BPE, {"vocab_size": 3, "limit_alphabet": 3}),
        (Algorithm.WORDPIECE, {"vocab_size": 11, "special_tokens": ()}),
        (Algorithm.UNIGRAM, {"vocab_size": 7}),
        (Algorithm.WORDLEVEL, {"vocab_size": 1}),
        (Algorithm.BPE, {"special_tokens": ("hug", "<s>")}),
    ],
)
def test_what_just_fits_is_not_refused(
    task: Callable[..., TrainingTask], algorithm: Algorithm, options: dict[str, Any]
) -> None:
    refuse_unlearnable(task(algorithm, **options), FILES)


def test_a_limited_alphabet_begins_with_the_initial_and_the_most_frequent_characters(
    task: Callable[..., TrainingTask],
) -> None:
    on = task(words={"ab": 5, "bc": 1, "d": 3}, limit_alphabet=3, initial_alphabet=("z",))
    assert set(beginning(on)) == {"z", "b", "a"}
