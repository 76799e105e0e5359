"""The adapter of ``tokie``, which reads ``tokenizer.json``.

What it calls offsets are UTF-8 bytes of the *normalized* text (its documentation, and observed, tokie 0.1: with a
``Metaspace`` they count the bytes of the added U+2581). They are shown only where the normalized text is the text
itself: without a normalizer, under a byte-level pre-tokenizer that adds no space. What it calls the tokens of a
byte-level tokenizer are their decoded texts, and many bytes have none; so tokens are shown for the others only. Its
one way to decode stands beside the default of ``tokenizers``, which leaves special tokens out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OffsetUnit, Stage, Text, Unsupported
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


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
        with_offsets, with_tokens = _keeps_the_text(document), not _is_byte_level(document)
        hidden = {Field.OFFSETS: not with_offsets, Field.TOKENS: not with_tokens}
        fields = frozenset(field for field in self.package.fields if not hidden.get(field))

        def encoded(encoding: Any) -> Encoded:
            answer = _encoded(encoding)
            return replace(answer, tokens=tuple(encoding.tokens)) if with_tokens else answer

        def encode(text: str, special: bool) -> Encoded:
            if not with_offsets:
                return encoded(tokenizer.encode(text, special))
            encoding = tokenizer.encode_with_offsets(text, special)
            return replace(encoded(encoding), offsets=tuple(encoding.offsets))

        return Calls(
            files=(source.file,),
            encode=lambda text: encode(text, special=False),
            encode_special=lambda text: encode(text, special=True),
            encode_pair=lambda text, pair, special: encoded(tokenizer.encode_pair(text, pair, special)),
            decode=lambda ids: _text(tokenizer.decode(ids)),
            vocabulary=lambda: dict(tokenizer.get_vocab()),
            fields=fields,
            pair_fields=fields - {Field.OFFSETS},
        )


def _keeps_the_text(document: dict[str, Any]) -> bool:
    """Tell whether text reaches the model of ``document`` byte by byte, so that offsets in it are the original's."""
    match document:
        case {"normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}:
            return True
    return False


def _is_byte_level(document: dict[str, Any]) -> bool:
    """Tell whether tokens stand for bytes, and not for text."""
    match document.get("pre_tokenizer"):
        case {"type": "Sequence", "pretokenizers": [*parts]}:
            return any(part.get("type") == "ByteLevel" for part in parts)
        case {"type": "ByteLevel"}:
            return True
    return False


def _encoded(encoding: Any) -> Encoded:
    return Encoded(
        ids=tuple(encoding.ids),
        type_ids=tuple(encoding.type_ids),
        attention_mask=tuple(encoding.attention_mask),
        special_tokens_mask=tuple(encoding.special_tokens_mask),
    )


def _text(text: str | None) -> Text | Unsupported:
    """Return what ``decode`` gives; it gives nothing at all for bytes that are not UTF-8."""
    return Unsupported("tokie decodes nothing that is not UTF-8") if text is None else Text(text)
