"""The adapter of ``fastokens``, which reads ``tokenizer.json`` and knows some of its components.

It has the Python API of ``tokenizers`` in part; what it lacks raises ``NotImplementedError`` there, and is left out
here. Its encodings keep no tokens, and their error names the call that gives them: ``id_to_token``, id by id.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage
from tokenizer_adapters.peers.package import (
    IDS_AND_MASKS,
    IDS_AND_TEXT,
    Calls,
    Package,
    PeerImplementation,
    encodings_of,
    text_of,
)
from tokenizer_adapters.pipeline import streamed

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class FastokensImplementation(PeerImplementation):
    """``fastokens``, through ``fastokens.Tokenizer``."""

    package = Package(
        name="fastokens",
        distribution="fastokens",
        module="fastokens",
        language="Rust",
        home_page="https://github.com/crusoecloud/fastokens",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT
        | {Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK, Field.OVERFLOWING},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.Tokenizer.from_file(source.file)
        stream_class = importlib.import_module("fastokens._native").DecodeStream

        def encoded(encoding: Any) -> Encoded:
            return Encoded(
                ids=tuple(encoding.ids),
                tokens=tuple(map(tokenizer.id_to_token, encoding.ids)),
                type_ids=tuple(encoding.type_ids),
                attention_mask=tuple(encoding.attention_mask),
                special_tokens_mask=tuple(encoding.special_tokens_mask),
                overflowing=tuple(map(encoded, encoding.overflowing)),
            )

        def encode_batch(texts: list[str], special: bool) -> list[Encoded]:
            return [encoded(encoding) for encoding in tokenizer.encode_batch(texts, add_special_tokens=special)]

        return Calls(
            files=(source.file,),
            encode=lambda text: encoded(tokenizer.encode(text, add_special_tokens=False)),
            encode_special=lambda text: encoded(tokenizer.encode(text, add_special_tokens=True)),
            encode_batch=encode_batch,
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            decode_stream=lambda asked: streamed(stream_class, tokenizer, asked),
            vocabulary=lambda: _vocabulary(tokenizer),
            own=encodings_of(tokenizer, IDS_AND_MASKS),
        )


def _vocabulary(tokenizer: Any) -> dict[str, int]:
    """Return the tokens of all ids up to the vocabulary's size, and the added ones, whose ids may lie above it."""
    tokens = ((tokenizer.id_to_token(id_), id_) for id_ in range(tokenizer.vocab_size))
    added = {token["content"]: token["id"] for token in tokenizer.added_tokens()}
    return {token: id_ for token, id_ in tokens if token is not None} | added
