"""The normal forms of the newest Unicode: those of the reference, with the characters that came after 9.0.

What is assigned keeps its normal forms for ever (the normalization stability policy), so an older version has those of
them that belong to its own characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.private_copy import PrivateCopy
from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_adapters.variants.unicode_versions import change_normalization

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class NormalForms:
    """``normalize`` takes a text and the name of a form.

    ``decomposed`` are the characters that have a decomposition, ``classes`` the combining classes that are not 0,
    ``composed`` the pairs that compose, Hangul apart.
    """

    normalize: Callable[[str, str], str]
    decomposed: tuple[int, ...]
    classes: Mapping[int, int]
    composed: frozenset[str]


@cache
def newest_normal_forms() -> NormalForms:
    """Return the normal forms of the newest version."""

    def change(module: Any) -> None:
        change_normalization(module.unicode_tables, module.decode_mapping, VERSIONS[-1])

    forms = PrivateCopy({"text.normalization": [change]}).module("text.normalization")
    tables, decoded = forms.unicode_tables, forms.decode_mapping
    canonical = decoded(tables.CANONICAL_DECOMPOSITION_9_0)
    syllables = range(forms.S_BASE, forms.S_BASE + forms.S_COUNT)
    return NormalForms(
        normalize=forms.normalize,
        decomposed=(*canonical, *decoded(tables.COMPATIBILITY_DECOMPOSITION_9_0), *syllables),
        classes={
            ord(char): int(name)
            for name, table in tables.COMBINING_CLASS_9_0.items()
            for char in forms.characters(forms.decode_ranges(table))
        },
        composed=frozenset(pair for at, pair in canonical.items() if forms.normalize(chr(at), "NFC") == chr(at)),
    )
