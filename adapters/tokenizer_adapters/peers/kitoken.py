"""The adapter of ``kitoken``, which reads ``tokenizer.json`` into a definition of its own.

It adds no special tokens: the templates of a file are read into its definition, and the caller is to apply them. Those
written in the text are found, as ``tokenizers`` finds them (observed, kitoken 0.11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of_bytes

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class KitokenImplementation(PeerImplementation):
    """``kitoken``, through ``Kitoken.from_tokenizers_file``."""

    package = Package(
        name="kitoken",
        distribution="kitoken",
        module="kitoken",
        language="Rust",
        home_page="https://kitoken.dev",
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``."""
        tokenizer = module.Kitoken.from_tokenizers_file(source.file)
        return Calls(
            files=(source.file,),
            encode=ids_only(lambda text: tokenizer.encode(text, encode_specials=True)),
            decode=text_of_bytes(lambda ids: tokenizer.decode(ids, decode_specials=False)),
            decode_special=text_of_bytes(lambda ids: tokenizer.decode(ids, decode_specials=True)),
        )
