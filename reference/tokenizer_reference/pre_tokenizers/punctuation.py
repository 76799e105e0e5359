"""Punctuation: splits at punctuation characters, by one of the five delimiter behaviours."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter
from tokenizer_reference.stage import Form
from tokenizer_reference.text import characters
from tokenizer_reference.text.character_pattern import CharacterPattern, pieces_between
from tokenizer_reference.text.split_behavior import JSON_NAMES, check_behavior, json_name

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


@cache
def _pieces(behavior: str) -> CharacterPattern:
    return pieces_between(characters.punctuation, behavior)


@PRE_TOKENIZER.component(Form(("type", "behavior")))
class Punctuation(Splitter):
    """Splits at punctuation: category P of Unicode 8.0 and the ASCII symbols, which ``behavior`` says what to do with.

    Raises :class:`ValueError` for an unknown behavior (see :mod:`.split_behavior`).

    >>> Punctuation().pre_tokenize_str("no, $5")
    [('no', (0, 2)), (',', (2, 3)), (' ', (3, 4)), ('$', (4, 5)), ('5', (5, 6))]
    """

    def __init__(self, behavior: str = "isolated") -> None:
        self.behavior = behavior

    @property
    def behavior(self) -> str:
        """The behavior; reads without underscores, ``mergedwithnext``, though it is not set so (observed)."""
        return json_name(self._behavior).lower()

    @behavior.setter
    def behavior(self, behavior: str) -> None:
        self._behavior = check_behavior(behavior)

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(_pieces(self._behavior).spans(text.normalized))

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Punctuation", "behavior": json_name(self._behavior)}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value.get("behavior", "Isolated").one_of(JSON_NAMES))
