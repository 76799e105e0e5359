"""The adapter of ``morpheme``, which reads ``tokenizer.json``.

It lists no vocabulary; the token of a single id is that of ``id_to_token`` of ``tokenizers``, which has the normalized
form of an added token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage
from tokenizer_adapters.peers.package import (
    ENCODING,
    IDS_AND_TEXT,
    Calls,
    Package,
    PeerImplementation,
    encodings_of,
    text_of,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class MorphemeImplementation(PeerImplementation):
    """``morpheme``, through ``morpheme.Tokenizer``."""

    package = Package(
        name="morpheme",
        distribution="morpheme",
        module="morpheme",
        language="Rust",
        home_page="https://github.com/sourceblender/morpheme",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT
        | {Field.TOKENS, Field.OFFSETS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.Tokenizer.from_file(source.file)

        def encode_batch(texts: list[str], special: bool) -> list[Encoded]:
            return [_encoded(encoding) for encoding in tokenizer.encode_batch(texts, add_special_tokens=special)]

        return Calls(
            files=(source.file,),
            encode=lambda text: _encoded(tokenizer.encode(text, add_special_tokens=False)),
            encode_special=lambda text: _encoded(tokenizer.encode(text, add_special_tokens=True)),
            encode_batch=encode_batch,
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            own=encodings_of(tokenizer, self.package.fields & ENCODING),
        )


def _encoded(encoding: Any) -> Encoded:
    return Encoded(
        ids=tuple(encoding.ids),
        tokens=tuple(encoding.tokens),
        offsets=tuple(encoding.offsets),
        type_ids=tuple(encoding.type_ids),
        attention_mask=tuple(encoding.attention_mask),
        special_tokens_mask=tuple(encoding.special_tokens_mask),
    )
