"""The adapter of ``curated-tokenizers``, which has a processor for each of three models.

Byte-level BPE is given a vocabulary and merges, everything else the SentencePiece model beside the ``tokenizer.json``
(Unigram or BPE), whose ids are put back piece by piece. Its WordPiece processor encodes words that its caller has
normalized and split (``curated-transformers`` does), so there is no whole tokenizer to compare.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls
from tokenizer_adapters.documents import model_kind, special_ids
from tokenizer_adapters.peers.byte_level import check_gpt2_split, merge_pairs
from tokenizer_adapters.peers.files import beside_sentencepiece_model, document_of, sentencepiece_model
from tokenizer_adapters.peers.model_files import piece_ids, shown_tokens
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

CALLER_ADDS = "leaves it to its caller to put special tokens around a text"
CONTROL_IS_EMPTY = "decodes the control symbols of a SentencePiece model into nothing, whatever it is asked"
WORDS_ONLY = (
    "its WordPieceProcessor encodes single words, and leaves normalizing and splitting to its caller "
    "(curated-transformers)"
)


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
            case "WordPiece":
                raise UnfitTokenizerError(WORDS_ONLY)
            case "BPE" if beside_sentencepiece_model(source) is None:
                return _byte_level(module, source, document)
        return _sentencepiece(module, source, document, self.package.name)


def _byte_level(module: Any, source: TokenizerSource, document: dict[str, Any]) -> Calls:
    check_gpt2_split(document)
    model = document["model"]
    bpe = module.ByteBPEProcessor(model["vocab"], merge_pairs(model["merges"]))

    def encode(text: str) -> Encoded:
        ids, pieces = bpe.encode(text)
        return Encoded(ids=tuple(ids), tokens=tuple(pieces))

    return Calls(
        files=(source.file,),
        encode=encode,
        encode_special=CALLER_ADDS,
        decode_special=text_of(bpe.decode_from_ids),
        vocabulary=lambda: dict(bpe.vocab),
        own=OwnCalls(OwnCall("encode_as_ids", bpe.encode_as_ids)),
    )


def _sentencepiece(module: Any, source: TokenizerSource, document: dict[str, Any], name: str) -> Calls:
    file = sentencepiece_model(source)
    processor = module.SentencePieceProcessor.from_protobuf(Path(file).read_bytes())
    pieces = [processor.id_to_piece(id_) for id_ in range(len(processor))]
    unknown = processor.unk_id()
    ids = piece_ids(document, pieces, unknown)
    shown = shown_tokens(pieces, unknown, document)

    def encode(text: str) -> Encoded:
        found, tokens = processor.encode(text)
        return Encoded(ids=ids.of_file(found), tokens=shown(found, tokens))

    return Calls(
        files=(file,),
        encode=encode,
        encode_special=CALLER_ADDS,
        decode=ids.decoded(name, processor.decode_from_ids, special_ids(document)),
        decode_special=CONTROL_IS_EMPTY,
        vocabulary=lambda: dict(zip(pieces, ids.ids, strict=True)),
        own=OwnCalls(OwnCall("encode_as_ids", processor.encode_as_ids)),
    )
