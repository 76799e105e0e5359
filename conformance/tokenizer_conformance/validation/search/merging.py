"""Merging the records of the parts of one search with random tokenizers: a stream of events, like that of a search.

A part has a stretch of the tokenizers. The smallest case of a kind is that of the whole search; the part that it is in
has made it small, and that is taken from there, for as many kinds as a whole search makes small. Lines are read one at
a time: of the differences of a kind no more is kept than the smallest.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.parts import changes_of_headers, merged_parts, missing
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.recorded_header import environment_of, info_of
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.no_value import NoValue
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records.lines import MALFORMED, wrong_line
from tokenizer_conformance.results.records.making import made
from tokenizer_conformance.validation.search.engine import conclusion_of
from tokenizer_conformance.validation.search.events import FuzzFinished, Started
from tokenizer_conformance.validation.search.plan import FuzzPlan
from tokenizer_conformance.validation.search.random_results import Kinds, difference_of_line
from tokenizer_conformance.validation.search.random_search import MOST_REDUCED, finding_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.results.records import headers
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.search.events import SearchEvent
    from tokenizer_conformance.validation.search.random_results import FuzzSignature

Json = dict[str, Any]

V = TypeVar("V")


COMMON = {
    "baseline": "baseline",
    "implementations": "implementations",
    "seed": "--seed",
    "start": "--start",
    "tokenizers": "--tokenizers",
    "texts": "--texts",
    "repeated": "options",
    "ledgers": "ledgers",
}
"""What the headers of all parts have in common, and what it is called."""


def changes_of_searches(one: Json, other: Json) -> list[str]:
    """Return what is not the same in the headers of two parts of a search, as :func:`changes_of_headers` does."""
    return changes_of_headers(one, other, COMMON)


@dataclass(frozen=True, slots=True)
class RecordedFuzz:
    """The record of a part of a search with random tokenizers; ``others`` are its lines that are no differences."""

    read: RecordedLines
    header: lines.Header
    others: tuple[Value, ...]

    @property
    def shard(self) -> Shard | None:
        """Which part it is."""
        shard = self.header.shard
        return None if shard is None else Shard(shard.part, shard.of)

    def differences(self, implementation: str) -> Iterator[lines.Difference]:
        """Yield the differences of one ``implementation``, one in memory at a time. Raises :class:`BadInputError`."""
        for number, line in enumerate(self.read.lines, 1):
            if line["type"] == DIFFERENCE and line.get("implementation") == implementation:
                yield _typed(self.read, number, line)


DIFFERENCE = "difference"


def fuzz_of(read: RecordedLines) -> RecordedFuzz:
    """Return the part of a search of which the lines were ``read``. Raises :class:`BadInputError`."""
    others = (_typed(read, number, line) for number, line in enumerate(read.lines, 1) if line.get("type") != DIFFERENCE)
    return RecordedFuzz(read, next(others), tuple(others))


def _typed(read: RecordedLines, number: int, line: Json) -> Any:
    try:
        return lines.FORMAT.read(line)
    except MALFORMED as error:
        raise wrong_line(read.path, number, error) from error


def _lines_of(parts: Sequence[RecordedFuzz], kind: type[V]) -> Iterator[V]:
    return (line for part in parts for line in part.others if isinstance(line, kind))


def merged_search(parts: Sequence[RecordedFuzz], *, partial: bool) -> Generator[SearchEvent]:
    """Yield what the whole search of the ``parts``, in their order, would have told.

    They belong together, and none is there twice (:mod:`tokenizer_conformance.command_io.parts`). With ``partial`` the
    conclusion is that of what is there, where parts or their ends are missing.
    """
    lacks = bool(missing([part.read for part in parts]))
    plan = _plan(parts, lacks=lacks)
    environments = [environment_of(part.read.header["environment"]) for part in parts]
    yield Started(
        current_environment(plan.command),
        plan,
        merged_parts([(part.read, part.shard, there) for part, there in zip(parts, environments, strict=True)]),
    )
    yield from map(ImplementationMissing, plan.unavailable)
    done: list[tuple[lines.Result, Kinds]] = []
    for one in plan.for_each_implementation():
        kinds = Kinds()
        yield from _differences(parts, one.implementation, kinds)
        results = [line for line in _lines_of(parts, lines.Result) if line.implementation == one.implementation]
        if not results and not kinds.total:
            continue
        whole = joined(one.implementation, results, kinds.total, complete=not lacks)
        done.append((whole, kinds))
        yield whole
        yield from _findings(one, parts, kinds)
    footers = [part.read.footer for part in parts if part.read.footer is not None]
    broken = any(footer["conclusion"] == Conclusion.INTERNAL_ERROR for footer in footers)
    yield FuzzFinished(
        finished=not lacks and all(footer["finished"] for footer in footers),
        conclusion=conclusion_from(
            {
                Conclusion.INTERNAL_ERROR: broken,
                Conclusion.INCOMPLETE: lacks and not partial,
                conclusion_of(plan, done): True,
            }
        ),
        tokenizers=sum(result.tokenizers for result, _ in done),
        cases=sum(result.cases for result, _ in done),
        values=sum(result.values for result, _ in done),
        differences=sum(kinds.total for _, kinds in done),
        seconds=sum(float(footer["seconds"]) for footer in footers),
        known=sum(known.count for result, _ in done for known in result.known),
    )


def _plan(parts: Sequence[RecordedFuzz], *, lacks: bool) -> FuzzPlan:
    """Return the plan of the whole search; where parts are missing, it is that of a part still."""
    first = parts[0].header
    absent = _lines_of(parts, lines.ImplementationMissing)
    return FuzzPlan(
        baseline_info=info_of(parts[0].read.header["baseline"]),
        implementations=tuple(map(info_of, parts[0].read.header["implementations"])),
        unavailable=tuple(dict.fromkeys(Rejected("implementation", line.name, line.reason) for line in absent)),
        seed=first.seed,
        tokenizers=first.tokenizers,
        texts=first.texts,
        start=first.start,
        shard=parts[0].shard if lacks else None,
        given_options=first.repeated,
        ledger=Ledger(files=[LedgerFile(each.name, each.sha256) for each in first.ledgers]),
        command=("tokconf", *sys.argv[1:]),
    )


def _differences(parts: Sequence[RecordedFuzz], implementation: str, kinds: Kinds) -> Iterator[lines.Difference]:
    for part in parts:
        for line in part.differences(implementation):
            kinds.take(difference_of_line(line))
            yield line


def _findings(plan: FuzzPlan, parts: Sequence[RecordedFuzz], kinds: Kinds) -> Iterator[lines.Finding]:
    small: dict[tuple[FuzzSignature, int], lines.Case] = {
        (line.signature, line.smallest.number): line.smallest
        for line in _lines_of(parts, lines.Finding)
        if line.implementation == plan.implementation and line.is_reduced
    }
    for place, kind in enumerate(kinds.ranked()):
        made_small = small.get((tuple(map(str, kind.signature)), kind.smallest.number))
        yield finding_of(plan, kind, made_small if place < MOST_REDUCED else None)


def joined(implementation: str, parts: Sequence[lines.Result], differences: int, *, complete: bool) -> lines.Result:
    """Return the result of several ``parts`` of the tokenizers together."""
    answers: dict[Stage, Counter[Verdict]] = {stage: Counter() for stage in Stage}
    no_value: Counter[NoValue] = Counter()
    known: dict[tuple[str, int], headers.Known] = {}
    for part in parts:
        for stage, counts in part.answers.items():
            answers[stage].update(counts)
        for row in part.no_value:
            no_value[NoValue(row.where, row.baseline, row.implementation)] += row.count
        for entry in part.known:
            key = entry.ledger, entry.entry
            before = known[key].count if key in known else 0
            known[key] = msgspec.structs.replace(entry, count=before + entry.count)
    summed = ("tokenizers", "cases", "values", "ambiguous", "given_up", "unstable")
    return lines.Result(
        implementation=implementation,
        complete=complete and all(part.complete for part in parts),
        answers={stage: dict(sorted(answers[stage].items())) for stage in sorted(answers) if answers[stage]},
        no_value=tuple(made(lines.NoValue, row, count=count) for row, count in sorted(no_value.items())),
        differences=differences,
        known=tuple(known.values()),
        seconds=rounded(sum(part.seconds for part in parts)),
        **{name: sum(getattr(part, name) for part in parts) for name in summed},
    )
