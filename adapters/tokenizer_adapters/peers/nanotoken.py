"""The adapter of ``nanotoken``, which reads the ``tokenizer.json`` of WordPiece models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class NanotokenImplementation(PeerImplementation):
    """``nanotoken``, through ``nanotoken.Tokenizer``."""

    package = Package(
        name="nanotoken",
        distribution="nanotoken",
        module="nanotoken",
        language="Rust",
        home_page="https://github.com/alexlilburn/nanotoken",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``, and nothing beside it."""
        tokenizer = module.Tokenizer.from_json(Path(source.file).read_text(encoding="utf-8"))
        return Calls(
            files=(source.file,),
            encode=ids_only(lambda text: tokenizer.encode(text, add_special_tokens=False)),
            encode_special=ids_only(lambda text: tokenizer.encode(text, add_special_tokens=True)),
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            vocabulary=lambda: dict(tokenizer.get_vocab(with_added_tokens=True)),
        )
