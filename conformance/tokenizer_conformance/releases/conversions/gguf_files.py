"""What a GGUF file says, put into a tokenizer.json; where it says nothing, what llama.cpp does then counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.settings import settings_of
from tokenizer_conformance.releases.conversions import steps
from tokenizer_conformance.releases.conversions.steps import Kind, Side, put_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.overlay import Overlay

FIRST = (steps.put_added_tokens, steps.put_flags)

KINDS: Mapping[str, Kind] = {
    "gpt2": Kind(
        type="BPE",
        steps=(
            *FIRST,
            steps.put_no_normalizer,
            steps.put_pre_tokenizer,
            steps.put_vocabulary,
            steps.put_merges,
            steps.put_ignoring_merges,
            steps.put_special_tokens,
        ),
    ),
    "llama": Kind(
        type="BPE",
        steps=(
            *FIRST,
            steps.put_space_before,
            steps.put_vocabulary,
            steps.put_merges_by_score,
            steps.put_byte_tokens,
            steps.put_special_tokens,
        ),
    ),
    "bert": Kind(
        type="WordPiece",
        spelled=steps.wordpiece,
        steps=(
            *FIRST,
            steps.put_bert_normalizer,
            steps.put_vocabulary,
            steps.put_unknown_word,
            steps.put_special_tokens,
        ),
    ),
    "t5": Kind(
        type="Unigram",
        steps=(
            *FIRST,
            steps.put_charsmap,
            steps.put_space_before,
            steps.put_extra_spaces,
            steps.put_vocabulary,
            steps.put_byte_tokens,
            steps.put_special_tokens,
        ),
    ),
}
"""What each kind of tokenizer says."""


def overlay_of(document: Json, configuration: Json, vocabulary: GgufVocabulary) -> Overlay:
    """Return ``document`` with what ``vocabulary`` says.

    ``configuration`` is the tokenizer_config.json beside it, empty where there is none. Raises
    :class:`ConversionError`, and :class:`tokenizer_adapters.gguf.metadata.GgufError` for a kind of tokenizer that is
    not known.
    """
    settings = settings_of(vocabulary)
    return put_in(Side(document, configuration, vocabulary, settings, KINDS[vocabulary.model]))
