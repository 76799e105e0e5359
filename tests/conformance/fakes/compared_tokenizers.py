"""What a comparison of tokenizers comes to on given texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.cuts.engine import ComparePlan, compare
from tokenizer_conformance.results.records.cuts import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Implementation


def plan_of(
    tokenizers: Sequence[str],
    texts: Sequence[str],
    implementation: Callable[[], Implementation] = TokenizersImplementation,
    **options: Any,
) -> ComparePlan:
    """Return the plan of a comparison on ``texts``, each of which is an input."""
    inputs = tuple(Input(f"text {number}", "test", text) for number, text in enumerate(texts))
    corpus, refusals = read_corpus([("test", inputs)])
    assert not refusals
    return ComparePlan(
        tokenizers=tuple(read_tokenizer(find_tokenizer(each)) for each in tokenizers),
        implementations=tuple(implementation() for _ in tokenizers),
        corpus=corpus,
        **({"text": None} | options),
    )


def results_of(plan: ComparePlan) -> list[Pair]:
    return [event for event in compare(plan) if isinstance(event, Pair)]
