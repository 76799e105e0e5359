"""Metaspace: a visible character stands for spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from tokenizer_reference.decoders.base import Decoder

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue

PREPEND_SCHEMES: Final = ("first", "never", "always")


class Metaspace(Decoder):
    """Turns ``replacement`` into spaces; in the first token all of them vanish, unless ``prepend_scheme`` is ``never``.

    ``split`` has no effect. Raises :class:`ValueError` for a replacement that is not one character, and for a scheme
    other than ``always``, ``first`` and ``never``.

    >>> Metaspace().decode(["▁Hello", "▁wor", "ld"])
    'Hello world'
    """

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self.replacement = replacement
        self.prepend_scheme = prepend_scheme
        self.split = split

    @property
    def replacement(self) -> str:
        """The character that stands for a space."""
        return self._replacement

    @replacement.setter
    def replacement(self, replacement: str) -> None:
        if len(replacement) != 1:
            raise ValueError(f"expected a string of length 1, not {replacement!r}")
        self._replacement = replacement

    @property
    def prepend_scheme(self) -> str:
        """Where the tokenizer put a space of its own: ``always``, ``first`` or ``never``."""
        return self._prepend_scheme

    @prepend_scheme.setter
    def prepend_scheme(self, prepend_scheme: str) -> None:
        if prepend_scheme not in PREPEND_SCHEMES:
            raise ValueError(f"{prepend_scheme} is an unknown variant, should be one of {list(PREPEND_SCHEMES)}")
        self._prepend_scheme = prepend_scheme

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        mark = self._replacement
        decoded = [token.replace(mark, " ") for token in tokens]
        if tokens and self._prepend_scheme != "never":
            decoded[0] = tokens[0].replace(mark, "")
        return decoded

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "Metaspace",
            "replacement": self._replacement,
            "prepend_scheme": self._prepend_scheme,
            "split": self.split,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read the fields; of the older ``add_prefix_space``, only false says something, and only with ``never``."""
        scheme = value.get("prepend_scheme", "always").one_of({name: name for name in PREPEND_SCHEMES})
        if value.get("add_prefix_space").optional_boolean() is False and scheme != "never":
            raise value.fail("add_prefix_space does not match declared prepend_scheme")
        value.get("str_rep").optional_string()
        return cls(value["replacement"].char(), scheme, value.get("split").optional_boolean() is not False)
