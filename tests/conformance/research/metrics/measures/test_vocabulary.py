"""What a vocabulary stands for: entries of each kind of tokenizer, and the overlap of two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmentations import values

from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.vocabulary import vocabulary_of
from tokenizer_conformance.research.metrics.measures.vocabulary_measures import jaccard

BYTE_LEVEL: dict[str, Any] = {
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"Ġthe": 0, "the": 1, "Ã": 2, "Ġ": 3, "Ċ": 4, "ĠĠ": 5}, "merges": []},
    "added_tokens": [{"id": 6, "content": "<|end|>"}],
}
WORDPIECE: dict[str, Any] = {
    "model": {
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "vocab": {"[UNK]": 0, "the": 1, "##the": 2, "##s": 3, ",": 4},
    },
    "added_tokens": [{"id": 0, "content": "[UNK]"}],
}  # fmt: skip
UNIGRAM: dict[str, Any] = {
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "model": {
        "type": "Unigram", "unk_id": 1, "byte_fallback": True,
        "vocab": [["<pad>", 0.0], ["<unk>", 0.0], ["▁the", -1.0], ["the", -2.0], ["▁", -3.0],
                  ["<0x0A>", -4.0], ["é", -5.0]],
    },
    "added_tokens": [{"id": 0, "content": "<pad>"}, {"id": 1, "content": "<unk>"}],
}  # fmt: skip
WORD_ENDS: dict[str, Any] = {
    "model": {"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"the</w>": 0, "the": 1}, "merges": []},
}

# The document, the bytes of entries by id, what they are mapped to for comparison, the number of ids, the unknown ones.
CASES = {
    "byte-level": (
        BYTE_LEVEL,
        {0: b"the", 1: b"the", 2: b"\xc3", 3: b" ", 4: b"\n", 5: b"  "},
        {b" the", b"the", b"\xc3", b" ", b"\n", b"  "},
        7,
        set(),
    ),
    "wordpiece": (WORDPIECE, {1: b"the", 2: b"the", 3: b"s", 4: b","}, {b" the", b"the", b"s", b" ,"}, 5, {0}),
    "unigram": (
        UNIGRAM,
        {2: b"the", 3: b"the", 4: b" ", 5: b"\n", 6: "é".encode()},
        {b" the", b"the", b" ", b"\n", "é".encode()},
        7,
        {1},
    ),
    "ends of words": (WORD_ENDS, {0: b"the", 1: b"the"}, {b"the"}, 2, set()),
}


@pytest.mark.parametrize("case", CASES)
def test_entries_stand_for_bytes(case: str) -> None:
    document, bytes_of, marked, size, unknown = CASES[case]
    vocabulary = vocabulary_of(document)
    assert dict(vocabulary.bytes_of) == bytes_of
    assert vocabulary.marked == marked
    assert vocabulary.size == size
    assert vocabulary.unknown_ids == unknown


@pytest.mark.parametrize(
    ("first", "second", "marked", "unmarked"),
    [
        # {␣the, the, Ã, ␣, \n, ␣␣} and {␣the, the, s, ␣,}; without the space before: {the, Ã, \n, ␣} and {the, s, ","}.
        (BYTE_LEVEL, WORDPIECE, 2 / 8, 1 / 6),
        # {␣the, the, ␣, \n, é}.
        (BYTE_LEVEL, UNIGRAM, 4 / 7, 2 / 5),
        (WORDPIECE, UNIGRAM, 2 / 7, 1 / 5),
        (UNIGRAM, UNIGRAM, 1.0, 1.0),
    ],
)
def test_overlap(first: dict[str, Any], second: dict[str, Any], marked: float, unmarked: float) -> None:
    both = vocabulary_of(first), vocabulary_of(second)
    expected = {"vocabulary_overlap": pytest.approx(marked), "vocabulary_overlap_unmarked": pytest.approx(unmarked)}
    assert values(estimates.of_vocabularies(*both)) == expected
    assert values(estimates.of_vocabularies(*both[::-1])) == expected


def test_the_unknown_token_stands_for_no_bytes_of_its_own() -> None:
    """Also where it is no added token: its name is not the text that it stands for."""
    assert 0 not in vocabulary_of(WORDPIECE | {"added_tokens": []}).bytes_of


@pytest.mark.parametrize(
    ("byte_fallback", "entry", "data"),
    [
        (True, "<0x1F>", b"\x1f"),
        (True, "<0xe9>", b"\xe9"),
        (True, "<0xFF>", b"\xff"),
        (True, "<0x100>", b"<0x100>"),
        (True, "a<0x41>", b"a<0x41>"),
        (False, "<0x41>", b"<0x41>"),
        (1, "<0x41>", b"<0x41>"),
    ],
)
def test_an_entry_is_a_byte_only_where_bytes_are_fallen_back_to(byte_fallback: object, entry: str, data: bytes) -> None:
    model = {"type": "BPE", "byte_fallback": byte_fallback, "vocab": {entry: 0}, "merges": []}
    assert vocabulary_of({"model": model}).bytes_of == {0: data}


def test_size_and_length() -> None:
    found = values(estimates.of_vocabulary(vocabulary_of(UNIGRAM)))
    assert found == {"vocabulary_size": 7, "entry_bytes": (3 + 3 + 1 + 1 + 2) / 5}
    assert values(estimates.of_vocabulary(vocabulary_of({})))["entry_bytes"] is None


SETS = st.frozensets(st.binary(max_size=1), max_size=6)


@given(SETS, SETS)
def test_jaccard_is_symmetric_and_a_share(first: frozenset[bytes], second: frozenset[bytes]) -> None:
    value = jaccard(first, second)
    assert value == jaccard(second, first)
    if value is None:
        assert not first | second
    else:
        assert 0 <= value <= 1
        assert (value == 1) == (first == second)


@pytest.mark.parametrize("name", ["gpt2-mini", "bert-mini", "t5-mini", "llama-mini", "xlnet-mini", "wordlevel-mini"])
def test_every_entry_of_a_bundled_tokenizer_has_bytes(name: str) -> None:
    document = json.loads(Path(find_tokenizer(name).file).read_bytes())
    vocabulary = vocabulary_of(document)
    model = document["model"]["vocab"]
    ids = set(model.values()) if isinstance(model, dict) else set(range(len(model)))
    added = {each["id"] for each in document["added_tokens"]}
    assert set(vocabulary.bytes_of) == ids - added
    assert vocabulary.size == len(ids | added)
    assert all(vocabulary.bytes_of.values())
    lengths = dict(zip(*(each.tolist() for each in vocabulary.lengths), strict=True))
    assert lengths.keys() == ids - added
    for id, (length, characters) in lengths.items():
        assert length == len(vocabulary.bytes_of[id])
        assert 0 <= characters <= length


def test_odd_files_have_what_they_have() -> None:
    odd = {
        "model": {"vocab": {"a": "1", "b": True, "c": 3, "": 4, "d": -1, "e": 1 << 64, "f": 1 << 40}, "unk_token": "x"},
        "added_tokens": [{"content": "z"}, 5],
    }
    vocabulary = vocabulary_of(odd)
    assert dict(vocabulary.bytes_of) == {3: b"c", 1 << 40: b"f"}
    assert (vocabulary.size, vocabulary.unknown_ids) == (2, frozenset())
    assert vocabulary.lengths[1].tolist() == [[1, 1], [1, 1]]
    assert vocabulary_of({"model": {"vocab": [["a", 0.0], "c", [], ["a", 1.0], ["c", -1.0]]}}).bytes_of == {
        0: b"a",
        4: b"c",
    }
