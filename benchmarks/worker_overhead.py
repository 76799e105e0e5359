"""What a process of its own costs per observation, against the same implementation in this process.

    python benchmarks/worker_overhead.py [--implementation NAME]... [--tokenizer FILE] [--rounds N]

Each row is one length of text, asked to ``encode`` with all fields. The processor's time per observation, which other
work on the machine hardly changes, is measured in this process, and for a worker behind the line protocol on both
sides: here (requests written, answers read and checked) and there (all else). The overhead is what both come to above
the time in this process, and the ratio the one to the other. On two idle cores the two sides work at the same time; the
last columns are the times on the clock, of many questions at once as a run asks them, and of each question after the
answer to the one before.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabulate import tabulate

from tokenizer_adapters.contract import Encode, TokenizerSource, observe_all
from tokenizer_adapters.registry import load_implementation
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, Subject

SENTENCE = "It is a truth universally acknowledged, that a single man in possession of a good fortune wants a wife. "
LENGTHS = {1: 8000, 10: 8000, 100: 3000, 1000: 400, 10_000: 40, 100_000: 4}
"""Characters of a text, and how many questions a round asks: enough for the start of a process to count little."""

MICROSECONDS = 1e6


@dataclass(frozen=True)
class Times:
    """Seconds of a round: the processor's here, the processor's in ended children, and those on the clock."""

    here: float
    there: float
    clock: float


def questions(length: int, count: int) -> list[Encode]:
    """Return ``count`` questions about different texts of ``length`` characters."""
    endless = SENTENCE * (length // len(SENTENCE) + 2)
    return [Encode(endless[start % len(SENTENCE) :][:length], None, start % 2 == 0) for start in range(count)]


def one_by_one(subject: Subject, observations: Sequence[Observation]) -> list[Outcome]:
    """Ask ``observations``, each after the answer to the one before."""
    return [subject.observe(observation) for observation in observations]


def nothing(_subject: Subject, _observations: Sequence[Observation]) -> list[Outcome]:
    """Ask nothing: what is measured then is the start and the end of a worker."""
    return []


def measured(work: Callable[[], object], end: Callable[[], object]) -> Times:
    """Return the times of ``work``; children are counted when ``end`` has ended them."""
    children = _children()
    clock, here = time.perf_counter(), time.process_time()
    work()
    clock, here = time.perf_counter() - clock, time.process_time() - here
    end()
    return Times(here, _children() - children, clock)


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def in_process(name: str, source: TokenizerSource, observations: Sequence[Observation]) -> Times:
    """Return the times of asking in this process."""
    subject = load_implementation(name).load(source)
    return measured(lambda: observe_all(subject, observations), lambda: None)


def in_worker(
    name: str,
    source: TokenizerSource,
    observations: Sequence[Observation],
    ask: Callable[[Subject, Sequence[Observation]], list[Outcome]],
) -> Times:
    """Return the times of asking a worker that was started for this."""
    implementation = select(name, Isolation()).start(Isolation().limits)
    subject = implementation.load(source)
    return measured(lambda: ask(subject, observations), implementation.close)


def compare(name: str, source: TokenizerSource, rounds: int) -> Iterator[list[object]]:
    """Yield a row for each length of text, of the best of ``rounds``."""
    start = min(in_worker(name, source, (), nothing).there for _ in range(max(rounds, 3)))
    for length, count in LENGTHS.items():
        observations = questions(length, count)
        alone = [in_process(name, source, observations) for _ in range(rounds)]
        batched = [in_worker(name, source, observations, observe_all) for _ in range(rounds)]
        single = [in_worker(name, source, observations, one_by_one) for _ in range(rounds)]
        here, client, server, clock, clock_single = (
            min(seconds) / count * MICROSECONDS
            for seconds in (
                [times.here for times in alone],
                [times.here for times in batched],
                [times.there - start for times in batched],
                [times.clock for times in batched],
                [times.clock for times in single],
            )
        )
        both = client + server
        yield [name, length, here, client, server, both - here, both / here, clock, clock_single]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--implementation", action="append", dest="names", metavar="NAME")
    parser.add_argument("--tokenizer", default=str(bundled_file("gpt2-mini")), metavar="FILE")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    arguments = parser.parse_args()
    source = TokenizerSource("the tokenizer", arguments.tokenizer)
    names = arguments.names or ("tokenizers", "reference")
    rows = [row for name in names for row in compare(name, source, arguments.rounds)]
    headers = [
        "µs per observation",
        "characters",
        "in process",
        "worker: here",
        "there",
        "overhead",
        "ratio",
        "clock: at once",
        "one by one",
    ]
    print(tabulate(rows, headers, floatfmt=("", "", *[",.0f"] * 4, ".2f", ",.0f", ",.0f"), intfmt=","))


if __name__ == "__main__":
    main()
