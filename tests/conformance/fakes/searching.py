"""What searches of fakes are made of: sides, a generator, and what asks in this process."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.inputs.text_generators.generator import Generator, Produced
from tokenizer_conformance.validation.search.asking import CaseAsker
from tokenizer_conformance.validation.search.cases import Answered
from tokenizer_conformance.validation.search.plan import SearchedImplementation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_implementations import Toy

    from tokenizer_conformance.validation.search.cases import Batch
    from tokenizer_conformance.validation.search.plan import Pairing, SearchPlan

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
