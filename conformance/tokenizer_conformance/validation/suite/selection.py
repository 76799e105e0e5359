"""Which cases of a suite are asked.

The expression of ``-k`` is that of pytest: words, joined by ``and``, ``or``, ``not`` and brackets. A word is found
where it stands in the id, the title or the area of a requirement, in capitals or not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.validation.suite.requirement import (
        Area,
        CaseInPlace,
        Feature,
        Importance,
        Requirement,
        Suite,
    )

Test = str
"""The text in which words are looked for, in small letters."""

_TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which requirements are asked; what is empty leaves none out.

    They are those that ``expression`` finds, of these ``importances``, that need nothing but these ``features``.
    """

    expression: str = ""
    features: frozenset[Feature] = frozenset()
    importances: frozenset[Importance] = frozenset()

    def takes(self, area: Area, requirement: Requirement) -> bool:
        """Return whether ``requirement`` is asked.

        Raises :class:`BadInputError` where the expression cannot be read.
        """
        return (
            (not self.importances or requirement.importance in self.importances)
            and (not self.features or requirement.features <= self.features)
            and matches(self.expression, f"{requirement.id} {requirement.title} {area.name}")
        )


def chosen_cases(suite: Suite, wanted: Wanted) -> tuple[CaseInPlace, ...]:
    """Return the cases of the requirements that are ``wanted``, in the order of the suite.

    Raises :class:`BadInputError` where the expression cannot be read, or nothing is left.
    """
    taken = {requirement.id for area, requirement in suite.requirements() if wanted.takes(area, requirement)}
    cases = tuple(case for case in suite.cases() if case.requirement.id in taken)
    if not cases:
        raise BadInputError("no requirement with cases is left by -k, --features and --importance")
    return cases


def matches(expression: str, text: str) -> bool:
    """Return whether ``expression`` is true of ``text``.

    >>> matches("bert and not (chinese or accents)", "BERT-ACCENTS")
    False
    >>> matches("", "BERT-ACCENTS")
    True

    Raises :class:`BadInputError`.
    """
    if not expression.strip():
        return True
    tokens = [match[1] for match in _TOKEN.finditer(expression)]
    reader = _Reader(tokens, text.lower(), expression)
    found = reader.disjunction()
    reader.end()
    return found


class _Reader:
    """Reads an expression from left to right, and says whether it is true."""

    def __init__(self, tokens: list[str], text: Test, expression: str) -> None:
        self._tokens = tokens
        self._text = text
        self._expression = expression
        self._place = 0

    def disjunction(self) -> bool:
        return any(self._joined("or", self._conjunction))

    def end(self) -> None:
        if self._place < len(self._tokens):
            raise self._fault(f"{self._tokens[self._place]!r} is not expected")

    def _conjunction(self) -> bool:
        return all(self._joined("and", self._negation))

    def _joined(self, word: str, part: Callable[[], bool]) -> list[bool]:
        return list(self._parts(word, part))

    def _parts(self, word: str, part: Callable[[], bool]) -> Iterator[bool]:
        yield part()
        while self._next() == word:
            self._place += 1
            yield part()

    def _negation(self) -> bool:
        match self._take():
            case "not":
                return not self._negation()
            case "(":
                found = self.disjunction()
                if self._take() != ")":
                    raise self._fault("a bracket is not closed")
                return found
            case None | ")" | "and" | "or":
                raise self._fault("a word is missing")
            case word:
                return word.lower() in self._text

    def _next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self) -> str | None:
        found = self._next()
        self._place += 1
        return found

    def _fault(self, what: str) -> BadInputError:
        return BadInputError(f"-k {self._expression!r}: {what}; write words joined by and, or, not and brackets")
