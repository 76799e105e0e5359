"""Measures of a tokenizer against a base, and over languages: whose texts take more tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.research.metrics.measures.subjects import Against
    from tokenizer_conformance.research.metrics.measures.tally import Totals

PARALLEL = frozenset({Needs.PARALLEL})


def gini(costs: Sequence[float]) -> float | None:
    """Return the Gini coefficient of ``costs``: half the mean difference of two of them, relative to their mean.

    None of them is negative. ``None`` where there are none, or all are 0.

    >>> gini([1, 1]), gini([0, 1]), gini([1, 2, 3])
    (0.0, 0.5, 0.2222222222222222)
    """
    total = sum(costs)
    if not total:
        return None
    ranked = sorted(costs)
    # Σ_i Σ_j |c_i − c_j| / (2 n Σ c), where the cost of rank i is subtracted from as many as it is added to, but for …
    weighted = sum((2 * rank - len(ranked) - 1) * cost for rank, cost in enumerate(ranked, 1))
    return weighted / (len(ranked) * total)


def _costs(languages: Sequence[Totals]) -> list[float] | None:
    """Return the tokens per text of each language; nothing where one of fewer than two has no text."""
    costs = [ratio(totals.written_tokens, totals.written_texts) for totals in languages]
    found = [cost for cost in costs if cost is not None]
    return found if len(found) == len(costs) >= 2 else None


def _gini_over_languages(languages: Sequence[Totals]) -> float | None:
    costs = _costs(languages)
    return None if costs is None else gini(costs)


def _spread(languages: Sequence[Totals]) -> float | None:
    costs = _costs(languages)
    return None if costs is None else ratio(max(costs), min(costs))


def _ratio_of_tokens(against: Against) -> float | None:
    return ratio(against.totals.tokens, against.base.tokens)


BASE_MEASURES: tuple[Measure[Against], ...] = (
    Measure(
        "normalized_sequence_length",
        "normalized sequence length",
        "The number of tokens of the tokenizer, divided by that of a base tokenizer for the same texts.",
        "NSL = Σ_x |τ(x)| / Σ_x |τ_base(x)|",
        "1",
        "lower",
        "Dagan et al. (2024).",
        "It is relative to the base: 1 says as many tokens as that one, not good.",
        Scope.BASE,
        _ratio_of_tokens,
    ),
)
"""The measures of a tokenizer against a base."""

REFERENCE_MEASURES: tuple[Measure[Against], ...] = (
    Measure(
        "premium",
        "premium",
        "The number of tokens of texts in a language, divided by that of the same texts in the reference language: 1 "
        "is parity, 2 says that the language takes twice as many.",
        "Σ_x |τ(x_language)| / Σ_x |τ(x_reference)|",
        "1",
        "lower",
        "Petrov et al. (2023): the tokenization premium, of FLORES-200 put together; a tokenizer has parity where it "
        "is about 1.",
        "Translations differ in length for reasons of their own, so a byte tokenizer has premiums too. Unknown tokens "
        "make a premium low: look at their share.",
        Scope.REFERENCE_LANGUAGE,
        _ratio_of_tokens,
        PARALLEL,
    ),
)
"""The measures of a language against a reference language."""

LANGUAGE_MEASURES: tuple[Measure[Sequence[Totals]], ...] = (
    Measure(
        "gini",
        "Gini over languages",
        "The Gini coefficient of the tokens per text of the languages, each language counted once: 0 if texts take as "
        "many in all of them, and at most (n − 1) / n for n languages.",
        "Σ_i Σ_j |c_i − c_j| / (2 n Σ_i c_i), c = T / N",
        "1",
        "lower",
        "Gini (1912); tokenizer fairness Gini of Meister (2025) and Foroutan et al. (2025).",
        "It is of these languages: another choice gives another value. A tokenizer that is bad for all is fair. On "
        "texts that are not parallel it says how long they are.",
        Scope.LANGUAGES,
        _gini_over_languages,
        PARALLEL,
    ),
    Measure(
        "premium_spread",
        "largest premium",
        "The tokens per text of the language with the most, divided by those of the one with the fewest.",
        "max_i c_i / min_i c_i, c = T / N",
        "1",
        "lower",
        "Petrov et al. (2023), up to 15 for their languages and tokenizers.",
        "Two languages decide it. As the largest of several uncertain values, it is too high by chance.",
        Scope.LANGUAGES,
        _spread,
        PARALLEL,
    ),
)
"""The measures over languages."""
