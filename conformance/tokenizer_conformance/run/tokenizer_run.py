"""One tokenizer at work: what every implementation is asked about it, and what its answers come to."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    Observation,
    Stage,
    TokenizerSource,
    Unsupported,
    stage_of,
)
from tokenizer_conformance.comparing.asking import Asked, loaded, together
from tokenizer_conformance.comparing.blame import consequence_of, first_parting
from tokenizer_conformance.comparing.comparison import Comparison, OutcomeInUnit, compare
from tokenizer_conformance.comparing.findings import Example, FindingCollector
from tokenizer_conformance.comparing.questions import about_ids, about_pair, about_text
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.run.events import (
    Checkpoint,
    DifferenceFound,
    Event,
    ImplementationResult,
    InputCompared,
    LoadFailed,
    TokenizerFinished,
    TokenizerLoaded,
)
from tokenizer_conformance.run.plan import EXAMPLES_PER_FINDING
from tokenizer_conformance.run.tally import Tally
from tokenizer_conformance.unusable import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.run.plan import RunPlan

EVERY_ID = "every id"

INPUTS_AT_ONCE = 64
"""How many inputs are asked about ahead, where an implementation answers many questions at once faster."""

CHARACTERS_AT_ONCE = 200_000
"""With so many characters a batch is complete, however few inputs they are: answers to all of it are held in memory."""

IDS_AT_ONCE = 1000


def _batches(numbered: Iterable[tuple[int, Input]]) -> Iterator[list[tuple[int, Input]]]:
    """Yield the inputs in batches, in order; those before a place that cannot be read, too."""
    batch: list[tuple[int, Input]] = []
    characters = 0
    unreadable: BadInputError | None = None
    try:
        for each in numbered:
            batch.append(each)
            characters += len(each[1].text)
            if len(batch) == INPUTS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
                yield batch
                batch, characters = [], 0
    except BadInputError as error:
        unreadable = error
    if batch:
        yield batch
    if unreadable is not None:
        raise unreadable


def file_names(files: Iterable[str]) -> tuple[str, ...]:
    """Return the names of ``files``, paths: reports say nothing of the machine they were made on."""
    return tuple(Path(file).name for file in files)


@dataclass
class _Observed:
    """An input, and the comparisons made for it so far, by implementation."""

    input: Input
    number: int
    comparisons: dict[str, list[tuple[Observation, Comparison]]]
    parted: dict[str, frozenset[Stage]] = field(default_factory=dict)

    def settle(self) -> None:
        """Note at which stages the input parts when it stands alone."""
        self.parted = {name: _parted(comparisons) for name, comparisons in self.comparisons.items()}


def _parted(comparisons: list[tuple[Observation, Comparison]]) -> frozenset[Stage]:
    return frozenset(stage_of(question) for question, comparison in comparisons if comparison.differences)


class TokenizerRun:
    """One tokenizer at work."""

    def __init__(self, plan: RunPlan, source: TokenizerSource, so_far: TokenizerFinished | None = None) -> None:
        """Begin, or go on from what an earlier run has recorded ``so_far``."""
        self._plan = plan
        self._source = source
        self._began = time.perf_counter()
        self._stages = frozenset(plan.observed_stages())
        self._load_errors: dict[str, str] = {}
        self._baseline: Asked | None = None
        self._others: dict[str, Asked] = {}
        self._tallies = {
            each.info.name: Tally(plan.observed_stages())
            for each in plan.implementations
            if each.info.name != plan.baseline
        }
        self._collector = FindingCollector(source.name)
        self._inputs = 0
        self._ids = 0
        self._earlier_seconds = self._earlier_baseline_seconds = 0.0
        self._checkpoint = self._began
        self.refusal: Unusable | None = None
        if so_far is not None:
            self._restore(so_far)

    def _restore(self, so_far: TokenizerFinished) -> None:
        self._inputs, self._ids = so_far.inputs, so_far.ids
        self._earlier_seconds, self._earlier_baseline_seconds = so_far.seconds, so_far.baseline_seconds
        for result in so_far.results:
            self._tallies[result.implementation].restore(result)
        self._collector.restore(so_far.findings)

    @property
    def failing(self) -> int:
        """How many inputs have failed, summed over the implementations."""
        return sum(tally.failing for tally in self._tallies.values())

    # Loading

    def load(self) -> Iterator[Event]:
        """Load the tokenizer into every implementation. Where none takes it, ``refusal`` says so."""
        loads: list[Event] = []
        for implementation in self._plan.implementations:
            name = implementation.info.name
            began = time.perf_counter()
            try:
                asked = loaded(implementation, self._source)
            except CannotLoadError as error:
                self._load_errors[name] = str(error)
            else:
                loads.append(TokenizerLoaded(self._source.name, name, time.perf_counter() - began))
                self._keep(name, asked)
        if loads:
            yield from loads
            yield from (LoadFailed(self._source.name, name, reason) for name, reason in self._load_errors.items())
        else:
            self.refusal = self._refused_by_all()

    def _keep(self, name: str, asked: Asked) -> None:
        if name == self._plan.baseline:
            self._baseline = asked
        else:
            self._others[name] = asked

    def _refused_by_all(self) -> Unusable:
        reason = self._load_errors[self._plan.baseline]
        others = [name for name in self._load_errors if name != self._plan.baseline]
        too = f" (refused by {', '.join(others)} too)" if others else ""
        return Unusable("tokenizer", self._source.name, f"{reason}{too}")

    # Comparing

    def compare_inputs(self) -> Iterator[Event]:
        """Compare all inputs, and every id where the plan says so."""
        if self._baseline is None or not self._others:
            return
        vocabulary = self._vocabulary() if self._plan.every_id and Stage.DECODE in self._stages else {}
        total = self._plan.corpus.count + len(vocabulary)
        yield from self._compare_texts(self._baseline, total)
        yield from self._compare_ids(self._baseline, vocabulary, total)

    def _compare_texts(self, baseline: Asked, total: int) -> Iterator[Event]:
        """Compare the inputs that no earlier run has compared; the first is looked at anyway, as the last one's pair."""
        already = self._inputs
        first: _Observed | None = None
        waiting: _Observed | None = None
        numbered = enumerate(self._plan.corpus)
        for batch in _batches(each for each in numbered if each[0] == 0 or each[0] >= already):
            self._ask_ahead(baseline, [each for _, each in batch], None if waiting is None else waiting.input)
            for number, each in batch:
                observed = self._observe_alone(baseline, each, number)
                if waiting is not None:
                    yield from self._conclude(baseline, waiting, observed, total)
                first = first or observed
                waiting = observed if number >= already else None
        if waiting is not None and first is not None:
            yield from self._conclude(baseline, waiting, first, total)

    # Asking ahead

    def _ask_ahead(self, baseline: Asked, batch: list[Input], before: Input | None) -> None:
        """Put all questions about ``batch`` to those that answer many at once faster.

        ``before`` is the input before these, which waits for its pair. Some questions depend on the baseline's answers.
        """
        everybody = (baseline, *self._others.values())
        for asked in everybody:
            asked.forget()
        batching = [asked for asked in everybody if asked.takes_batches]
        if batching:
            texts = batch if before is None else [before, *batch]
            alone = [question for each in batch for question in about_text(each.text, self._stages)]
            pairs = [question for two in pairwise(texts) for question in self._pair_questions(*two)]
            together(batching, [*alone, *pairs])
            baseline.ask_ahead(alone)
            depending = (about_text(each.text, self._stages, baseline.ask) for each in batch)
            together(batching, list(chain.from_iterable(depending)))

    def _pair_questions(self, first: Input, second: Input) -> Iterator[Encode]:
        return about_pair(first.text, second.text, self._stages)

    # One input

    def _observe_alone(self, baseline: Asked, each: Input, number: int) -> _Observed:
        observed = _Observed(each, number, {name: [] for name in self._others})
        for question in about_text(each.text, self._stages, baseline.ask):
            self._compare(baseline, observed, question)
        observed.settle()
        return observed

    def _compare(self, baseline: Asked, observed: _Observed, question: Observation) -> None:
        """Ask everybody ``question``, and note the comparisons with the baseline.

        A question about a stage that is not to be compared is one for the baseline alone, and was put to it already.
        """
        if stage_of(question) in self._stages:
            answer = OutcomeInUnit(baseline.ask(question), baseline.info.offset_unit)
            for name, asked in self._others.items():
                other = OutcomeInUnit(asked.ask(question), asked.info.offset_unit)
                observed.comparisons[name].append((question, compare(question, answer, other, self._plan.fields)))

    def _conclude(self, baseline: Asked, observed: _Observed, following: _Observed, total: int) -> Iterator[Event]:
        """Compare the pair of an input and the following one, then count and report the input."""
        own = {name: len(comparisons) for name, comparisons in observed.comparisons.items()}
        for question in self._pair_questions(observed.input, following.input):
            self._compare(baseline, observed, question)
        self._inputs += 1
        for name, comparisons in observed.comparisons.items():
            self._tallies[name].count(comparisons)
            if any(comparison.differences for _, comparison in comparisons):
                alone, pairs = comparisons[: own[name]], comparisons[own[name] :]
                yield from self._report(name, observed, alone, following.parted[name], pairs)
        observed.comparisons = {}
        yield self._compared(observed, total)
        yield from self._checkpoint_when_due()

    def _report(
        self,
        name: str,
        observed: _Observed,
        alone: list[tuple[Observation, Comparison]],
        neighbour: frozenset[Stage],
        pairs: list[tuple[Observation, Comparison]],
    ) -> Iterator[DifferenceFound]:
        """Lay the blame for the differences of one input, and report them.

        A pair parts for its own sake only where neither of its texts parts at an earlier stage.
        """
        parted = observed.parted[name]
        pairs_parted = _parted(pairs)
        in_pairs = parted | neighbour | pairs_parted
        tally = self._tallies[name]
        tally.failing += 1
        blamed = first_parting(parted)
        if blamed is None and not consequence_of(Stage.POST_PROCESS, neighbour):
            blamed = first_parting(pairs_parted)
        if blamed is not None:
            tally.blamed[blamed] += 1
        for comparisons, known in ((alone, parted), (pairs, in_pairs)):
            for question, comparison in comparisons:
                yield from self._differences(name, observed, question, comparison, known)

    def _differences(
        self,
        name: str,
        observed: _Observed,
        question: Observation,
        comparison: Comparison,
        parted: frozenset[Stage],
    ) -> Iterator[DifferenceFound]:
        stage = stage_of(question)
        for difference in comparison.differences:
            example = Example(
                input=observed.input,
                question=question,
                difference=difference,
                parted_at=first_parting(parted) or stage,
                consequence_of=consequence_of(stage, parted),
            )
            if self._collector.add(name, stage, example, new_input=observed.number) <= EXAMPLES_PER_FINDING:
                yield DifferenceFound(self._source.name, name, stage, example)

    def _vocabulary(self) -> dict[str, int]:
        """Return the vocabulary of the first implementation that shows one, the baseline before the others."""
        for asked in (self._baseline, *self._others.values()):
            vocabulary = {} if asked is None else asked.vocabulary()
            if vocabulary and not isinstance(vocabulary, Unsupported):
                return vocabulary
        return {}

    def _compare_ids(self, baseline: Asked, vocabulary: dict[str, int], total: int) -> Iterator[Event]:
        """Decode every id of ``vocabulary`` alone."""
        by_id = sorted({number: token for token, number in vocabulary.items()}.items())
        already = self._ids
        for start in range(already, len(by_id), IDS_AT_ONCE):
            batch = by_id[start : start + IDS_AT_ONCE]
            self._ask_ids_ahead(baseline, [number for number, _ in batch])
            for place, (number, token) in enumerate(batch, start):
                yield from self._compare_id(baseline, place, number, token, total)

    def _ask_ids_ahead(self, baseline: Asked, numbers: list[int]) -> None:
        everybody = (baseline, *self._others.values())
        for asked in everybody:
            asked.forget()
        batching = [asked for asked in everybody if asked.takes_batches]
        if batching:
            together(batching, [question for number in numbers for question in about_ids((number,))])

    def _compare_id(self, baseline: Asked, place: int, number: int, token: str, total: int) -> Iterator[Event]:
        self._ids += 1
        named = Input(f"id {number}", EVERY_ID, token.encode("utf-8", "backslashreplace").decode("utf-8"))
        observed = _Observed(named, self._plan.corpus.count + place, {name: [] for name in self._others})
        for question in about_ids((number,)):
            self._compare(baseline, observed, question)
        observed.settle()
        for name, comparisons in observed.comparisons.items():
            self._tallies[name].count(comparisons)
            if observed.parted[name]:
                yield from self._report(name, observed, comparisons, frozenset(), [])
        yield self._compared(observed, total)
        yield from self._checkpoint_when_due()

    def _compared(self, observed: _Observed, total: int) -> InputCompared:
        return InputCompared(self._source.name, observed.input.id, self._inputs + self._ids, total)

    # The result

    def _checkpoint_when_due(self) -> Iterator[Checkpoint]:
        now = time.perf_counter()
        if now - self._checkpoint >= self._plan.checkpoint_seconds:
            self._checkpoint = now
            yield Checkpoint(self.finished(complete=False))

    def finished(self, *, complete: bool) -> TokenizerFinished:
        """Return what has been found so far."""
        return TokenizerFinished(
            tokenizer=self._source.name,
            results=tuple(self._result(name, tally) for name, tally in self._tallies.items()),
            findings=self._collector.findings(),
            inputs=self._inputs,
            ids=self._ids,
            baseline_seconds=self._earlier_baseline_seconds + (self._baseline.seconds if self._baseline else 0.0),
            seconds=self._earlier_seconds + time.perf_counter() - self._began,
            complete=complete,
            baseline_load_error=self._load_errors.get(self._plan.baseline),
        )

    def _result(self, name: str, tally: Tally) -> ImplementationResult:
        asked = self._others.get(name)
        return ImplementationResult(
            implementation=name,
            stages=tally.stage_counts(),
            blamed=dict(tally.blamed),
            failing_inputs=tally.failing,
            seconds=tally.seconds + (asked.seconds if asked else 0.0),
            load_error=self._load_errors.get(name),
            files=() if asked is None or asked.files == (self._source.file,) else file_names(asked.files),
        )
