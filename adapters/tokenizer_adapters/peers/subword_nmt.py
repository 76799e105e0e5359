"""The adapter of ``subword-nmt``, the first implementation of byte-pair encoding for text.

It splits at spaces, marks the ends of words with ``</w>`` and gives pieces of text: a BPE with that suffix and a
``WhitespaceSplit`` pre-tokenizer says the same, and its vocabulary gives the ids. Added tokens are its glossaries.
There is no way back from ids: its documentation joins pieces of text by a replacement (``sed``).
"""

from __future__ import annotations

import importlib
import io
import re
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage, Unsupported
from tokenizer_adapters.documents import model_kind, token_ids
from tokenizer_adapters.peers.byte_level import merge_pairs
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import NO_SPECIAL_TOKENS, Calls, Package, PeerImplementation
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

END_OF_WORD = "</w>"
NO_DECODING = "gives pieces of text and reads no ids"
UNSAYABLE = ("dropout", "continuing_subword_prefix", "fuse_unk", "byte_fallback", "ignore_merges")
"""Settings of a BPE model that it has no word for; its own dropout is for training data."""

SEPARATOR = "\ufdd0"
"""Put after every piece but a word's last; a noncharacter, so that no text has it."""


class SubwordNmtImplementation(PeerImplementation):
    """``subword-nmt``, through ``apply_bpe.BPE``."""

    package = Package(
        name="subword-nmt",
        distribution="subword-nmt",
        module="subword_nmt",
        language="Python",
        home_page="https://github.com/rsennrich/subword-nmt",
        stages=frozenset({Stage.MODEL}),
        fields=frozenset({Field.IDS, Field.TOKENS}),
    )

    def module(self) -> ModuleType:
        """Import and return the part that applies a BPE."""
        return importlib.import_module("subword_nmt.apply_bpe")

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Write the merges of ``source`` as codes."""
        document = document_of(source)
        _check_fit(document)
        model = document["model"]
        vocab = token_ids(document)
        added = [token["content"] for token in document.get("added_tokens") or []]
        pairs = merge_pairs(model["merges"])
        codes = "\n".join(["#version: 0.2", *(f"{left} {right}" for left, right in pairs)])
        bpe = module.BPE(io.StringIO(codes), separator=SEPARATOR, glossaries=[re.escape(token) for token in added])

        def encoded(pieces: list[str]) -> Encoded:
            named = [token if token in vocab else model.get("unk_token") for token in _tokens(pieces, added)]
            tokens = tuple(token for token in named if token is not None)
            return Encoded(ids=tuple(vocab[token] for token in tokens), tokens=tokens)

        def encode_words(words: list[str], add_special_tokens: bool) -> Encoded | Unsupported:
            if add_special_tokens:
                return Unsupported(f"{self.package.name} {NO_SPECIAL_TOKENS}")
            if any(word.split() != [word] for word in words):
                return Unsupported(f"{self.package.name} takes words without white space")
            return encoded(bpe.segment_tokens(words))

        return Calls(
            files=(source.file,),
            encode=lambda text: encoded([piece for piece in bpe.segment(text).split(" ") if piece]),
            encode_words=encode_words,
            decode=NO_DECODING,
            decode_special=NO_DECODING,
            own=OwnCalls(OwnCall("segment", bpe.segment, frozenset({Field.TOKENS}))),
        )


def _tokens(pieces: list[str], added: list[str]) -> list[str]:
    """Return the tokens of a text's ``pieces``. A word ends where no separator follows, and before one of ``added``."""
    bare = [piece.removesuffix(SEPARATOR) for piece in pieces]
    following = [*bare[1:], ""]
    return [
        token + END_OF_WORD if token not in added and (not piece.endswith(SEPARATOR) or after in added) else token
        for token, piece, after in zip(bare, pieces, following, strict=False)
    ]


def _check_fit(document: dict[str, Any]) -> None:
    model = document.get("model", {})
    if model_kind(document) != "BPE" or model.get("end_of_word_suffix") != END_OF_WORD:
        raise UnfitTokenizerError(f"it marks the ends of words with {END_OF_WORD}; this model does not")
    if document.get("normalizer") is not None or document.get("pre_tokenizer") != {"type": "WhitespaceSplit"}:
        raise UnfitTokenizerError("it splits at spaces and does no more; this tokenizer does not split so")
    setting = next((name for name in UNSAYABLE if model.get(name)), None)
    if setting is not None:
        raise UnfitTokenizerError(f"it has nothing like this model's {setting}")
