"""Offsets in the unit that a peer declares, over the original text; and the files that peers are given."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from peer_questions import Document, Lay, Peer, Source, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Decode, Encoded, Implementation, OffsetUnit, Text, TokenizerSource, Unsupported

TEXT = "é京🎉 e\u0301x"


def encoded(implementation: Implementation, source: TokenizerSource, text: str) -> Encoded:
    answer = implementation.load(source).observe(plain(text))
    assert isinstance(answer, Encoded)
    return answer


# Offsets --------------------------------------------------------------------------------------------------------------


def test_offsets_of_sentencepiece_count_code_points(peer: Peer, sentencepiece_toy: TokenizerSource) -> None:
    implementation = peer("sentencepiece")
    answer = encoded(implementation, sentencepiece_toy, "é 京🎉 the")
    assert implementation.info.offset_unit is OffsetUnit.CODE_POINTS
    assert answer.tokens is not None
    assert answer.offsets is not None
    pieces = ["é 京🎉 the"[start:end] for start, end in answer.offsets]
    assert [piece.replace(" ", "▁") for piece in pieces] == [
        token.removeprefix("▁") if start == 0 else token
        for token, (start, _) in zip(answer.tokens, answer.offsets, strict=True)
    ]


def test_offsets_of_tokie_count_bytes_of_the_text_where_it_stays_as_it_is(peer: Peer, bundled: Source) -> None:
    implementation = peer("tokie")
    source = bundled("gpt2-mini")
    answer = encoded(implementation, source, TEXT)
    assert implementation.info.offset_unit is OffsetUnit.UTF8_BYTES
    content = TEXT.encode()
    decode = load_implementation("tokenizers").load(source)
    assert answer.offsets is not None
    spans = [content[start:end] for start, end in answer.offsets]
    assert b"".join(spans) == content
    assert [span.decode("utf-8", "replace") for span in spans] == [
        decode.observe(Decode((id_,))).text for id_ in answer.ids
    ]


@pytest.mark.parametrize("tokenizer", ["bert-mini", "xlnet-mini"])
def test_offsets_of_tokie_in_a_normalized_text_are_not_shown(peer: Peer, bundled: Source, tokenizer: str) -> None:
    assert encoded(peer("tokie"), bundled(tokenizer), "Hello").offsets is None


@pytest.mark.parametrize(("tokenizer", "shown"), [("gpt2-mini", False), ("bert-mini", True), ("xlnet-mini", True)])
def test_tokens_of_tokie_are_shown_where_they_are_those_of_the_vocabulary(
    peer: Peer, bundled: Source, tokenizer: str, shown: bool
) -> None:
    source = bundled(tokenizer)
    answer = encoded(peer("tokie"), source, "Hello world")
    expected = encoded(load_implementation("tokenizers"), source, "Hello world")
    assert (answer.ids, answer.tokens) == (expected.ids, expected.tokens if shown else None)


@pytest.mark.parametrize(
    ("name", "spans"),
    [
        ("gpt2", [b"\xc3\xa9", b"\xe4\xba", b"\xac", b"\xf0\x9f", b"\x8e", b"\x89", b" e", b"\xcc\x81", b"\x81", b"x"]),
        ("bert-base-uncased", ["é".encode(), "京".encode(), "🎉".encode(), "e\u0301x".encode()]),
        ("xlnet-base-cased", [b"", "é京🎉".encode(), b" ", b"e", "\u0301".encode(), b"x"]),
    ],
)
def test_offsets_of_blingfire_count_bytes_of_the_text(
    peer: Peer, checkpoint: Source, name: str, spans: list[bytes]
) -> None:
    implementation = peer("blingfire")
    assert implementation.info.offset_unit is OffsetUnit.UTF8_BYTES
    answer = encoded(implementation, checkpoint(name), TEXT)
    assert answer.offsets is not None
    assert [TEXT.encode()[start:end] for start, end in answer.offsets] == spans


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["curated-tokenizers", "mistral-common", "pytorch-tokenizers", "sentencepiece"])
def test_a_sentencepiece_model_is_found_beside_the_tokenizer_json(
    peer: Peer, sentencepiece_toy: TokenizerSource, name: str
) -> None:
    subject = peer(name).load(sentencepiece_toy)
    assert subject.files == (str(Path(sentencepiece_toy.file).with_name("spiece.model")),)
    text = "the quick lazy fox jumps again, é"
    given = plain(text)
    answer = subject.observe(given)
    assert isinstance(answer, Encoded)
    assert answer.ids == load_implementation("tokenizers").load(sentencepiece_toy).observe(given).ids
    decoded = subject.observe(Decode(answer.ids))
    if name == "pytorch-tokenizers":
        assert decoded == Unsupported(
            "pytorch-tokenizers decodes single tokens of a SentencePiece model, not sequences"
        )
    else:
        assert decoded == Text(text)


def test_mistral_common_reads_a_tekken_file(peer: Peer, lay: Lay, byte_level: Document) -> None:
    source = lay(byte_level)
    tokens = [bytes([value]) for value in range(256)] + [b"ab"]
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    special = [{"rank": rank, "token_str": token, "is_control": True} for rank, token in enumerate(["<unk>", "<s>"])]
    config = {
        "pattern": r"\S+|\s+",
        "num_vocab_tokens": len(vocab),
        "default_vocab_size": len(vocab) + len(special),
        "default_num_special_tokens": len(special),
        "version": "v3",
    }
    file = Path(source.file).with_name("tekken.json")
    file.write_text(json.dumps({"config": config, "vocab": vocab, "special_tokens": special}), encoding="utf-8")
    subject = peer("mistral-common").load(source)
    assert subject.files == (str(file),)
    assert subject.observe(plain("abc")).ids == (2 + 256, 2 + ord("c"))
    assert subject.observe(Decode((1, 2 + 256))) == Text("ab")
    assert subject.observe(kept((1, 2 + 256))) == Text("<s>ab")
