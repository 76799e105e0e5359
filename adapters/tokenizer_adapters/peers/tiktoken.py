"""The adapter of ``tiktoken``, which is given the ranks that a byte-level ``tokenizer.json`` amounts to.

Added tokens become its special tokens, and are found in the text; their ``lstrip`` and other settings have no place in
it. Ids are those of the ``tokenizer.json``, whatever their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.peers.byte_level import byte_level_ranks
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of_bytes

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class TiktokenImplementation(PeerImplementation):
    """``tiktoken``, through ``tiktoken.Encoding``."""

    package = Package(
        name="tiktoken",
        distribution="tiktoken",
        module="tiktoken",
        language="Rust",
        home_page="https://github.com/openai/tiktoken",
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Convert the ``tokenizer.json`` of ``source``."""
        converted = byte_level_ranks(document_of(source))
        size = len(converted.ranks)
        special_ranks = {token: size + index for index, token in enumerate(converted.special_tokens)}
        encoding = module.Encoding(
            source.name, pat_str=converted.pattern, mergeable_ranks=converted.ranks, special_tokens=special_ranks
        )
        ids = (*converted.ids, *converted.special_tokens.values())
        ranks = {id_: rank for rank, id_ in enumerate(ids)}

        def encode(text: str) -> list[int]:
            return [ids[rank] for rank in encoding.encode(text, allowed_special="all", disallowed_special=())]

        return Calls(
            files=(source.file,),
            encode=ids_only(encode),
            decode_special=text_of_bytes(lambda found: encoding.decode_bytes([ranks[id_] for id_ in found])),
        )
