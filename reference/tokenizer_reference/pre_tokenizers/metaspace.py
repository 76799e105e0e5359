"""Metaspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from tokenizer_reference.pre_tokenizers.base import Splitter
from tokenizer_reference.text.character_pattern import pieces_between_char

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString

PREPEND_SCHEMES: Final = ("first", "never", "always")


class Metaspace(Splitter):
    """Replaces every space (U+0020) by a visible character, and splits before each.

    ``replacement`` is one character. ``prepend_scheme`` says when one is put before a text that does not start with it:
    ``always``, ``never``, or ``first``, which is where the text is at the very start of the input. With ``split=False``
    nothing is split. Raises :class:`ValueError` for another scheme, or a replacement of another length.

    >>> Metaspace().pre_tokenize_str("a b")
    [('▁a', (0, 1)), ('▁b', (1, 3))]
    """

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self.replacement = replacement
        self.prepend_scheme = prepend_scheme
        self.split = split

    @property
    def replacement(self) -> str:
        """The visible character."""
        return self._replacement

    @replacement.setter
    def replacement(self, replacement: str) -> None:
        if len(replacement) != 1:
            raise ValueError(f"expected a string of length 1 as replacement, got {replacement!r}")
        self._replacement = replacement

    @property
    def prepend_scheme(self) -> str:
        """When the replacement is put before a text."""
        return self._prepend_scheme

    @prepend_scheme.setter
    def prepend_scheme(self, scheme: str) -> None:
        if scheme not in PREPEND_SCHEMES:
            raise ValueError(f"{scheme!r} is an unknown prepend_scheme; use one of {', '.join(PREPEND_SCHEMES)}")
        self._prepend_scheme = scheme

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        text.replace(" ", self._replacement)
        is_eligible = self._prepend_scheme == "always" or (self._prepend_scheme == "first" and text.begin == 0)
        if is_eligible and not text.normalized.startswith(self._replacement):
            text.prepend(self._replacement)
        if not self.split:
            return [text]
        if text.normalized.find(self._replacement, 1) < 0:  # most words: one piece
            return [text.slice_range(0, len(text))]
        return text.cut(pieces_between_char(self._replacement, "merged_with_next").spans(text.normalized))

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
