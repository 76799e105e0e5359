"""Cases of models and their files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from quirk_cases.asking import numbered, rows, tokens_of, words, written
from quirk_cases.case import Aborts, Case, Panics, Refuses, Shows, Varies

BYTES = numbered("<unk>", "<0x61>", "b")
UNKNOWN = ("<unk>", 0.0)


def _bpe(package: Any, vocabulary: dict[str, int], *merges: tuple[str, str], **options: Any) -> Any:
    return package.models.BPE(vocabulary, list(merges), **options)


def _unigram(package: Any, *pieces: tuple[str, float], **options: Any) -> Any:
    return package.models.Unigram([UNKNOWN, *pieces], **{"unk_id": 0, **options})


def _stale_words(package: Any) -> object:
    tokenizer = package.Tokenizer(_bpe(package, numbered("<unk>", "a")))
    answers = [tokenizer.encode("x").ids]
    tokenizer.model.unk_token = "<unk>"
    answers.append(tokenizer.encode("x").ids)
    tokenizer.model._clear_cache()
    return [*answers, tokenizer.encode("x").ids, *_stale_words_after_training(package)]


def _stale_words_after_training(package: Any) -> list[object]:
    trainer = package.trainers.BpeTrainer(show_progress=False)
    tokenizer = package.Tokenizer(package.models.BPE())
    answers: list[object] = [tokenizer.encode("abc").tokens]
    tokenizer.train_from_iterator(["abc abc"], trainer)
    answers.append(tokenizer.encode("abc").tokens)
    tokenizer = package.Tokenizer(package.models.BPE())
    tokenizer.train_from_iterator(["hello world hello"], trainer)
    tokenizer.encode("hello")
    tokenizer.train_from_iterator(["ab"], trainer)
    try:
        answers.append(tokenizer.encode("hello").tokens)
    except BaseException:
        answers.append("panic")
    return answers


def _dropout_set(package: Any) -> object:
    model = _bpe(package, {})
    model.dropout = 7.0
    try:
        _bpe(package, {}, dropout=7.0)
    except Exception:
        return model.dropout, "refused"
    return model.dropout, "taken"


def _read(package: Any, vocabulary: str, merges: str = "") -> object:
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "vocab"), Path(folder, "merges")
        for path, text in zip(paths, (vocabulary, merges), strict=True):
            path.write_text(text, encoding="utf-8")
        return package.models.BPE.read_file(*map(str, paths))


def _read_vocab_txt(package: Any, text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "vocab.txt")
        path.write_text(text, encoding="utf-8")
        return package.models.WordPiece.read_file(str(path))


def _saved_and_read(package: Any) -> object:
    with tempfile.TemporaryDirectory() as folder:
        (path,) = package.models.WordPiece({"[UNK]": 0, "a": 5, "b": 9}).save(folder)
        return package.models.WordPiece.read_file(path)


def _draws_two_pairs(package: Any) -> bool:
    """Tell whether more than half of the cuts are the one that has 87% as published, and 27% here."""
    model = _unigram(package, ("a", -15.0), ("aa", -20.0), alpha=0.3)
    cuts = [[token.value for token in model.tokenize("aaaa")] for _ in range(400)]
    return 2 * cuts.count(["aa", "aa"]) > len(cuts)


def _tokens_of_one_id(package: Any) -> object:
    tokenizer = words(package, model=package.models.WordLevel({"<unk>": 0, "a": 1, "b": 1}, unk_token="<unk>"))
    return tokenizer.id_to_token(1)


MODELS: dict[str, Case] = {
    "BPE-PREFIX-LONGER-THAN-A-TOKEN-PANICS": Panics(
        ask=lambda package: _bpe(package, numbered("a", "b", "ab"), ("a", "b"), continuing_subword_prefix="##"),
        message="slice index starts at 1 but ends at 0",
    ),
    "BPE-PREFIX-CUT-INSIDE-A-CHARACTER-ABORTS": Aborts(
        ask=lambda package: _bpe(package, numbered("a", "é", "aé"), ("a", "é"), continuing_subword_prefix="#"),
    ),
    "BPE-MERGE-LONGER-THAN-THE-VOCABULARY-PANICS": Panics(
        ask=lambda package: _bpe(package, numbered("a", "b"), ("a", "b")),
        message="range end index 2 out of range for slice of length 1",
    ),
    "BPE-REMEMBERS-WORDS-FROM-BEFORE-A-CHANGE": Shows(
        instead="forgets them when an option is set, and by training",
        ask=_stale_words,
        odd=[[], [], [0], [], [], "panic"],
        naive=[[], [0], [0], [], ["abc"], []],
        reference=[[], [0], [0], [], ["abc"], []],
    ),
    "BPE-DROPOUT-CAN-BE-SET-TO-ANYTHING": Shows(ask=_dropout_set, odd=(7.0, "refused")),
    "VOCAB-JSON-PASSES-OVER-OTHER-VALUES": Shows(
        ask=lambda package: _read(package, '{"a": 0, "b": "1", "c": null, "d": [1], "e": true}')[0], odd={"a": 0}
    ),
    "VOCAB-JSON-CUTS-IDS-TO-32-BITS": Shows(
        ask=lambda package: _read(package, '{"a": 4294967297}')[0], odd={"a": 1}, naive={"a": 4294967297}
    ),
    "MERGES-TXT-VERSION-MAY-STAND-ANYWHERE": Shows(
        ask=lambda package: _read(package, "{}", "#version: 0.2\na b\n#version x\n#versionb c\n")[1],
        odd=[("a", "b")],
        naive=[("a", "b"), ("#version", "x"), ("#versionb", "c")],
    ),
    "VOCAB-TXT-LOSES-WHITE-SPACE": Shows(
        ask=lambda package: _read_vocab_txt(package, "a\nb \u3000\n  \n"), odd={"a": 0, "b": 1, "": 2}
    ),
    "VOCAB-TXT-LAST-OF-EQUAL-LINES-COUNTS": Shows(
        ask=lambda package: _read_vocab_txt(package, "a\nb\na\n"), odd={"a": 2, "b": 1}, naive={"a": 0, "b": 1}
    ),
    "VOCAB-TXT-IS-SAVED-WITHOUT-HOLES": Shows(
        ask=_saved_and_read, odd={"[UNK]": 0, "a": 1, "b": 2}, naive={"[UNK]": 0, "a": 5, "b": 9}
    ),
    "WORD-LEVEL-MAKES-A-TOKEN-OF-NOTHING": Shows(
        ask=lambda package: [
            rows(package.models.WordLevel(numbered("<unk>"), unk_token="<unk>"), ""),
            rows(package.models.WordPiece(numbered("[UNK]")), ""),
        ],
        odd=[[("<unk>", (0, 0))], []],
        naive=[[], []],
    ),
    "UNIGRAM-SAMPLING-COMPOUNDS-ALPHA": Shows(ask=_draws_two_pairs, odd=False, naive=True),
    "UNIGRAM-SAMPLING-NEEDS-AN-UNKNOWN-TOKEN": Refuses(
        ask=lambda package: _unigram(package, unk_id=None, alpha=1.0).tokenize("<unk>"),
        message="Encountered an unknown token but `unk_id` is missing",
    ),
    "UNIGRAM-SAMPLING-PANICS-ON-EXTREME-WEIGHTS": Panics(
        ask=lambda package: _unigram(package, ("a", -1.0), alpha=1e308).tokenize("aaa"), message="InvalidWeight"
    ),
    "UNIGRAM-SAMPLING-IS-NOT-WRITTEN": Shows(
        ask=lambda package: sorted(written(package.Tokenizer(_unigram(package, alpha=0.5, nbest_size=3)))["model"]),
        odd=["byte_fallback", "type", "unk_id", "vocab"],
        naive=["alpha", "byte_fallback", "nbest_size", "type", "unk_id", "vocab"],
    ),
    "ONE-ID-FOR-TWO-TOKENS-IS-DRAWN": Varies(
        instead="has the later one", ask=_tokens_of_one_id, answers=frozenset({"a", "b"}), reference="b"
    ),
    "MODEL-OFFSETS-ARE-BYTES": Shows(
        ask=lambda package: (
            rows(package.models.WordLevel({"é": 0}, unk_token="é"), "é"),
            tokens_of(words(package, "é"), "é"),
        ),
        odd=([("é", (0, 2))], [("é", (0, 1))]),
        naive=([("é", (0, 1))], [("é", (0, 1))]),
    ),
}
