"""The adapter of ``tokie``, which reads ``tokenizer.json``.

What it calls offsets are UTF-8 bytes of the *normalized* text (its documentation, and observed, tokie 0.1: with a
``Metaspace`` they count the bytes of the added U+2581). They are shown only where the normalized text is the text
itself: without a normalizer, under a byte-level pre-tokenizer that adds no space. What it calls the tokens of a
byte-level tokenizer are their decoded texts, and many bytes have none; so tokens are shown for the others only, and so
is the vocabulary.

It has one way to decode for each kind of model (its documentation): tokens of a WordPiece or Unigram model are joined
without special tokens, those of a BPE with them.

Truncation and padding are not read from the file; it has calls for both, which are given what the file says. It pads
batches only (its documentation), so a text of a tokenizer that pads is encoded as a batch of one. A batch is of single
texts, so a tokenizer that pads is not asked about pairs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OffsetUnit, Stage
from tokenizer_adapters.documents import is_byte_level, model_kind
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import (
    IDS_AND_MASKS,
    IDS_AND_TEXT,
    NO_VOCABULARY,
    ONLY_KEEPING,
    ONLY_SKIPPING,
    Calls,
    Package,
    PeerImplementation,
    encodings_of,
    text_of,
    text_of_bytes,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

NO_PADDED_PAIR = "pads batches of single texts alone, and no pairs"

STRATEGIES = {"LongestFirst": "longest_first", "OnlyFirst": "only_first", "OnlySecond": "only_second"}
"""Its names of the ways to share a truncation between two texts, by the file's."""


class TokieImplementation(PeerImplementation):
    """``tokie``, through ``tokie.Tokenizer.from_json``."""

    package = Package(
        name="tokie",
        distribution="tokie",
        module="tokie",
        language="Rust",
        home_page="https://github.com/chonkie-inc/tokie",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT
        | {Field.TOKENS, Field.OFFSETS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK},
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.Tokenizer.from_json(source.file)
        document = document_of(source)
        set_truncation(tokenizer, document.get("truncation"))
        set_padding(tokenizer, document.get("padding"))
        with_offsets, byte_level = _keeps_the_text(document), is_byte_level(document)
        joins_bytes = model_kind(document) == "BPE"
        # Offsets are shown where they belong to the ids, and so not in every answer.
        fields = self.package.fields - {Field.OFFSETS, *([Field.TOKENS] if byte_level else [])}

        def encoded(encoding: Any) -> Encoded:
            answer = _encoded(encoding)
            return answer if byte_level else replace(answer, tokens=tuple(encoding.tokens))

        def encode(text: str, special: bool) -> Encoded:
            if tokenizer.padding is not None:
                return encode_batch([text], special)[0]
            answer = encoded(tokenizer.encode(text, special))
            if not with_offsets:
                return answer
            # It finds no added tokens there (observed, tokie 0.1), and then the offsets are those of other tokens.
            located = tokenizer.encode_with_offsets(text, special)
            return replace(answer, offsets=tuple(located.offsets)) if tuple(located.ids) == answer.ids else answer

        def encode_pair(text: str, pair: str, special: bool) -> Encoded:
            return encoded(tokenizer.encode_pair(text, pair, special))

        def encode_batch(texts: list[str], special: bool) -> list[Encoded]:
            return [encoded(encoding) for encoding in tokenizer.encode_batch(texts, special)]

        return Calls(
            files=(source.file,),
            encode=lambda text: encode(text, special=False),
            encode_special=lambda text: encode(text, special=True),
            encode_pair=NO_PADDED_PAIR if tokenizer.padding is not None else encode_pair,
            encode_batch=encode_batch,
            decode=ONLY_KEEPING if joins_bytes else text_of(tokenizer.decode),
            decode_special=text_of_bytes(tokenizer.decode_bytes) if joins_bytes else ONLY_SKIPPING,
            vocabulary=NO_VOCABULARY if byte_level else lambda: dict(tokenizer.get_vocab()),
            own=encodings_of(tokenizer, IDS_AND_MASKS),
            fields=fields,
        )


def set_truncation(tokenizer: Any, truncation: dict[str, Any] | None) -> None:
    """Have ``tokenizer`` truncate as the ``truncation`` of a file says."""
    if truncation is not None:
        tokenizer.enable_truncation(
            truncation["max_length"],
            stride=truncation["stride"],
            strategy=STRATEGIES[truncation["strategy"]],
            direction=truncation.get("direction", "Right").lower(),
        )


def set_padding(tokenizer: Any, padding: dict[str, Any] | None) -> None:
    """Have ``tokenizer`` pad as the ``padding`` of a file says; its tokens are those of the padding's id."""
    if padding is not None:
        strategy = padding["strategy"]
        tokenizer.enable_padding(
            direction=padding["direction"].lower(),
            pad_id=padding["pad_id"],
            pad_type_id=padding["pad_type_id"],
            length=strategy.get("Fixed") if isinstance(strategy, dict) else None,
            pad_to_multiple_of=padding["pad_to_multiple_of"],
        )


def _keeps_the_text(document: dict[str, Any]) -> bool:
    """Return whether text reaches the model of ``document`` byte by byte, so that offsets in it are the original's."""
    match document:
        case {"normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}:
            return True
    return False


def _encoded(encoding: Any) -> Encoded:
    return Encoded(
        ids=tuple(encoding.ids),
        type_ids=tuple(encoding.type_ids),
        attention_mask=tuple(encoding.attention_mask),
        special_tokens_mask=tuple(encoding.special_tokens_mask),
    )
