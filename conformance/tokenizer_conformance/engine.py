"""The engine: asks every implementation about every input, compares with the baseline, and says so in events.

What one input is asked about, in this order:

========== ==================================================================================================
normalize       the text
pre_tokenize    the text, and the baseline's normalization of it where that is another text
model           encode, without special tokens
post_process    encode with special tokens; the pair of the text and the next one, without and with special tokens
decode          the baseline's ids of the text (with special tokens), keeping and skipping special tokens
========== ==================================================================================================

The last input is paired with the first. The ids to decode are the baseline's for everybody, so that decoding is judged
on its own. One input and its neighbour are held in memory, never all.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
    stage_of,
)
from tokenizer_conformance.asking import Asked, loaded
from tokenizer_conformance.blame import consequence_of, first_parting
from tokenizer_conformance.comparison import Answer, Comparison, compare
from tokenizer_conformance.environment import current_environment
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.events import (
    Conclusion,
    DifferenceFound,
    Event,
    ImplementationMissing,
    ImplementationResult,
    InputCompared,
    InputRefused,
    LoadFailed,
    RunFinished,
    RunStarted,
    StageCount,
    TokenizerFinished,
    TokenizerLoaded,
)
from tokenizer_conformance.findings import Example, FindingCollector
from tokenizer_conformance.input_text import Input
from tokenizer_conformance.plan import EXAMPLES_PER_FINDING, Refusal
from tokenizer_conformance.verdicts import Verdict, graver

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import Field
    from tokenizer_conformance.plan import RunPlan
    from tokenizer_conformance.tokenizer_files import TokenizerFile

INTERRUPTED = "interrupted"
EVERY_ID = "every id"


def run(plan: RunPlan) -> Generator[Event]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised while the engine works, or thrown into the generator, ends the run early: the
    tokenizer at work is reported as it stands, and :class:`RunFinished` says that the run was interrupted.
    """
    return _Run(plan).events()


