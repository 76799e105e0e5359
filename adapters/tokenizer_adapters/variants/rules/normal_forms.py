"""Normal forms and accents taken off in other ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.variants.private_copy import Patch


def _leave_order(module: Any) -> None:
    def decompose(text: str, *, compatibility: bool) -> list[tuple[str, int]]:
        found = module._decompositions(compatibility=compatibility)
        return [(part, int(index > 0)) for char in text for index, part in enumerate(found[char])]

    module._decompose = decompose


def _leave_hangul(module: Any) -> None:
    module._Decompositions.__missing__ = lambda _, char: char
    module._compose_syllable = lambda _left, _right: None


def _normalize_alone(module: Any) -> None:
    plain = module._plain_changes
    module._plain_changes = lambda text, form: [change for char in text for change in plain(char, form)]


def _strip_after_case(module: Any) -> None:
    def normalize(normalizer: Any, text: Any) -> None:
        strips, lowers = normalizer._strips_accents, normalizer.lowercase
        before = module.BertNormalizer(normalizer.clean_text, normalizer.handle_chinese_chars, False, lowers)
        before._normalize_plainly(text)
        if strips:
            module.BertNormalizer(False, False, True, False)._normalize_plainly(text)

    module.BertNormalizer._normalize = normalize


def _strip_composed(module: Any) -> None:
    """Leave accents that stand for themselves in the text, and take those off that a decomposition brings."""

    def decomposed(char: str) -> str:
        regions = list(module.changed_regions(char, "NFD"))
        return "".join(part for part, _ in regions[0][2]) if regions else char

    def normalize(normalizer: Any, text: Any) -> None:
        strips, lowers = normalizer._strips_accents, normalizer.lowercase
        before = module.BertNormalizer(normalizer.clean_text, normalizer.handle_chinese_chars, False, False)
        before._normalize_plainly(text)
        if strips:
            changes: list[tuple[str, int]] = []
            for char in text.normalized:
                alone = decomposed(char)
                kept = [part for part in alone if len(alone) == 1 or not module._is_accent(part)]
                changes += [(part, int(index > 0)) for index, part in enumerate(kept)]
            text.transform(changes)
        if lowers:
            text.lowercase()

    module.BertNormalizer._normalize = normalize


NORMAL_FORM_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.NFD_UNORDERED: {"text.normalization": _leave_order},
    Rule.NO_HANGUL: {"text.normalization": _leave_hangul},
    Rule.NORMALIZED_ALONE: {"text.normalization": _normalize_alone},
    Rule.ACCENTS_AFTER_CASE: {"normalizers.bert": _strip_after_case},
    Rule.COMPOSED_ACCENTS_ONLY: {"normalizers.bert": _strip_composed},
}
