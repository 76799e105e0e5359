"""What an adapter of a peer says it shows of a tokenizer is in every answer, and what it hides there is not asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import Peer, Source, plain

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    UnavailableError,
    shows_of,
)
from tokenizer_adapters.peers.package import Calls, Package, PeerSubject
from tokenizer_adapters.registry import registered

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Shows, Value


IDS, TOKENS, OFFSETS, TEXT, PIECES = Field.IDS, Field.TOKENS, Field.OFFSETS, Field.TEXT, Field.PIECES


def fields(*found: Field) -> frozenset[Field]:
    return frozenset(found)


PACKAGE = Package(
    name="made-up",
    distribution="made-up",
    module="made_up",
    language="Python",
    home_page="",
    stages=frozenset(PIPELINE_STAGES),
    fields=fields(IDS, TOKENS, OFFSETS, TEXT, PIECES),
)

SHOWN = Encoded(ids=())
LEAST = Calls(files=("a.json",), encode=lambda _: SHOWN)
ENCODINGS: dict[str, Any] = {"encode_special": lambda _: SHOWN, "encode_pair": lambda *_: SHOWN}
DECODED: dict[str, Any] = {"decode": lambda _: Text(""), "decode_special": lambda _: Text("")}

MODEL: Shows = {Stage.MODEL: fields(IDS, TOKENS, OFFSETS)}


@pytest.mark.parametrize(
    ("changes", "shows"),
    [
        ({}, MODEL),
        ({"encode_special": ENCODINGS["encode_special"]}, MODEL),
        ({"encode_pair": ENCODINGS["encode_pair"]}, MODEL),
        (ENCODINGS, {**MODEL, Stage.POST_PROCESS: fields(IDS, TOKENS, OFFSETS)}),
        ({"decode": DECODED["decode"]}, MODEL),
        ({"decode_special": DECODED["decode_special"]}, MODEL),
        (DECODED, {**MODEL, Stage.DECODE: fields(TEXT)}),
        ({"normalize": Text}, {**MODEL, Stage.NORMALIZE: fields(TEXT)}),
        ({"pre_tokenize": lambda _: Pieces(())}, {**MODEL, Stage.PRE_TOKENIZE: fields(PIECES, OFFSETS)}),
        (
            {"pre_tokenize": lambda _: Pieces(()), "piece_fields": fields(PIECES)},
            {**MODEL, Stage.PRE_TOKENIZE: fields(PIECES)},
        ),
        ({"fields": fields(IDS)}, {Stage.MODEL: fields(IDS)}),
        ({"fields": fields(IDS, Field.WORD_IDS)}, {Stage.MODEL: fields(IDS)}),
        (
            {**ENCODINGS, **DECODED, "fields": fields(IDS, TOKENS)},
            {Stage.MODEL: fields(IDS, TOKENS), Stage.POST_PROCESS: fields(IDS, TOKENS), Stage.DECODE: fields(TEXT)},
        ),
        ({**ENCODINGS, "pair_fields": fields(IDS)}, {**MODEL, Stage.POST_PROCESS: fields(IDS)}),
        (
            {**ENCODINGS, "fields": fields(IDS, TOKENS), "pair_fields": fields(IDS, OFFSETS)},
            {Stage.MODEL: fields(IDS, TOKENS), Stage.POST_PROCESS: fields(IDS)},
        ),
    ],
)
def test_a_stage_is_shown_where_all_its_questions_have_a_call(changes: dict[str, Any], shows: Shows) -> None:
    assert PeerSubject(PACKAGE, replace(LEAST, **changes)).shows == shows


OF_TOKIE = fields(IDS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK)


@pytest.mark.parametrize(
    ("tokenizer", "of_texts", "of_pairs"),
    [("gpt2-mini", OF_TOKIE, OF_TOKIE), ("bert-mini", OF_TOKIE | {TOKENS}, OF_TOKIE | {TOKENS})],
)
def test_tokie_shows_less_of_some_tokenizers(
    peer: Peer, bundled: Source, tokenizer: str, of_texts: frozenset[Field], of_pairs: frozenset[Field]
) -> None:
    implementation = peer("tokie")
    shows = shows_of(implementation.load(bundled(tokenizer)), implementation.info)
    assert shows == {Stage.MODEL: of_texts, Stage.POST_PROCESS: of_pairs}


TEXTS = ("Hello, how are you?", "low lower", "")
IDS_TO_DECODE = ((5, 6), ())
QUESTIONS = {
    Stage.NORMALIZE: [Normalize(text) for text in TEXTS],
    Stage.PRE_TOKENIZE: [PreTokenize(text) for text in TEXTS],
    Stage.MODEL: [plain(text) for text in TEXTS],
    Stage.POST_PROCESS: [
        *map(Encode, TEXTS),
        *(Encode("Hello", "you", add_special_tokens=special) for special in (True, False)),
    ],
    Stage.DECODE: [Decode(ids, skip_special_tokens=skip) for ids in IDS_TO_DECODE for skip in (True, False)],
    Stage.CHAT: [],  # asked of tokenizers that have a template, in test_chat_renderers.py
}


OF_ANSWERS = {Text: fields(TEXT), Pieces: fields(PIECES, OFFSETS), Encoded: frozenset(ENCODING_FIELDS)}


def fields_in(answer: Value) -> set[Field]:
    match answer:
        case Text():
            return {TEXT}
        case Pieces(pieces):
            return {PIECES} if any(span is None for _, span in pieces) else {PIECES, OFFSETS}
    return {field for field in Field if getattr(answer, field, None) is not None}


PEERS = [name for name, found in registered().items() if found.value.startswith("tokenizer_adapters.peers.")]
NO_IDS = {"onnxruntime-extensions", "tokenizers-js", "transformers-js-3"}
"""Those that decode one id at least, as they say."""


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("tokenizer", ["gpt2-mini", "bert-mini", "xlnet-mini"])
def test_what_a_peer_says_it_shows_is_in_every_answer(peer: Peer, bundled: Source, name: str, tokenizer: str) -> None:
    try:
        implementation = peer(name)
        subject = implementation.load(bundled(tokenizer))
    except (CannotLoadError, UnavailableError) as error:
        pytest.skip(str(error))
    for stage, shown in shows_of(subject, implementation.info).items():
        for question in QUESTIONS[stage]:
            if name in NO_IDS and isinstance(question, Decode) and not question.ids:
                continue
            answer = subject.observe(question)
            if isinstance(answer, Failed):  # an error is an answer
                continue
            assert isinstance(answer, Text | Pieces | Encoded), (question, answer)
            assert fields_in(answer) >= shown & OF_ANSWERS[type(answer)], question
