"""Reading and writing normalizers as `tokenizers` does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from both_sides import NORMALIZERS, Json, NormalizerOnBothSides, bert, reads, target_reads, written_by_target
from in_one_test import in_one_test

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.normalizers import COMPONENTS
from tokenizer_reference.normalizers.base import NORMALIZER


@in_one_test("document", NORMALIZERS.values())
def test_a_normalizer_is_written_as_tokenizers_writes_it(document: Json) -> None:
    ours = NormalizerOnBothSides(document).reference._to_json()
    assert json.dumps(ours) == json.dumps(written_by_target("normalizer", document))


def test_every_component_is_among_the_cases() -> None:
    assert {document["type"] for document in NORMALIZERS.values()} == set(COMPONENTS)


FULL = bert(True, True, None, True)
REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}

VARIANTS: list[Any] = [
    *({key: value for key, value in FULL.items() if key != left_out} for left_out in FULL),
    *(FULL | {key: value} for key in list(FULL)[1:] for value in (None, 1, "true")),
    FULL | {"more": 1},
    {"type": "Strip"},
    {"type": "Strip", "strip_left": True},
    {"type": "Strip", "strip_left": True, "strip_right": None},
    {"type": "Prepend"},
    {"type": "Prepend", "prepend": None},
    {"type": "Prepend", "prepend": ""},
    {"type": "Replace", "pattern": {"String": "a"}},
    REPLACE | {"pattern": "a"},
    REPLACE | {"pattern": None},
    REPLACE | {"pattern": {}},
    REPLACE | {"pattern": {"Regex": "("}},
    REPLACE | {"pattern": {"Regex": "a", "String": "b"}},
    REPLACE | {"pattern": {"Other": "a"}},
    REPLACE | {"pattern": {"String": 1}},
    REPLACE | {"content": None},
    {"type": "Sequence"},
    {"type": "Sequence", "normalizers": None},
    {"type": "Sequence", "normalizers": [{"type": "NFC"}, None]},
    {"type": "Sequence", "normalizers": [{"type": "Unknown"}]},
    {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [{"type": "NFC"}]}]},
    {"type": "NFC", "more": 1},
    {"type": "Precompiled"},
    {"type": "nfc"},
    "NFC",
]


@in_one_test("document", VARIANTS, json.dumps)
def test_documents_are_read_where_tokenizers_reads_them(document: Any) -> None:
    assert reads(NORMALIZER.read, document) == target_reads("normalizer", document)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"type": "Strip", "strip_left": 1}, r"\$\.strip_left: expected a boolean, found an integer"),
        (REPLACE | {"pattern": "a"}, r"\$\.pattern: expected an object, found a string"),
        (REPLACE | {"pattern": {"Other": "a"}}, r"\$\.pattern: .* found 'Other'"),
        (REPLACE | {"pattern": {"Regex": "("}}, r"\$\.pattern\.Regex: "),
        ({"type": "Precompiled", "precompiled_charsmap": "*"}, r"\$\.precompiled_charsmap: expected .* in base64"),
        ({"type": "Precompiled", "precompiled_charsmap": "AAAA"}, r"\$\.precompiled_charsmap: .* it has 3"),
        (
            {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Prepend", "prepend": 1}]},
            r"\$\.normalizers\[1\]\.prepend: expected a string",
        ),
    ],
)
def test_errors_name_the_place(document: Json, message: str) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        NORMALIZER.read(JsonValue(document))
