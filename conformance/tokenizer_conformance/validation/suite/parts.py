"""The parts of the specification: which areas of the suite stand on which page, in the order of reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from tokenizer_conformance.validation.suite.requirement import Area, Suite

ALL_MEMBERS: tuple[str, ...] = (
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "model",
    "post_processor",
    "decoder",
    "truncation",
    "padding",
)
"""The members of a tokenizer.json, in the order in which they are at work."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page.

    ``areas`` are names of areas; one that ends in a full stop stands for all that begin so. ``members`` are those of
    tokenizer.json that are shown with an example, if the tokenizer has them.
    """

    name: str
    title: str
    areas: tuple[str, ...]
    members: tuple[str, ...]

    def has(self, area: Area) -> bool:
        """Return whether ``area`` stands on this page."""
        return any(area.name.startswith(name) if name.endswith(".") else area.name == name for name in self.areas)


_NORMALIZER = ("added_tokens", "normalizer")
_CUTTING = ("added_tokens", "normalizer", "pre_tokenizer")
_MODEL = (*_CUTTING, "model")
_AROUND = ("added_tokens", "pre_tokenizer", "post_processor", "truncation", "padding")

PARTS: tuple[Part, ...] = (
    Part("added-tokens", "Added tokens", ("added_tokens",), ("added_tokens", "normalizer", "pre_tokenizer")),
    Part(
        "normalizers",
        "Normalizers",
        (
            "normalizers.BertNormalizer",
            "normalizers.Strip",
            "normalizers.StripAccents",
            "normalizers.Lowercase",
            "normalizers.Nmt",
            "normalizers.Replace",
            "normalizers.Prepend",
            "normalizers.ByteLevel",
            "normalizers.Sequence",
        ),
        _NORMALIZER,
    ),
    Part(
        "unicode-normalization",
        "Unicode's normalization forms and SentencePiece's maps",
        (
            "normalizers.NFC",
            "normalizers.NFD",
            "normalizers.NFKC",
            "normalizers.NFKD",
            "normalizers.Precompiled",
        ),
        _NORMALIZER,
    ),
    Part("alignment", "Alignment and offsets", ("NormalizedString", "offsets"), _CUTTING),
    Part(
        "pre-tokenizers",
        "Pre-tokenizers",
        (
            "pre_tokenization",
            "pre_tokenizers.BertPreTokenizer",
            "pre_tokenizers.Whitespace",
            "pre_tokenizers.WhitespaceSplit",
            "pre_tokenizers.Digits",
            "pre_tokenizers.Punctuation",
            "pre_tokenizers.CharDelimiterSplit",
            "pre_tokenizers.Metaspace",
            "pre_tokenizers.ByteLevel",
            "pre_tokenizers.UnicodeScripts",
            "pre_tokenizers.FixedLength",
            "pre_tokenizers.Sequence",
        ),
        _CUTTING,
    ),
    Part("regular-expressions", "Split and regular expressions", ("pre_tokenizers.Split", "Regex"), _CUTTING),
    Part("models", "Models", ("models.",), _MODEL),
    Part("training", "Training", ("trainers",), _MODEL),
    Part("post-processors", "Post-processors", ("processors.",), _AROUND),
    Part("truncation-and-padding", "Truncation and padding", ("truncation", "padding"), _AROUND),
    Part("inputs", "Inputs and encodings", ("pairs", "pre-split", "batches", "encodings"), _AROUND),
    Part("decoders", "Decoders", ("decoding", "decoders.", "decoding.stream"), ("added_tokens", "model", "decoder")),
    Part("files", "Files", ("tokenizer.json", "saving", "vocabulary"), ALL_MEMBERS),
    Part(
        "pipelines",
        "Pipelines",
        ("pipelines.",),
        ("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding"),
    ),
)


def areas_by_part(suite: Suite) -> dict[Part, tuple[Area, ...]]:
    """Return the areas of ``suite`` by their part, without the parts that have none.

    Raises :class:`BadInputError` where an area belongs to no part.
    """
    homeless = [area.name for area in suite.areas if not any(part.has(area) for part in PARTS)]
    if homeless:
        raise BadInputError(f"no part of the specification has the area {homeless[0]!r}; name it in suite/parts.py")
    by_part = {part: tuple(area for area in suite.areas if part.has(area)) for part in PARTS}
    return {part: areas for part, areas in by_part.items() if areas}
