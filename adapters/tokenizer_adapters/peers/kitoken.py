"""The adapter of ``kitoken``, which reads ``tokenizer.json`` into a definition of its own.

It adds no special tokens: the templates of a file are read into its definition "for manual lookup" (its documentation),
and the caller is to apply them. Those written in the text are found, as ``tokenizers`` finds them (observed, kitoken
0.11).

The definition has the vocabulary, each token as its bytes. They are written here as the file writes them: as UTF-8, or
with the characters of byte-level tokens. Tokens such as ``<0x0A>`` are single bytes there, so a vocabulary that has
them cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import OwnCall, OwnCalls
from tokenizer_adapters.documents import is_byte_level
from tokenizer_adapters.peers.byte_level import byte_characters
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import TokenizerSource

NO_TEMPLATES = "reads the templates of a file for its caller to look up, and does not apply them"
BYTE_CHARACTERS = byte_characters()
NO_BYTE_TOKENS = "keeps byte tokens as bytes, not as its vocabulary spells them"


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
            encode_special=NO_TEMPLATES,
            decode=text_of_bytes(lambda ids: tokenizer.decode(ids, decode_specials=False)),
            decode_special=text_of_bytes(lambda ids: tokenizer.decode(ids, decode_specials=True)),
            vocabulary=_vocabulary(tokenizer, document_of(source)),
            own=OwnCalls(
                OwnCall("encode", lambda text: tokenizer.encode(text, encode_specials=True)),
                OwnCall("encode_all", lambda texts: tokenizer.encode_all(texts, encode_specials=True)),
            ),
        )


def _vocabulary(tokenizer: Any, document: dict[str, Any]) -> Callable[[], dict[str, int]] | str:
    """Return the call that lists the vocabulary, or the reason why there is none."""
    if document["model"].get("byte_fallback"):
        return NO_BYTE_TOKENS
    spelling: Callable[[bytes], str] = _byte_level_spelling if is_byte_level(document) else bytes.decode

    def listed() -> dict[str, int]:
        definition = tokenizer.definition()
        (model,) = definition["model"].values()
        tokens = {spelling(bytes(token["bytes"])): token["id"] for token in model["vocab"]}
        return tokens | {bytes(token["bytes"]).decode(): token["id"] for token in definition["specials"]}

    return listed


def _byte_level_spelling(token: bytes) -> str:
    return "".join(BYTE_CHARACTERS[value] for value in token)
