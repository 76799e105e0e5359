"""The adapter of ``sentencepiece``: exact answers about a small model whose ids the tokenizer.json moves."""

from __future__ import annotations

import pytest
from peer_questions import LayPieces, Peer, Template, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Normalize,
    OffsetUnit,
    Text,
    Unsupported,
)


@pytest.mark.parametrize(("kind", "unknown"), [("Unigram", "京"), ("BPE", "<unk>")])
def test_ids_are_those_of_the_tokenizer_json_and_offsets_are_code_points(
    peer: Peer, lay_pieces: LayPieces, kind: str, unknown: str
) -> None:
    implementation = peer("sentencepiece")
    assert implementation.info.offset_unit is OffsetUnit.CODE_POINTS
    assert implementation.load(lay_pieces(kind)).observe(plain("a<user>b é京ﬁ a")) == Encoded(
        ids=(6, 4, 7, 5, 8, 3, 10, 11, 6),
        tokens=("▁a", "<user>", "b", "▁", "é", unknown, "f", "i", "▁a"),
        offsets=((0, 1), (1, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 11), (11, 12), (12, 14)),
    )


@pytest.mark.parametrize("kind", ["Unigram", "BPE"])
def test_control_symbols_in_a_text_are_text_and_those_of_users_are_found(
    peer: Peer, lay_pieces: LayPieces, kind: str
) -> None:
    answer = peer("sentencepiece").load(lay_pieces(kind)).observe(plain("a</s>b<user>"))
    assert answer.ids == (6, 3, 7, 4)
    assert answer.tokens == ("▁a", "</s>" if kind == "Unigram" else "<unk>", "b", "<user>")
    assert answer.offsets == ((0, 1), (1, 5), (5, 6), (6, 12))


def test_an_empty_text_has_no_ids(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("sentencepiece").load(lay_pieces())
    assert subject.observe(plain("")) == Encoded(ids=(), tokens=(), offsets=())


@pytest.mark.parametrize("kind", ["Unigram", "BPE"])
@pytest.mark.parametrize(
    ("around", "ids", "tokens"),
    [
        (("A",), (6, 3), ("▁a", "京")),
        (("<s>", "A"), (1, 6, 3), ("<s>", "▁a", "京")),
        (("A", "</s>"), (6, 3, 2), ("▁a", "京", "</s>")),
        (("<s>", "A", "</s>"), (1, 6, 3, 2), ("<s>", "▁a", "京", "</s>")),
    ],
)
def test_special_tokens_are_those_of_the_template(
    peer: Peer,
    lay_pieces: LayPieces,
    template: Template,
    kind: str,
    around: tuple[str, ...],
    ids: tuple[int, ...],
    tokens: tuple[str, ...],
) -> None:
    subject = peer("sentencepiece").load(lay_pieces(kind, post_processor=template(*around)))
    named = tuple("<unk>" if kind == "BPE" and token == "京" else token for token in tokens)
    assert subject.observe(Encode("a京")) == Encoded(ids=ids, tokens=named)
    assert subject.observe(plain("a京")).ids == (6, 3)


def test_a_pair_and_words_are_not_taken(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("sentencepiece").load(lay_pieces())
    for special in (True, False):
        pair = Encode("a", pair="b", add_special_tokens=special)
        assert subject.observe(pair) == Unsupported("sentencepiece takes no pair of texts")
        words = Encode(("a", "b"), add_special_tokens=special)
        assert subject.observe(words) == Unsupported("sentencepiece takes no pre-split input")


def test_the_normalizer_is_shown_without_what_it_does_to_white_space(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("sentencepiece").load(lay_pieces())
    assert subject.observe(Normalize("  ﬁ  é ")) == Text("  fi  é ")
    assert subject.observe(Normalize("a")) == Text("a")
    assert subject.observe(Normalize("")) == Text("")


def test_it_decodes_without_control_symbols_only(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("sentencepiece").load(lay_pieces())
    ids = (1, 6, 4, 7, 5, 8, 10, 2)
    assert subject.observe(Decode(ids)) == Text("a<user>b éf")
    assert subject.observe(kept(ids)) == Unsupported(
        "sentencepiece decodes control symbols into nothing, whatever it is asked"
    )
    assert subject.observe(Decode(())) == Text("")


@pytest.mark.parametrize(
    ("id_", "reason"),
    [
        (3, "leaves out control symbols only; the id 3 is none in its model"),
        (0, "has no token for the id 0 in what it reads"),
        (14, "has no token for the id 14 in what it reads"),
        (99, "has no token for the id 99 in what it reads"),
    ],
)
def test_ids_that_it_cannot_decode_so_are_unsupported(peer: Peer, lay_pieces: LayPieces, id_: int, reason: str) -> None:
    subject = peer("sentencepiece").load(lay_pieces())
    assert subject.observe(Decode((6, id_))) == Unsupported(f"sentencepiece {reason}")


def test_the_unknown_token_is_decoded_where_the_tokenizer_json_does_not_call_it_special(
    peer: Peer, lay_pieces: LayPieces
) -> None:
    subject = peer("sentencepiece").load(lay_pieces(added_tokens=[]))
    assert subject.observe(Decode((6, 3, 7))) == Text("a (?) b")


def test_the_vocabulary_is_that_of_the_model_with_the_ids_of_the_tokenizer_json(
    peer: Peer, lay_pieces: LayPieces
) -> None:
    pieces = ["<unk>", "<s>", "</s>", "<user>", "▁", "▁a", "b", "é", "▁b", "f", "i", "a"]
    ids = [3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    vocabulary = peer("sentencepiece").load(lay_pieces()).vocabulary()
    assert vocabulary == dict(zip(pieces, ids, strict=True))


def test_a_model_file_of_other_pieces_is_refused(peer: Peer, lay_pieces: LayPieces) -> None:
    source = lay_pieces(model={"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["b", 0.0]]})
    with pytest.raises(
        CannotLoadError, match=r"the tokenizer\.json lacks '<user>', a piece of the model file beside it"
    ):
        peer("sentencepiece").load(source)
