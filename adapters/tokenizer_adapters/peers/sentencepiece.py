"""The adapter of ``sentencepiece``, which is given the SentencePiece model beside the ``tokenizer.json``.

Ids are put back to those of the ``tokenizer.json``, piece by piece. Tokens written in the text are found only where the
model itself defines them. Its normalizer is asked for what it makes of characters alone: what it makes of white space
(a space before the text, runs of spaces, U+2581 for a space) is the pre-tokenizer's work in a ``tokenizer.json``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage, Text
from tokenizer_adapters.documents import special_ids
from tokenizer_adapters.peers.files import document_of, sentencepiece_model
from tokenizer_adapters.peers.model_files import OTHER_TEMPLATE, PieceIds, asked_ends, ends_of, piece_ids, shown_tokens
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.peers.model_files import Shown

CONTROL_IS_EMPTY = "decodes control symbols into nothing, whatever it is asked"


class SentencePieceImplementation(PeerImplementation):
    """``sentencepiece``, through ``SentencePieceProcessor``; offsets count code points of the text."""

    package = Package(
        name="sentencepiece",
        distribution="sentencepiece",
        module="sentencepiece",
        language="C++",
        home_page="https://github.com/google/sentencepiece",
        stages=frozenset({Stage.NORMALIZE, Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | {Field.TOKENS, Field.OFFSETS},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the SentencePiece model beside the ``tokenizer.json`` of ``source``."""
        file = sentencepiece_model(source)
        document = document_of(source)
        processor = module.SentencePieceProcessor(model_file=file)
        normalizer = module.SentencePieceNormalizer(
            model_file=file, add_dummy_prefix=False, escape_whitespaces=False, remove_extra_whitespaces=False
        )
        pieces = [processor.id_to_piece(id_) for id_ in range(processor.get_piece_size())]
        ids = piece_ids(document, pieces, processor.unk_id())
        shown = shown_tokens(pieces, processor.unk_id(), document)

        def encode(text: str) -> Encoded:
            mapping = processor.encode(text, return_type="offset_mapping")
            return Encoded(
                ids=ids.of_file(mapping["ids"]),
                tokens=shown(mapping["ids"], mapping["pieces"]),
                offsets=tuple((start, end) for start, end in mapping["offsets"]),
            )

        return Calls(
            files=(file,),
            encode=encode,
            encode_special=_special(processor, ids, document, shown),
            decode=ids.decoded(self.package.name, processor.decode, special_ids(document)),
            decode_special=CONTROL_IS_EMPTY,
            normalize=lambda text: Text(normalizer.normalize(text)),
            vocabulary=lambda: dict(zip(pieces, ids.ids, strict=True)),
            own=OwnCalls(OwnCall("encode", processor.encode), OwnCall("encode", processor.encode)),
        )


def _special(processor: Any, ids: PieceIds, document: dict[str, Any], shown: Shown) -> Callable[[str], Encoded] | str:
    """Return how ``processor`` encodes with the special tokens of ``document``, or why it cannot."""
    bos, eos = (None if id_ < 0 else ids.ids[id_] for id_ in (processor.bos_id(), processor.eos_id()))
    asked = asked_ends(ends_of(document), bos, eos)
    if asked is None:
        return OTHER_TEMPLATE
    add_bos, add_eos = asked

    def encode_special(text: str) -> Encoded:  # its offsets come without bos and eos only
        found = processor.encode(text, add_bos=add_bos, add_eos=add_eos)
        pieces = processor.encode(text, return_type=str, add_bos=add_bos, add_eos=add_eos)
        return Encoded(ids=ids.of_file(found), tokens=shown(found, pieces))

    return encode_special
