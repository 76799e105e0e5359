"""Digits: separates numbers from other text, together or character by character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter, Words, as_it_stands
from tokenizer_reference.stage import Form
from tokenizer_reference.text import characters
from tokenizer_reference.text.character_pattern import pieces_between

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.character_pattern import CharacterPattern
    from tokenizer_reference.text.normalized_string import NormalizedString

_SINGLE_DIGITS: Final = pieces_between(characters.numeric_17, "isolated")
_NUMBERS: Final = pieces_between(characters.numeric_17, "contiguous")


@PRE_TOKENIZER.component(Form(("type", "individual_digits")))
@dataclass(eq=False, repr=False)
class Digits(Splitter):
    """Sets numbers apart: category N (Nd, Nl, No) of Unicode 17.0, so ``½`` and ``Ⅷ`` too, but not ``二``.

    >>> Digits().pre_tokenize_str("a12")
    [('a', (0, 1)), ('12', (1, 3))]
    >>> Digits(individual_digits=True).pre_tokenize_str("a12")
    [('a', (0, 1)), ('1', (1, 2)), ('2', (2, 3))]
    """

    _OPTIONS: ClassVar = {"individual_digits": boolean}

    individual_digits: bool = False

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(self._pattern.spans(text.normalized))

    def _words(self) -> Words:
        return Words(self._pattern.cut, as_it_stands, are_pieces=True)

    @property
    def _pattern(self) -> CharacterPattern:
        return _SINGLE_DIGITS if self.individual_digits else _NUMBERS

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Digits", "individual_digits": self.individual_digits}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["individual_digits"].boolean())
