"""The adapter of ``subword-nmt``: exact answers about a small BPE with ends of words."""

from __future__ import annotations

import re

import pytest
from peer_questions import Document, Lay, Peer, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Normalize, Unsupported


@pytest.mark.parametrize(
    ("text", "ids", "tokens"),
    [
        ("low lower", (9, 8, 10), ("low</w>", "low", "er</w>")),
        ("wow ox", (3, 2, 4, 2, 0), ("w", "o", "w</w>", "o", "<unk>")),
        ("  low  low ", (9, 9), ("low</w>", "low</w>")),
        ("élow", (0, 9), ("<unk>", "low</w>")),
        ("", (), ()),
        (" ", (), ()),
    ],
)
def test_pieces_have_the_ids_of_the_vocabulary(
    peer: Peer, lay: Lay, end_of_word: Document, text: str, ids: tuple[int, ...], tokens: tuple[str, ...]
) -> None:
    source = lay(end_of_word)
    subject = peer("subword-nmt").load(source)
    assert subject.files == (source.file,)
    assert subject.observe(plain(text)) == Encoded(ids=ids, tokens=tokens)
    assert load_implementation("tokenizers").load(source).observe(plain(text)).ids == ids


def test_merges_are_taken_in_their_order(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    end_of_word["model"]["merges"] = [["o", "w</w>"], ["l", "o"]]
    end_of_word["model"]["vocab"]["ow</w>"] = 11
    subject = peer("subword-nmt").load(lay(end_of_word))
    assert subject.observe(plain("low")).tokens == ("l", "ow</w>")


def test_added_tokens_in_a_text_stay_whole(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    end_of_word["added_tokens"] = [{"id": 11, "content": "<s>", **special}, {"id": 12, "content": "(e", **special}]
    source = lay(end_of_word)
    given = plain("low<s>lower (elow <s>")
    expected = load_implementation("tokenizers").load(source).observe(given)
    answer = peer("subword-nmt").load(source).observe(given)
    assert answer == Encoded(
        ids=(9, 11, 8, 10, 12, 9, 11), tokens=("low</w>", "<s>", "low", "er</w>", "(e", "low</w>", "<s>")
    )
    assert answer.ids == expected.ids


def test_what_marks_a_split_elsewhere_is_text(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    end_of_word["model"]["vocab"] |= {"@": 11, "@</w>": 12, "@@</w>": 13}
    end_of_word["model"]["merges"].append(["@", "@</w>"])
    source = lay(end_of_word)
    given = plain("low@@ low@ w")
    answer = peer("subword-nmt").load(source).observe(given)
    assert answer == Encoded(ids=(8, 13, 8, 12, 4), tokens=("low", "@@</w>", "low", "@</w>", "w</w>"))
    assert answer.ids == load_implementation("tokenizers").load(source).observe(given).ids


def test_an_unknown_piece_without_an_unknown_token_is_left_out(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    end_of_word["model"]["unk_token"] = None
    source = lay(end_of_word)
    given = plain("lowé xlow")
    expected = load_implementation("tokenizers").load(source).observe(given)
    answer = peer("subword-nmt").load(source).observe(given)
    assert (answer.ids, answer.tokens) == (expected.ids, expected.tokens)
    assert answer.tokens == ("low", "low</w>")


def test_words_are_segmented_as_they_come(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    source = lay(end_of_word)
    given = plain(("lower", "low"))
    answer = peer("subword-nmt").load(source).observe(given)
    assert answer == Encoded(ids=(8, 10, 9), tokens=("low", "er</w>", "low</w>"))
    assert load_implementation("tokenizers").load(source).observe(given).ids == answer.ids


def test_only_spaces_part_words(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    subject = peer("subword-nmt").load(lay(end_of_word))
    assert subject.observe(plain("low\tlow")).tokens == ("low", "<unk>", "low</w>")


def test_what_it_has_no_way_to_say_is_unsupported(peer: Peer, lay: Lay, end_of_word: Document) -> None:
    subject = peer("subword-nmt").load(lay(end_of_word))
    for question, reason in [
        (Encode("low"), "adds no special tokens"),
        (Encode("low", pair="low"), "takes no pair of texts"),
        (Encode(("low",)), "adds no special tokens"),
        (plain(("low", "l w")), "takes words without white space"),
        (plain(("low", "")), "takes words without white space"),
        (Encode(("low",), pair=("low",)), "takes no pair of pre-split texts"),
        (Decode((1,)), "gives pieces of text and reads no ids"),
        (kept((1,)), "gives pieces of text and reads no ids"),
        (Normalize("low"), "does not show what its normalizer makes of a text"),
    ]:
        assert subject.observe(question) == Unsupported(f"subword-nmt {reason}")


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("normalizer", {"type": "Lowercase"}, "it splits at spaces and does no more"),
        ("pre_tokenizer", {"type": "Whitespace"}, "it splits at spaces and does no more"),
        ("pre_tokenizer", None, "it splits at spaces and does no more"),
        ("model.end_of_word_suffix", None, "it marks the ends of words with </w>; this model does not"),
        ("model.end_of_word_suffix", "@", "it marks the ends of words with </w>; this model does not"),
        ("model.type", "WordPiece", "it marks the ends of words with </w>; this model does not"),
        ("model.continuing_subword_prefix", "##", "it has nothing like this model's continuing_subword_prefix"),
        ("model.fuse_unk", True, "it has nothing like this model's fuse_unk"),
        ("model.byte_fallback", True, "it has nothing like this model's byte_fallback"),
        ("model.ignore_merges", True, "it has nothing like this model's ignore_merges"),
        ("model.dropout", 0.5, "it has nothing like this model's dropout"),
    ],
)
def test_what_it_cannot_say_is_refused(
    peer: Peer, lay: Lay, end_of_word: Document, place: str, value: object, reason: str
) -> None:
    *parents, key = place.split(".")
    target = end_of_word
    for parent in parents:
        target = target[parent]
    target[key] = value
    with pytest.raises(CannotLoadError, match=re.escape(reason)):
        peer("subword-nmt").load(lay(end_of_word))
