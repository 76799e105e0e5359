"""What a SentencePiece model says, put into a tokenizer.json.

It says nothing of special tokens around a text, of flags of added tokens, or of templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.formats import ModelType
from tokenizer_adapters.gguf.settings import Settings
from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
from tokenizer_conformance.releases.conversions import steps
from tokenizer_conformance.releases.conversions.overlay import ConversionError
from tokenizer_conformance.releases.conversions.steps import Kind, Side, put_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.formats import SentencePieceModel
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.overlay import Overlay

KINDS: Mapping[ModelType, Kind] = {
    ModelType.UNIGRAM: Kind(
        type="Unigram",
        steps=(
            steps.put_pieces_of_added_tokens,
            steps.put_charsmap,
            steps.put_space_before,
            steps.put_extra_spaces,
            steps.put_vocabulary,
            steps.put_byte_tokens,
        ),
    ),
    ModelType.BPE: Kind(
        type="BPE",
        steps=(
            steps.put_pieces_of_added_tokens,
            steps.put_charsmap,
            steps.put_space_before,
            steps.put_vocabulary,
            steps.put_merges_by_score,
            steps.put_byte_tokens,
        ),
    ),
}
"""What a model of either type says; character and word models are not converted to a tokenizer.json."""


def vocabulary_of(model: SentencePieceModel) -> GgufVocabulary:
    """Return what ``model`` says, in the words of a GGUF file."""
    return GgufVocabulary(
        model=model.trainer_spec.model_type.name.lower(),
        tokens=tuple(each.piece for each in model.pieces),
        types=tuple(int(each.type) for each in model.pieces),
        scores=tuple(each.score for each in model.pieces),
        charsmap=model.normalizer_spec.precompiled_charsmap or None,
    )


def overlay_of(document: Json, configuration: Json, model: SentencePieceModel) -> Overlay:
    """Return ``document`` with what ``model`` says. Raises :class:`ConversionError`."""
    type_, spec = model.trainer_spec.model_type, model.normalizer_spec
    if type_ not in KINDS:
        raise ConversionError(f"it is a {type_.name.lower()} model, which no tokenizer.json is a conversion of")
    settings = Settings(
        unknown=model.unk_id,
        add_space_prefix=spec.add_dummy_prefix,
        remove_extra_whitespaces=spec.remove_extra_whitespaces,
    )
    made = put_in(Side(document, configuration, vocabulary_of(model), settings, KINDS[type_]))
    made.unsaid.append(
        "special tokens around a text, and flags of added tokens, of which a SentencePiece model says nothing"
    )
    return made
