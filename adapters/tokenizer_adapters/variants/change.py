"""What can be another way in a variant of the reference, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Property(StrEnum):
    """Groups of Unicode properties that a library takes from one table."""

    CATEGORY = "categories"
    """General categories, Alphabetic and White_Space: what regexes, punctuation, accents and digits go by."""
    CASE = "case mappings"
    NORMALIZATION = "decompositions"
    """Decompositions and combining classes."""
    SCRIPT = "scripts"
    GRAPHEME = "grapheme breaks"


@dataclass(frozen=True, slots=True)
class UnicodeVersion:
    """The ``properties`` are those of Unicode ``version`` (``15.1``), for every component that reads them."""

    version: str
    properties: tuple[Property, ...] = tuple(Property)


class Rule(StrEnum):
    """A rule of the reference that is replaced; the value says by what."""

    # BPE
    MERGE_LEFTMOST = "the leftmost merge comes first, whatever its rank"
    MERGE_RIGHTMOST = "of merges of one rank the rightmost comes first"
    MERGE_ALL_OCCURRENCES = "a merge is applied to all its occurrences before the next one has its turn"
    MERGE_BY_TOKEN_ID = "the merge whose token has the lowest id comes first"  # noqa: S105 - no secret
    BPE_LONGEST_MATCH = "the longest token of the vocabulary is taken from left to right, without merges"
    BPE_UNKNOWN_WORD = "a word with a character outside the vocabulary is one unknown token"
    BPE_UNKNOWN_BYTES = "a character outside the vocabulary is one unknown token for each of its bytes"
    BPE_PARTIAL_BYTES = "of the bytes of a character those are tokens that the vocabulary has, and the others unknown"
    # WordPiece
    WORD_PIECE_SHORTEST = "the shortest piece is taken from left to right"
    WORD_PIECE_FROM_RIGHT = "the longest piece is taken from right to left"
    WORD_PIECE_UNKNOWN_REST = "what is left of a word where no piece fits is unknown, and not the whole word"
    WORD_PIECE_UNKNOWN_CHARACTER = "a character that no piece covers is unknown, and not the whole word"
    WORD_PIECE_BYTES = "max_input_chars_per_word counts bytes of UTF-8"
    # Unigram
    UNIGRAM_LONGEST_MATCH = "the longest piece is taken from left to right, whatever the scores"
    UNIGRAM_LAST_TIE = "of sums that are equal the last one counts"
    UNIGRAM_SINGLE_PRECISION = "scores and their sums have single precision"
    UNIGRAM_HALF_PRECISION = "scores have half precision"
    UNIGRAM_UNKNOWN_FREE = "an unknown character scores 0"
    UNIGRAM_UNKNOWN_LOWEST = "an unknown character scores the lowest score"
    UNIGRAM_UNKNOWN_FAR = "an unknown character scores 100 less than the lowest score"
    UNIGRAM_UNKNOWN_SEPARATE = "unknown characters in a row are unknown tokens of their own"
    UNIGRAM_UNKNOWN_NAMED = "an unknown token has the name of the unknown token, and not its text"
    # Case
    CASE_FOLDING = "characters are case-folded, and not lowercased"
    SIMPLE_CASE_FOLDING = "characters are case-folded one to one, and not lowercased"
    SIMPLE_LOWERCASE = "characters are lowercased one to one"
    ASCII_LOWERCASE = "only ASCII is lowercased"
    TURKISH_LOWERCASE = "I is lowercased to ı, and İ to i"
    FINAL_SIGMA = "a sigma at the end of a word is lowercased to its final form"
    # Normal forms and accents
    NFD_UNORDERED = "marks are not put in canonical order"
    NO_HANGUL = "Hangul syllables are neither decomposed nor composed"
    NORMALIZED_ALONE = "each character is normalized for itself"
    ACCENTS_AFTER_CASE = "accents are stripped after lowercasing"
    COMPOSED_ACCENTS_ONLY = "only accents of composed characters are stripped"
    # Classes of characters
    NONSPACING_ACCENTS = "StripAccents removes nonspacing marks only"
    CHINESE_OF_BERT = "Chinese characters are those of BERT's own list"
    CHINESE_IN_BASIC_PLANE = "Chinese characters are those below U+10000"
    BYTE_ORDER_MARK_SPACE = "U+FEFF is white space"
    NEXT_LINE_NO_SPACE = "U+0085 is no white space"
    PYTHON_SPACE = "white space is that of Python: U+001C to U+001F are"
    UNASSIGNED_REMOVED = "clean_text removes unassigned characters, too"
    # Graphemes
    CHARSMAP_CHARACTERS = "the character map is applied to characters, and not to grapheme clusters"
    CHARSMAP_LONGEST = "of the keys that the text goes on with the longest is replaced, whatever the clusters"
    CHARSMAP_LONG_CLUSTERS = "grapheme clusters of any length are looked up as a whole"
    CHARSMAP_WHOLE_CLUSTERS = "a grapheme cluster is replaced as a whole only where all of it is a key"
    CHARSMAP_CLUSTERS_ONLY = "a grapheme cluster that is no key stays as it is"
    # Bytes that are not UTF-8
    REPLACED_BYTES = "each byte that is not UTF-8 becomes one U+FFFD"
    REPLACED_PARTS = "each ill-formed sequence becomes one U+FFFD"
    REPLACED_RUNS = "all bytes in a row that are not UTF-8 become one U+FFFD"
    DROPPED_BYTES = "bytes that are not UTF-8 are left out"
    DECODED_TOKENS = "the bytes of each token are decoded for themselves"


@dataclass(frozen=True, slots=True)
class GivenCuts:
    """The Unigram model cuts each of these words as given: a word, and where it is cut, in code points.

    The beginning and the end of the word are among the cuts.
    """

    cuts: tuple[tuple[str, tuple[int, ...]], ...]


Change = UnicodeVersion | Rule | GivenCuts
