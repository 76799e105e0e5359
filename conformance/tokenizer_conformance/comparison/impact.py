"""How much of what people have a difference touches: documents, words, tokens, by script and by file of inputs.

A *document* is an input, a *word* what stands between white space in it. A document is changed where its ids without
special tokens are others; a word is changed where the ids of the tokens that overlap it are others, which is known
where both sides show offsets.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encoded
from tokenizer_conformance.comparison.offset_units import ConvertedSpans, spans_to_code_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Outcome, Span
    from tokenizer_conformance.comparison.differences import OutcomeInUnit

WORD = re.compile(r"\S+")

NO_SCRIPT = "digits, punctuation and symbols"
"""What a word is called that has no letter."""


@dataclass(frozen=True, slots=True)
class InputImpact:
    """What a difference does to one input whose ids are others.

    ``tokens`` and ``tokens_before`` count the ids of the implementation and of the baseline. ``words`` are the changed
    ones by script, ``None`` where a side shows no offsets.
    """

    tokens_before: int
    tokens: int
    words: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Share:
    """So many ``changed`` ones of a ``total``."""

    changed: int
    total: int


@dataclass(frozen=True, slots=True)
class Impact:
    """What differences do to all inputs of a tokenizer.

    ``words`` is ``None`` where it is not known of a document which of its words are changed. ``tokens_before`` and
    ``tokens`` are those of the changed documents; ``longer`` and ``shorter`` count the documents with more and fewer of
    them. ``scripts`` counts changed words by script, ``sources`` documents by the category of the input, which is its
    file.
    """

    documents: Share
    words: Share | None
    tokens_before: int
    tokens: int
    longer: int = 0
    shorter: int = 0
    scripts: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, Share] = field(default_factory=dict)


def input_impact(text: str, baseline: OutcomeInUnit, implementation: OutcomeInUnit) -> InputImpact | None:
    """Return what becomes of ``text``, both of whose encodings are without special tokens.

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
    return InputImpact(len(before.ids), len(after.ids), changed)


def _spans(text: str, outcome: Outcome, side: OutcomeInUnit) -> Sequence[Span] | None:
    if not isinstance(outcome, Encoded) or outcome.offsets is None:
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


class ImpactTally:
    """Counts the impact of differences on the inputs of one tokenizer."""

    def __init__(self) -> None:
        self._documents: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()
        self._words = self._changed_words = 0
        self._are_words_known = True
        self._tokens_before = self._tokens = self._longer = self._shorter = 0
        self._scripts: Counter[str] = Counter()

    def restore(self, impact: Impact | None) -> None:
        """Take over what an earlier run has counted."""
        if impact is None:
            return
        for source, share in impact.sources.items():
            self._documents[source] += share.total
            self._changed[source] += share.changed
        if impact.words is None:
            self._are_words_known = False
        else:
            self._words += impact.words.total
            self._changed_words += impact.words.changed
        self._tokens_before += impact.tokens_before
        self._tokens += impact.tokens
        self._longer += impact.longer
        self._shorter += impact.shorter
        self._scripts.update(impact.scripts)

    def count(self, source: str, words: int, impact: InputImpact | None) -> None:
        """Count an input of ``source`` with so many ``words``; ``impact`` is ``None`` where nothing is changed."""
        self._documents[source] += 1
        self._words += words
        if impact is None:
            return
        self._changed[source] += 1
        self._tokens_before += impact.tokens_before
        self._tokens += impact.tokens
        self._longer += impact.tokens > impact.tokens_before
        self._shorter += impact.tokens < impact.tokens_before
        if impact.words is None:
            self._are_words_known = False
        else:
            self._changed_words += sum(impact.words.values())
            self._scripts.update(impact.words)

    def impact(self) -> Impact:
        """Return what was counted."""
        return Impact(
            documents=Share(self._changed.total(), self._documents.total()),
            words=Share(self._changed_words, self._words) if self._are_words_known else None,
            tokens_before=self._tokens_before,
            tokens=self._tokens,
            longer=self._longer,
            shorter=self._shorter,
            scripts=dict(sorted(self._scripts.items(), key=lambda entry: (-entry[1], entry[0]))),
            sources={source: Share(self._changed[source], total) for source, total in self._documents.items()},
        )


def impact_of_parts(parts: Iterable[Impact | None]) -> Impact | None:
    """Return the impact on several parts of the inputs together; ``None`` where it is known of none."""
    known = [part for part in parts if part is not None]
    tally = ImpactTally()
    for part in known:
        tally.restore(part)
    return tally.impact() if known else None
