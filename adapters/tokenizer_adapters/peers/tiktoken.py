"""The adapter of ``tiktoken``, which is given the ranks that a byte-level ``tokenizer.json`` amounts to.

Added tokens become its special tokens, and are found in the text; their ``lstrip`` and other settings have no place in
it. Ids are those of the ``tokenizer.json``, whatever their order.

It tells of each token which bytes it stands for, and the bytes of all tokens of a text are the text's; so each token
has a place in it, in bytes. Ranks say nothing of spaces that are to be left out of offsets, so these are shown only for
tokenizers that leave none out.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OffsetUnit, OwnCall, OwnCalls
from tokenizer_adapters.peers.byte_level import byte_level_ranks
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Span, TokenizerSource


ANY_SPECIAL: dict[str, Any] = {"allowed_special": "all", "disallowed_special": ()}
"""How it is asked: special tokens are found wherever they stand in a text."""


class TiktokenImplementation(PeerImplementation):
    """``tiktoken``, through ``tiktoken.Encoding``."""

    package = Package(
        name="tiktoken",
        distribution="tiktoken",
        module="tiktoken",
        language="Rust",
        home_page="https://github.com/openai/tiktoken",
        fields=IDS_AND_TEXT | {Field.OFFSETS},
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Convert the ``tokenizer.json`` of ``source``."""
        document = document_of(source)
        converted = byte_level_ranks(document)
        size = len(converted.ranks)
        special_ranks = {token: size + index for index, token in enumerate(converted.special_tokens)}
        encoding = module.Encoding(
            source.name, pat_str=converted.pattern, mergeable_ranks=converted.ranks, special_tokens=special_ranks
        )
        ids = (*converted.ids, *converted.special_tokens.values())
        ranks = {id_: rank for rank, id_ in enumerate(ids)}
        with_offsets = not _trims_offsets(document.get("post_processor"))

        def encode(text: str) -> Encoded:
            found = encoding.encode(text, **ANY_SPECIAL)
            offsets = _offsets(encoding.decode_tokens_bytes(found)) if with_offsets else None
            return Encoded(ids=tuple(ids[rank] for rank in found), offsets=offsets)

        return Calls(
            files=(source.file,),
            encode=encode,
            decode_special=text_of(lambda found: encoding.decode([ranks[id_] for id_ in found])),
            own=OwnCalls(
                OwnCall("encode", lambda text: encoding.encode(text, **ANY_SPECIAL)),
                OwnCall("encode_batch", lambda texts: encoding.encode_batch(texts, **ANY_SPECIAL)),
            ),
            fields=None if with_offsets else IDS_AND_TEXT,
        )


def _trims_offsets(post_processor: dict[str, Any] | None) -> bool:
    """Return whether ``post_processor`` leaves spaces at the edges of tokens out of their offsets."""
    match post_processor:
        case {"type": "ByteLevel" | "RobertaProcessing", **rest}:
            return bool(rest.get("trim_offsets", True))
        case {"type": "Sequence", "processors": [*parts]}:
            return any(map(_trims_offsets, parts))
    return False


def _offsets(tokens: list[bytes]) -> tuple[Span, ...]:
    """Return where each of ``tokens`` stands in the text that they make, in bytes."""
    return tuple(pairwise(accumulate(map(len, tokens), initial=0)))
