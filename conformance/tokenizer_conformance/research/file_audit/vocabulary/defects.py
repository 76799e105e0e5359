"""The kinds of defects of a vocabulary that this package finds."""

from __future__ import annotations

from tokenizer_conformance.research.file_audit.finding import Defect, Severity
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Reason

UNFIT_SHARE = 0.05
"""From which share of the entries for texts on a component is taken to be another one than that of the training."""

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
    "Nothing, where the scores are those of the training; else give the pieces back their scores.",
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
    "Nothing, where the normalizer is that of the training; the entries can be taken out or used otherwise.",
)
UNFIT_NORMALIZER = Defect(
    "normalizer-unfit",
    "A normalizer that keeps many entries from occurring",
    Severity.WARNING,
    "So many entries have characters that the normalizer never gives that it hardly was part of the training.",
    "Compare the normalizer with the one of the training: does it lowercase, strip or compose where that did not?",
)
CUT_APART = Defect(
    "unreachable-by-pre-tokenizer",
    "Entries that the pre-tokenizer cuts apart",
    Severity.NOTE,
    f"Their characters never stand together in one piece. {_UNUSED}",
    "Nothing, where the pre-tokenizer is that of the training; the entries can be taken out or used otherwise.",
)
UNFIT_PRE_TOKENIZER = Defect(
    "pre-tokenizer-unfit",
    "A pre-tokenizer that cuts many entries apart",
    Severity.WARNING,
    "So many entries never stand in one piece that the pre-tokenizer hardly was part of the training.",
    "Compare the pre-tokenizer and its pattern with those of the training.",
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
    "Nothing, where the entries are the 256 bytes; others can be taken out.",
)
EMPTY = Defect(
    "empty-entry",
    "An empty entry",
    Severity.NOTE,
    f"An empty piece never reaches the model. {_UNUSED}",
    "Nothing, where it only fills an id; otherwise take it out.",
)
NOT_MEANT = Defect(
    "reserved-entries",
    "Reserved entries that no text gives",
    Severity.NOTE,
    "Slots that are left free, control tokens, bytes that have a character's entry of their own: no text is meant to "
    "give these.",
    "Nothing. To use a slot in texts, make it an added token.",
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
    "Nothing; without them the file is smaller and gives the same tokens.",
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
    Reason.NOTHING_UNKNOWN: NOT_MEANT,
}
"""What entries for texts are reported as, by the reason that no text gives them. That a piece is there twice is a
finding about ids."""

UNFIT: dict[Reason, tuple[Defect, str]] = {
    Reason.NORMALIZATION: (UNFIT_NORMALIZER, "normalizer"),
    Reason.PRE_TOKENIZATION: (UNFIT_PRE_TOKENIZER, "pre_tokenizer"),
}
"""What is reported in its stead where the share is great, with the component that is to blame."""

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
    "Nothing, where texts in these scripts are not meant; otherwise byte fallback or a larger alphabet.",
)
SAME_TEXT = Defect(
    "entries-of-one-text",
    "Entries that decode to the same text",
    Severity.NOTE,
    "Different texts, or places in a text, give these ids, and decoding makes no difference between them.",
    "Nothing, where this is meant; otherwise correct the decoder, or keep one of the entries.",
)

OF_ENTRIES = tuple(
    dict.fromkeys(
        (
            *BY_REASON.values(),
            *(defect for defect, _ in UNFIT.values()),
            NOT_FOUND,
            DEAD_MERGES,
            REDUNDANT_MERGES,
            SAME_TEXT,
        )
    )
)
"""What is found of entries and merges that no text needs."""
