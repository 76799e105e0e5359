"""What differs only after other questions, found when all inputs of a tokenizer are compared.

Each finding is asked about alone, of a tokenizer that was just loaded. Where it is not there, the answer depends on
earlier questions: that is its cause, and no other is looked for. The shortest sequence of questions that shows it is
searched among those of the run, and checked in a process that was just started. Such an implementation is asked alone
from then on, so that neither smaller examples nor experiments are led astray.
"""

from __future__ import annotations

from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Unsupported, stage_of
from tokenizer_conformance.causes.cause import UNEXPLAINED, Cause, CauseSignature, Reason
from tokenizer_conformance.causes.collecting import MOST_EXAMPLES
from tokenizer_conformance.causes.culprit import shape_of_question
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.comparison.asking_alone import InOrder, restart
from tokenizer_conformance.comparison.findings import MOST_INPUTS, length_of
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict
from tokenizer_conformance.comparison.whole_answers import whole_answers
from tokenizer_conformance.comparison.wording import describe, subject_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, Observation, TokenizerSource
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.asking_alone import Asking
    from tokenizer_conformance.comparison.differences import Comparison, Difference
    from tokenizer_conformance.comparison.findings import Example, Finding, Signature
    from tokenizer_conformance.validation.running.gathered import Question
    from tokenizer_conformance.validation.running.sides import Sides

NAME = "depends-on-earlier-questions"
"""The class of the reason."""

CHECK_SECONDS = 10.0
"""How long the findings of an implementation on a tokenizer are asked about alone."""

SEARCH_SECONDS = 60.0
"""How long one shortest sequence is looked for."""

SIFT_SECONDS = 20.0
"""How long all differing questions of such an implementation are asked alone; of the others nothing is said."""

MOST_HISTORY = 30_000
"""How many of the questions before are asked again."""

TRIED = 3
"""How often a question is asked first, to see that its answer always differs then."""

MOST_NAMED = 3
"""How many earlier questions a reason names."""


