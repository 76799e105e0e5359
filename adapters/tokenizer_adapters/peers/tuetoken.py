"""The adapter of ``tuetoken``, which reads the ``tokenizer.json`` of BPE models.

Its ``AutoTokenizer`` is asked, which knows special tokens and templates; its ``Tokenizer`` takes special tokens in a
text for text. It is given no configuration: with one it adds the tokens that it names in place of a template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class TuetokenImplementation(PeerImplementation):
    """``tuetoken``, through ``tuetoken.AutoTokenizer``."""

    package = Package(
        name="tuetoken",
        distribution="tuetoken",
        module="tuetoken",
        language="Rust",
        home_page="https://github.com/tuetoken-org/tuetoken",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | {Field.TOKENS},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.AutoTokenizer.from_file(source.file)

        def encode(text: str, pair: str | None, special: bool) -> Encoded:
            ids = tokenizer.encode(text, pair, add_special_tokens=special)
            return Encoded(ids=tuple(ids), tokens=tuple(tokenizer.convert_ids_to_tokens(ids)))

        return Calls(
            files=(source.file,),
            encode=lambda text: encode(text, None, special=False),
            encode_special=lambda text: encode(text, None, special=True),
            encode_pair=encode,
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            vocabulary=tokenizer.get_vocab,
            own=OwnCalls(OwnCall("encode", lambda text: tokenizer.encode(text, add_special_tokens=False))),
        )
