"""Memory does not grow with the corpus."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.inputs.sources import sources_of
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.metrics.engine import measure
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.plan import Estimating, MetricsPlan
from tokenizer_conformance.research.metrics.results import rows_of
from tokenizer_conformance.research.metrics.tasks import corpus_of, partitioned
from tokenizer_conformance.research.metrics.texts import SourceTexts

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.research.metrics.results import Results


LINES = 5_000
"""More than a chunk of texts has."""


def measured(file: Path) -> Results:
    implementation = TokenizersImplementation()
    (source,) = sources_of([file])
    texts = SourceTexts(source, "xx")
    corpus = corpus_of([texts], [partitioned(texts)], [])
    tokenizers = tuple(read_tokenizer(find_tokenizer(name)) for name in ("bert-mini",))
    plan = MetricsPlan(
        rows=rows_of(tokenizers, (implementation.info,)),
        implementations={implementation.info.name: implementation},
        selected={},
        sources=(texts,),
        corpus=corpus,
        estimating=Estimating(chosen=("fertility", "shannon_entropy")),
    )
    (results,) = (event.results for event in measure(plan) if isinstance(event, Measured))
    return results


@pytest.mark.slow
def test_four_times_the_texts_take_no_more_memory(tmp_path: Path) -> None:
    peaks = []
    for times in (1, 1, 4):  # the first one fills caches
        file = tmp_path / f"{times}.txt"
        file.write_text("".join(f"word {n % 977}\n" for n in range(LINES * times)))
        tracemalloc.start()
        results = measured(file)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert {read.texts for _, read in results.groups} == {LINES * times}
    assert peaks[2] < 1.15 * peaks[1], peaks
