"""Other case mappings in the place of full lowercasing, character by character."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.variants.private_copy import Patch

    Table = dict[int, str]

CAPITAL_SIGMA, FINAL_SIGMA = "Σ", "ς"
DOTTED_I = "İ"


def _mapping(table: Callable[[Any], Table]) -> Mapping[str, Patch]:
    """Put ``table``, made from the module of characters, in the place of the lowercase mapping."""

    def patch(module: Any) -> None:
        made = table(module)
        module.lowercase_table = lambda: made

    return {"text.characters": patch}


def _folding(module: Any) -> Table:
    folded: Table = module.full_case_folding_16()
    return folded


def _simple_folding(module: Any) -> Table:
    tables = module.unicode_tables
    common: Table = module.decode_mapping(tables.CASE_FOLDING_COMMON_16_0)
    simple: Table = module.decode_mapping(tables.CASE_FOLDING_SIMPLE_16_0)
    return common | simple


def _simple(module: Any) -> Table:
    """İ is the only character whose full lowercase has two characters; its simple one is ``i``."""
    full: Table = module.lowercase_table()
    return {code_point: lower[0] for code_point, lower in full.items()}


def _ascii(module: Any) -> Table:
    full = module.lowercase_table()
    return {code_point: lower for code_point, lower in full.items() if code_point < 0x80}


def _turkish(module: Any) -> Table:
    full: Table = module.lowercase_table().copy()
    return full | {ord("I"): "ı", ord(DOTTED_I): "i"}


def _lower_turkish_ascii(module: Any) -> None:
    mapping = module._LOWERCASE
    plain = mapping.of_ascii
    mapping.of_ascii = lambda text: plain(text.replace("I", "ı"))


def _know_final_sigma(module: Any) -> None:
    """Lowercase a sigma as SpecialCasing.txt has it under Final_Sigma."""
    properties = module.characters.binary_property
    contains = module.code_point_sets.contains

    def is_(name: str, char: str) -> bool:
        return bool(contains(properties(name), ord(char)))

    def has_cased_next(chars: str) -> bool:
        """Return whether a cased letter comes next, case-ignorable characters passed over."""
        return next((is_("Cased", char) for char in chars if not is_("Case_Ignorable", char)), False)

    def lower(text: str, at: int) -> str:
        if text[at] == CAPITAL_SIGMA and has_cased_next(text[:at][::-1]) and not has_cased_next(text[at + 1 :]):
            return FINAL_SIGMA
        mapped: str = module._LOWERCASE.of(text[at])
        return mapped

    def lowercase(normalized: Any) -> None:
        text = normalized.normalized
        normalized.transform(
            (new, int(index > 0)) for at in range(len(text)) for index, new in enumerate(lower(text, at))
        )

    module.NormalizedString.lowercase = lowercase


CASE_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.CASE_FOLDING: _mapping(_folding),
    Rule.SIMPLE_CASE_FOLDING: _mapping(_simple_folding),
    Rule.SIMPLE_LOWERCASE: _mapping(_simple),
    Rule.ASCII_LOWERCASE: _mapping(_ascii),
    Rule.TURKISH_LOWERCASE: {**_mapping(_turkish), "text.normalized_string": _lower_turkish_ascii},
    Rule.FINAL_SIGMA: {"text.normalized_string": _know_final_sigma},
}
