"""The kinds of defects of a vocabulary that this package finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.finding import Defect, Severity
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Reason

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.document_parts import Path

_UNUSED = "A model has an embedding for each entry; that of one which no text gives is never trained and never used."

MERGE_ORDER = Defect(
    "unreachable-by-merges",
    "Entries that no merges lead to",
    Severity.WARNING,
    f"BPE makes other tokens of the characters of these entries, in every word. {_UNUSED}",
    "Add the merges that lead to them at the ranks of their training, or take the entries out.",
)
SEGMENTATION = Defect(
    "unreachable-by-scores",
    "Pieces that a better segmentation always beats",
    Severity.NOTE,
    f"Other pieces for the same characters have the greater sum of scores, in every word. {_UNUSED} Some are left by "
    "training; among them are pieces whose scores were lowered on purpose (a comma after digits, in ALBERT and XLNet).",
    "Give the pieces the scores of the training, if they were changed since; else the entries can be used otherwise.",
)
LONGEST_MATCH = Defect(
    "unreachable-by-longest-match",
    "Pieces that are never the longest match",
    Severity.WARNING,
    f"After every piece that could come before them, a longer one matches. {_UNUSED}",
    "Take these pieces out, or those that stand before them.",
)
WORD_LENGTH = Defect(
    "unreachable-by-word-length",
    "Entries longer than the longest word",
    Severity.WARNING,
    f"Words of more than max_input_chars_per_word characters are unknown as a whole. {_UNUSED}",
    "Raise max_input_chars_per_word, or take the entries out.",
)
NORMALIZED_AWAY = Defect(
    "unreachable-by-normalizer",
    "Entries that the normalizer keeps from occurring",
    Severity.NOTE,
    f"Their characters never come out of the normalizer, or never beside each other. {_UNUSED}",
    "Compare the normalizer with the one of the training; if they are the same, the entries can be used otherwise.",
)
CUT_APART = Defect(
    "unreachable-by-pre-tokenizer",
    "Entries that the pre-tokenizer cuts apart",
    Severity.NOTE,
    f"Their characters never stand together in one piece. {_UNUSED}",
    "Compare the pre-tokenizer with the one of the training; if they are the same, the entries can be used otherwise.",
)
SHADOWED = Defect(
    "unreachable-by-added-token",
    "Entries that an added token shadows",
    Severity.NOTE,
    f"An added token is cut out of each text before the model sees it, also within these entries. {_UNUSED}",
    "If this is not meant, make the added token match single words only (single_word), or take it out.",
)
IMPOSSIBLE_BYTES = Defect(
    "unreachable-bytes",
    "Entries with bytes that no text has",
    Severity.NOTE,
    f"These bytes are not part of any UTF-8 text, or no text needs them. {_UNUSED}",
    "Use the entries otherwise: no text needs them.",
)
EMPTY = Defect(
    "empty-entry",
    "An empty entry",
    Severity.NOTE,
    f"An empty piece never reaches the model. {_UNUSED}",
    "Take it out, unless it fills an id.",
)
FREE = Defect(
    "reserved-entries",
    "Slots that are left free",
    Severity.NOTE,
    "The model has an embedding for each, which no text uses.",
    "To use a slot, give its name to an added token: the model then needs no new embedding.",
)
NOT_FOUND = Defect(
    "entries-not-found",
    "Entries for which no text was found",
    Severity.NOTE,
    "Nothing proves that no text gives them, and none was found that does.",
    "Look at them one by one, if they matter.",
)
DEAD_MERGES = Defect(
    "dead-merges",
    "Merges that are never applied",
    Severity.WARNING,
    "In every word, other merges come before them and take their parts, and nothing else leads to their result either.",
    "Restore the order of the merges of the training, or take these out.",
)
REDUNDANT_MERGES = Defect(
    "redundant-merges",
    "Merges whose result always comes of another merge",
    Severity.NOTE,
    "BPE reaches each token by one last merge at most. Converters from SentencePiece list every pair of entries that "
    "makes a third, and most of these never apply.",
    "Leave them out, if the file is to be smaller: without them it gives the same tokens.",
)

BY_REASON: dict[Reason, Defect] = {
    Reason.EMPTY: EMPTY,
    Reason.BYTES: IMPOSSIBLE_BYTES,
    Reason.MERGE_ORDER: MERGE_ORDER,
    Reason.SEGMENTATION: SEGMENTATION,
    Reason.LONGEST_MATCH: LONGEST_MATCH,
    Reason.WORD_LENGTH: WORD_LENGTH,
    Reason.NORMALIZATION: NORMALIZED_AWAY,
    Reason.PRE_TOKENIZATION: CUT_APART,
    Reason.ADDED_TOKEN: SHADOWED,
}
"""What entries for texts are reported as, by the reason that no text gives them. That a piece is there twice is a
finding about ids."""

HOLDERS: dict[Defect, Path] = {WORD_LENGTH: ("model", "max_input_chars_per_word")}
"""What is to blame where many entries are concerned, if it is not the vocabulary."""

MISSING_BYTES = Defect(
    "bytes-missing",
    "Bytes without an entry",
    Severity.ERROR,
    "A byte-level vocabulary has an entry for each byte, so that it can encode every text. Without an unknown token, a "
    "byte that has none is dropped without a word, and the text is not that which is decoded.",
    "Add an entry for each of the 256 bytes.",
)
COVERAGE = Defect(
    "characters-unknown",
    "Characters that become the unknown token",
    Severity.NOTE,
    "What becomes unknown is lost to the model, and cannot be decoded again.",
    "Where texts in these scripts are meant: train with a larger alphabet, or with byte_fallback.",
)
SAME_TEXT = Defect(
    "entries-of-one-text",
    "Entries that decode to the same text",
    Severity.NOTE,
    "Different texts, or places in a text, give these ids, and decoding makes no difference between them.",
    "Compare the decoder with the one of the training; if they are the same, the entries can be used otherwise.",
)

OF_ENTRIES = tuple(
    dict.fromkeys(
        (
            *BY_REASON.values(),
            FREE,
            NOT_FOUND,
            DEAD_MERGES,
            REDUNDANT_MERGES,
            SAME_TEXT,
        )
    )
)
"""What is found of entries and merges that no text needs."""
