"""Replace: puts a literal in the place of every match of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from tokenizer_reference.arguments import string
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.json_text.pattern import pattern_json, read_pattern
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality, unchanged
from tokenizer_reference.stage import REPLACE
from tokenizer_reference.text.pattern import as_component_pattern, check_pattern

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString
    from tokenizer_reference.text.pattern import Pattern


@NORMALIZER.component(REPLACE)
class Replace(Normalizer):
    """Replaces every match of a literal or a regular expression by a literal.

    An empty literal matches between all characters, as an empty regular expression does:

    >>> Replace("ab", "-").normalize_str("abc"), Replace("", "-").normalize_str("abc")
    ('-c', '-a-b-c-')
    """

    _OPTIONS: ClassVar = {"content": string}

    def __init__(self, pattern: Pattern, content: str) -> None:
        self._pattern = check_pattern("pattern", pattern)
        self._matcher = as_component_pattern(pattern)
        self.content = content

    @property
    def pattern(self) -> NoReturn:
        """Neither readable nor settable, as in the target."""
        raise TokenizerReferenceError("Cannot get pattern")

    @pattern.setter
    def pattern(self, pattern: Pattern) -> NoReturn:
        check_pattern("pattern", pattern)
        raise TokenizerReferenceError("Cannot set pattern, make a new Replace instead")

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.replace(self._matcher, self.content)

    def _locality(self) -> Locality:
        matcher, content = self._matcher, self.content
        if not isinstance(matcher, str):
            return Locality()
        if len(matcher) > 1:
            return Locality(unchanged, literals=(matcher,))
        return Locality(lambda char: content if char == matcher else char)

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Replace", "pattern": pattern_json(self._pattern), "content": self.content}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(read_pattern(value["pattern"]), value["content"].string())
