"""The adapter of ``splintr-rs``, which reads ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


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
        return Calls(
            files=(source.file,),
            encode=ids_only(tokenizer.encode_raw),
            encode_special=ids_only(tokenizer.encode_with_special),
            decode=text_of(tokenizer.decode),
            decode_special=text_of(tokenizer.decode_with_special),
        )
