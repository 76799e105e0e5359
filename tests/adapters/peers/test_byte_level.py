"""Byte-level BPE as ranks: the same ids by another road, and a reason wherever ranks cannot say the same."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peer_questions import Document, Lay, Peer, kept
from tokenizers.pre_tokenizers import ByteLevel

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Decode, Encode, Encoded, Subject, Text, TokenizerSource, Unsupported
from tokenizer_adapters.peers.byte_level import (
    GPT2_PATTERN,
    byte_characters,
    byte_level_ranks,
    check_gpt2_split,
    split_pattern,
)
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable

BY_RANKS = ["mistral-common", "tiktoken"]
LLAMA = r"\p{N}{1,3}|\p{L}+|\s+|[^\p{L}\p{N}\s]+"
SPLIT = {"type": "Split", "pattern": {"Regex": LLAMA}, "behavior": "Isolated", "invert": False}
BYTES_ONLY = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def test_the_characters_of_bytes_are_those_of_tokenizers() -> None:
    assert sorted(byte_characters()) == sorted(ByteLevel.alphabet())
    for value in range(0x80):  # ASCII bytes are characters of their own
        ((piece, _),) = ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(chr(value))
        assert piece == byte_characters()[value]


def test_ranks_are_the_bytes_and_then_the_merges_and_keep_their_ids(byte_level: Document) -> None:
    converted = byte_level_ranks(byte_level)
    assert [converted.ranks[bytes([value])] for value in range(256)] == list(range(256))
    assert [content for content, rank in converted.ranks.items() if rank > 255] == [
        b"ab",
        b"abab",
        b" ab",
        "é".encode(),
        b"cd",
    ]
    vocab = byte_level["model"]["vocab"]
    assert converted.ids[256:] == tuple(vocab[token] for token in ("ab", "abab", "Ġab", "Ã©", "cd"))
    assert converted.special_tokens == {"<end>": 0}
    assert converted.pattern == GPT2_PATTERN


def test_merges_of_older_files_are_text(byte_level: Document) -> None:
    older = copy.deepcopy(byte_level)
    older["model"]["merges"] = [" ".join(merge) for merge in byte_level["model"]["merges"]]
    assert byte_level_ranks(older) == byte_level_ranks(byte_level)


def test_a_split_before_the_bytes_is_the_pattern(byte_level: Document) -> None:
    byte_level["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [SPLIT, BYTES_ONLY]}
    assert split_pattern(byte_level) == LLAMA


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("normalizer", {"type": "NFC"}, "it has no normalizer"),
        ("truncation", {"max_length": 3}, "it neither truncates nor pads"),
        ("padding", {"strategy": "BatchLongest"}, "it neither truncates nor pads"),
        ("decoder", None, "it decodes bytes; the decoder of this file does not"),
        ("decoder", {"type": "Fuse"}, "it decodes bytes; the decoder of this file does not"),
        ("pre_tokenizer", {"type": "ByteLevel", "add_prefix_space": True}, "this pre-tokenizer differs"),
        ("pre_tokenizer", BYTES_ONLY, "this pre-tokenizer differs"),
        ("pre_tokenizer", None, "this pre-tokenizer differs"),
        (
            "pre_tokenizer",
            {"type": "Sequence", "pretokenizers": [{**SPLIT, "behavior": "Removed"}, BYTES_ONLY]},
            "this pre-tokenizer differs",
        ),
        ("model.type", "WordPiece", "this model is WordPiece"),
        ("model.dropout", 0.1, "nothing like this model's dropout"),
        ("model.byte_fallback", True, "nothing like this model's byte_fallback"),
        ("model.end_of_word_suffix", "</w>", "nothing like this model's end_of_word_suffix"),
        ("model.merges", [["a", "b"], ["b", "c"]], "its vocabulary lacks 'bc'"),
        ("model.merges", [["a", "b"], ["c", "d"], ["a", "b"]], "two merges make one token"),
        ("model.merges", [["a", "b"], ["b", "ab"], ["ab", "ab"]], "its vocabulary lacks 'bab'"),
        ("model.ignore_merges", True, "it takes no whole words from the vocabulary, as ignore_merges does"),
    ],
)
def test_what_ranks_cannot_say_is_refused(byte_level: Document, place: str, value: object, reason: str) -> None:
    *parents, key = place.split(".")
    target = byte_level
    for parent in parents:
        target = target[parent]
    target[key] = value
    with pytest.raises(UnfitTokenizerError, match=reason):
        byte_level_ranks(byte_level)


def test_a_token_that_the_merges_do_not_make_is_refused(byte_level: Document) -> None:
    """Of "abc", tokenizers makes "ab" and "c", since "ab" merges first; by ranks, these would merge."""
    model = byte_level["model"]
    model["vocab"] |= {token: len(model["vocab"]) + place for place, token in enumerate(["bc", "abc"])}
    model["merges"] = [["a", "b"], ["b", "c"], ["a", "bc"]]
    with pytest.raises(UnfitTokenizerError, match="its merges do not make 'abc' of its characters, and ranks do"):
        byte_level_ranks(byte_level)


def test_ignored_merges_say_nothing_where_every_token_is_merged(byte_level: Document) -> None:
    plain = byte_level_ranks(byte_level)
    del byte_level["model"]["vocab"]["<end>"]
    byte_level["model"]["ignore_merges"] = True
    assert byte_level_ranks(byte_level) == plain


def test_a_token_of_characters_that_stand_for_no_byte_is_refused(byte_level: Document) -> None:
    byte_level["model"]["vocab"]["京"] = len(byte_level["model"]["vocab"])
    byte_level["model"]["merges"].append(["京", ""])
    with pytest.raises(UnfitTokenizerError, match="'京', which stands for no byte"):
        byte_level_ranks(byte_level)


def test_another_pattern_than_that_of_gpt2_is_refused_where_it_is_built_in(byte_level: Document) -> None:
    check_gpt2_split(byte_level)
    byte_level["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [SPLIT, BYTES_ONLY]}
    with pytest.raises(UnfitTokenizerError, match="this pre-tokenizer has another pattern"):
        check_gpt2_split(byte_level)


# The peers that are given ranks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pre_tokenizer", [None, {"type": "Sequence", "pretokenizers": [SPLIT, BYTES_ONLY]}])
@pytest.mark.parametrize("name", BY_RANKS)
def test_ids_are_those_of_the_tokenizer_json(
    peer: Peer, lay: Lay, byte_level: Document, name: str, pre_tokenizer: Document | None
) -> None:
    byte_level["pre_tokenizer"] = pre_tokenizer or byte_level["pre_tokenizer"]
    source = lay(byte_level)
    subject = peer(name).load(source)
    expected = load_implementation("tokenizers").load(source)
    for text in ("", "ab abab cd", "éé 1234  abc\n", "京 e\u0301 🎉"):
        given = Encode(text, add_special_tokens=False)
        answer = subject.observe(given)
        assert isinstance(answer, Encoded)
        assert answer.ids == expected.observe(given).ids
        assert subject.observe(kept(answer.ids)) == Text(text)


@pytest.fixture(scope="module")
def by_ranks(peer: Peer, bundled: Callable[[str], TokenizerSource]) -> dict[str, Subject]:
    """A bundled byte-level tokenizer, loaded by ``tokenizers`` and by the peers that are given ranks."""
    return {name: peer(name).load(bundled("gpt2-mini")) for name in ["tokenizers", *BY_RANKS]}


@given(text=st.text(st.sampled_from(" \n'aehilnorstwABC01.,!éßжλ京🎉"), max_size=40))
def test_the_same_ids_by_either_road(by_ranks: dict[str, Subject], text: str) -> None:
    answers = {name: subject.observe(Encode(text, add_special_tokens=False)) for name, subject in by_ranks.items()}
    assert len({answer.ids for answer in answers.values()}) == 1


def test_tiktoken_finds_special_tokens_in_the_text_and_mistral_common_does_not(
    peer: Peer, lay: Lay, byte_level: Document
) -> None:
    source = lay(byte_level)
    given = Encode("ab<end>", add_special_tokens=False)
    vocab = byte_level["model"]["vocab"]
    assert peer("tiktoken").load(source).observe(given).ids == (vocab["ab"], 0)
    assert peer("mistral-common").load(source).observe(given).ids == tuple(
        vocab[token] for token in ("ab", "<", "e", "n", "d", ">")
    )


def test_tiktoken_decodes_with_special_tokens_only(peer: Peer, lay: Lay, byte_level: Document) -> None:
    subject = peer("tiktoken").load(lay(byte_level))
    ids = (byte_level["model"]["vocab"]["ab"], 0)
    assert subject.observe(kept(ids)) == Text("ab<end>")
    assert subject.observe(Decode(ids)) == Unsupported("tiktoken never leaves special tokens out when it decodes")
