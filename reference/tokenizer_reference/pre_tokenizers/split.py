"""Split: splits at the matches of a pattern, by one of the five delimiter behaviours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.json_text.pattern import pattern_json, read_pattern
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, NoWordsError, Splitter, Words, as_it_stands
from tokenizer_reference.stage import Form
from tokenizer_reference.text.pattern import as_component_pattern, check_pattern, matches
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.text.split_behavior import JSON_NAMES, check_behavior, json_name, pieces

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString
    from tokenizer_reference.text.pattern import Pattern
    from tokenizer_reference.text.split_behavior import Span


@PRE_TOKENIZER.component(Form(("type", "pattern", "behavior", "invert"), as_array=True))
class Split(Splitter):
    """Splits at the matches of a literal or a regular expression, or with ``invert`` between them.

    ``behavior`` says what becomes of the matches (see :mod:`.split_behavior`). An empty literal matches between all
    characters, as an empty regular expression does. Raises :class:`ValueError` for an unknown behavior.

    >>> Split("-", "merged_with_next").pre_tokenize_str("a-b")
    [('a', (0, 1)), ('-b', (1, 3))]
    >>> Split("-", "removed", invert=True).pre_tokenize_str("a-b")
    [('-', (1, 2))]
    """

    _OPTIONS: ClassVar = {"invert": boolean}

    def __init__(self, pattern: Pattern, behavior: str, invert: bool = False) -> None:
        self._pattern = check_pattern("pattern", pattern)
        self._matcher = as_component_pattern(pattern)
        self.behavior = behavior
        self.invert = invert

    @property
    def pattern(self) -> NoReturn:
        """Neither readable nor settable, as in the target."""
        raise TokenizerReferenceError("Cannot get pattern")

    @pattern.setter
    def pattern(self, pattern: Pattern) -> NoReturn:
        check_pattern("pattern", pattern)
        raise TokenizerReferenceError("Cannot set pattern, make a new Split instead")

    def __getnewargs__(self) -> tuple[str, str]:
        """Return arguments for the constructor; :meth:`__setstate__` puts the options right."""
        return (" ", "removed")

    @property
    def behavior(self) -> str:
        """The behavior; reads without underscores, ``mergedwithnext``, though it is not set so (observed)."""
        return json_name(self._behavior).lower()

    @behavior.setter
    def behavior(self, behavior: str) -> None:
        self._behavior = check_behavior(behavior)

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(self._spans(text.normalized))

    def _spans(self, text: str) -> list[Span]:
        tiles = matches(self._matcher, text)
        if self.invert:
            tiles = [(start, end, not is_match) for start, end, is_match in tiles]
        return pieces(tiles, self._behavior)

    def _words(self) -> Words:
        return Words(self._cut, as_it_stands, are_pieces=True)

    def _cut(self, text: str) -> list[str]:
        """Return the pieces of ``text``. Raises :class:`NoWordsError` where they are not all of it."""
        matcher, behavior = self._matcher, self._behavior
        if isinstance(matcher, str) and matcher not in text and not self.invert:
            return [text] if text else []
        if isinstance(matcher, Regex) and behavior == "isolated":
            return matcher._cut_out(text)
        if isinstance(matcher, Regex) and behavior == "removed" and self.invert:
            words = matcher.cut(text)
        else:
            words = [text[start:end] for start, end in self._spans(text)]
        if len("".join(words)) != len(text):
            raise NoWordsError(f"{self.behavior} drops a part of the text")
        return list(filter(None, words))

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "Split",
            "pattern": pattern_json(self._pattern),
            "behavior": json_name(self._behavior),
            "invert": self.invert,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(
            read_pattern(value["pattern"]), value["behavior"].one_of(JSON_NAMES), invert=value["invert"].boolean()
        )