@dataclass(slots=True)
class Found:
    """What depends on earlier questions in the answers of one implementation.

    ``examples`` are those of the findings that do, with the smallest question that was found; ``earlier`` are the
    questions that go before each, ``None`` where that is not known. ``left`` are differing questions that show alone,
    ``unknown`` counts those of which there was no time to ask.
    """

    causes: tuple[Cause, ...] = ()
    examples: dict[Signature, Example] = field(default_factory=dict)
    earlier: dict[Signature, Asking | None] = field(default_factory=dict)
    left: dict[Signature, deque[Question]] = field(default_factory=dict)
    unknown: dict[Signature, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Counted:
    """A cause, the ids of the inputs that show it, and its differences by finding."""

    cause: Cause
    inputs: dict[str, None] = field(default_factory=dict)
    findings: Counter[Signature] = field(default_factory=Counter)

    def whole(self, tokenizer: str) -> Cause:
        return replace(
            self.cause,
            differences=self.findings.total(),
            inputs=len(self.inputs),
            tokenizers={tokenizer: len(self.inputs)},
            examples=tuple(self.inputs)[:MOST_EXAMPLES],
            every_input=tuple(self.inputs)[:MOST_INPUTS],
            findings=dict(self.findings),
        )


class EarlierQuestions:
    """Looks for what depends on earlier questions in the answers of ``implementation`` about ``source``.

    ``history`` gives the questions that the run has asked up to an example, and ``sides`` compare.
    """

    def __init__(
        self,
        implementation: Implementation,
        source: TokenizerSource,
        sides: Sides,
        history: Callable[[Example], Iterator[Observation]],
    ) -> None:
        self._implementation = implementation
        self._source = source
        self._sides = sides
        self._history = history
        self._counted: dict[Reason, _Counted] = {}
        self._reasons: dict[Signature, Reason] = {}
        self._found = Found()

    def found(self, findings: Sequence[Finding], gathered: Mapping[Signature, deque[Question]]) -> Found | None:
        """Return what depends on earlier questions; ``None`` where each of the ``findings`` shows alone.

        ``gathered`` are the questions that differ, where they were kept.
        """
        with suppress(CannotLoadError):  # it was loaded before; what is known by then holds
            restart(self._implementation)
            dependent = list(self._dependent(findings))
            for question in dict.fromkeys(finding.smallest.question for finding in dependent):
                self._explain([each for each in dependent if each.smallest.question == question])
            for finding in dependent:
                if finding.signature in self._reasons and finding.signature not in gathered:
                    self._count(finding.signature, finding.every_input, finding.differences)
            if self._counted:
                self._sift(gathered)
        self._found.causes = tuple(each.whole(self._source.name) for each in self._counted.values())
        return self._found if self._counted else None

    def _in_order(self, seconds: float, *, is_in_new_process: bool = False) -> InOrder:
        return InOrder(self._implementation, self._source, self._differs, seconds, is_in_new_process)

    def _differs(self, asked: Asked, question: Observation) -> bool:
        asked.ask_ahead((question,))
        return bool(self._sides.instead(asked).compared_once(asked.info.name, question).differences)

    def _dependent(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings whose example does not always show alone; the shortest are asked about first."""
        alone = self._in_order(CHECK_SECONDS)
        seen: dict[Observation, bool] = {}
        with suppress(BudgetSpentError):
            for finding in sorted(findings, key=lambda each: length_of(each.smallest.question)):
                question = finding.smallest.question
                if finding.signature.verdict not in NO_ANSWER:
                    if question not in seen:
                        seen[question] = alone.always_shows(question)
                    if not seen[question]:
                        yield finding

    def _explain(self, findings: Sequence[Finding]) -> None:
        """Find out what the one question of ``findings`` needs before it, by a sequence that is known or a new one."""
        example = findings[0].smallest
        sequence = self._sequence(example)
        comparison, witness = (None, None) if sequence is None else self._shown(sequence)
        if witness is None and all(each.signature.verdict is Verdict.UNSTABLE for each in findings):
            return  # it is wrong at random, as far as is known
        earlier = () if sequence is None or witness is None else sequence[:-1]
        reason = _reason(earlier, is_shown=witness is not None)
        if reason not in self._counted:
            self._counted[reason] = _Counted(self._cause(witness or self._unshown(example), earlier, reason))
        for finding in findings:
            self._reasons[finding.signature] = reason
            self._found.earlier[finding.signature] = None if witness is None else earlier
            alike = [each for each in comparison.differences if _is_of(each, finding)] if comparison else []
            small = replace(finding.smallest, reduced_from=length_of(example.question))
            if witness is not None and alike:
                answers = witness.answers
                small = replace(small, question=witness.question, difference=alike[0], near=None, answers=answers)
            self._found.examples[finding.signature] = small

    def _sequence(self, example: Example) -> Asking | None:
        question = example.question
        known = self._in_order(SEARCH_SECONDS)
        for earlier in dict.fromkeys(filter(None, self._found.earlier.values())):
            if known.shows_in_time((*earlier, question)):
                return (*earlier, question)
        if all(known.shows_in_time((question,)) for _ in range(TRIED)):  # not where it is asked once more
            return (question,)
        sequence = self._in_order(SEARCH_SECONDS).shortest(question, self._histories(example))
        return sequence if sequence is not None and self._holds(sequence) else None

    def _histories(self, example: Example) -> Iterator[Asking]:
        """Yield what may have to be asked before: the same once more, then all that the run has asked."""
        yield (example.question,)
        history = tuple(deque(self._history(example), MOST_HISTORY))
        yield history
        yield history[1:]  # where every second answer is wrong

    def _holds(self, sequence: Asking) -> bool:
        """Return whether all is so in a process that was just started: not alone, and after the others.

        It is so however often, and in whatever order, that is tried: what is wrong at random is not.
        """
        anew = self._in_order(SEARCH_SECONDS, is_in_new_process=True)
        alone = sequence[-1:]
        tried = (alone, alone, sequence, alone, sequence, sequence)
        return all(anew.shows_in_time(each) is (each is sequence) for each in tried)

    def _shown(self, sequence: Asking) -> tuple[Comparison, Witness | None]:
        """Return what ``sequence`` shows in its last answer."""
        question = sequence[-1]
        asked = self._in_order(SEARCH_SECONDS).asked(sequence[:-1])
        expected, actual, comparison = self._sides.instead(asked).answers(asked.info.name, question)
        if not comparison.differences:
            return comparison, None
        answers = whole_answers(question, expected, actual)
        of = (self._source, None, question, stage_of(question), comparison.differences[0])
        return comparison, Witness(*of, expected.outcome, actual.outcome, answers)

    def _unshown(self, example: Example) -> Witness:
        """Return what the run has seen of an example that nothing was found to show again."""
        nothing = Unsupported("the answer was not given again")
        question = example.question
        return Witness(
            self._source, None, question, stage_of(question), example.difference, nothing, nothing, example.answers
        )

    def _cause(self, witness: Witness, earlier: Asking, reason: Reason) -> Cause:
        where = ("what is kept between questions", "a question asked later", shape_of_question(witness.question))
        return Cause(
            implementation=self._implementation.info.name,
            signature=CauseSignature(witness.manner, *where),
            witness=witness,
            reason=reason,
            differences=0,
            inputs=0,
            earlier=earlier,
        )

    # All that differs

    def _sift(self, gathered: Mapping[Signature, deque[Question]]) -> None:
        """Ask all that differs alone: what does not show so has the cause of its finding, or else the first one."""
        alone = self._in_order(SIFT_SECONDS)
        for signature, questions in gathered.items():
            left: deque[Question] = deque()
            unknown = 0
            for question, input_id in questions:
                shows = _or_none(alone, question)
                if shows:
                    left.append((question, input_id))
                elif shows is None:
                    unknown += 1
                else:
                    self._count(signature, (input_id,), 1)
            self._found.left[signature], self._found.unknown[signature] = left, unknown

    def _count(self, signature: Signature, inputs: Iterable[str], differences: int) -> None:
        counted = self._counted[self._reasons.get(signature, next(iter(self._counted)))]
        counted.inputs.update(dict.fromkeys(inputs))
        counted.findings[signature] += differences


def _or_none(alone: InOrder, question: Observation) -> bool | None:
    try:
        return alone.always_shows(question)
    except BudgetSpentError:
        return None


def _is_of(difference: Difference, finding: Finding) -> bool:
    manner = (difference.field, difference.kind, difference.party, difference.detail)
    of = finding.signature
    return manner == (of.field, of.kind, of.party, of.detail)


FIRST_AGREES = "Asked first of a tokenizer that was just loaded, the answer agrees."
FIRST_DIFFERS = "Asked first of a tokenizer that was just loaded, the answer differs; asked once more, it agrees."
AFTER_OTHERS = "Asked after the earlier questions, in a process that was just started, it differs again."
AT_RANDOM = "it does not show again: a side may answer at random"
NOT_FOUND = "No sequence of the run's questions was found that shows it again."


def _reason(earlier: Asking, *, is_shown: bool) -> Reason:
    if not is_shown:
        return Reason(UNEXPLAINED, AT_RANDOM, (FIRST_AGREES, NOT_FOUND))
    if not earlier:
        return Reason(NAME, "not the same when asked once more", (FIRST_DIFFERS,))
    told = [_named(each) for each in earlier[:MOST_NAMED]]
    more = len(earlier) - len(told)
    what = f"after {', then '.join(told)}{f' and {more:,} more' if more else ''}"
    return Reason(NAME, what, (FIRST_AGREES, AFTER_OTHERS))


def _named(question: Observation) -> str:
    subject = ", ".join(" ".join(line.split(None, 1)) for line in subject_lines(question))
    return f"{describe(question)}: {subject}"
