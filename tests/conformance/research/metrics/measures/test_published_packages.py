"""Values beside those of packages that others have written, and of what they publish."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from segmentations import sample, values

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.id_measures import ID_MEASURES, renyi_entropy, zipf_exponent
from tokenizer_conformance.research.metrics.measures.intervals import Resampling, student_quantile
from tokenizer_conformance.research.metrics.measures.language_measures import gini
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.sample import Cut
from tokenizer_conformance.research.metrics.measures.subjects import Distribution
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary
from tokenizer_conformance.research.metrics.measures.vocabulary_measures import jaccard
from tokenizer_conformance.research.segmentation.segmented import Segmented
from tokenizer_conformance.research.segmentation.segmenter import segmenter

if TYPE_CHECKING:
    from collections.abc import Sequence


def distribution_of(tokens: Sequence[str], alpha: float = 2.5, size: int | None = None) -> Distribution:
    kinds, counts = np.unique(np.array(tokens), return_counts=True)
    vocabulary = None if size is None else Vocabulary(size, frozenset(), {}, frozenset())
    return Distribution(np.arange(len(kinds)), counts, vocabulary, alpha)


def value_of(measure: str, of: Distribution) -> float | None:
    return next(each for each in ID_MEASURES if each.id == measure).compute(of)


PICKED = "pick @@ed pick @@l @@ed pick @@les"
PIECES = "pick @@e @@d pick @@l @@e @@d pick @@l @@e @@s"


@pytest.mark.parametrize(("text", "efficiency"), [(PICKED, 0.8031528501359657), (PIECES, 0.9105681923824472)])
def test_the_examples_of_zouhar_and_others(text: str, efficiency: float) -> None:
    """The values are those in the description of tokenization-scorer 1.1.8.

    They stand there beside ``power=2.5``, and are those of its default, 3: for 2.5 the package itself gives
    0.8265 and 0.9205, and so does this suite (:func:`test_scores_of_texts`).
    """
    assert value_of("renyi_efficiency", distribution_of(text.split(), alpha=3)) == pytest.approx(efficiency, rel=1e-12)


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[Cut]]:
    """Texts of the bundled corpus as bundled tokenizers cut them."""
    text = (files("tokenizer_conformance.inputs.bundled") / "corpus.txt").read_text("utf-8")
    lines = [sentence for line in text.splitlines() for sentence in line.split(". ") if sentence.strip()][:300]
    samples = [sample(line, number) for number, line in enumerate(lines)]
    cuts: dict[str, list[Cut]] = {}
    for name in ("gpt2-mini", "bert-mini"):
        with segmenter(TokenizersImplementation(), find_tokenizer(name)) as cutting:
            segmented = cutting.segment(lines)
        cuts[name] = [Cut(of, each) for of, each in zip(samples, segmented, strict=True) if isinstance(each, Segmented)]
        assert len(cuts[name]) == len(lines) > 100
    return cuts


def tally_of(cuts: Sequence[Cut]) -> Tally:
    tally = Tally()
    for each in cuts:
        tally.add(each)
    return tally


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("alpha", [0.5, 2.0, 2.5, 3.0, 10.0])
@pytest.mark.parametrize("name", ["gpt2-mini", "bert-mini"])
def test_scores_of_texts(corpus: dict[str, list[Cut]], name: str, alpha: float) -> None:
    """tokenization-scorer, of the authors of the Rényi efficiency: by what was seen, and by 3000.

    Its efficiency of order 1 is not asked for: release 1.1.8 reads the texts twice there, and finds none at the second.
    """
    scorer: Any = pytest.importorskip("tokenization_scorer")
    ids = [" ".join(map(str, each.segmented.ids)) for each in corpus[name]]
    tally = tally_of(corpus[name])
    vocabulary = Vocabulary(3000, frozenset(), {}, frozenset())
    found = values(estimates.of_ids(tally, vocabulary, alpha=alpha, resampling=None))
    expected = {
        "renyi_entropy": scorer.score(ids, metric="renyi_entropy", power=alpha),
        "renyi_efficiency": scorer.score(ids, metric="renyi", power=alpha),
        "renyi_efficiency_vocabulary": scorer.score(ids, metric="renyi", power=alpha, vocab=3000),
        "shannon_entropy": scorer.score(ids, metric="shannon_entropy"),
        "shannon_efficiency": scorer.score(ids, metric="shannon_efficiency"),
        "percentile_frequency": scorer.score(ids, metric="percentile_freq"),
        "tokens_per_text": -scorer.score(ids, metric="seq_len"),
    }
    found |= {"tokens_per_text": values(estimates.of_texts(tally, None))["tokens_per_text"]}
    assert {measure: found[measure] for measure in expected} == pytest.approx(expected, rel=1e-9)


@pytest.fixture
def tokenizer() -> Any:
    """The bundled WordPiece tokenizer as toklens wants it."""
    return pytest.importorskip("tokenizers").Tokenizer.from_file(str(find_tokenizer("bert-mini").file))


@pytest.mark.long
def test_words_are_those_of_toklens(corpus: dict[str, list[Cut]], tokenizer: Any) -> None:
    """It cuts words alone: the same for a tokenizer that sees no space, which is not so for a byte-level one.

    Its normalized sequence length is relative to characters, the inverse of characters per token here. Its retention
    counts unknown words.
    """
    metrics = pytest.importorskip("toklens.metrics")
    cuts = corpus["bert-mini"]
    text = "\n".join(each.sample.text for each in cuts)
    unknown = tokenizer.token_to_id("[UNK]")
    tally = Tally(frozenset({unknown}))
    for each in cuts:
        tally.add(each)
    found = values(estimates.of_texts(tally, None))
    assert found["unknown_tokens"] == 0
    assert found["word_fertility"] == pytest.approx(metrics.compute_fertility(tokenizer, text))
    assert found["kept_words"] == pytest.approx(metrics.compute_strr(tokenizer, text))
    for each in cuts[:20]:
        alone = values(estimates.of_texts(tally_of([each]), None))
        assert alone["characters_per_token"] == pytest.approx(metrics.compute_cpt(tokenizer, each.sample.text))
        assert alone["bytes_per_token"] == pytest.approx(metrics.compute_compression_ratio(tokenizer, each.sample.text))
        (premium,) = estimates.of_reference_language(tally_of([each]), tally_of(cuts[:1]), None)
        assert premium.value == pytest.approx(metrics.compute_parity(tokenizer, each.sample.text, cuts[0].sample.text))


@pytest.mark.parametrize("name", ["gpt2-mini", "bert-mini"])
def test_counts_are_those_of_tokscope(corpus: dict[str, list[Cut]], name: str) -> None:
    build_report = pytest.importorskip("tokscope.metrics").build_report
    for each in corpus[name][:50]:
        tokens = list(each.segmented.tokens or ())
        report = build_report(name, each.sample.text, tokens, tokens.count("[UNK]"), None)
        tally = Tally(frozenset(id for id, token in zip(each.segmented.ids, tokens, strict=True) if token == "[UNK]"))
        tally.add(each)
        found = values(estimates.of_texts(tally, None))
        assert found["fertility"] == pytest.approx(report.fertility)
        assert found["characters_per_token"] == pytest.approx(report.chars_per_token)
        assert found["bytes_per_token"] == pytest.approx(report.bytes_per_token)
        assert found["unknown_tokens"] == pytest.approx(report.unk_rate)


COUNTS = st.lists(st.integers(1, 1000), min_size=2, max_size=30)


@pytest.mark.long
@given(COUNTS)
def test_entropy_is_that_of_scipy(counts: list[int]) -> None:
    entropy = pytest.importorskip("scipy.stats").entropy
    shares = np.array(counts) / sum(counts)
    assert renyi_entropy(shares, 1) == pytest.approx(entropy(counts, base=2))


@pytest.mark.long
@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(1, 1000), min_size=3, max_size=30).filter(lambda counts: len(set(counts)) > 1))
def test_the_exponent_is_the_most_likely_one_of_scipy(counts: list[int]) -> None:
    stats = pytest.importorskip("scipy.stats")
    ranked = np.sort(counts)[::-1]
    of = Distribution(np.arange(len(counts)), np.array(counts))
    exponent = zipf_exponent(of)
    assert exponent is not None

    def likelihood(exponent: float) -> float:
        return float(ranked @ stats.zipfian.logpmf(np.arange(1, len(ranked) + 1), exponent, len(ranked)))

    if exponent > 0.01:  # scipy's has exponents above 0 only
        assert likelihood(exponent) >= likelihood(exponent * 1.01)
        assert likelihood(exponent) >= likelihood(exponent * 0.99)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20))
def test_gini_is_that_of_pygini(costs: list[int]) -> None:
    package = pytest.importorskip("pygini")
    assert gini(costs) == pytest.approx(package.gini(np.array(costs, float)), abs=1e-6)


@pytest.mark.long
@given(st.frozensets(st.binary(max_size=1)), st.frozensets(st.binary(max_size=1), min_size=1))
def test_jaccard_is_that_of_nltk(first: frozenset[bytes], second: frozenset[bytes]) -> None:
    distance = pytest.importorskip("nltk.metrics").jaccard_distance(first, second)
    assert jaccard(first, second) == pytest.approx(1 - distance)


@pytest.mark.long
def test_agreement_is_that_of_nltk(corpus: dict[str, list[Cut]]) -> None:
    """Precision, recall and F1 of sets of boundaries, and kappa of two annotators who cut or do not."""
    metrics = pytest.importorskip("nltk.metrics")
    pair = PairTally()
    sets: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
    places = []
    for first, second in zip(corpus["gpt2-mini"], corpus["bert-mini"], strict=True):
        pair.add(first, second)
        text, number = first.sample.text, first.sample.number
        assert not first.dropped_characters | second.dropped_characters
        visible = [not character.isspace() for character in text]
        places += [(number, place) for place in range(1, len(text)) if visible[place - 1] and visible[place]]
        for edges, made in zip(sets, (first, second), strict=True):
            edges |= {(number, place) for span in made.segmented.spans or () for place in span if span[0] < span[1]}
    ours, theirs = (edges & set(places) for edges in sets)
    found = values(estimates.of_pair(pair, None))
    assert found["boundary_precision"] == pytest.approx(metrics.precision(ours, theirs))
    assert found["boundary_recall"] == pytest.approx(metrics.recall(ours, theirs))
    assert found["boundary_f1"] == pytest.approx(metrics.f_measure(ours, theirs))
    decisions = [(name, place, place in edges) for name, edges in (("a", ours), ("b", theirs)) for place in places]
    task = pytest.importorskip("nltk.metrics.agreement").AnnotationTask(decisions)
    assert found["boundary_kappa"] == pytest.approx(task.kappa())


@pytest.mark.long_but(1)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_are_those_of_scipy(corpus: dict[str, list[Cut]], level: float) -> None:
    """The percentile bootstrap of scipy draws texts with replacement; the ends are as near as two draws of it are."""
    stats = pytest.importorskip("scipy.stats")
    cuts = corpus["gpt2-mini"]
    found = {each.measure: each for each in estimates.of_texts(tally_of(cuts), Resampling(4000, level))}
    tokens = np.array([len(each.segmented.ids) for each in cuts], float)
    below = {
        "fertility": np.array([len(each.sample.words) for each in cuts], float),
        "bytes_per_token": np.array([each.sample.bytes for each in cuts], float),
    }
    for measure, other in below.items():
        above, under = (tokens, other) if measure == "fertility" else (other, tokens)
        expected = stats.bootstrap(
            (above, under),
            lambda above, under, axis: above.sum(axis=axis) / under.sum(axis=axis),
            paired=True,
            n_resamples=4000,
            confidence_level=level,
            method="percentile",
            rng=np.random.default_rng(1),
        ).confidence_interval
        interval = found[measure].interval
        assert interval is not None
        near = 0.12 * (expected.high - expected.low)
        assert interval.low == pytest.approx(expected.low, abs=near)
        assert interval.high == pytest.approx(expected.high, abs=near)


@pytest.mark.parametrize("degrees", [1, 2, 3, 9, 10, 18, 19])
@pytest.mark.parametrize("probability", [0.5, 0.9, 0.975, 0.9995])
def test_quantiles_are_those_of_scipy(degrees: int, probability: float) -> None:
    expected = pytest.importorskip("scipy.stats").t.ppf(probability, degrees)
    assert student_quantile(probability, degrees) == pytest.approx(expected, abs=1e-9, rel=1e-9)
