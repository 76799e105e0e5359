"""Measures of vocabularies, whatever the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope, ratio

if TYPE_CHECKING:
    from tokenizer_conformance.research.metrics.measures.subjects import Vocabularies
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary

VOCABULARY = frozenset({Needs.VOCABULARY})


def jaccard(first: frozenset[bytes], second: frozenset[bytes]) -> float | None:
    """Return the share of the members of either set that both have."""
    return ratio(len(first & second), len(first | second))


def _mean_entry_bytes(vocabulary: Vocabulary) -> float | None:
    return ratio(sum(map(len, vocabulary.bytes_of.values())), len(vocabulary.bytes_of))


_OVERLAP_LIMITS = (
    "It counts entries, whether texts use them or not. A vocabulary of twice the size shares at most half."
)

VOCABULARY_MEASURES: tuple[Measure[Vocabulary], ...] = (
    Measure(
        "vocabulary_size",
        "size of the vocabulary",
        "The number of ids, added tokens included.",
        "|V|",
        "ids",
        "none",
        "Usual.",
        "Models may have more rows than their tokenizer has ids.",
        Scope.VOCABULARY,
        lambda vocabulary: float(vocabulary.size),
        VOCABULARY,
        has_interval=False,
    ),
    Measure(
        "entry_bytes",
        "length of entries in bytes",
        "The number of bytes in UTF-8 of an entry of the vocabulary, on average over entries, added tokens and the "
        "unknown one left out, without the mark or the space before a word.",
        "Σ_v bytes(v) / |{v}|",
        "bytes",
        "none",
        "Usual.",
        "Entries that no text uses count as much as others.",
        Scope.VOCABULARY,
        _mean_entry_bytes,
        VOCABULARY,
        has_interval=False,
    ),
)
"""The measures of a vocabulary."""

OVERLAP_MEASURES: tuple[Measure[Vocabularies], ...] = (
    Measure(
        "vocabulary_overlap",
        "overlap of vocabularies",
        "The Jaccard coefficient of the entries of two vocabularies, added tokens left out, each mapped to its bytes, "
        "with a space before those that begin a word (`Ġthe`, `▁the`, and `the` beside `##the`).",
        "|A ∩ B| / |A ∪ B|",
        "1",
        "none",
        "Jaccard (1912); the mapping is this suite's.",
        _OVERLAP_LIMITS + " A byte-level entry of the first word of a text begins a word without showing it.",
        Scope.VOCABULARIES,
        lambda both: jaccard(both.first.marked, both.second.marked),
        VOCABULARY,
        has_interval=False,
    ),
    Measure(
        "vocabulary_overlap_unmarked",
        "overlap of vocabularies, wherever in words",
        "The Jaccard coefficient of the bytes of the entries of two vocabularies, added tokens left out, whether they "
        "begin a word or go on in it.",
        "|A ∩ B| / |A ∪ B|",
        "1",
        "none",
        "Jaccard (1912); the mapping is this suite's.",
        _OVERLAP_LIMITS,
        Scope.VOCABULARIES,
        lambda both: jaccard(both.first.unmarked, both.second.unmarked),
        VOCABULARY,
        has_interval=False,
    ),
)
"""The measures of two vocabularies."""
