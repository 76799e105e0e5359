"""Metaspace: writes spaces as a visible character, as SentencePiece does, and splits before each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import boolean, character, one_of
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Locality, Piece, Splitter, Words, as_it_stands, whole
from tokenizer_reference.stage import METASPACE
from tokenizer_reference.text.character_pattern import pieces_between_char

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString

PREPEND_SCHEMES: Final = ("first", "never", "always")


@PRE_TOKENIZER.component(METASPACE)
class Metaspace(Splitter):
    """Replaces every space (U+0020) by a visible character, and splits before each.

    ``replacement`` is one character. ``prepend_scheme`` says when one is put before a text that does not start with it:
    ``always``, ``never``, or ``first``, which is where the text is at the very start of the input. With ``split=False``
    nothing is split. Raises :class:`ValueError` for another scheme, or a replacement of another length.

    >>> Metaspace().pre_tokenize_str("a b")
    [('▁a', (0, 1)), ('▁b', (1, 3))]
    """

    _OPTIONS: ClassVar = {"replacement": character, "prepend_scheme": one_of(PREPEND_SCHEMES), "split": boolean}

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self.replacement = replacement
        self.prepend_scheme = prepend_scheme
        self.split = split

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        text.replace(" ", self.replacement)
        if self._prepends(text.normalized, is_first=text.begin == 0):
            text.prepend(self.replacement)
        if not self.split:
            return [text]
        if text.normalized.find(self.replacement, 1) < 0:  # most words: one piece
            return [text.slice_range(0, len(text.normalized))]
        return text.cut(pieces_between_char(self.replacement, "merged_with_next").spans(text.normalized))

    def _prepends(self, text: str, *, is_first: bool) -> bool:
        is_eligible = self.prepend_scheme == "always" or (self.prepend_scheme == "first" and is_first)
        return is_eligible and not text.startswith(self.replacement)

    def _words(self) -> Words:
        cut = pieces_between_char(self.replacement, "merged_with_next").cut if self.split else whole
        return Words(cut, as_it_stands, are_pieces=True, written=self._written)

    def _written(self, text: str, is_first: bool) -> str:
        written = text.replace(" ", self.replacement)
        return self.replacement + written if self._prepends(written, is_first=is_first) else written

    def _pieces_of_split(self, split: str) -> Iterable[Piece]:
        if " " in split or self.replacement in split:
            return super()._pieces_of_split(split)
        if self.prepend_scheme == "never":
            return [Piece(split, 0)]
        return [Piece(self.replacement + split, 0, inserted=1)]

    def _locality(self) -> Locality:
        return Locality(self._pieces_of_split, self._words(), asks_for_begin=self.prepend_scheme == "first")

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "Metaspace",
            "replacement": self.replacement,
            "prepend_scheme": self.prepend_scheme,
            "split": self.split,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Return the component, also from older files: they have ``add_prefix_space`` and ``str_rep``.

        ``add_prefix_space`` is false only beside the scheme ``never``; otherwise neither changes anything.
        """
        value.get("str_rep").optional_string()
        scheme = value.get("prepend_scheme", "always")
        component = cls(
            value["replacement"].char(),
            scheme.one_of({name: name for name in PREPEND_SCHEMES}),
            split=value.get("split").optional_boolean() is not False,
        )
        legacy = value.get("add_prefix_space")
        if legacy.optional_boolean() is False and component.prepend_scheme != "never":
            raise legacy.fail(f"false does not match the prepend_scheme {component.prepend_scheme!r}, only 'never'")
        return component
