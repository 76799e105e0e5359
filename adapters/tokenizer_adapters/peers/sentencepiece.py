"""The adapter of ``sentencepiece``, which is given the SentencePiece model beside the ``tokenizer.json``.

Ids are those of the model: families that moved theirs (CamemBERT, XLM-RoBERTa) differ in every id. Tokens written in
the text are found only where the model itself defines them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field
from tokenizer_adapters.peers.files import sentencepiece_model
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class SentencePieceImplementation(PeerImplementation):
    """``sentencepiece``, through ``SentencePieceProcessor``; offsets count code points of the text."""

    package = Package(
        name="sentencepiece",
        distribution="sentencepiece",
        module="sentencepiece",
        language="C++",
        home_page="https://github.com/google/sentencepiece",
        fields=IDS_AND_TEXT | {Field.TOKENS, Field.OFFSETS},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the SentencePiece model beside the ``tokenizer.json`` of ``source``."""
        file = sentencepiece_model(source)
        processor = module.SentencePieceProcessor(model_file=file)

        def encode(text: str) -> Encoded:
            mapping = processor.encode(text, return_type="offset_mapping")
            return Encoded(
                ids=tuple(mapping["ids"]),
                tokens=tuple(mapping["pieces"]),
                offsets=tuple((start, end) for start, end in mapping["offsets"]),
            )

        return Calls(
            files=(file,),
            encode=encode,
            decode=text_of(processor.decode),
            vocabulary=lambda: {processor.id_to_piece(id_): id_ for id_ in range(processor.get_piece_size())},
        )
