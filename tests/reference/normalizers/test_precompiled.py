"""Precompiled with maps of our own, with those of real checkpoints, and with data that is no map.

All prefixes of the keys of real maps, with marks after them, are in ``test_all_combinations.py``.
"""

from __future__ import annotations

from base64 import b64encode
from struct import pack
from typing import TYPE_CHECKING, Any

import pytest
from both_sides import NormalizerOnBothSides, outcome, reads, target_reads
from double_array import charsmap, charsmap_json
from hostile_texts import hostile_texts
from hypothesis import given, settings
from hypothesis import strategies as st
from real_charsmaps import CHECKPOINTS, precompiled_of
from tokenizers import normalizers as target

from tokenizer_reference import NormalizedString
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.normalizers import Precompiled
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.text.charsmap import Charsmap
from tokenizer_reference.text.graphemes import clusters

if TYPE_CHECKING:
    from pathlib import Path

PIECES = [
    "a",
    "b",
    "é",
    "\u0301",
    "\u0323",
    "\n",
    "\r",
    "\x01",
    "①",
    "가",
    "\u1161",
    "\u0600",
    "\u200d",
    "か",
    "\u3099",
    "🙂",
]

pieces = st.sampled_from(PIECES)
keys = st.lists(pieces, min_size=1, max_size=3).map("".join)
replacements = st.dictionaries(keys, st.lists(pieces, max_size=3).map("".join), min_size=1, max_size=6)
texts = st.lists(pieces, max_size=10).map("".join)

# The map --------------------------------------------------------------------------------------------------------------


def test_the_shortest_key_counts() -> None:
    found = Charsmap(charsmap({"ab": "1", "abc": "2", "b": "3"}))
    assert [found.replacement(chunk) for chunk in ("ab", "abc", "abx", "a", "b", "ba", "", "\0b")] == [
        *["1"] * 3,
        None,
        *["3"] * 2,
        None,
        None,
    ]


@given(replacements)
def test_characters_that_change_are_those_that_a_look_up_alone_finds(map_: dict[str, str]) -> None:
    found = Charsmap(charsmap(map_))
    changing = found.changing_characters()
    alone = {ord(char) for char in {*"".join(map_), *PIECES} if found.replacement(char) is not None}
    assert {code_point for first, last in changing for code_point in range(first, last + 1)} == alone


def test_a_key_that_is_a_part_of_a_character_changes_all_that_start_with_it() -> None:
    # Unit 0 has its children at 256; the byte E3 stands at 256 ^ E3, its value at 512 ^ E3.
    byte = 0xE3
    units = {0: 256 << 10, 256 ^ byte: 768 << 10 | 1 << 8 | byte, 512 ^ byte ^ 256 ^ 256: 0}
    units[(256 ^ byte) ^ 768] = 1 << 31
    data = pack("<I", 4 * 1024) + pack("<1024I", *(units.get(at, 0) for at in range(1024))) + b"X\0"
    assert Charsmap(data).changing_characters() == ((0x3000, 0x3FFF),)
    assert Precompiled(data).normalize_str("aか①") == target.Precompiled(list(data)).normalize_str("aか①") == "aX①"


# The normalizer -------------------------------------------------------------------------------------------------------


def plainly(normalizer: Precompiled, text: str) -> NormalizedString:
    string = NormalizedString(text)
    changes = normalizer._changes(clusters(text))
    if changes is not None:
        string.transform(changes)
    return string


@given(replacements, texts)
def test_the_fast_path_is_the_definition(map_: dict[str, str], text: str) -> None:
    normalizer = Precompiled(charsmap(map_))
    string = NormalizedString(text)
    normalizer.normalize(string)
    plain = plainly(normalizer, text)
    assert (string.normalized, string.alignment()) == (plain.normalized, plain.alignment())


@settings(deadline=None)
@given(replacements, st.lists(texts, max_size=4))
def test_any_map_does_what_it_does_in_tokenizers(map_: dict[str, str], some_texts: list[str]) -> None:
    normalizer = NormalizerOnBothSides(charsmap_json(map_))
    for text in some_texts:
        assert normalizer.reference_answer(text) == normalizer.target_answer(text)


def test_long_runs_that_change_are_not_remembered() -> None:
    normalizer = Precompiled(charsmap({"①": "1"}))
    assert normalizer.normalize_str("①" * 100) == "1" * 100
    assert normalizer._replacements == {}


@pytest.mark.parametrize("unit", ["\u200d", "①", "\x01", "e"])
def test_each_character_of_a_run_is_looked_up_once(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    asked: list[str] = []
    look_up = Charsmap.replacement
    monkeypatch.setattr(Charsmap, "replacement", lambda self, chunk: asked.append(chunk) or look_up(self, chunk))
    text = "e" + unit * 1000
    normalizer = NormalizerOnBothSides(charsmap_json({"①": "1", "\u200d": "", "\x01": ""}))
    assert normalizer.reference_answer(text) == normalizer.target_answer(text)
    assert len(asked) == len(set(asked))


# Real maps ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_real_maps_on_random_texts(shared: Path, checkpoint: str) -> None:
    normalizer = NormalizerOnBothSides(precompiled_of(shared / "tokenizers" / checkpoint))
    for text in hostile_texts(seed=7, count=1000):
        assert normalizer.reference_answer(text) == normalizer.target_answer(text), repr(text)


# Data that is no map --------------------------------------------------------------------------------------------------

BROKEN = {
    "nothing": b"",
    "three bytes": b"\x04\0\0",
    "a trie that ends early": pack("<II", 8, 0),
    "replacements that are not UTF-8": pack("<II", 4, 0) + b"\xff",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_data_that_is_no_map_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="precompiled charsmap"):
        Precompiled(data)
    with pytest.raises(Exception, match="Cannot parse precompiled_charsmap"):
        target.Precompiled(list(data))


@pytest.mark.parametrize(
    "text", ["", "AAAA", "AAAAAA==", "AAAAAB==", "***", "AAA", "BAAAAAAAAAA=", "BAAAAAAAAAD/", "CAAAAAAAAAD/", None, 3]
)
def test_base64_is_read_where_tokenizers_reads_it(text: Any) -> None:
    document = {"type": "Precompiled", "precompiled_charsmap": text}
    assert reads(NORMALIZER.read, document) == target_reads("normalizer", document)


OUT_OF_BOUNDS = {
    "no trie": pack("<I", 0),
    "a trie of one unit": pack("<II", 4, 0),
    "a value beyond the replacements": charsmap({"b": "é", "a": "x"})[:-3],
    "a value inside a character": charsmap({"b": "é", "a": "x"})[:-2].replace(
        pack("<I", 1 << 31 | 3), pack("<I", 1 << 31 | 1)
    ),
}


@pytest.mark.parametrize("data", OUT_OF_BOUNDS.values(), ids=OUT_OF_BOUNDS)
def test_a_map_that_panics_there_is_an_error_here(data: bytes) -> None:
    ours, theirs = Precompiled(data), target.Precompiled(list(data))
    assert outcome(lambda: theirs.normalize_str("xa")) == "panic"
    with pytest.raises(UpstreamPanicError, match="precompiled charsmap is broken"):
        ours.normalize_str("xa")
    assert ours.normalize_str("") == theirs.normalize_str("") == ""


def test_json_has_the_data_as_it_came() -> None:
    data = charsmap({"a": "b"})
    assert Precompiled(list(data))._to_json() == {
        "type": "Precompiled",
        "precompiled_charsmap": b64encode(data).decode(),
    }
