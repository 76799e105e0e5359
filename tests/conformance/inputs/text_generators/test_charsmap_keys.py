"""Keys of a precompiled character map are read from its trie, and all of them are asked about."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.inputs.text_generators.charsmap_keys import keys_of
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of

if TYPE_CHECKING:
    from conftest import Document, Made
    from tokenizer_conformance.inputs.text_generators.generator import Produced

TABLES = [
    {"a": "b"},
    {"ﬁ": "fi", "ﬀ": "ff", "ﬃ": "ffi"},
    {"e\u0301": "é", "e\u0301\u0323": "x", "e": "E", "ｶﾞ": "ガ", "ｶ": "カ", "\t": " ", "\U0001d400": "A"},
    {chr(number): "x" for number in range(0x100, 0x400)},
]


def document(table: dict[str, str]) -> Document:
    encoded = b64encode(charsmap(table)).decode()
    inner = {"type": "Precompiled", "precompiled_charsmap": encoded}
    return {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, inner]}}


def texts_of(produced: Produced) -> list[str]:
    return [produced.text(number) for number in range(produced.count)]


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_every_key_is_read(table: dict[str, str]) -> None:
    assert set(keys_of(parts_of(document(table)))) == set(table)


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_every_key_stands_in_an_early_text_and_alone_in_some_text(table: dict[str, str], made: Made) -> None:
    produced = made("charsmap-keys", document(table))
    early = [produced.text(number) for number in range(min(produced.count, 5 + len(table) // 4))]
    assert all(any(key in text for text in early) for key in table)
    assert set(table) <= set(texts_of(produced))


def test_beginnings_of_keys_stand_before_marks_letters_and_the_ends_of_other_keys(made: Made) -> None:
    texts = texts_of(made("charsmap-prefixes", document({"abc": "1", "abd": "2", "x": "3"})))
    assert {"ab", "ab\u0301", "a\u0301", "aba", "ab\u0301c", "abcd", "aabc", "ababc", "abcbc"} <= set(texts)


def test_a_map_of_one_character_keys_has_no_beginnings(made: Made) -> None:
    assert made("charsmap-prefixes", document({"a": "1", "b": "2"})).count == 0


def test_maps_that_are_none_have_no_keys() -> None:
    for data in (b"", b"\1", b"\xff\xff\xff\xff", b"\4\0\0\0", b"\4\0\0\0\0\0\0\0", bytes(range(256)) * 5):
        inner = {"type": "Precompiled", "precompiled_charsmap": b64encode(data).decode()}
        keys = keys_of(parts_of({"normalizer": inner}))
        assert all(keys)


def test_a_trie_that_goes_round_in_a_circle_ends() -> None:
    # One node that is its own child by the byte 1: the unit at place 1 has the label 1 and its children at place 0.
    units = [0 << 10, 1 | 1 << 8 | 1 << 10]
    data = len(units * 4).to_bytes(4, "little") + b"".join(unit.to_bytes(4, "little") for unit in units) + b"x\0"
    inner = {"type": "Precompiled", "precompiled_charsmap": b64encode(data).decode()}
    keys = keys_of(parts_of({"normalizer": inner}))
    assert 0 < len(keys) <= 257
