"""Cases of aligned texts and normalizers."""

from __future__ import annotations

from typing import Any

from quirk_cases.asking import loaded, tokens_of, whole_pieces
from quirk_cases.case import Aborts, Case, Panics, Refuses, Shows
from tokenizer_reference.errors import TokenizerFileError


def _insertion(package: Any, *others: Any) -> Any:
    """Return a normalizer that inserts A before the text, and then does what ``others`` do."""
    return package.normalizers.Sequence([package.normalizers.Replace(package.Regex("^"), "A"), *others])


def _changed(package: Any, text: str, *changes: tuple[str, Any]) -> str:
    """Return what a NormalizedString becomes by calls of its methods."""
    normalized = package.NormalizedString(text)
    for name, *arguments in changes:
        getattr(normalized, name)(*arguments)
    return str(normalized)


def _cut_at_nothing(package: Any, text: str) -> list[str]:
    return [str(piece) for piece in package.NormalizedString(text).split("", "isolated")]


def _offsets_of_normalized_split(package: Any) -> object:
    text = package.PreTokenizedString("éa")
    text.normalize(lambda normalized: normalized.replace("é", "ab"))
    return text.get_splits("normalized", "char")


class _LowersAndFails:
    def normalize(self, normalized: Any) -> None:
        normalized.lowercase()
        raise ValueError("no more")


class _SplitsAtNothing:
    def normalize(self, normalized: Any) -> None:
        normalized.split("", "isolated")


def _custom(package: Any, component: Any) -> Any:
    return package.normalizers.Normalizer.custom(component())


def _bert(package: Any, text: str, **options: Any) -> str:
    return package.normalizers.BertNormalizer(**options).normalize_str(text)


ALIGNED_TEXT: dict[str, Case] = {
    "INSERTION-AT-START-PANICS-IN-LATER-NORMALIZERS": Panics(
        ask=lambda package: _insertion(package, package.normalizers.Lowercase()).normalize_str("Hello"),
        message="index out of bounds: the len is 6 but the index is 6",
    ),
    "TEXT-PUT-INTO-EMPTY-TEXT-IS-DOUBLED": Shows(
        ask=lambda package: _changed(package, "", ("append", "X"), ("lowercase",)),
        odd="xX",
        naive="x",
    ),
    "OFFSETS-OF-NORMALIZED-SPLITS-TAKE-BYTES-FOR-OTHERS": Shows(
        ask=_offsets_of_normalized_split, odd=[("aba", (0, 2), None)], naive=[("aba", (0, 3), None)]
    ),
    "ENUMERATIONS-ARE-NO-ARGUMENTS": Refuses(
        ask=lambda package: package.NormalizedString("a b").split(" ", package.SplitDelimiterBehavior.REMOVED),
        message="'SplitDelimiterBehavior' object is not an instance of 'str'",
    ),
    "NEGATIVE-INDEX-COUNTS-FROM-BYTE-LENGTH": Shows(
        ask=lambda package: (package.NormalizedString("éa")[-1], str(package.NormalizedString("ea")[-1])),
        odd=(None, "a"),
    ),
    "SLICE-IGNORES-ITS-STEP": Shows(
        ask=lambda package: str(package.NormalizedString("abcd")[0:4:2]),
        odd="abcd",
        naive="ac",
    ),
    "SLICE-THAT-ENDS-BEFORE-ITS-START-GOES-TO-THE-END": Shows(
        ask=lambda package: str(package.NormalizedString("abcd")[2:1]),
        odd="cd",
        naive="",
    ),
    "SPLITTING-AT-NOTHING-COUNTS-CHARACTERS-AS-BYTES": Shows(
        ask=lambda package: (_cut_at_nothing(package, "ab"), _cut_at_nothing(package, "éa")),
        odd=(["ab"], ["é"]),
        naive=(["ab"], ["éa"]),
    ),
    "SPLITTING-AT-NOTHING-PANICS-INSIDE-A-CHARACTER": Panics(
        ask=lambda package: _cut_at_nothing(package, "日"),
        message="NormalizedString bad split",
    ),
}

NORMALIZERS: dict[str, Case] = {
    "CHARSMAP-THAT-IS-NONE-PANICS-IN-A-FILE": Panics(
        instead="raises TokenizerFileError, which names the place",
        ask=lambda package: loaded(package, normalizer={"type": "Precompiled", "precompiled_charsmap": "AA=="}),
        message="Cannot parse precompiled_charsmap",
        error=TokenizerFileError,
    ),
    "CHARSMAP-WITH-BROKEN-TRIE-PANICS": Panics(
        ask=lambda package: package.normalizers.Precompiled(list(bytes(4))).normalize_str("a"),
        message="index out of bounds: the len is 0 but the index is 0",
    ),
    "ERROR-IN-A-NORMALIZER-IS-SWALLOWED": Shows(
        ask=lambda package: tokens_of(whole_pieces(package, normalizer=_custom(package, _LowersAndFails)), "A"),
        odd=[("a", (0, 1))],
    ),
    "PANIC-IN-A-CUSTOM-COMPONENT-ABORTS": Aborts(
        ask=lambda package: _custom(package, _SplitsAtNothing).normalize_str("日"),
    ),
}