class _Run:
    """A run at work: what it has counted so far."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._current: _TokenizerRun | None = None
        self._done: list[TokenizerFinished] = []
        self._refused = False
        self._failed = False
        self._failing = 0

    def events(self) -> Generator[Event]:
        reason: str | None = None
        try:
            yield self._started()
            yield from self._refusals()
            for tokenizer in self._plan.tokenizers:
                yield from self._tokenizer(tokenizer)
                if self._enough():
                    reason = f"stopped at failing input number {self._failing}, as asked"
                    break
        except KeyboardInterrupt:
            reason = INTERRUPTED
            if self._current is not None:
                yield self._finish(self._current, complete=False)
        yield self._finished(reason)

    def _started(self) -> RunStarted:
        plan = self._plan
        return RunStarted(
            environment=current_environment(plan.command),
            baseline=plan.baseline,
            implementations=tuple(implementation.info for implementation in plan.implementations),
            tokenizers=tuple((tokenizer.source.name, tokenizer.sha256) for tokenizer in plan.tokenizers),
            inputs=plan.corpus.count,
            inputs_sha256=plan.corpus.sha256,
            stages=plan.observed_stages(),
            fields=tuple(sorted(plan.fields)),
            every_id=plan.every_id,
            seed=plan.seed,
        )

    def _refusals(self) -> Iterator[Event]:
        for refusal in self._plan.refusals:
            self._refused = True
            yield InputRefused(refusal)
        for refusal in self._plan.unavailable:
            self._failed = True
            yield ImplementationMissing(refusal)

    def _tokenizer(self, tokenizer: TokenizerFile) -> Iterator[Event]:
        at_work = _TokenizerRun(self._plan, tokenizer.source)
        yield from at_work.load()
        if at_work.refusal is not None:
            self._refused = True
            yield InputRefused(at_work.refusal)
            return
        self._current = at_work
        complete = True
        try:
            for event in at_work.compare_inputs():
                yield event
                if isinstance(event, InputCompared) and self._enough():
                    complete = event.done == event.total
                    break
        except BadInputError as error:  # the file was readable when the run was planned
            self._refused = True
            complete = False
            yield InputRefused(Refusal("inputs file", "", str(error)))
        yield self._finish(at_work, complete=complete)

    def _enough(self) -> bool:
        """Whether as many inputs have failed as the plan allows."""
        current = 0 if self._current is None else self._current.failing
        self._failing = sum(row.failing_inputs for done in self._done for row in done.results) + current
        return self._plan.max_failing is not None and self._failing >= self._plan.max_failing

    def _finish(self, at_work: _TokenizerRun, *, complete: bool) -> TokenizerFinished:
        self._current = None
        finished = at_work.finished(complete=complete)
        self._done.append(finished)
        return finished

    def _finished(self, reason: str | None) -> RunFinished:
        rows = [row for done in self._done for row in done.results]
        return RunFinished(
            finished=reason is None,
            reason=reason,
            conclusion=self._conclusion(rows, reason),
            tokenizers=len(self._done),
            inputs=sum(done.inputs for done in self._done),
            compared=sum(row.compared for row in rows),
            differences=sum(finding.differences for done in self._done for finding in done.findings),
            seconds=time.perf_counter() - self._began,
        )

    def _conclusion(self, rows: list[ImplementationResult], reason: str | None) -> Conclusion:
        failed = any(row.load_error for row in rows) or any(done.baseline_load_error for done in self._done)
        if reason == INTERRUPTED:
            return Conclusion.INTERRUPTED
        if self._refused:
            return Conclusion.BAD_INPUT
        if self._failed or failed or any(row.has(Verdict.CRASH, Verdict.TIMEOUT) for row in rows):
            return Conclusion.IMPLEMENTATION_FAILED
        if any(row.has(Verdict.DIFFER, Verdict.ERROR) for row in rows):
            return Conclusion.DIFFERENCES
        if not rows or not all(row.compared for row in rows) or self._lacks_ids():
            return Conclusion.NOTHING_COMPARED
        return Conclusion.CONFORM

    def _lacks_ids(self) -> bool:
        """Whether single ids were to be decoded and no implementation shows which ids there are."""
        wanted = self._plan.every_id and Stage.DECODE in self._plan.observed_stages()
        return wanted and any(done.complete and not done.ids for done in self._done)


# One tokenizer -------------------------------------------------------------------------------------------------------


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


class _Tally:
    """What has been counted for one implementation."""

    def __init__(self, stages: tuple[Stage, ...]) -> None:
        self.inputs: dict[Stage, Counter[Verdict]] = {stage: Counter() for stage in stages}
        self.values: dict[Stage, Counter[Verdict]] = {stage: Counter() for stage in stages}
        self.unsupported: dict[Stage, Counter[Field]] = {stage: Counter() for stage in stages}
        self.blamed: Counter[Stage] = Counter()
        self.failing = 0

    def count(self, comparisons: list[tuple[Observation, Comparison]]) -> None:
        """Count the comparisons of one input."""
        verdicts: dict[Stage, Verdict] = {}
        for question, comparison in comparisons:
            stage = stage_of(question)
            verdict = comparison.verdict
            verdicts[stage] = graver(verdicts.get(stage, verdict), verdict)
            self._count_values(stage, comparison)
        for stage, verdict in verdicts.items():
            self.inputs[stage][verdict] += 1

    def _count_values(self, stage: Stage, comparison: Comparison) -> None:
        values = self.values[stage]
        values[Verdict.AGREE] += len(comparison.agreed)
        if comparison.unsupported:
            values[Verdict.UNSUPPORTED] += len(comparison.unsupported)
            self.unsupported[stage].update(comparison.unsupported)
        if comparison.both_failed:
            values[Verdict.BOTH_ERROR] += 1
        for difference in comparison.differences:
            values[difference.verdict] += 1

    def stages(self) -> dict[Stage, StageCount]:
        return {
            stage: StageCount(dict(self.inputs[stage]), dict(+self.values[stage]), dict(self.unsupported[stage]))
            for stage in self.inputs
        }


class _TokenizerRun:
    """One tokenizer at work."""

    def __init__(self, plan: RunPlan, source: TokenizerSource) -> None:
        self._plan = plan
        self._source = source
        self._began = time.perf_counter()
        self._stages = frozenset(plan.observed_stages())
        self._load_errors: dict[str, str] = {}
        self._baseline: Asked | None = None
        self._others: dict[str, Asked] = {}
        self._tallies = {
            each.info.name: _Tally(plan.observed_stages())
            for each in plan.implementations
            if each.info.name != plan.baseline
        }
        self._collector = FindingCollector(source.name)
        self._inputs = 0
        self._ids = 0
        self.refusal: Refusal | None = None

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

    def _refused_by_all(self) -> Refusal:
        reason = self._load_errors[self._plan.baseline]
        others = [name for name in self._load_errors if name != self._plan.baseline]
        too = f" (refused by {', '.join(others)} too)" if others else ""
        return Refusal("tokenizer", self._source.name, f"{reason}{too}")

    # Comparing

    def compare_inputs(self) -> Iterator[Event]:
        """Compare all inputs, and every id where the plan says so."""
        if self._baseline is None or not self._others:
            return
        vocabulary = self._vocabulary() if self._plan.every_id and Stage.DECODE in self._stages else {}
        total = self._plan.corpus.count + len(vocabulary)
        first: _Observed | None = None
        waiting: _Observed | None = None
        for number, each in enumerate(self._plan.corpus):
            observed = self._observe_alone(self._baseline, each, number)
            if waiting is not None:
                yield from self._conclude(self._baseline, waiting, observed, total)
            first = first or observed
            waiting = observed
        if waiting is not None and first is not None:
            yield from self._conclude(self._baseline, waiting, first, total)
        yield from self._compare_ids(self._baseline, vocabulary, total)

    def _observe_alone(self, baseline: Asked, each: Input, number: int) -> _Observed:
        observed = _Observed(each, number, {name: [] for name in self._others})
        text = each.text
        if self._stages & {Stage.NORMALIZE, Stage.PRE_TOKENIZE}:
            normalized = self._compare(baseline, observed, Normalize(text))
            if Stage.PRE_TOKENIZE in self._stages:
                self._compare(baseline, observed, PreTokenize(text))
                if isinstance(normalized, Text) and normalized.text != text:
                    self._compare(baseline, observed, PreTokenize(normalized.text))
        if Stage.MODEL in self._stages:
            self._compare(baseline, observed, Encode(text, add_special_tokens=False))
        if self._stages & {Stage.POST_PROCESS, Stage.DECODE}:
            encoded = self._compare(baseline, observed, Encode(text))
            if Stage.DECODE in self._stages and isinstance(encoded, Encoded):
                self._compare_decode(baseline, observed, encoded.ids)
        observed.settle()
        return observed

    def _compare_decode(self, baseline: Asked, observed: _Observed, ids: tuple[int, ...]) -> None:
        for skip_special_tokens in (False, True):
            self._compare(baseline, observed, Decode(ids, skip_special_tokens))

    def _compare(self, baseline: Asked, observed: _Observed, question: Observation) -> Outcome:
        """Ask everybody ``question``, note the comparisons with the baseline, and return the baseline's answer.

        Where the question shows a stage that is not to be compared, only the baseline is asked.
        """
        expected = baseline.ask(question)
        if stage_of(question) in self._stages:
            answer = Answer(expected, baseline.info.offset_unit)
            for name, asked in self._others.items():
                other = Answer(asked.ask(question), asked.info.offset_unit)
                observed.comparisons[name].append((question, compare(question, answer, other, self._plan.fields)))
        return expected

    def _conclude(self, baseline: Asked, observed: _Observed, following: _Observed, total: int) -> Iterator[Event]:
        """Compare the pair of an input and the following one, then count and report the input."""
        own = {name: len(comparisons) for name, comparisons in observed.comparisons.items()}
        if Stage.POST_PROCESS in self._stages:
            for add_special_tokens in (False, True):
                pair = Encode(observed.input.text, following.input.text, add_special_tokens)
                self._compare(baseline, observed, pair)
        self._inputs += 1
        for name, comparisons in observed.comparisons.items():
            self._tallies[name].count(comparisons)
            if any(comparison.differences for _, comparison in comparisons):
                alone, pairs = comparisons[: own[name]], comparisons[own[name] :]
                yield from self._report(name, observed, alone, following.parted[name], pairs)
        observed.comparisons = {}
        yield self._compared(observed, total)

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
        for place, (number, token) in enumerate(by_id):
            self._ids += 1
            named = Input(f"id {number}", EVERY_ID, token.encode("utf-8", "backslashreplace").decode("utf-8"))
            observed = _Observed(named, self._plan.corpus.count + place, {name: [] for name in self._others})
            self._compare_decode(baseline, observed, (number,))
            observed.settle()
            for name, comparisons in observed.comparisons.items():
                self._tallies[name].count(comparisons)
                if observed.parted[name]:
                    yield from self._report(name, observed, comparisons, frozenset(), [])
            yield self._compared(observed, total)

    def _compared(self, observed: _Observed, total: int) -> InputCompared:
        return InputCompared(self._source.name, observed.input.id, self._inputs + self._ids, total)

    # The result

    def finished(self, *, complete: bool) -> TokenizerFinished:
        """Return what has been found so far."""
        return TokenizerFinished(
            tokenizer=self._source.name,
            results=tuple(self._result(name, tally) for name, tally in self._tallies.items()),
            findings=self._collector.findings(),
            inputs=self._inputs,
            ids=self._ids,
            baseline_seconds=0.0 if self._baseline is None else self._baseline.seconds,
            seconds=time.perf_counter() - self._began,
            complete=complete,
            baseline_load_error=self._load_errors.get(self._plan.baseline),
        )

    def _result(self, name: str, tally: _Tally) -> ImplementationResult:
        asked = self._others.get(name)
        return ImplementationResult(
            implementation=name,
            stages=tally.stages(),
            blamed=dict(tally.blamed),
            failing_inputs=tally.failing,
            seconds=0.0 if asked is None else asked.seconds,
            load_error=self._load_errors.get(name),
        )
