"""Cases of models and their files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from quirk_cases.asking import loaded, numbered, rows, tokens_of, words, written
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


def _prefix_taken_away(package: Any) -> object:
    model = _bpe(package, numbered("a", "x"), ("a", "x"), continuing_subword_prefix="#")
    model.continuing_subword_prefix = None
    return rows(model, "ax")


def _dropout(package: Any) -> object:
    model = _bpe(package, {}, dropout=0.3)
    return model.dropout, written(package.Tokenizer(model))["model"]["dropout"]


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


def _equal_pieces(package: Any) -> object:
    tokenizer = package.Tokenizer(_unigram(package, ("a", -1.0), ("a", -2.0)))
    return tokenizer.encode("a").ids, tokenizer.get_vocab_size(), len(tokenizer.get_vocab())


def _draws_two_pairs(package: Any) -> bool:
    """Tell whether more than half of the cuts are the one that has 87% as published, and 27% here."""
    model = _unigram(package, ("a", -15.0), ("aa", -20.0), alpha=0.3)
    cuts = [[token.value for token in model.tokenize("aaaa")] for _ in range(400)]
    return 2 * cuts.count(["aa", "aa"]) > len(cuts)


def _tokens_of_one_id(package: Any) -> object:
    tokenizer = words(package, model=package.models.WordLevel({"<unk>": 0, "a": 1, "b": 1}, unk_token="<unk>"))
    return tokenizer.id_to_token(1)


MODELS: dict[str, Case] = {
    "BPE-BYTES-OVERTAKE-UNKNOWN-TOKENS": Shows(
        ask=lambda package: rows(_bpe(package, BYTES, unk_token="<unk>", byte_fallback=True), "xab"),
        odd=[("<0x61>", (0, 1)), ("<unk>", (1, 2)), ("b", (2, 3))],
        naive=[("<unk>", (0, 1)), ("<0x61>", (1, 2)), ("b", (2, 3))],
    ),
    "BPE-UNKNOWN-TOKENS-FUSE-ACROSS-BYTES": Shows(
        ask=lambda package: rows(_bpe(package, BYTES, unk_token="<unk>", byte_fallback=True, fuse_unk=True), "xay"),
        odd=[("<0x61>", (0, 1)), ("<unk>", (1, 3))],
        naive=[("<unk>", (0, 1)), ("<0x61>", (1, 2)), ("<unk>", (2, 3))],
    ),
    "BPE-WITHOUT-UNKNOWN-TOKEN-SLIDES-OFFSETS": Shows(
        ask=lambda package: tokens_of(package.Tokenizer(_bpe(package, {"a": 0})), "xay"),
        odd=[("a", (0, 1))],
        naive=[("a", (1, 2))],
    ),
    "BPE-BYTES-OF-AFFIXES-RUN-OFF-THE-TEXT": Shows(
        ask=lambda package: tokens_of(
            package.Tokenizer(_bpe(package, numbered("<0x61>", "<0x3E>"), byte_fallback=True, end_of_word_suffix=">")),
            "a",
        ),
        odd=[("<0x61>", (0, 1)), ("<0x3E>", (1, 2))],
        naive=[("<0x61>", (0, 1))],
    ),
    "BPE-MERGES-ONE-OCCURRENCE-AT-A-TIME": Shows(
        ask=lambda package: rows(_bpe(package, numbered("a", "b", "ab", "aba"), ("ab", "a"), ("a", "b")), "abab"),
        odd=[("aba", (0, 3)), ("b", (3, 4))],
        naive=[("ab", (0, 2)), ("ab", (2, 4))],
    ),
    "BPE-OUTDATED-CANDIDATE-MERGES-IF-THE-ID-FITS": Shows(
        # When bc is made, (a, b) still waits with rank 1 to make id 9. So does (a, bc) now, though its rank is 3, after
        # the 2 of (bc, d).
        ask=lambda package: [
            token.id
            for token in _bpe(
                package,
                {"a": 0, "b": 1, "c": 2, "d": 3, "bc": 4, "bcd": 5, "ab": 9, "abc": 9},
                *(("b", "c"), ("a", "b"), ("bc", "d"), ("a", "bc")),
            ).tokenize("abcd")
        ],
        odd=[9, 3],
        naive=[0, 5],
    ),
    "BPE-UNKNOWN-TOKEN-MERGES": Shows(
        ask=lambda package: rows(
            _bpe(package, numbered("<unk>", "a", "<unk>a"), ("<unk>", "a"), unk_token="<unk>"), "xa"
        ),
        odd=[("<unk>a", (0, 2))],
        naive=[("<unk>", (0, 1)), ("a", (1, 2))],
    ),
    "BPE-PREFIX-IS-CUT-FROM-ANY-TOKEN": Shows(ask=_prefix_taken_away, odd=[("a", (0, 2))]),
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
    "BPE-DROPOUT-SWITCHES-IGNORE-MERGES-OFF": Shows(
        ask=lambda package: [
            [token for token, _ in rows(_bpe(package, numbered("a", "b", "ab"), ignore_merges=True, **options), "ab")]
            for options in ({}, {"dropout": 0.5})
        ],
        odd=[["ab"], ["a", "b"]],
        naive=[["ab"], ["ab"]],
    ),
    "BPE-LAST-RANK-OF-A-PAIR-COUNTS": Shows(
        ask=lambda package: [
            token
            for token, _ in rows(
                _bpe(package, numbered("a", "b", "c", "ab", "bc"), ("a", "b"), ("b", "c"), ("a", "b")), "abc"
            )
        ],
        odd=["a", "bc"],
        naive=["ab", "c"],
    ),
    "BPE-REMEMBERS-WORDS-FROM-BEFORE-A-CHANGE": Shows(
        instead="forgets them when an option is set, and by training",
        ask=_stale_words,
        odd=[[], [], [0], [], [], "panic"],
        naive=[[], [0], [0], [], ["abc"], []],
        reference=[[], [0], [0], [], ["abc"], []],
    ),
    "BPE-DROPOUT-IS-SINGLE-PRECISION": Shows(ask=_dropout, odd=(0.30000001192092896, 0.3), naive=(0.3, 0.3)),
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
    "MERGES-IN-JSON-LOSE-VERSION-LINES": Shows(
        ask=lambda package: written(
            loaded(
                package,
                model={
                    "type": "BPE",
                    "vocab": numbered("#version", "b", "#versionb", "bb"),
                    "merges": ["#version b", "b b"],
                },
            )
        )["model"]["merges"],
        odd=[["b", "b"]],
        naive=[["#version", "b"], ["b", "b"]],
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
    "UNIGRAM-TIES-GO-TO-THE-EARLIEST-START": Shows(
        ask=lambda package: [
            token
            for token, _ in rows(
                _unigram(package, *((piece, -len(piece)) for piece in ("a", "b", "c", "ab", "bc"))), "abc"
            )
        ],
        odd=["a", "bc"],
    ),
    "UNIGRAM-LOOKS-UNKNOWN-RUNS-UP-AGAIN": Shows(
        ask=lambda package: rows(_unigram(package, ("a", -1.0), ("xy", -100.0)), "axya"),
        odd=[("a", (0, 1)), ("xy", (1, 3)), ("a", (3, 4))],
    ),
    "UNIGRAM-BYTES-HAVE-OFFSETS-OF-THE-RUN": Shows(
        ask=lambda package: rows(
            _unigram(package, *((f"<0x{byte:02X}>", 0.0) for byte in "éx".encode()), byte_fallback=True), "éx"
        ),
        odd=[("<0xC3>", (0, 3)), ("<0xA9>", (0, 3)), ("<0x78>", (0, 3))],
        naive=[("<0xC3>", (0, 1)), ("<0xA9>", (1, 2)), ("<0x78>", (2, 3))],
    ),
    "UNIGRAM-BYTES-ALL-OR-NONE-OF-THE-RUN": Shows(
        ask=lambda package: rows(_unigram(package, ("<0xC3>", 0.0), ("<0xA9>", 0.0), byte_fallback=True), "éx"),
        odd=[("éx", (0, 3))],
        naive=[("<0xC3>", (0, 1)), ("<0xA9>", (1, 2)), ("x", (2, 3))],
    ),
    "UNIGRAM-UNKNOWN-TOKEN-HAS-THE-TEXT-AS-VALUE": Shows(
        ask=lambda package: [token.as_tuple() for token in _unigram(package, ("a", -1.0)).tokenize("xy")],
        odd=[(0, "xy", (0, 2))],
        naive=[(0, "<unk>", (0, 2))],
    ),
    "UNIGRAM-UNKNOWN-TOKEN-IN-THE-TEXT-IS-UNKNOWN": Shows(
        ask=lambda package: rows(package.models.Unigram([("u", 0.0), ("a", -1.0)], unk_id=0), "uxu"),
        odd=[("uxu", (0, 3))],
        naive=[("u", (0, 1)), ("x", (1, 2)), ("u", (2, 3))],
    ),
    "UNIGRAM-SIZE-COUNTS-EQUAL-PIECES": Shows(ask=_equal_pieces, odd=([2], 3, 2), naive=([1], 2, 2)),
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
    "UNIGRAM-INFINITE-SCORE-IS-WRITTEN-AS-NULL": Shows(
        ask=lambda package: written(package.Tokenizer(_unigram(package, ("a", float("-inf")))))["model"]["vocab"],
        odd=[["<unk>", 0.0], ["a", None]],
    ),
    "ONE-ID-FOR-TWO-TOKENS-IS-DRAWN": Varies(
        instead="has the later one", ask=_tokens_of_one_id, answers=frozenset({"a", "b"}), reference="b"
    ),
    "LARGEST-ID-EMPTIES-THE-WRITTEN-VOCABULARY": Shows(
        ask=lambda package: written(
            package.Tokenizer(package.models.WordLevel({"a": 2**32 - 1, "b": 1}, unk_token="a"))
        )["model"]["vocab"],
        odd={},
        naive={"b": 1, "a": 2**32 - 1},
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
