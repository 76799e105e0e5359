"""A tokenizer that is compared: what cuts texts, its unknown token, and what it ignores, by experiment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Failed, Unsupported
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.research.cuts.regions import PlacedText, placed
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter


NO_OFFSETS = "NoOffsets"
"""The kind of failure of a text whose tokens have no place in it."""


@dataclass(frozen=True, slots=True)
class Trait:
    """Something that a tokenizer may ignore: both texts of each of ``pairs`` then have the same tokens."""

    name: str
    pairs: tuple[tuple[str, str], ...]


CASE = Trait("case", (("Hello World", "hello world"), ("ABC", "abc"), ("The End", "the end")))
ACCENTS = Trait("accents", (("café", "cafe"), ("résumé", "resume"), ("über", "uber")))
COMPATIBILITY = Trait("compatibility forms", (("ﬁne", "fine"), ("１２", "12"), ("ｏｋ", "ok")))
WHITE_SPACE = Trait("how much white space", (("a  b", "a b"), ("a\tb", "a b"), ("a \n b", "a b")))
BEGINNING = Trait("the beginning of the text", ((" word", "word"), (" a", "a")))

TRAITS = (CASE, ACCENTS, COMPATIBILITY, WHITE_SPACE, BEGINNING)
"""What every tokenizer is tried for, with the texts that show it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a tokenizer: the id of its unknown token, if it has one, and the names of ``ignored`` traits."""

    unknown: int | None = None
    ignored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CuttingTokenizer:
    """A tokenizer at work, called ``name`` in reports, of a ``file``."""

    name: str
    segmenter: Segmenter
    facts: Facts
    file: str = ""

    def cut(self, texts: Sequence[str]) -> list[PlacedText | WithoutValue]:
        """Return ``texts`` as the tokenizer cuts them, or what came in place of that; no offsets are a failure."""
        return [self._placed(each) if isinstance(each, Segmented) else each for each in self.segmenter.segment(texts)]

    def _placed(self, segmented: Segmented) -> PlacedText | Failed:
        return placed(segmented, self.facts.unknown) or Failed(
            NO_OFFSETS, f"{self.segmenter.asked.info.name} shows no offsets of tokens"
        )


def side_of(tokenizer: TokenizerFile, segmenter: Segmenter) -> CuttingTokenizer:
    """Return ``tokenizer`` as ``segmenter`` has loaded it, once it was tried for every trait."""
    unknown = unknown_id(document_in(tokenizer.source.file), segmenter)
    ignored = frozenset(trait.name for trait in TRAITS if _ignores(segmenter, trait, unknown))
    return CuttingTokenizer(tokenizer.source.name, segmenter, Facts(unknown, ignored), tokenizer.source.file)


def document_in(file: str) -> Json:
    """Return the document in ``file``."""
    document = json.loads(Path(file).read_bytes())
    return document if isinstance(document, dict) else {}


def _ignores(segmenter: Segmenter, trait: Trait, unknown: int | None) -> bool:
    """Return whether both texts of every pair have the same tokens, none of them unknown: these would be alike, too."""
    texts = [text for pair in trait.pairs for text in pair]
    ids = [each.ids if isinstance(each, Segmented) else () for each in segmenter.segment(texts)]
    return all(ids) and not any(unknown in each for each in ids) and ids[::2] == ids[1::2]


def unknown_id(document: Json, segmenter: Segmenter) -> int | None:
    """Return the id of the unknown token that a file names: ``unk_id`` of Unigram, ``unk_token`` of all others."""
    model = DocumentParts(document).model
    number, token = model.get("unk_id"), model.get("unk_token")
    if isinstance(number, int) or not isinstance(token, str):
        return number if isinstance(number, int) else None
    vocabulary = segmenter.asked.vocabulary()
    return None if isinstance(vocabulary, Unsupported) else vocabulary.get(token)
