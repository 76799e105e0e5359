"""Reading and writing pre-tokenizers as `tokenizers` does, older files included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from both_sides import PRE_TOKENIZERS, Json, PreTokenizerOnBothSides, reads, target_reads, written_by_target
from in_one_test import in_one_test

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.pre_tokenizers import COMPONENTS
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER


@in_one_test("document", PRE_TOKENIZERS.values())
def test_a_pre_tokenizer_is_written_as_tokenizers_writes_it(document: Json) -> None:
    ours = PreTokenizerOnBothSides(document).reference._to_json()
    assert json.dumps(ours) == json.dumps(written_by_target("pre_tokenizer", document))


def test_every_component_is_among_the_cases() -> None:
    assert {document["type"] for document in PRE_TOKENIZERS.values()} == set(COMPONENTS)


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
METASPACE = {"type": "Metaspace", "replacement": "▁"}
SPLIT = {"type": "Split", "pattern": {"String": "a"}, "behavior": "Removed", "invert": False}

VARIANTS: list[Any] = [
    BYTE_LEVEL,
    {"type": "ByteLevel"},
    {"type": "ByteLevel", "add_prefix_space": True},
    BYTE_LEVEL | {"use_regex": None},
    BYTE_LEVEL | {"use_regex": False},
    {"type": "CharDelimiterSplit"},
    *({"type": "CharDelimiterSplit", "delimiter": text} for text in ("ab", "", "é", None)),
    {"type": "Digits"},
    {"type": "Digits", "individual_digits": None},
    {"type": "FixedLength"},
    *({"type": "FixedLength", "length": length} for length in (None, 0, -1, 1.0, 2**64, "1")),
    METASPACE,
    {"type": "Metaspace"},
    METASPACE | {"replacement": "▁▁"},
    *(METASPACE | {"prepend_scheme": scheme} for scheme in ("first", "never", "always", "Never", None)),
    *(METASPACE | {"add_prefix_space": value} for value in (True, False, None, 1)),
    *(
        METASPACE | {"add_prefix_space": value, "prepend_scheme": scheme}
        for value in (True, False, None)
        for scheme in ("first", "never", "always")
    ),
    *(METASPACE | {"str_rep": value} for value in ("x", None, 1)),
    *(METASPACE | {"split": value} for value in (True, False, None, 1)),
    {"type": "Punctuation"},
    *({"type": "Punctuation", "behavior": behavior} for behavior in ("Removed", "removed", None)),
    {"type": "Sequence"},
    {"type": "Sequence", "pre_tokenizers": []},
    {"type": "Sequence", "pretokenizers": None},
    {"type": "Sequence", "pretokenizers": [{"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}]}]},
    SPLIT,
    *(SPLIT | change for change in ({"pattern": "a"}, {"pattern": {"Regex": "("}}, {"pattern": None})),
    *(SPLIT | change for change in ({"behavior": "removed"}, {"behavior": None}, {"invert": None})),
    *(
        {key: value for key, value in SPLIT.items() if key != left_out}
        for left_out in ("pattern", "behavior", "invert")
    ),
    {"type": "Whitespace", "more": 1},
    {"type": "whitespace"},
    {},
]


@in_one_test("document", VARIANTS, json.dumps)
def test_documents_are_read_where_tokenizers_reads_them_and_as_it_does(document: Any) -> None:
    assert reads(PRE_TOKENIZER.read, document) == target_reads("pre_tokenizer", document)
    if reads(PRE_TOKENIZER.read, document):
        assert PRE_TOKENIZER.read(JsonValue(document))._to_json() == written_by_target("pre_tokenizer", document)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (METASPACE | {"add_prefix_space": False}, r"\$\.add_prefix_space: false does not match"),
        (SPLIT | {"behavior": "removed"}, r"\$\.behavior: expected one of Removed, .* found 'removed'"),
        ({"type": "FixedLength", "length": -1}, r"\$\.length: expected a whole number from 0"),
        (
            {"type": "Sequence", "pretokenizers": [{"type": "Digits"}]},
            r"\$\.pretokenizers\[0\]: missing field `individual_",
        ),
    ],
)
def test_errors_name_the_place(document: Json, message: str) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        PRE_TOKENIZER.read(JsonValue(document))
