"""The adapter of ``gigatoken``, which reads the ``tokenizer.json`` of BPE models.

It is asked through its compatibility with ``transformers`` (``as_hf``), which takes special tokens, leaves them out of
texts and knows templates; its own interface encodes files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

OTHER_TEMPLATE = "adds the special tokens of TemplateProcessing alone"


class Gigatoken(PeerImplementation):
    """``gigatoken``, through ``Tokenizer(...).as_hf()``."""

    package = Package(
        name="gigatoken",
        distribution="gigatoken",
        module="gigatoken",
        language="Rust",
        home_page="https://github.com/marcelroed/gigatoken",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | {Field.TOKENS},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.Tokenizer(source.file).as_hf()

        def encode(text: str, special: bool) -> Encoded:
            return encoded(tokenizer.encode(text, add_special_tokens=special))

        def encoded(ids: list[int]) -> Encoded:
            return Encoded(ids=tuple(ids), tokens=tuple(tokenizer.convert_ids_to_tokens(list(ids))))

        def encode_batch(texts: list[str], special: bool) -> list[Encoded]:
            return list(map(encoded, tokenizer(texts, add_special_tokens=special)["input_ids"]))

        template = knows_template(tokenizer)
        return Calls(
            files=(source.file,),
            encode=lambda text: encode(text, special=False),
            encode_special=(lambda text: encode(text, special=True)) if template else OTHER_TEMPLATE,
            encode_batch=encode_batch if template else OTHER_TEMPLATE,
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            vocabulary=tokenizer.get_vocab,
            own=OwnCalls(
                OwnCall("encode", lambda text: tokenizer.encode(text, add_special_tokens=False)),
                OwnCall("tokenizer(texts)", lambda texts: tokenizer(texts, add_special_tokens=False)["input_ids"]),
            ),
        )


def knows_template(tokenizer: Any) -> bool:
    """Return whether ``tokenizer`` adds special tokens; it says that it cannot when it is asked to."""
    try:
        tokenizer.encode("")
    except ValueError:
        return False
    return True
