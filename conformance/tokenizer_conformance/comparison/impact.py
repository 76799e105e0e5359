"""How much of an input a difference touches: words, by script, and tokens.

A *document* is an input, a *word* what stands between white space in it. A document is changed where its ids without
special tokens are others, or with them, where the implementation shows none without; a word is changed where the ids of
the tokens that overlap it are others, which is known where both sides show offsets.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encoded
from tokenizer_conformance.comparison.offset_units import ConvertedSpans, spans_to_code_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Outcome, Span
    from tokenizer_conformance.comparison.differences import OutcomeInUnit

WORD = re.compile(r"\S+")

NO_SCRIPT = "digits, punctuation and symbols"
"""What a word is called that has no letter."""


@dataclass(frozen=True, slots=True)
class InputImpact:
    """What a difference does to one input whose ids are others.

    ``tokens`` and ``tokens_before`` count the ids of the implementation and of the baseline. ``words`` are the changed
    ones by script, ``None`` where a side shows no offsets, or not one for each id. ``special_tokens`` says that the ids
    are those with special tokens.
    """

    tokens_before: int
    tokens: int
    words: Mapping[str, int] | None
    special_tokens: bool = False


def input_impact(
    text: str, baseline: OutcomeInUnit, implementation: OutcomeInUnit, *, special_tokens: bool = False
) -> InputImpact | None:
    """Return what becomes of ``text``, both of whose encodings are with special tokens, or without.

    ``None`` where the ids are the same, or a side has none.
    """
    before, after = baseline.outcome, implementation.outcome
    if not isinstance(before, Encoded) or not isinstance(after, Encoded) or before.ids == after.ids:
        return None
    spans = [_spans(text, side.outcome, side) for side in (baseline, implementation)]
    first, second = spans
    changed = (
        None if first is None or second is None else _changed_words(text, (before.ids, first), (after.ids, second))
    )
    return InputImpact(len(before.ids), len(after.ids), changed, special_tokens)


def _spans(text: str, outcome: Outcome, side: OutcomeInUnit) -> Sequence[Span] | None:
    if not isinstance(outcome, Encoded) or outcome.offsets is None or len(outcome.offsets) != len(outcome.ids):
        return None
    converted = spans_to_code_points(((span, text) for span in outcome.offsets), side.unit)
    return converted.spans if isinstance(converted, ConvertedSpans) else None


def _changed_words(
    text: str, before: tuple[Sequence[int], Sequence[Span]], after: tuple[Sequence[int], Sequence[Span]]
) -> dict[str, int]:
    words = [match.span() for match in WORD.finditer(text)]
    pairs = zip(words, _ids_by_word(words, *before), _ids_by_word(words, *after), strict=True)
    return dict(Counter(script_of(text[start:end]) for (start, end), old, new in pairs if old != new))


def _ids_by_word(words: Sequence[Span], ids: Sequence[int], spans: Sequence[Span]) -> Iterator[list[int]]:
    """Yield for each of ``words`` the ids of the tokens that overlap it; both stand in the order of the text.

    >>> list(_ids_by_word([(0, 2), (3, 5)], (7, 8, 9), [(0, 2), (2, 4), (4, 5)]))
    [[7], [8, 9]]
    """
    first = 0
    for start, end in words:
        while first < len(ids) and spans[first][1] <= start:
            first += 1
        number = first
        found = []
        while number < len(ids) and spans[number][0] < end:
            if spans[number][1] > start:
                found.append(ids[number])
            number += 1
        yield found


def script_of(word: str) -> str:
    """Return the script of ``word``: the first word of the name of its first letter.

    >>> script_of("«слово»"), script_of("中文"), script_of("12:30")
    ('CYRILLIC', 'CJK', 'digits, punctuation and symbols')
    """
    letter = next((character for character in word if character.isalpha()), None)
    return NO_SCRIPT if letter is None else unicodedata.name(letter, "unnamed").partition(" ")[0]
