"""The adapter of ``curated-tokenizers``, which has a processor for each of three models.

Byte-level BPE is given a vocabulary and merges, SentencePiece a model file. Its WordPiece processor encodes one word
at a time and leaves normalizing and splitting to others, so there is no tokenizer to compare.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field
from tokenizer_adapters.peers.byte_level import check_gpt2_split, merge_pairs
from tokenizer_adapters.peers.files import UnfitTokenizerError, document_of, model_kind, sentencepiece_model
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import TokenizerSource


class CuratedTokenizersImplementation(PeerImplementation):
    """``curated-tokenizers``, through ``ByteBPEProcessor`` and ``SentencePieceProcessor``."""

    package = Package(
        name="curated-tokenizers",
        distribution="curated-tokenizers",
        module="curated_tokenizers",
        language="C++",
        home_page="https://github.com/explosion/curated-tokenizers",
        fields=IDS_AND_TEXT | {Field.TOKENS},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Give the processor of the model's kind what it reads."""
        document = document_of(source)
        match model_kind(document):
            case "BPE":
                check_gpt2_split(document)
                model = document["model"]
                bpe = module.ByteBPEProcessor(model["vocab"], merge_pairs(model["merges"]))
                return Calls(
                    files=(source.file,),
                    encode=_pieces(bpe.encode),
                    decode_special=text_of(bpe.decode_from_ids),
                    vocabulary=lambda: dict(bpe.vocab),
                )
            case "WordPiece":
                raise UnfitTokenizerError(
                    "its WordPieceProcessor encodes single words; it has no normalizer and no pre-tokenizer"
                )
        file = sentencepiece_model(source)
        processor = module.SentencePieceProcessor.from_protobuf(Path(file).read_bytes())
        return Calls(
            files=(file,),
            encode=_pieces(processor.encode),
            decode=text_of(processor.decode_from_ids),
            vocabulary=lambda: {processor.id_to_piece(id_): id_ for id_ in range(len(processor))},
        )


def _pieces(encode: Callable[[str], tuple[list[int], list[str]]]) -> Callable[[str], Encoded]:
    def call(text: str) -> Encoded:
        ids, pieces = encode(text)
        return Encoded(ids=tuple(ids), tokens=tuple(pieces))

    return call
