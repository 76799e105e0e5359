"""The adapter of ``splintr-rs``, which reads ``tokenizer.json``.

It shows what a token adds to a text (``decode_token``), not the token, so neither tokens nor a vocabulary: those of
WordPiece come without ``##``, special ones as nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Chunks, DecodeStream, OwnCall, OwnCalls, Stage, Unsupported
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

ONE_BY_ONE = "splintr-rs is asked about streams of single ids, without any before them"
NO_TOKENS = "shows what the tokens of its vocabulary add to a text, not the tokens"


class SplintrImplementation(PeerImplementation):
    """``splintr-rs``, through ``splintr.from_json``."""

    package = Package(
        name="splintr-rs",
        distribution="splintr-rs",
        module="splintr",
        language="Rust",
        home_page="https://github.com/ml-rust/splintr",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.from_json(source.file)

        def decode_stream(asked: DecodeStream) -> Chunks | Unsupported:
            """Each step shows the characters that are whole; it tells an empty addition (``""``) from none at all."""
            if asked.prompt or asked.chunks:
                return Unsupported(ONE_BY_ONE)
            with_special = not asked.skip_special_tokens
            build = tokenizer.streaming_decoder_with_special if with_special else tokenizer.streaming_decoder
            stream = build()
            return Chunks(tuple(stream.add_token(id_) or None for id_ in asked.ids))

        return Calls(
            files=(source.file,),
            encode=ids_only(tokenizer.encode_raw),
            encode_special=ids_only(tokenizer.encode),
            decode=text_of(tokenizer.decode),
            decode_special=text_of(tokenizer.decode_with_special),
            decode_stream=decode_stream,
            vocabulary=NO_TOKENS,
            own=OwnCalls(
                OwnCall("encode_raw", tokenizer.encode_raw),
                OwnCall("encode_batch (with special tokens)", tokenizer.encode_batch),
            ),
        )
