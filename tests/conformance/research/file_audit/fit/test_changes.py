"""What may be changed in a file so that its pipeline fits: each change, word for word, the least first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.file_audit.audited import AuditedFile, JsonText
from tokenizer_conformance.research.file_audit.fit.changes import Change, changes
from tokenizer_conformance.research.file_audit.fit.writing import Writing

Document = dict[str, Any]

WORD_PIECE = {"type": "WordPiece", "continuing_subword_prefix": "##", "vocab": {"a": 0}}
WITHOUT_MARK = {"type": "WordPiece", "vocab": {"a": 0}}
PAIRS = {"type": "BPE", "vocab": {"_a": 0}, "merges": [["_", "a"]], "end_of_word_suffix": ""}
WORDS = {"type": "WordLevel", "vocab": {"a": 0}}
SCORES = {"type": "Unigram", "vocab": [[" a", -1.0], ["a", -2.0]]}

BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": False,
    "strip_accents": None,
    "lowercase": True,
}
CHINESE = {**BERT, "clean_text": False, "handle_chinese_chars": True, "strip_accents": False, "lowercase": False}
STRIPPING = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
DIGITS = {"type": "Digits", "individual_digits": True}
CUTTING = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Split", "pattern": {"String": "a|b"}, "behavior": "Removed", "invert": False},
        DIGITS,
        {"type": "Punctuation", "behavior": "Contiguous"},
        {"type": "ByteLevel", "use_regex": False},
        {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated", "invert": True},
    ],
}
IN_SEQUENCE = "$.pre_tokenizer.pretokenizers"


def may_be_changed(document: Document, writing: Writing, *mends: str) -> list[Change]:
    """Return the changes of a file that nothing has loaded, which nothing need be asked for."""
    nothing: Any = None
    tokenizer = TokenizerFile(TokenizerSource("small", "tokenizer.json"), "")
    return list(changes(AuditedFile(tokenizer, JsonText("{}"), document, None, None, nothing), mends, writing))


def write(value: object, path: str) -> str:
    return f"Write {json.dumps(value, ensure_ascii=False)} at $.{path}."


def put(component: object, stage: str, where: str = "there") -> str:
    return f"Put {json.dumps(component, ensure_ascii=False)} {where} in $.{stage}."


REMEDIES: list[tuple[str, Document, Writing, list[str]]] = [
    ("lowercase", {}, Writing.PREFIX, [put({"type": "Lowercase"}, "normalizer")]),
    (
        "lowercase",
        {"normalizer": BERT},
        Writing.PREFIX,
        [write(False, "normalizer.lowercase"), put({"type": "Lowercase"}, "normalizer", "last")],
    ),
    ("strip_accents", {}, Writing.PREFIX, [put(STRIPPING, "normalizer")]),
    (
        "strip_accents",
        {"normalizer": BERT},
        Writing.PREFIX,
        [
            write(True, "normalizer.strip_accents"),
            write(False, "normalizer.strip_accents"),
            put(STRIPPING, "normalizer", "last"),
        ],
    ),
    ("strip_accents", {"normalizer": STRIPPING}, Writing.PREFIX, []),
    ("handle_chinese_chars", {}, Writing.PREFIX, [put(CHINESE, "normalizer")]),
    (
        "handle_chinese_chars",
        {"normalizer": BERT},
        Writing.PREFIX,
        [write(True, "normalizer.handle_chinese_chars"), put(CHINESE, "normalizer", "last")],
    ),
    ("compatibility", {}, Writing.MARK, [put({"type": "NFKC"}, "normalizer")]),
    ("split at punctuation", {}, Writing.PLAIN, [put({"type": "BertPreTokenizer"}, "pre_tokenizer")]),
    (
        "split at punctuation",
        {"pre_tokenizer": DIGITS},
        Writing.PLAIN,
        [put({"type": "BertPreTokenizer"}, "pre_tokenizer", "last")],
    ),
    (
        "pre_tokenizer",
        {"pre_tokenizer": CUTTING},
        Writing.PLAIN,
        [
            f'Write "Isolated" at {IN_SEQUENCE}[0].behavior.',
            f"Write true at {IN_SEQUENCE}[0].invert.",
            f"Write false at {IN_SEQUENCE}[4].invert.",
            f"Write false at {IN_SEQUENCE}[1].individual_digits.",
            f'Write "Isolated" at {IN_SEQUENCE}[2].behavior.',
            f"Write true at {IN_SEQUENCE}[3].use_regex.",
            f'Write {{"Regex": "a|b"}} at {IN_SEQUENCE}[0].pattern.',
        ],
    ),
    (
        "spaces",
        {"pre_tokenizer": METASPACE | {"replacement": "_", "prepend_scheme": "never"}},
        Writing.MARK,
        [
            write("▁", "pre_tokenizer.replacement"),
            write("always", "pre_tokenizer.prepend_scheme"),
            put(METASPACE, "pre_tokenizer", "last"),
            write(METASPACE, "pre_tokenizer"),
        ],
    ),
    ("spaces", {}, Writing.MARK, [write(METASPACE, "pre_tokenizer")]),
    ("spaces", {}, Writing.BYTES, [write(BYTE_LEVEL, "pre_tokenizer")]),
    (
        "spaces",
        {"pre_tokenizer": DIGITS},
        Writing.BYTES,
        [put(BYTE_LEVEL | {"use_regex": False}, "pre_tokenizer", "last"), write(BYTE_LEVEL, "pre_tokenizer")],
    ),
    ("spaces", {}, Writing.PREFIX, [write({"type": "BertPreTokenizer"}, "pre_tokenizer")]),
    ("spaces", {}, Writing.SUFFIX, [write({"type": "WhitespaceSplit"}, "pre_tokenizer")]),
    ("spaces", {}, Writing.PLAIN, [write({"type": "Whitespace"}, "pre_tokenizer")]),
    ("model", {}, Writing.PREFIX, []),
    ("model", {"model": WORDS}, Writing.PREFIX, [write("WordPiece", "model.type")]),
    ("model", {"model": WORDS}, Writing.PLAIN, []),
    ("model", {"model": WITHOUT_MARK}, Writing.PREFIX, [write("##", "model.continuing_subword_prefix")]),
    ("model", {}, Writing.PLAIN, [write("", "model.continuing_subword_prefix")]),
    ("model", {"model": PAIRS}, Writing.SUFFIX, [write("</w>", "model.end_of_word_suffix")]),
    ("model", {"model": PAIRS | {"type": "WordPiece"}}, Writing.PLAIN, [write("BPE", "model.type")]),
    (
        "left out",
        {},
        Writing.PREFIX,
        [write(BERT | {"handle_chinese_chars": True, "lowercase": each}, "normalizer") for each in (True, False)],
    ),
    ("left out", {}, Writing.PLAIN, []),
    (
        "left out",
        {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [DIGITS, METASPACE]}},
        Writing.PREFIX,
        [
            write(None, "normalizer"),
            f"Take Digits out at {IN_SEQUENCE}[0].",
            f"Take Metaspace out at {IN_SEQUENCE}[1].",
        ],
    ),
    ("no such kind", {"normalizer": BERT, "pre_tokenizer": CUTTING}, Writing.PREFIX, []),
]


@pytest.mark.parametrize(("mend", "parts", "writing", "remedies"), REMEDIES)
def test_each_change_is_said_in_words(mend: str, parts: Document, writing: Writing, remedies: list[str]) -> None:
    found = may_be_changed({"model": WORD_PIECE, **parts}, writing, mend)
    assert [change.remedy for change in found] == remedies


def test_options_come_before_components_and_what_is_left_out_comes_last() -> None:
    found = may_be_changed({"model": WORD_PIECE, "normalizer": BERT}, Writing.PREFIX, "left out", "lowercase")
    assert [change.path for change in found] == [("normalizer", "lowercase"), ("normalizer",), ("normalizer",)]
    assert [change.document["normalizer"] for change in found] == [
        {**BERT, "lowercase": False},
        {"type": "Sequence", "normalizers": [BERT, {"type": "Lowercase"}]},
        None,
    ]


def test_the_rest_of_a_sequence_stays() -> None:
    sequence = {"type": "Sequence", "pretokenizers": [DIGITS, METASPACE]}
    found = may_be_changed({"model": WORDS, "pre_tokenizer": sequence}, Writing.PLAIN, "left out")
    kept = [change.document["pre_tokenizer"]["pretokenizers"] for change in found]
    assert kept == [[METASPACE], [DIGITS]]


@pytest.mark.parametrize(
    ("model", "writing", "becomes"),
    [
        (PAIRS, Writing.UNDERLINED, PAIRS | {"vocab": {"▁a": 0}, "merges": [["▁", "a"]]}),
        (SCORES, Writing.SPACED, SCORES | {"vocab": [["Ġa", -1.0], ["a", -2.0]]}),
    ],
)
def test_entries_that_nobody_writes_so_are_written_otherwise(
    model: Document, writing: Writing, becomes: Document
) -> None:
    (change,) = may_be_changed({"model": model, "pre_tokenizer": DIGITS}, writing, "spaces")
    assert change.document == {"model": becomes, "pre_tokenizer": DIGITS}
    assert change.path == ("model", "vocab")
    then = {Writing.UNDERLINED: "▁", Writing.SPACED: "Ġ"}[writing]
    of = f'Write "{then}" in the place of "{writing}" in the entries of $.model.vocab, and in the merges.'
    assert change.remedy == of
