"""Metaspace: a visible character stands for spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import boolean, character, one_of
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.stage import METASPACE

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue

PREPEND_SCHEMES: Final = ("first", "never", "always")


@DECODER.component(METASPACE)
class Metaspace(Decoder):
    """Turns ``replacement`` into spaces; in the first token all of them vanish, unless ``prepend_scheme`` is ``never``.

    ``split`` has no effect. Raises :class:`ValueError` for a replacement that is not one character, and for a scheme
    other than ``always``, ``first`` and ``never``.

    >>> Metaspace().decode(["▁Hello", "▁wor", "ld"])
    'Hello world'
    """

    _OPTIONS: ClassVar = {"replacement": character, "prepend_scheme": one_of(PREPEND_SCHEMES), "split": boolean}

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self.replacement = replacement
        self.prepend_scheme = prepend_scheme
        self.split = split

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        mark = self.replacement
        decoded = [token.replace(mark, " ") for token in tokens]
        if tokens and self.prepend_scheme != "never":
            decoded[0] = tokens[0].replace(mark, "")
        return decoded

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "Metaspace",
            "replacement": self.replacement,
            "prepend_scheme": self.prepend_scheme,
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
