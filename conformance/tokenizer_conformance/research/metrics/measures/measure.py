"""A measure: what it is in words, of what it is computed, and what computes it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

S = TypeVar("S")

Better = Literal["higher", "lower", "none"]


class Scope(Enum):
    """What a measure is computed of."""

    TEXTS = "a tokenizer on texts"
    IDS = "the tokens of a tokenizer on texts"
    BASE = "a tokenizer and a base tokenizer on the same texts"
    REFERENCE_LANGUAGE = "a tokenizer on texts of a language and on the same texts in a reference language"
    LANGUAGES = "a tokenizer on the same texts in several languages"
    PAIR = "two tokenizers on the same texts"
    MORPHEMES = "a tokenizer on words with their morphemes"
    VOCABULARY = "the file of a tokenizer"
    VOCABULARIES = "the files of two tokenizers"


class Needs(Enum):
    """What has to be known of texts beside the ids of their tokens."""

    SPANS = "the characters that tokens stand for"
    WORDS = "words"
    DECODED = "the tokens, decoded"
    VOCABULARY = "the tokenizer's file"
    PARALLEL = "parallel texts"
    MORPHEMES = "words with their morphemes"


@dataclass(frozen=True, slots=True)
class Measure(Generic[S]):
    r"""A measure.

    Arguments:
        id: Its name on the command line and in records.
        title: Its name in tables.
        definition: One sentence or two that say what is divided by what.
        formula: The same in symbols; the page of measures says what they stand for.
        unit: The unit of the value; ``1`` for shares and ratios.
        better: Whether a higher value is what one wants, if all else is equal; "none" if neither is.
        source: Who defined it, or where it is commonly used.
        limits: What it cannot say.
        scope: What it is computed of; the argument of ``compute`` is the subject that :mod:`.subjects` has for it.
        compute: What computes it; ``None`` where it has no value, such as a ratio to nothing.
        needs: What has to be known beside the ids.
        has_interval: Whether resampling texts says how sure the value is.

    """

    id: str
    title: str
    definition: str
    formula: str
    unit: str
    better: Better
    source: str
    limits: str
    scope: Scope
    compute: Callable[[S], float | None]
    needs: frozenset[Needs] = frozenset()
    has_interval: bool = True


def ratio(numerator: float, denominator: float) -> float | None:
    """Return ``numerator / denominator``, ``None`` if that is a division by zero."""
    return numerator / denominator if denominator else None
