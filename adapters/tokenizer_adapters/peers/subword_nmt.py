"""The adapter of ``subword-nmt``, the first implementation of byte-pair encoding for text.

It splits at spaces, marks the ends of words with ``</w>`` and gives pieces of text: a BPE with that suffix and a
``WhitespaceSplit`` pre-tokenizer says the same, and its vocabulary gives the ids. There is no way back from ids.
"""

from __future__ import annotations

import importlib
import io
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage
from tokenizer_adapters.peers.byte_level import merge_pairs
from tokenizer_adapters.peers.files import UnfitTokenizerError, document_of, model_kind
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation

if TYPE_CHECKING:
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

END_OF_WORD = "</w>"
NO_DECODING = "gives pieces of text and reads no ids"
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
        vocab: dict[str, int] = model["vocab"]
        pairs = merge_pairs(model["merges"])
        codes = "\n".join(["#version: 0.2", *(f"{left} {right}" for left, right in pairs)])
        bpe = module.BPE(io.StringIO(codes), separator=SEPARATOR)

        def encode(text: str) -> Encoded:
            tokens = [_token(piece) for piece in bpe.segment(text).split(" ") if piece]
            known = [token if token in vocab else model.get("unk_token") for token in tokens]
            return Encoded(ids=tuple(vocab[token] for token in known), tokens=tuple(known))

        return Calls(files=(source.file,), encode=encode, decode=NO_DECODING, decode_special=NO_DECODING)


def _token(piece: str) -> str:
    return piece.removesuffix(SEPARATOR) if piece.endswith(SEPARATOR) else piece + END_OF_WORD


def _check_fit(document: dict[str, Any]) -> None:
    model = document.get("model", {})
    if model_kind(document) != "BPE" or model.get("end_of_word_suffix") != END_OF_WORD:
        raise UnfitTokenizerError(f"it marks the ends of words with {END_OF_WORD}; this model does not")
    if document.get("normalizer") is not None or document.get("pre_tokenizer") != {"type": "WhitespaceSplit"}:
        raise UnfitTokenizerError("it splits at spaces and does no more; this tokenizer does not split so")
