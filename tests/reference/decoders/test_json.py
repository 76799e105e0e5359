"""Reading and writing, also where the type is missing or unknown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from both_sides import written_by_target
from in_one_test import in_one_test

from tokenizer_reference.decoders.base import DECODER
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue

UNTYPED: list[tuple[str, dict[str, Any]]] = [
    ("BPEDecoder", {"suffix": "x"}),
    ("WordPiece", {"prefix": "##", "cleanup": True}),
    ("CTC", {"pad_token": "p", "word_delimiter_token": "w", "cleanup": False}),
    ("Replace", {"pattern": {"String": "a"}, "content": "b"}),
    ("Replace", {"pattern": {"Regex": "a+"}, "content": "b"}),
    ("Strip", {"content": "a", "start": 1, "stop": 2}),
]
"""Decoders that are told from their fields."""

TYPED: list[dict[str, Any]] = [
    {"type": "ByteFallback"},
    {"type": "ByteFallback", "suffix": "x"},
    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": False},
    {"type": "Fuse", "unknown": 1},
    {"type": "Metaspace", "replacement": "_"},
    {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": False},
    {"type": "Metaspace", "replacement": "_", "prepend_scheme": {"first": None}},
    {"type": "Metaspace", "replacement": "_", "split": None},
    {"type": "Metaspace", "replacement": "_", "add_prefix_space": True, "str_rep": "ab"},
    {"type": "Metaspace", "replacement": "_", "add_prefix_space": None, "str_rep": None},
    {"type": "Metaspace", "replacement": "_", "add_prefix_space": True, "prepend_scheme": "never"},
    {"type": "Metaspace", "replacement": "_", "add_prefix_space": False, "prepend_scheme": "never"},
    {"type": "Sequence", "decoders": []},
    {"type": "Sequence", "decoders": [{"type": "Fuse"}, {"suffix": "a"}, ["Fuse"]]},
    {"type": "Sequence", "decoders": [{"type": "Sequence", "decoders": []}]},
]
"""Decoders that need their type."""

GUESSED: list[tuple[Any, str]] = [
    *((fields, name) for name, fields in UNTYPED),
    *(({"type": name, **fields}, name) for name, fields in UNTYPED),
    *(({"type": "Foo", **fields}, name) for name, fields in UNTYPED),
    *((list(fields.values()), name) for name, fields in UNTYPED),
    *((document, document["type"]) for document in TYPED),
    (["Fuse"], "BPEDecoder"),
    ({"type": "BPE", "suffix": "a"}, "BPEDecoder"),
    ({"type": ["a"], "suffix": "a"}, "BPEDecoder"),
    # The first whose fields fit is taken.
    ({"suffix": "x", "prefix": "a", "cleanup": True}, "BPEDecoder"),
    ({"prefix": "a", "cleanup": True, "pad_token": "a", "word_delimiter_token": "b"}, "WordPiece"),
    ({**UNTYPED[2][1], **UNTYPED[3][1]}, "CTC"),
    ({"pattern": {"String": "x"}, "content": "a", "start": 1, "stop": 1}, "Replace"),
]


@pytest.mark.parametrize(("document", "name"), GUESSED)
def test_a_decoder_is_read_and_written_as_in_the_target(document: Any, name: str) -> None:
    written = DECODER.read(JsonValue(document))._to_json()
    assert written["type"] == name
    assert json.dumps(written) == json.dumps(written_by_target("decoder", document))
    assert DECODER.read(JsonValue(written))._to_json() == written


METASPACE = {"type": "Metaspace", "replacement": "_"}

NOT_READ = [
    {},
    [],
    3,
    "Fuse",
    {"type": "Foo"},
    *({key: value for key, value in document.items() if key not in ("type", "suffix")} for document in TYPED),
    {"type": "ByteLevel", "trim_offsets": True},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": None},
    ["ByteLevel", True, True, True],
    {"type": "CTC", "pad_token": "p", "word_delimiter_token": "w"},
    {"type": "CTC", "suffix": "a"},
    {"type": "WordPiece", "prefix": "##"},
    {"type": "WordPiece", "prefix": None, "cleanup": True},
    {"type": "WordPiece", "suffix": "x"},
    {"type": "Strip", "content": "ab", "start": 1, "stop": 2},
    {"type": "Strip", "content": "a", "start": 1},
    {"type": "Strip", "content": "a", "start": 1, "stop": -1},
    {"type": "Replace", "pattern": "a", "content": "b"},
    {"type": "Replace", "pattern": {"Regex": "("}, "content": "b"},
    {"type": "Replace", "pattern": {"String": "a", "Regex": "b"}, "content": "b"},
    {"type": "Replace", "pattern": {}, "content": "b"},
    {**METASPACE, "replacement": "ab"},
    {"type": "Metaspace"},
    {**METASPACE, "prepend_scheme": None},
    {**METASPACE, "prepend_scheme": "Always"},
    {**METASPACE, "add_prefix_space": False},
    {**METASPACE, "add_prefix_space": False, "prepend_scheme": "first"},
    {**METASPACE, "add_prefix_space": 3},
    {**METASPACE, "split": 3},
    {**METASPACE, "str_rep": 5},
    {"type": "Sequence"},
    {"type": "Sequence", "decoders": [{"type": "Foo"}]},
]


@in_one_test("document", NOT_READ)
def test_what_fits_no_class_is_refused_with_its_path(document: Any) -> None:
    with pytest.raises(TokenizerFileError, match=r"\$\.decoder"):
        DECODER.read(JsonValue(document, "$.decoder"))
    with pytest.raises(Exception, match="data did not match any variant of untagged enum PyDecoderWrapper"):
        written_by_target("decoder", document)
