"""One tokenizer at work: what every implementation is asked about it, and the result of its answers."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Field,
    Observation,
    Stage,
    TokenizerSource,
    Unsupported,
    shown_of,
    stage_of,
)
from tokenizer_adapters.protocol.messages import ShowVocabulary
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import AnswersAgain, Asked, RememberingSubject, loaded
from tokenizer_conformance.comparison.asking_alone import Alone
from tokenizer_conformance.comparison.batching import INPUTS_AT_ONCE
from tokenizer_conformance.comparison.blame import consequence_of, first_differing
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.comparison.findings import Example, Finding, FindingCollector
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.questions import about_pair, about_text, further
from tokenizer_conformance.comparison.record_forms import may_be_cut, whole_question
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.asked import AskedInput
from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.agreement import shows_special_tokens
from tokenizer_conformance.results.records.run import Difference as DifferenceLine
from tokenizer_conformance.results.records.run import Loaded, LoadFailed, Result
from tokenizer_conformance.validation.running import vocabularies
from tokenizer_conformance.validation.running.compared import Differing, HereComparer, Task
from tokenizer_conformance.validation.running.earlier_questions import EarlierQuestions
from tokenizer_conformance.validation.running.events import (
    Checkpoint,
    Event,
    InputCompared,
    InputsFailed,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.gathered import Gathered, Subject
from tokenizer_conformance.validation.running.known import JudgedComparisons, KnownDifferences
from tokenizer_conformance.validation.running.plan import EVERY_ID, EXAMPLES_PER_FINDING, Repeated, is_text
from tokenizer_conformance.validation.running.record import difference_line
from tokenizer_conformance.validation.running.seen import DifferencesSeen, Seen, SeenDifferences
from tokenizer_conformance.validation.running.shrinking import add_answers, answered_at_once, shrink_examples
from tokenizer_conformance.validation.running.sides import Sides, differing
from tokenizer_conformance.validation.running.tally import ImpactTally, Tally, shape_of
from tokenizer_conformance.validation.running.workers import WorkersComparer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.differences import Comparison
    from tokenizer_conformance.comparison.findings import Signature
    from tokenizer_conformance.results.records.run import Impact, ResultStage, Vocabulary
    from tokenizer_conformance.validation.running.compared import Compared, Comparer
    from tokenizer_conformance.validation.running.earlier_questions import Found
    from tokenizer_conformance.validation.running.plan import RunPlan
    from tokenizer_conformance.validation.running.workers import Workers


_TOLD = re.compile(r"[^/]*\.json \(.*\)$")
"""The name of a file with what an adapter says of it."""


def file_names(files: Sequence[str]) -> tuple[str, ...]:
    """Return the names of ``files``, paths: reports say nothing of the machine they were made on.

    What an adapter says behind a name stays, whatever is in it.

    >>> file_names(["/a/tokenizer.json", '/a/tokenizer_config.json (with eos_token "</s>")'])
    ('tokenizer.json', 'tokenizer_config.json (with eos_token "</s>")')
    """
    told = (_TOLD.search(file) for file in files)
    return tuple(each[0] if each else Path(file).name for each, file in zip(told, files, strict=True))


def _shows_less(asked: Asked) -> dict[Stage, tuple[Field, ...]] | None:
    """Return what ``asked`` says it shows of its tokenizer, ``None`` where that is all that it shows at best."""
    at_best = shown_of(None, asked.info)
    is_less = any(
        compared_fields(stage, fields) != compared_fields(stage, asked.shows.get(stage, frozenset()))
        for stage, fields in at_best.items()
    )
    return {stage: tuple(sorted(fields)) for stage, fields in asked.shows.items()} if is_less else None


def id_name(number: int) -> str:
    """Return the id of the input that stands for decoding ``number`` alone."""
    return f"id {number}"


def _outcomes(
    comparer: Comparer, texts: Iterable[PairedInput], ids: Sequence[int]
) -> Iterator[tuple[PairedInput, Mapping[str, Compared]]]:
    """Yield inputs, each with the other one of its pair and what came of both, and then ids as inputs of their own."""
    yield from comparer.texts(texts)
    for number, compared in comparer.ids(ids):
        single = Input(id_name(number), EVERY_ID, "")
        yield PairedInput(single, single), compared


def _is_shown_by_neighbour(pair: PairedInput, alone: JudgedComparisons) -> bool:
    """Say whether the second text of a pair is reported itself, since only there a difference would be seen alone."""
    return not pair.is_asked_alone and not differing(alone.comparisons)


MOST_AGAIN = 64
"""About how many inputs are asked about once more in the end."""


class TokenizerRun:
    """One tokenizer at work."""

    def __init__(
        self,
        plan: RunPlan,
        source: TokenizerSource,
        so_far: TokenizerFinished | None = None,
        workers: Workers | None = None,
    ) -> None:
        """Begin, or go on from what an earlier run has recorded ``so_far``; ``workers`` compare where there are any."""
        self._plan = plan
        self._source = source
        self._workers = workers
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
        self._impacts = {(name, special): ImpactTally() for name in self._tallies for special in (False, True)}
        """Of the ids without special tokens, and of those with them where an input has none without."""
        self._collector = FindingCollector(source.name, self._answered_at_once)
        self._unstable = FindingCollector(source.name)
        self._known = FindingCollector(source.name, self._answered_at_once)
        self._gathered = Gathered(source.name)
        self._seen = SeenDifferences()
        self._causes: tuple[Cause, ...] = ()
        self._earlier: dict[Signature, tuple[Observation, ...] | None] = {}
        self._alone: set[str] = set()
        self._vocabularies: dict[str, Vocabulary] = {}
        self._alike: list[int] = []
        """The numbers of texts on which all agree."""
        self._ledger = KnownDifferences(plan, source.name, () if so_far is None else so_far.matched)
        self._portion = plan.portion_of(source.name)
        self._failed: dict[str, list[str]] = {name: [] for name in self._tallies}
        self._inputs = 0
        self._ids = 0
        self._earlier_seconds = self._earlier_baseline_seconds = 0.0
        self._checkpoint = self._began
        self.refusal: Rejected | None = None
        if so_far is not None:
            self._restore(so_far)

    def _restore(self, so_far: TokenizerFinished) -> None:
        self._inputs, self._ids = so_far.inputs, so_far.ids
        self._earlier_seconds, self._earlier_baseline_seconds = so_far.seconds, so_far.baseline_seconds
        for result in so_far.results:
            self._tallies[result.implementation].restore(result)
            for special_tokens in (False, True):
                self._impacts[result.implementation, special_tokens].restore(
                    result.impact, special_tokens=special_tokens
                )
            if result.vocabulary is not None:
                self._vocabularies[result.implementation] = result.vocabulary
        self._collector.restore(so_far.findings)
        self._unstable.restore(so_far.unstable)
        self._known.restore(so_far.known)

    @property
    def name(self) -> str:
        """The name of the tokenizer."""
        return self._source.name

    @property
    def failing(self) -> int:
        """How many inputs have failed, summed over the implementations."""
        return sum(tally.failing for tally in self._tallies.values())

    # Loading

    def load(self) -> Iterator[Event]:
        """Load the tokenizer into every implementation. Where none takes it, ``refusal`` says so."""
        if self._workers is not None:
            self._workers.prepare(Task(self._source))
        loads: list[Event] = []
        for implementation in self._plan.implementations:
            name = implementation.info.name
            STATUS.at(f"loading into {name}")
            began = time.perf_counter()
            try:
                asked = loaded(implementation, self._source)
            except CannotLoadError as error:
                self._load_errors[name] = why_not_loaded(error)
            else:
                seconds = rounded(time.perf_counter() - began)
                loads.append(Loaded(tokenizer=self._source.name, implementation=name, seconds=seconds))
                self._keep(name, asked)
        if self._baseline is not None:
            self._complete_examples(self._baseline)
        if loads:
            yield from loads
            for name, reason in self._load_errors.items():
                yield LoadFailed(tokenizer=self._source.name, implementation=name, reason=reason)
        else:
            self.refusal = self._refused_by_all()

    def _complete_examples(self, baseline: Asked) -> None:
        """Have examples whole again of which the record of an earlier run has the beginning only.

        Its reader knows the inputs; the questions that depend on the baseline's answers can be known here.
        """

        def whole(example: Example) -> Example:
            if example.reduced_from is not None or not may_be_cut(example.question):
                return example
            asked = about_text(example.input.text, self._stages, baseline.ask)
            return replace(example, question=whole_question(example.question, asked))

        for collector in (self._collector, self._unstable, self._known):
            collector.complete(whole)

    def _keep(self, name: str, asked: Asked) -> None:
        if name == self._plan.baseline:
            self._baseline = asked
        else:
            self._others[name] = asked

    def _refused_by_all(self) -> Rejected:
        reason = self._load_errors[self._plan.baseline]
        others = [name for name in self._load_errors if name != self._plan.baseline]
        too = f" (refused by {', '.join(others)} too)" if others else ""
        return Rejected("tokenizer", self._source.name, f"{reason}{too}")

    # Comparing

    def compare_inputs(self) -> Iterator[Event]:
        """Compare all inputs, and every id where the plan says so; those that an earlier run has compared are not."""
        sides = self._sides
        if sides is None:
            return
        self._compare_vocabularies(sides)
        ids = self._every_id() if self._plan.decodes_ids() else []
        total = self._portion.count + len(ids)
        texts = islice(self._portion.of(self._plan.corpus), self._inputs, None)
        for pair, compared in _outcomes(self._comparer(sides), texts, ids[self._ids :]):
            each = pair.input
            with INTERRUPTS.held():  # no input may be counted in part
                found = self._count(pair, compared)
                self._gather(pair, compared)
                if each.category == EVERY_ID:
                    self._ids += 1
                else:
                    self._inputs += 1
            yield from self._told(found, each, total)

    def _compare_vocabularies(self, sides: Sides) -> None:
        """Compare the vocabularies that an earlier run has not compared, where the plan says so."""
        if not (self._plan.vocabulary and self._portion.has_vocabulary):
            return
        comparer = vocabularies.Comparer(sides.baseline, self._ledger.entry_for_vocabulary, self._repeat_vocabulary)
        wanted = {name: asked for name, asked in sides.others.items() if name not in self._vocabularies}
        for name, found in comparer.compared(wanted) if wanted else ():
            self._vocabularies[name] = found

    def _repeat_vocabulary(self, name: str) -> str:
        of = (self._source.name, self._plan.baseline, name)
        return self._plan.call.repeat(Repeated(*of, "", "", (ShowVocabulary(),)))

    @property
    def _sides(self) -> Sides | None:
        """Both sides of the comparisons, ``None`` where one of them could not load the tokenizer."""
        if self._baseline is None or not self._others:
            return None
        return Sides(self._baseline, self._others, self._stages, self._plan.fields, self._plan.asks)

    def _comparer(self, sides: Sides) -> Comparer:
        if self._workers is None:
            return HereComparer(sides, asks_further=self._plan.asks_further, reach=self._plan.reach)
        return WorkersComparer(self._workers, self._source, sides, self._plan.reach)

    def shrink_examples(self) -> Iterator[str]:
        """Look for smaller examples of the findings; yields the name of the implementation before each.

        Before that a sample is asked again, and what differs is asked about alone: what depends on earlier questions is
        told apart. In the end both sides are asked for their whole answers to the smallest examples.
        """
        if self._sides is not None:
            if self._can_be_asked_anew:
                self._ask_sample_again(self._sides)
                yield from self._find_what_depends(self._sides)
                yield from shrink_examples(self._sides, self._collector, self._ledger)
            add_answers(self._sides, self._collector)
            add_answers(self._sides, self._known)

    # What was asked before

    @property
    def _can_be_asked_anew(self) -> bool:
        """Whether all sides answer anew, whatever they are asked; a snapshot answers what was kept."""
        sides = [asked.subject for asked in (self._baseline, *self._others.values()) if asked is not None]
        return not any(isinstance(each, RememberingSubject | AnswersAgain) for each in sides)

    def _ask_sample_again(self, sides: Sides) -> None:
        """Ask once more about some inputs on which all agreed, the last one first; what now differs is unstable."""
        numbers = {*self._alike[:: max(1, len(self._alike) // MOST_AGAIN)]} if MOST_AGAIN else set()
        sample = [each for number, each in enumerate(self._compared_texts()) if number in numbers]
        sides.forgetful()
        for each in reversed(sample):
            sides.begin(each.input.text)
            questions = [*about_text(each.input.text, self._stages, sides.expected)]
            for name, asked in sides.others.items():
                asked.ask_ahead(about_text(each.input.text, self._stages))
                asked.ask_ahead(questions)
                self._judge_again(sides, name, each.input, questions)
                asked.forget()

    def _compared_texts(self) -> Iterator[PairedInput]:
        """Yield the texts that were compared, as far as they can still be read."""
        with suppress(BadInputError):
            yield from islice(self._portion.of(self._plan.corpus), self._inputs)

    def _judge_again(self, sides: Sides, name: str, each: Input, questions: Sequence[Observation]) -> None:
        is_steady = True
        for question in questions:
            stage = stage_of(question)
            if stage in self._stages and self._plan.asks(question):
                for difference in sides.compared_once(name, question).differences:
                    again = replace(difference, verdict=Verdict.UNSTABLE)
                    example = Example(each, question, again, differs_at=stage, consequence_of=None)
                    self._unstable.add(name, stage, example, new_input=self._inputs + self._ids)
                    self._tallies[name].count_unstable(stage)
                    is_steady = False
        if not is_steady:
            self._failed[name].append(each.id)

    def _find_what_depends(self, sides: Sides) -> Iterator[str]:
        """Tell apart what depends on earlier questions; yields the name of each implementation that is asked alone."""
        findings = [*self._collector.findings(), *self._unstable.findings()]
        built = {each.info.name: each for each in self._plan.implementations}
        for name in self._others:
            own = [each for each in findings if each.signature.implementation == name and not each.is_consequence]
            if own:
                yield name
                found = EarlierQuestions(built[name], self._source, sides, self._asked_until).found(
                    own, self._gathered.of(name)
                )
                if found is not None:
                    self._take_what_depends(name, built[name], found)

    def _take_what_depends(self, name: str, built: Implementation, found: Found) -> None:
        self._causes += found.causes
        self._earlier |= found.earlier
        self._gathered.keep_only(found.left, found.unknown)
        for signature, example in found.examples.items():
            of = self._unstable if signature.verdict is Verdict.UNSTABLE else self._collector
            of.replace_smallest(signature, example)
        with suppress(CannotLoadError):
            self._others[name] = loaded(Alone(built), self._source)
            self._alone.add(name)

    def _asked_until(self, example: Example) -> Iterator[Observation]:
        """Yield the questions of the run up to those about the input of ``example``, and of the batch it was in."""
        if self._baseline is None:
            return
        left = None
        for each in self._compared_texts():
            is_it = each.input.id == example.input.id
            if isinstance(each.input, AskedInput):
                if is_it:
                    return
                yield from each.input.questions
                continue
            yield from about_text(each.input.text, self._stages, self._baseline.ask)
            yield from further(each.input) if self._plan.asks_further else ()
            yield from about_pair(each.input.text, each.following.text, self._stages, self._baseline.ask)
            left = INPUTS_AT_ONCE if is_it else None if left is None else left - 1
            if left == 0:
                return

    def _answered_at_once(self, name: str, example: Example) -> Example:
        return example if self._sides is None else answered_at_once(self._sides, name, example)

    # One input

    def _count(self, pair: PairedInput, compared: Mapping[str, Compared]) -> list[DifferenceLine]:
        """Count the result of an input, and return what is to be reported."""
        each, found = pair.input, list[DifferenceLine]()
        words = len(each.text.split())
        if is_text(each) and not any(isinstance(result, Differing) for result in compared.values()):
            self._alike.append(self._inputs)
        for name, result in compared.items():
            if isinstance(result, Differing):
                found += self._count_differing(name, pair, result)
            else:
                self._tallies[name].count_alike(result)
            if is_text(each):
                impact = result.impact if isinstance(result, Differing) else None
                for special_tokens in (False, True):
                    is_of_these = impact is not None and impact.special_tokens is special_tokens
                    self._impacts[name, special_tokens].count(each.category, words, impact if is_of_these else None)
        return found

    def _count_differing(self, name: str, pair: PairedInput, compared: Differing) -> Iterator[DifferenceLine]:
        alone, pairs, neighbour = self._judged(name, pair, compared)
        self._tallies[name].count(shape_of([*alone.comparisons, *pairs.comparisons]))
        yield from self._report(name, pair.input, compared, alone, pairs, neighbour)
        if _is_shown_by_neighbour(pair, alone):
            new = differing(neighbour.comparisons)
            for question, comparison in neighbour.comparisons:
                if comparison.differences:
                    yield from self._differences(name, pair.following, question, comparison, compared, new)

    def _judged(
        self, name: str, pair: PairedInput, compared: Differing
    ) -> tuple[JudgedComparisons, JudgedComparisons, JudgedComparisons]:
        """Tell known differences apart: on the text alone, in its pair, and on the other text of the pair."""
        neighbour = self._ledger.judged(name, pair.following.id, compared.neighbour)
        alone = self._ledger.judged(name, pair.input.id, compared.alone)
        pairs = self._ledger.judged(name, pair.input.id, compared.pairs, alone.with_other_text(neighbour))
        return alone, pairs, neighbour

    def _gather(self, pair: PairedInput, compared: Mapping[str, Compared]) -> None:
        """Keep the new differences of an input until their causes are looked for."""
        for name, result in compared.items():
            if isinstance(result, Differing) and self._gathers:
                seen = list(self._seen_here(name, pair, result))
                own = (one for one in seen if one.follows_from is None)
                if self._plan.cause_seconds:
                    pairs = ((one.question, difference) for one in own for difference in one.differences)
                    self._gathered.add(name, pairs, pair.input)
                if self._plan.ledger.takes_new:
                    for one in seen:
                        self._seen.add(one)

    @property
    def _gathers(self) -> bool:
        return bool(self._plan.cause_seconds) or self._plan.ledger.takes_new

    def _seen_here(self, name: str, pair: PairedInput, compared: Differing) -> Iterator[Seen]:
        """Yield the new differences of an input, those in the answer to one question together."""
        alone, pairs, neighbour = self._judged(name, pair, compared)
        stages, in_neighbour = differing(alone.comparisons), differing(neighbour.comparisons)
        in_pairs = stages | in_neighbour | differing(pairs.comparisons)
        judgements = [(pair.input, alone, stages), (pair.input, pairs, in_pairs)]
        if _is_shown_by_neighbour(pair, alone):
            judgements.append((pair.following, neighbour, in_neighbour))
        for each, judged, new in judgements:
            for question, comparison in judged.comparisons:
                if comparison.differences and comparison.answered is not None:
                    near = compared.near(question, comparison.differences[0])
                    follows_from = consequence_of(stage_of(question), new)
                    of = (name, each, pair.following.id, question, comparison.differences, comparison.answered)
                    yield Seen(*of, near, follows_from)

    def _told(self, found: list[DifferenceLine], each: Input, total: int) -> Iterator[Event]:
        yield from found
        yield InputCompared(self._source.name, each.id, self._inputs + self._ids, total)
        yield from self._checkpoint_when_due()

    def _report(
        self,
        name: str,
        each: Input,
        compared: Differing,
        alone: JudgedComparisons,
        pairs: JudgedComparisons,
        neighbour: JudgedComparisons,
    ) -> Iterator[DifferenceLine]:
        """Lay the blame for the new differences of one input, and report all.

        A pair differs for its own sake only where neither of its texts differs at an earlier stage.
        """
        alone_differing, pairs_differing = differing(alone.comparisons), differing(pairs.comparisons)
        in_neighbour = differing(neighbour.comparisons)
        is_unstable = any(comparison.unstable for _, comparison in (*alone.comparisons, *pairs.comparisons))
        if alone_differing or pairs_differing or is_unstable:
            self._failed[name].append(each.id)
        if alone_differing or pairs_differing:
            tally = self._tallies[name]
            tally.failing += 1
            blamed = first_differing(alone_differing)
            if blamed is None and not consequence_of(Stage.POST_PROCESS, in_neighbour):
                blamed = first_differing(pairs_differing)
            if blamed is not None:
                tally.blamed[blamed] += 1
        in_pairs = alone_differing | in_neighbour | pairs_differing
        for judged, new in ((alone, alone_differing), (pairs, in_pairs)):
            for question, comparison in judged.comparisons:
                if comparison.known:
                    self._add_known(name, each, question, comparison, compared)
                if comparison.differences or comparison.unstable:
                    yield from self._differences(name, each, question, comparison, compared, new)

    def _differences(
        self,
        name: str,
        each: Input,
        question: Observation,
        comparison: Comparison,
        compared: Differing,
        new: frozenset[Stage],
    ) -> Iterator[DifferenceLine]:
        stage = stage_of(question)
        number = self._inputs + self._ids
        for difference in (*comparison.differences, *comparison.unstable):
            example = Example(
                input=each,
                question=question,
                difference=difference,
                differs_at=first_differing(new) or stage,
                consequence_of=consequence_of(stage, new),
                near=compared.near(question, difference),
            )
            if difference.verdict is Verdict.UNSTABLE:
                self._unstable.add(name, stage, example, new_input=number)
                continue
            if self._collector.add(name, stage, example, new_input=number) <= EXAMPLES_PER_FINDING:
                yield difference_line(self._source.name, name, stage, example)

    def _add_known(
        self, name: str, each: Input, question: Observation, comparison: Comparison, compared: Differing
    ) -> None:
        """Gather the differences of one question that are known."""
        stage = stage_of(question)
        for known in comparison.known:
            difference = known.difference
            example = Example(
                input=each,
                question=question,
                difference=difference,
                differs_at=known.follows_from or stage,
                consequence_of=known.follows_from,
                near=compared.near(question, difference),
            )
            self._known.add(name, stage, example, new_input=self._inputs + self._ids, entry=known.entry)

    def _every_id(self) -> list[int]:
        """Return the ids of the first implementation that shows a vocabulary, the baseline before the others."""
        wanted = self._plan.corpus.selection.ids
        for asked in (self._baseline, *self._others.values()):
            vocabulary = {} if asked is None else asked.vocabulary()
            if vocabulary and not isinstance(vocabulary, Unsupported):
                ids = sorted({number for number in vocabulary.values() if not wanted or id_name(number) in wanted})
                return self._portion.of_ids(ids, {number: id_name(number) for number in ids})
        return []

    # Causes

    def gather_again(self, failed: Collection[str]) -> None:
        """Compare once more what an earlier run has compared and what ``failed`` then, by ids: nothing is counted.

        What differs is gathered, so that its causes can be looked for.
        """
        if self._sides is None or not failed or not self._gathers:
            return
        earlier = islice(self._portion.of(self._plan.corpus), self._inputs)
        texts = (each for each in earlier if each.input.id in failed)
        ids = self._every_id()[: self._ids] if self._plan.decodes_ids() else []
        again = [number for number in ids if id_name(number) in failed]
        here = HereComparer(self._sides, asks_further=self._plan.asks_further)
        for pair, compared in _outcomes(here, texts, again):
            self._gather(pair, compared)

    def subject(self) -> Subject | None:
        """Return what differs here, with the sides that have the tokenizer loaded; ``None`` where nothing does."""
        if not self._gathered.names() or self._baseline is None:
            return None
        sides = {asked.info.name: asked for asked in (self._baseline, *self._others.values())}
        return Subject(self._source, self._gathered, sides, self._causes, frozenset(self._alone))

    def seen(self) -> DifferencesSeen:
        """Return all that is new here, for a ledger."""
        return DifferencesSeen(self._source.name, self._seen.all())

    # The result

    def _checkpoint_when_due(self) -> Iterator[Event]:
        now = time.perf_counter()
        if now - self._checkpoint >= self._plan.checkpoint_seconds:
            self._checkpoint = now
            yield from self.failed()
            yield Checkpoint(self.finished(complete=False))

    def failed(self, *, ends: bool = False) -> Iterator[InputsFailed]:
        """Yield which inputs have failed since this was asked last; ``ends`` says that the run is ended early."""
        for name, ids in self._failed.items():
            if ids:
                yield InputsFailed(self._source.name, name, tuple(ids), ends)
                ids.clear()

    def finished(self, *, complete: bool) -> TokenizerFinished:
        """Return what has been found so far."""
        return TokenizerFinished(
            tokenizer=self._source.name,
            results=tuple(self._result(name, tally) for name, tally in self._tallies.items()),
            findings=self._repeatable(self._collector),
            inputs=self._inputs,
            ids=self._ids,
            baseline_seconds=self._earlier_baseline_seconds + (self._baseline.seconds if self._baseline else 0.0),
            seconds=self._earlier_seconds + time.perf_counter() - self._began,
            complete=complete,
            baseline_load_error=self._load_errors.get(self._plan.baseline),
            unstable=self._repeatable(self._unstable),
            known=self._repeatable(self._known),
            matched=tuple(self._ledger.matched),
            causes=tuple(replace(each, repeat=self._repeat_of(each)) for each in self._causes),
            uncounted=sum(self._gathered.left_out.values()) if self._causes else 0,
        )

    def _repeatable(self, collector: FindingCollector) -> tuple[Finding, ...]:
        """Return the findings, each with the command that repeats it."""
        return tuple(replace(finding, repeat=self._repeat(finding)) for finding in collector.findings())

    def _repeat(self, finding: Finding) -> str:
        each, question = finding.smallest.input, finding.smallest.question
        of = (self._source.name, self._plan.baseline, finding.signature.implementation)
        earlier = self._earlier.get(finding.signature, ())
        if earlier is None:
            return self._plan.call.repeat(Repeated(*of, "", each.category))
        questions = () if may_be_cut(question) else (*earlier, question)
        return self._plan.call.repeat(Repeated(*of, each.id, each.category, questions))

    def _repeat_of(self, cause: Cause) -> str:
        """Return the command that shows a cause that has earlier questions."""
        of = (self._source.name, self._plan.baseline, cause.implementation)
        questions = (*cause.earlier, cause.witness.question) if cause.reason.parameter else ()
        return self._plan.call.repeat(Repeated(*of, "", "", questions))

    def _impact(self, name: str, stages: Mapping[Stage, ResultStage]) -> Impact | None:
        """Return how much of the inputs has other ids, ``None`` where ids were never shown."""
        if Field.IDS not in self._plan.fields:
            return None
        model, template = stages.get(Stage.MODEL), stages.get(Stage.POST_PROCESS)
        if model is not None and set(model.inputs) - {Verdict.UNSUPPORTED}:
            return self._impacts[name, False].impact()
        if template is None or not set(template.inputs) - {Verdict.UNSUPPORTED}:
            return None
        impact = self._impacts[name, True].impact(special_tokens=True)
        unsupported = template.unsupported_fields.get(Field.IDS, 0)
        return impact if shows_special_tokens(unsupported, impact.documents.total) else None

    def _result(self, name: str, tally: Tally) -> Result:
        asked, stages = self._others.get(name), tally.stage_counts()
        return Result(
            implementation=name,
            stages=stages,
            blamed=dict(tally.blamed),
            failing_inputs=tally.failing,
            seconds=rounded(tally.seconds + (asked.seconds if asked else 0.0)),
            load_error=self._load_errors.get(name),
            files=() if asked is None or asked.files == (self._source.file,) else file_names(asked.files),
            shows=None if asked is None else _shows_less(asked),
            impact=self._impact(name, stages),
            vocabulary=self._vocabularies.get(name),
        )
