"""Measures of the distribution of tokens: how a tokenizer spends its vocabulary on texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.measures.measure import Better
    from tokenizer_conformance.research.metrics.measures.subjects import Distribution
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary

FROM_SHARE, TO_SHARE = 0.03, 0.83
"""The ranks between which Zouhar et al. (2023) add up frequencies, as shares of all ranks."""


def renyi_entropy(probabilities: NDArray[np.float64], alpha: float) -> float:
    """Return Rényi's entropy of order ``alpha`` in bits; Shannon's, which is its limit, for 1."""
    if alpha == 1:
        return float(-(probabilities @ np.log2(probabilities)))
    # Relative to the largest, so that no power of a small probability is lost.
    largest = probabilities.max()
    in_sum = np.log2(((probabilities / largest) ** alpha).sum()) + alpha * np.log2(largest)
    return float(in_sum / (1 - alpha))


def _entropy(distribution: Distribution, alpha: float) -> float | None:
    # An entropy of one kind of token is 0, not -0.
    return abs(renyi_entropy(distribution.probabilities, alpha)) if len(distribution.ids) else None


def _efficiency(distribution: Distribution, alpha: float, kinds: int) -> float | None:
    entropy = _entropy(distribution, alpha)
    return None if entropy is None or kinds < 2 else entropy / float(np.log2(kinds))


def _size(distribution: Distribution) -> int:
    return 0 if distribution.vocabulary is None else distribution.vocabulary.size


def _percentile_frequency(distribution: Distribution) -> float | None:
    ranked = np.sort(distribution.probabilities)[::-1]
    last = len(ranked) - 1
    if last < 1:
        return None
    start, end = min(int(len(ranked) * FROM_SHARE), last), min(int(len(ranked) * TO_SHARE), last)
    return float(ranked[start:end].sum())


def _vocabulary_use(distribution: Distribution) -> float | None:
    size = _size(distribution)
    return len(distribution.ids) / size if size and len(distribution.ids) else None


def rank_frequency(distribution: Distribution) -> list[int]:
    """Return how often each id came, the most frequent first: the frequencies by their ranks, from 1."""
    ranked: list[int] = np.sort(distribution.counts)[::-1].astype(np.int64).tolist()
    return ranked


def zipf_exponent(distribution: Distribution) -> float | None:
    """Return the exponent s that makes the counts of the ranks most likely, where P(rank r) ∝ 1 / r^s.

    The ranks are those of the ids that were seen. The logarithm of the likelihood is concave, so that its slope has one
    root, which is found by bisection. ``None`` where there is no most likely one between -1 and 10.
    """
    if not len(distribution.ids):
        return None
    ranked = np.sort(distribution.counts)[::-1]
    logarithms = np.log(np.arange(1, len(ranked) + 1))
    observed = float(ranked @ logarithms / ranked.sum())

    def expected(exponent: float) -> float:
        powers = np.exp(-exponent * logarithms)
        return float(powers @ logarithms / powers.sum())

    low, high = -1.0, 10.0
    if not expected(high) < observed < expected(low):
        return None
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) > observed else (low, middle)
    return (low + high) / 2


def _lengths(distribution: Distribution, *, in_bytes: bool) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    lengths = distribution.lengths[0 if in_bytes else 1]
    known = lengths >= 0
    return lengths[known], distribution.counts[known]


def _mean_length(distribution: Distribution, *, in_bytes: bool) -> float | None:
    lengths, counts = _lengths(distribution, in_bytes=in_bytes)
    return float(lengths @ counts / counts.sum()) if len(lengths) else None


def _median_length(distribution: Distribution) -> float | None:
    """Return the smallest length that at least half of the tokens have or stay below."""
    lengths, counts = _lengths(distribution, in_bytes=True)
    if not len(lengths):
        return None
    order = np.argsort(lengths)
    reached = np.cumsum(counts[order])
    return float(lengths[order][np.searchsorted(reached, reached[-1] / 2)])


def _share(kind: Callable[[Vocabulary], frozenset[int]]) -> Callable[[Distribution], float | None]:
    """Return what computes the share of the tokens whose ids are of a ``kind``."""

    def share(distribution: Distribution) -> float | None:
        if distribution.vocabulary is None or not len(distribution.ids):
            return None
        chosen = np.isin(distribution.ids, list(kind(distribution.vocabulary)))
        return float(distribution.counts[chosen].sum() / distribution.tokens)

    return share


def _measure(
    id: str,
    title: str,
    definition: str,
    formula: str,
    unit: str,
    better: Better,
    source: str,
    limits: str,
    compute: Callable[[Distribution], float | None],
    *,
    of_file: bool = False,
    has_interval: bool = True,
) -> Measure[Distribution]:
    needs = frozenset({Needs.VOCABULARY}) if of_file else frozenset[Needs]()
    return Measure(
        id, title, definition, formula, unit, better, source, limits, Scope.IDS, compute, needs, has_interval
    )


_FEW_TEXTS = (
    "Entropies of few tokens are too low, since rare ids are not seen: it compares tokenizers on the same texts, and "
    "texts of like length. "
)
_MORE_TEXT = "More text always shows more ids: it compares tokenizers on the same texts, and there is no interval."
_LENGTH = (
    "An entry's length is that of what it stands for, without the mark or the space before a word; the unknown token "
    "and added ones have none. What a normalizer changed is measured as it became."
)

ID_MEASURES: tuple[Measure[Distribution], ...] = (
    _measure(
        "ids_seen",
        "ids seen",
        "The number of distinct ids in the tokens of the texts.",
        "|V_seen|",
        "ids",
        "none",
        "Usual.",
        _MORE_TEXT,
        lambda distribution: float(len(distribution.ids)),
        has_interval=False,
    ),
    _measure(
        "vocabulary_use",
        "vocabulary use",
        "The number of distinct ids in the tokens of the texts, divided by the number of ids of the vocabulary, added "
        "tokens included.",
        "|V_seen| / |V|",
        "1",
        "higher",
        "Usual; also called vocabulary utilization.",
        _MORE_TEXT + " Ids for other languages are no waste.",
        _vocabulary_use,
        of_file=True,
        has_interval=False,
    ),
    _measure(
        "shannon_entropy",
        "Shannon entropy",
        "Shannon's entropy of the shares of the ids among the tokens.",
        "H = −Σ_i p_i log₂ p_i",
        "bits per token",
        "none",
        "Shannon (1948); `shannon_entropy` of tokenization-scorer.",
        _FEW_TEXTS + "It is of single tokens: the context, which makes tokens likely, is not in it.",
        lambda distribution: _entropy(distribution, 1),
    ),
    _measure(
        "shannon_efficiency",
        "Shannon efficiency",
        "Shannon's entropy, divided by the largest that as many ids as were seen can have.",
        "H / log₂ |V_seen|",
        "1",
        "higher",
        "Zouhar et al. (2023); `shannon_efficiency` of tokenization-scorer.",
        _FEW_TEXTS + "Ids that were not seen do not count.",
        lambda distribution: _efficiency(distribution, 1, len(distribution.ids)),
    ),
    _measure(
        "renyi_entropy",
        "Rényi entropy",
        "Rényi's entropy of order α of the shares of the ids among the tokens; α is 2.5 if nothing else is asked for. "
        "The larger α, the more the frequent ids decide.",
        "H_α = log₂(Σ_i p_i^α) / (1 − α), H_1 = H",
        "bits per token",
        "none",
        "Rényi (1961); `renyi_entropy` of tokenization-scorer.",
        _FEW_TEXTS,
        lambda distribution: _entropy(distribution, distribution.alpha),
    ),
    _measure(
        "renyi_efficiency",
        "Rényi efficiency",
        "Rényi's entropy of order α, divided by the largest that as many ids as were seen can have.",
        "H_α / log₂ |V_seen|",
        "1",
        "higher",
        "Zouhar et al. (2023); `renyi_efficiency` of tokenization-scorer, which by default takes what was seen.",
        _FEW_TEXTS
        + "It correlated with the quality of English to German translation (α = 2.5); Cognetta et al. (2024) "
        "build tokenizers with a higher value and worse translations.",
        lambda distribution: _efficiency(distribution, distribution.alpha, len(distribution.ids)),
    ),
    _measure(
        "renyi_efficiency_vocabulary",
        "Rényi efficiency, of the vocabulary",
        "Rényi's entropy of order α, divided by the largest that the ids of the whole vocabulary can have.",
        "H_α / log₂ |V|",
        "1",
        "higher",
        "Zouhar et al. (2023), definition in the paper; tokenization-scorer with `vocab`.",
        _FEW_TEXTS + "A vocabulary for many languages has a low value on texts in one.",
        lambda distribution: _efficiency(distribution, distribution.alpha, _size(distribution)),
        of_file=True,
    ),
    _measure(
        "percentile_frequency",
        "percentile frequency",
        "The share of the tokens whose ids have ranks from 3 % to 83 % of all ranks by frequency.",
        "Σ_{0.03 n ≤ r < 0.83 n} p_(r), n = |V_seen|, r from 0",
        "1",
        "higher",
        "Zouhar et al. (2023); `percentile_freq` of tokenization-scorer.",
        "The two ranks were fitted to one set of translation experiments.",
        _percentile_frequency,
    ),
    _measure(
        "zipf_exponent",
        "Zipf exponent",
        "The exponent that makes the frequencies of the ranks most likely, if the id of rank r has a share that falls "
        "with a power of r.",
        "s = argmax Σ_r n_r log(r^−s / Σ_k k^−s)",
        "1",
        "none",
        "Zipf (1935); fitted by maximum likelihood over all ranks that were seen.",
        "Tokens do not follow the law closely, least of all the rarest; ranks and frequencies are of the same texts, "
        "which makes the fit look better than it is (Piantadosi 2014). Look at the plot.",
        zipf_exponent,
        has_interval=False,
    ),
    _measure(
        "token_bytes",
        "length of tokens in bytes",
        "The number of bytes in UTF-8 of the entry of a token, on average over tokens.",
        "Σ_i p_i · bytes(i)",
        "bytes",
        "higher",
        "Usual.",
        _LENGTH,
        lambda distribution: _mean_length(distribution, in_bytes=True),
        of_file=True,
    ),
    _measure(
        "token_bytes_median",
        "length of tokens in bytes, median",
        "The smallest number of bytes that the entries of at least half of the tokens have or stay below.",
        "min {b : Σ_{bytes(i) ≤ b} p_i ≥ 1/2}",
        "bytes",
        "higher",
        "Usual.",
        _LENGTH,
        _median_length,
        of_file=True,
        has_interval=False,
    ),
    _measure(
        "token_characters",
        "length of tokens in characters",
        "The number of characters of the entry of a token, on average over tokens. A character in several tokens, byte "
        "by byte, counts for the one that has its first byte.",
        "Σ_i p_i · characters(i)",
        "characters",
        "higher",
        "Usual.",
        _LENGTH,
        lambda distribution: _mean_length(distribution, in_bytes=False),
        of_file=True,
    ),
    _measure(
        "white_space_tokens",
        "tokens of white space",
        "The share of tokens whose entry is white space and nothing else.",
        "T_white space / T",
        "1",
        "none",
        "This suite.",
        "White space that a token has before its word is not seen by it.",
        _share(lambda vocabulary: vocabulary.white_space_ids),
        of_file=True,
    ),
    _measure(
        "partial_tokens",
        "tokens with parts of characters",
        "The share of tokens whose entry has some bytes of a character and not all of them.",
        "T_not UTF-8 / T",
        "1",
        "lower",
        "Usual; what unknown tokens are to tokenizers without bytes.",
        "A byte that is a character, such as that of a line end, is no part, however it is written in the vocabulary.",
        _share(lambda vocabulary: vocabulary.partial_ids),
        of_file=True,
    ),
)
"""The measures of the distribution of tokens."""
