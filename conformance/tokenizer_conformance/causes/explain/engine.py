"""Explaining: the way is traced, everybody is asked, and the first difference is brought down to its place."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Normalize,
    Observation,
    PreTokenize,
    Stage,
    Text,
    stage_of,
)
from tokenizer_adapters.tracing import TracingSubject
from tokenizer_conformance.causes.bench import Bench, Trial
from tokenizer_conformance.causes.explain.events import (
    Asked,
    Blame,
    ExplanationFinished,
    ExplanationStarted,
    ImplementationAnswered,
    TextTraced,
)
from tokenizer_conformance.causes.explain.narrowing import narrowed
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import Asked as Side
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.questions import texts_of
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_adapters.tracing import Piece, TextWay, Trace
    from tokenizer_conformance.causes.explain.events import ExplanationEvent
    from tokenizer_conformance.causes.explain.plan import ExplanationPlan
    from tokenizer_conformance.causes.witness import Witness

NO_VALUE = frozenset({Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL})


def explain(plan: ExplanationPlan) -> Generator[ExplanationEvent | InternalError]:
    """Explain, and yield the events; the last one says the result."""
    yield from _Explaining(plan).events()


class _Explaining:
    def __init__(self, plan: ExplanationPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._differing: list[str] = []
        self._failures = len(plan.unavailable)

    def events(self) -> Generator[ExplanationEvent | InternalError]:
        plan = self._plan
        yield ExplanationStarted(
            environment=current_environment(plan.command),
            tracer=plan.tracer.info,
            others=tuple(each.info for each in plan.others),
            source=plan.source,
            question=plan.question,
            limits=plan.limits,
        )
        for refusal in plan.unavailable:
            yield ImplementationMissing(refusal)
        stopped: Conclusion | None = None
        reason = ""
        try:
            yield from self._explained()
        except CannotLoadError as error:
            stopped, reason = Conclusion.IMPLEMENTATION_FAILED, why_not_loaded(error)
        except KeyboardInterrupt:
            stopped = Conclusion.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was shown is not lost by it
            stopped = Conclusion.INTERNAL_ERROR
            yield InternalError(error)
        yield ExplanationFinished(
            finished=stopped is None,
            conclusion=stopped or self._conclusion(),
            differing=tuple(self._differing),
            seconds=time.perf_counter() - self._began,
            reason=reason,
        )

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {Conclusion.IMPLEMENTATION_FAILED: self._failures, Conclusion.DIFFERENCES: self._differing}
        )

    def _explained(self) -> Iterator[ExplanationEvent]:
        plan = self._plan
        STATUS.begin("loading", plan.tracer.info.name)
        baseline = loaded(plan.tracer, plan.source)
        if not isinstance(baseline.subject, TracingSubject):
            raise TypeError(f"{plan.tracer.info.name} shows no way")
        trace = baseline.subject.trace(plan.question, plan.limits.detail)
        questions = list(asked_about(plan.question, baseline))
        sides = [(each, _loaded(each, plan)) for each in plan.others]
        compared = [
            (each, side, Trial(plan.source, None, baseline, side, None))
            for each, side in sides
            if isinstance(side, Side)
        ]
        witnesses = {each.info.name: _first_witness(trial, questions) for each, _, trial in compared}
        first = next(filter(None, witnesses.values()), None)
        yield TextTraced(trace, *_focus(first))
        for each, side in sides:
            if isinstance(side, str):
                self._failures += 1
                yield ImplementationAnswered(each.info, (), None, side)
        for each, _, trial in compared:
            yield self._answered(each, trial, questions, witnesses[each.info.name], trace)

    def _answered(
        self,
        implementation: Implementation,
        trial: Trial,
        questions: list[Observation],
        witness: Witness | None,
        trace: Trace,
    ) -> ImplementationAnswered:
        asked = tuple(Asked(each, trial.actual(each), trial.compared(each)) for each in questions)
        if any(each.comparison.differences for each in asked):
            self._differing.append(implementation.info.name)
        if any(each.comparison.verdict in NO_VALUE for each in asked):
            self._failures += 1
        blame = None
        if witness is not None:
            STATUS.begin("looking for the place", implementation.info.name)
            with Bench(self._plan.tracer, implementation) as bench:
                word = _word(witness, trace)
                alone = None if word is None or word.added is not None else _given(word, witness)
                found = narrowed(bench, trial, witness, trace.model, alone)
            blame = Blame(witness, found.place, found.how, found.merge, word)
        return ImplementationAnswered(implementation.info, asked, blame)


def _loaded(implementation: Implementation, plan: ExplanationPlan) -> Side | str:
    """Return ``implementation`` with the tokenizer, or why it cannot load it."""
    STATUS.begin("loading", implementation.info.name)
    try:
        return loaded(implementation, plan.source)
    except CannotLoadError as error:
        return why_not_loaded(error)


def asked_about(question: Encode, baseline: Side) -> Iterator[Observation]:
    """Yield what everybody is asked, in the order of the stages: each text alone, then all as it was given.

    The pre-tokenizer is asked about what the baseline's normalizer makes of a text, and about the text as it stands,
    the decoder about the baseline's ids.
    """
    texts = [each for each in (question.text, question.pair) if isinstance(each, str)]
    yield from map(Normalize, texts)
    for text in texts:
        normalized = baseline.ask(Normalize(text))
        made = normalized.text if isinstance(normalized, Text) else text
        yield from map(PreTokenize, dict.fromkeys((made, text)))
    yield from (Encode(text, add_special_tokens=False) for text in texts)
    if stage_of(question) is not Stage.MODEL:
        yield question
    encoded = baseline.ask(question)
    if isinstance(encoded, Encoded):
        yield from (Decode(encoded.ids, skip) for skip in (False, True))


def _first_witness(trial: Trial, questions: list[Observation]) -> Witness | None:
    """Return the first difference, in the order of the stages, that no earlier stage explains."""
    differing = [each for each in questions if trial.differs(each)]
    ordered = sorted(differing, key=lambda each: STAGE_ORDER.index(stage_of(each)))
    return next(filter(None, map(trial.witness, ordered)), None)


def _focus(witness: Witness | None) -> tuple[int, bool]:
    """Return the place of a difference in the text, in code points, and whether it is in the second text."""
    if witness is None or witness.difference.position is None:
        return 0, False
    return _place(witness.expected, witness.difference.position)


def _word(witness: Witness, trace: Trace) -> Piece | None:
    """Return the piece of the text whose tokens first differ at the stage of the model."""
    if witness.stage is not Stage.MODEL or witness.difference.position is None:
        return None
    place, _ = _focus(witness)
    ways = [each for each in trace.texts if _alone(each) == witness.question]
    return next((word.piece for way in ways for word in way.words if place < word.piece.span[1]), None)


def _given(piece: Piece, witness: Witness) -> str:
    """Return what of the text that is asked about the characters of ``piece`` stand for."""
    (text,) = texts_of(witness.question)
    starts, ends = zip(*piece.origins, strict=True)
    return text[min(starts) : max(ends)]


def _alone(way: TextWay) -> Encode:
    return Encode(way.text, add_special_tokens=False)


def _place(outcome: Outcome, position: int) -> tuple[int, bool]:
    if not isinstance(outcome, Encoded):
        return position if isinstance(outcome, Text) else 0, False
    if outcome.offsets is None or position >= len(outcome.offsets):
        return 0, False
    sequences = outcome.sequence_ids or ()
    return outcome.offsets[position][0], position < len(sequences) and sequences[position] == 1
