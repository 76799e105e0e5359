"""What searches of fakes are made of: sides, a generator, and what asks in this process."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_implementations import Toy

from tokenizer_adapters.contract import Failed, TokenizerSource
from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.inputs.text_generators.generator import Generator, Produced
from tokenizer_conformance.validation.search.asking import CaseAsker
from tokenizer_conformance.validation.search.cases import Answered
from tokenizer_conformance.validation.search.plan import FuzzPlan, SearchedImplementation
from tokenizer_conformance.validation.search.random_results import FuzzResult
from tokenizer_conformance.validation.search.random_tokenizers import compare_tokenizer, load_here

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from planted_faults import Planted

    from tokenizer_conformance.comparison.no_value import Refusal
    from tokenizer_conformance.validation.search.cases import Batch
    from tokenizer_conformance.validation.search.plan import Pairing, SearchPlan
    from tokenizer_conformance.validation.search.random_tokenizers import Load, LoadedSide

IN_PROCESS = Isolation(in_process=frozenset({ALL}))

WORDS = Generator("words", "words with a B or a z in some of them", lambda _: Produced(300, word))


def word(number: int) -> str:
    return f"a{number} c" if number % 50 else f"x{number}B yz"


class Here:
    """Asks in this process, at once; the tokenizer is loaded for each batch."""

    patience = 5.0

    def __init__(self, plan: SearchPlan, pairing: Pairing, bench: Bench) -> None:
        self._plan = plan
        self._pairing = pairing
        self._bench = bench

    def submit(self, task: Batch, /) -> Future[Answered]:
        trial = self._bench.trial(self._pairing.tokenizer.source)
        future: Future[Answered] = Future()
        future.set_result(Answered(CaseAsker(trial, self._plan.known(self._pairing)).results(task.cases)))
        return future


@contextmanager
def here(plan: SearchPlan, pairing: Pairing, /) -> Iterator[Here]:
    with Bench(plan.baseline.built, pairing.implementation.built) as bench:
        yield Here(plan, pairing, bench)


def side_of(fake: type[Toy]) -> SearchedImplementation:
    return SearchedImplementation(fake(), select(f"fake_implementations:{fake.__name__}", IN_PROCESS))


def fuzz_plan(implementation: str, seed: int, tokenizers: int, **options: Any) -> FuzzPlan:
    """Return the plan of comparing an implementation with `tokenizers` on random tokenizers."""
    baseline, info = (
        replace(Toy().info, name=name, version=version)
        for name, version in (("tokenizers", "0.23.3"), (implementation, "1"))
    )
    return FuzzPlan(baseline_info=baseline, implementations=(info,), seed=seed, tokenizers=tokenizers, **options)


def loading(folder: Path, *faults: type[Planted]) -> Load:
    """Return what loads planted ``faults`` by their names, and any other implementation; ``folder`` takes files."""
    planted = {fault.name: fault() for fault in faults}

    def load(name: str, document: str) -> LoadedSide | Refusal:
        if name not in planted:
            return load_here(str(folder), name, document)
        file = folder / "planted.json"
        file.write_text(document, encoding="utf-8")
        try:
            return loaded(planted[name], TokenizerSource("the tokenizer", str(file)))
        except Exception as error:
            return Failed(type(error.__cause__ or error).__name__, str(error))

    return load


def fuzzed(plan: FuzzPlan, load: Load) -> FuzzResult:
    """Return the sum of what comes of the tokenizers of ``plan``, each compared for itself."""
    whole = FuzzResult()
    for number in range(plan.start, plan.start + plan.tokenizers):
        one = FuzzResult()
        compare_tokenizer(plan, number, load, one)
        whole.add(one)
    return whole
