"""Loading a tokenizer with a variant of the reference."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.pipeline import PipelineSubject, loaded
from tokenizer_adapters.variants.change import Change, GivenCuts, Property, Rule, UnicodeVersion
from tokenizer_adapters.variants.private_copy import PrivateCopy
from tokenizer_adapters.variants.rules import PATCHES
from tokenizer_adapters.variants.rules.unigram import cut_as_given
from tokenizer_adapters.variants.unicode_versions import (
    change_case,
    change_categories,
    change_graphemes,
    change_normalization,
    change_scripts,
    change_white_space,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Subject, TokenizerSource
    from tokenizer_adapters.variants.private_copy import Patch

MOST_COPIES = 64
"""How many copies of the reference are kept: two megabytes each, and a tenth of a second to make."""


def load_variant(source: TokenizerSource, *changes: Change, text: str | None = None) -> Subject:
    """Load the tokenizer.json of ``source`` with a reference in which the ``changes`` hold; without any, as it is.

    With ``text`` that is what is read, in the place of the file; it cannot be asked about changes of the tokenizer
    (:class:`After`) then. Nothing else sees the changes: each variant has modules of its own. It takes the plain way,
    so that no short cut passes a change by. Raises :class:`CannotLoadError`.
    """
    copy = _copy(changes)

    def read() -> Any:
        kind = copy.module().Tokenizer
        tokenizer = kind.from_file(source.file) if text is None else kind.from_str(text)
        tokenizer.fast = not changes
        return tokenizer

    return PipelineSubject(loaded(read, "a variant of the reference", source), copy.module(), source.file)


@lru_cache(maxsize=MOST_COPIES)
def _copy(changes: tuple[Change, ...]) -> PrivateCopy:
    patches: dict[str, list[Patch]] = {}
    for change in changes:
        for module, patch in _patches_of(change):
            patches.setdefault(module, []).append(patch)
    copy = PrivateCopy(patches)
    copy.module()
    return copy


def _patches_of(change: Change) -> Iterator[tuple[str, Patch]]:
    match change:
        case UnicodeVersion(version, properties):
            for each in properties:
                yield from ((module, partial(_at, version, patch)) for module, patch in _UNICODE[each])
        case GivenCuts(cuts):
            yield "models.unigram", partial(cut_as_given, dict(cuts))
        case Rule():
            yield from PATCHES[change].items()


def _at(version: str, change: Callable[[Any, str], None], module: Any) -> None:
    change(module, version)


def _change_forms(module: Any, version: str) -> None:
    change_normalization(module.unicode_tables, module.decode_mapping, version)


_UNICODE: dict[Property, tuple[tuple[str, Callable[[Any, str], None]], ...]] = {
    Property.CATEGORY: (("text.unicode_tables", change_categories), ("text.characters", change_white_space)),
    Property.CASE: (("text.unicode_tables", change_case),),
    Property.NORMALIZATION: (("text.normalization", _change_forms),),
    Property.SCRIPT: (("text.unicode_tables", change_scripts),),
    Property.GRAPHEME: (("text.unicode_tables", change_graphemes),),
}
