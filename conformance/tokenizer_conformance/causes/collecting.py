"""Gathering differences into causes: however many inputs show a cause, it is one.

A difference is first held against the causes that are known: where the reason of one predicts the answer, or the
difference goes when the culprits of some are made harmless, it has one of these causes, and is counted for it. What is
left when they are is made small, its culprit is found by experiment, and so is its reason; only where all of that is
new is it a new cause.

Causes that have the same proven reason are one, whatever stage or tokenizer shows it. So are causes that look the same:
the same component, field, culprit and kind of question.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage, stage_of
from tokenizer_adapters.protocol.processor_time import processor_seconds
from tokenizer_conformance.causes.cause import UNEXPLAINED, Cause, CauseSignature, Reason
from tokenizer_conformance.causes.cause_time import TimeSpentError
from tokenizer_conformance.causes.classes.entries import NAME as MODEL_ENTRY
from tokenizer_conformance.causes.classes.question_changes import CHARACTERS_DROPPED
from tokenizer_conformance.causes.components import component_of
from tokenizer_conformance.causes.culprit import CharacterCulprit, is_in, shape_of_question, without
from tokenizer_conformance.causes.generalizing import culprit_of
from tokenizer_conformance.causes.minimizing import Budget, minimized_document, minimized_question
from tokenizer_conformance.causes.reasons import Explainer
from tokenizer_conformance.causes.token_classes import Vocabulary
from tokenizer_conformance.comparison.document_parts import document_size
from tokenizer_conformance.comparison.verdicts import NO_ANSWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.culprit import Culprit
    from tokenizer_conformance.causes.witness import Manner, Witness
    from tokenizer_conformance.comparison.findings import Signature

MOST_EXAMPLES = 20
"""How many inputs a cause names."""

MOST_ALONE = 24
"""With more causes that differ in one character only, further ones are counted as one: *many characters*."""

LARGEST_DOCUMENT = 64 << 10
"""A cut-down tokenizer.json of more bytes is not told: the question is then one about the whole file."""

MOST_SINGLE = 3
"""With more causes that are single entries of a model, or single characters, further ones are counted as one."""

MOST_PASSED_BY = 2
"""How often a question is made small once more, where the reason of the small one says nothing of what was asked."""

MANY_ENTRIES, MANY_CHARACTERS = "many entries", "many characters"

OTHER_RULE = {
    MANY_ENTRIES: "many single entries would explain a text each, and so would another rule of the model",
    MANY_CHARACTERS: "many single characters would explain a text each, and so would a rule about all of them",
}
"""What is said where there are many causes of one thing each, by what these are."""

MANY = "many single characters"


@dataclass(frozen=True, slots=True)
class Effort:
    """What a new cause may cost: ``minimizing`` its question, and ``cutting_down`` its tokenizer.json."""

    minimizing: Budget = field(default_factory=lambda: Budget(5.0, 1500, processor_seconds))
    cutting_down: Budget = field(default_factory=lambda: Budget(3.0, 400, processor_seconds))


_Kind = tuple["Culprit", "Manner", str]
"""A culprit, with the manner of the difference and the kind of question in which it was met."""


@dataclass(slots=True)
class _Gathered:
    """A cause at work.

    ``kinds`` are the culprits by which it was met, with the manner and kind of question; ``explains`` makes the
    experiment that proves its reason with another question, by the file of the tokenizer. ``shown_by`` is a question
    that shows the cause on the user's file, by that file. ``seen`` are the inputs that were counted, each with its
    tokenizer: one input may show a cause in several findings.
    """

    cause: Cause
    kinds: list[_Kind]
    shown_by: dict[str, Observation] = field(default_factory=dict)
    explains: dict[str, Callable[[Observation], bool]] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Small:
    """A ``witness`` that was made small, what it looks like, and the cause without a reason that looks the ``same``."""

    witness: Witness
    signature: CauseSignature
    kind: _Kind
    same: _Gathered | None


class CauseCollector:
    """Gathers the differences of one implementation, on any number of tokenizers, into causes."""

    def __init__(
        self,
        bench: Bench,
        effort: Effort | None = None,
        explain: Callable[[Bench, Witness], Reason] | None = None,
    ) -> None:
        self._bench = bench
        self._effort = effort or Effort()
        self._explain = explain or Explainer()
        self._gathered: list[_Gathered] = []
        self._vocabularies: dict[str, Vocabulary] = {}
        self._has_news = False
        self.consequences = 0
        """How many questions differed only because an earlier stage did, or not when they were put again."""

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes so far, those that most inputs show first.

        Where more than a few single entries of a model, or characters, are reasons, none is: another rule does that,
        too.
        """
        counted = [each.cause for each in self._gathered if each.cause.inputs]  # not one that was interrupted
        many = {cause.reason.parameter for cause in counted} & OTHER_RULE.keys()
        counted = [
            replace(cause, reason=Reason(UNEXPLAINED, OTHER_RULE[kind]))
            if (kind := _single(cause.reason)) in many
            else cause
            for cause in counted
        ]
        return tuple(sorted(counted, key=lambda cause: -cause.inputs))

    def restore(self, causes: Iterable[Cause]) -> None:
        """Take over causes that were found before: what turns out to have the same is counted for them."""
        self._gathered += [_Gathered(cause, []) for cause in causes]

    def take(
        self,
        trial: Trial,
        question: Observation,
        input_id: str,
        finding: Signature | None = None,
        coming: Callable[[], Iterable[Observation]] = tuple,
    ) -> Cause | None:
        """Count the difference that ``question`` shows, and return its cause, a new or a known one.

        ``finding`` is the one that the difference belongs to, where there are findings; ``coming`` gives questions that
        will be taken next.
        ``None``: it shows none of its own. Where the time of the bench is spent before its cause is found,
        :class:`TimeSpentError` is raised and nothing is counted.
        """
        witness = trial.witness(question)
        if witness is None:
            self.consequences += 1
            return None
        return self.take_witness(trial, witness, input_id, finding, coming)

    def take_witness(
        self,
        trial: Trial,
        witness: Witness,
        input_id: str,
        finding: Signature | None = None,
        coming: Callable[[], Iterable[Observation]] = tuple,
    ) -> Cause:
        """Count ``witness``, and return its cause. Raises as :meth:`take` does."""
        self._make_ready(trial)
        known, left = self._proven_for(trial, witness, coming), witness
        if known is None:
            known, left = self._known(trial, witness)
        return self._count(known or self._found(trial, left), trial, input_id, finding)

    def explaining(self, trial: Trial) -> list[Callable[[Observation], bool]]:
        """Return what says of a question about the tokenizer of ``trial`` whether a known reason explains it."""
        file = trial.source.file
        return [each.explains[file] for each in self._gathered if file in each.explains]

    def has_news(self) -> bool:
        """Return whether a reason was proven since this was asked last."""
        has_news, self._has_news = self._has_news, False
        return has_news

    def _make_ready(self, trial: Trial) -> None:
        """Find the culprits of causes that were restored, where they are of the tokenizer of ``trial``.

        Ids that are given other numbers in a small tokenizer.json say nothing about the whole one.
        """
        for each in self._gathered:
            witness = each.cause.shown
            is_asked = witness.document is None or stage_of(witness.question) is not Stage.DECODE
            if not each.kinds and witness.source.name == trial.source.name and is_asked:
                culprit = culprit_of(trial, witness, self._vocabulary(trial))
                each.kinds.append(_kind(culprit, witness, each.cause.signature.context))

    # Known causes

    def _proven_for(
        self, trial: Trial, witness: Witness, coming: Callable[[], Iterable[Observation]] = tuple
    ) -> _Gathered | None:
        """Return the known cause whose reason predicts the answer in ``witness``: for that, nobody is asked anew."""
        trial.coming = coming
        try:
            for each in self._likely(witness):
                explains = each.explains.get(trial.source.file)
                if explains is not None and explains(witness.question):
                    return each
        finally:
            trial.coming = tuple
        return None

    def _likely(self, witness: Witness) -> list[_Gathered]:
        """Return all causes, the likely ones first: those met in the same stage and field, then in the same stage."""
        candidates = self._candidates(witness)
        alike = [each for each in candidates if any(kind[1].field == witness.difference.field for kind in each.kinds)]
        first = [*alike, *(each for each in candidates if each not in alike)]
        return [*first, *(each for each in self._gathered if each not in first)]

    def _known(self, trial: Trial, whole: Witness) -> tuple[_Gathered | None, Witness]:
        """Return the known cause of ``whole``, which no proven reason predicts alone; and what is left of it.

        Where the culprits of known causes are made harmless, another reason may be left.
        """
        witness, met = whole, list[_Gathered]()
        for each in self._candidates(witness):
            for kind in each.kinds:
                if not kind[0].tells or (kind[0].is_general and not self._may_explain(each, trial, witness, whole)):
                    continue
                is_it, left = self._has_culprit(trial, witness, kind)
                if is_it and (met or self._may_explain(each, trial, witness, whole)):
                    return (met or [each])[0], witness
                if left is not None:
                    witness = left
                    met.append(each)
        return None if witness is whole else self._proven_for(trial, witness), witness

    @staticmethod
    def _may_explain(each: _Gathered, trial: Trial, witness: Witness, whole: Witness) -> bool:
        """Return whether the reason of a cause explains ``witness``, too; one that no experiment can try again may.

        What any text shows says nothing about this one: another difference in the same field has another reason. That
        none explains ``whole`` was found out before.
        """
        explains = each.explains.get(trial.source.file)
        return not each.explains if explains is None else witness is not whole and explains(witness.question)

    @staticmethod
    def _has_culprit(trial: Trial, witness: Witness, kind: _Kind) -> tuple[bool, Witness | None]:
        """Say whether the difference of ``witness`` goes with the culprit of ``kind``; or what is left without it."""
        culprit, manner, shape = kind
        question = witness.question
        if culprit.is_general:
            return _covers(manner, shape, witness.manner, shape_of_question(question)), None
        if witness.difference.verdict in NO_ANSWER:
            return False, None
        if not _may_be_of_kind(witness.manner, manner) or not is_in(culprit, question):
            return False, None
        for harmless in without(culprit, question):
            if not any(map(trial.differs, harmless)):
                return True, None
            left = next(filter(None, map(trial.witness, harmless)), None)
            if left is not None and not is_in(culprit, left.question) and left.stage == witness.stage:
                return False, left
        return False, None

    def _candidates(self, witness: Witness) -> list[_Gathered]:
        """Return the causes that ``witness`` can have: those of its stage or before, the most frequent first."""
        found = [
            each
            for each in self._gathered
            if any(_may_be_of(witness.stage, manner.stage) for _, manner, _ in each.kinds)
        ]
        return sorted(found, key=lambda each: -each.cause.inputs)

    # New causes

    def _found(self, trial: Trial, witness: Witness) -> _Gathered:
        """Return the cause of ``witness``, which no known culprit explains: a new one, or one that looks the same."""
        trial.differing.append(witness.question)
        self._refute(trial, witness.question)
        small, reason = self._explained(trial, witness)
        if small.same is not None:
            small.same.kinds.append(small.kind)
            return small.same
        same, witness = None, small.witness
        if reason.is_proven:
            same = next((each for each in self._gathered if _has_reason(each.cause.reason, reason)), None)
        if same is None:
            cut = self._cut_down(trial, witness)
            own, name = None if cut is witness else witness, self._bench.implementation.info.name
            same = _Gathered(Cause(name, small.signature, cut, reason, 0, 0, own=own), [])
            self._gathered.append(same)
        elif witness.size < same.cause.witness.size:
            same.cause = replace(same.cause, witness=witness, signature=small.signature, reason=reason, own=None)
        same.kinds.append(small.kind)
        same.shown_by.setdefault(trial.source.file, witness.question)
        if reason.explains is not None:
            same.explains[trial.source.file] = reason.explains
            self._has_news = True
            self._look_again(same, trial.source.file)
        return same

    def _explained(self, trial: Trial, witness: Witness) -> tuple[_Small, Reason]:
        """Return ``witness`` made small, with its reason; there is none where it looks like a cause without one.

        A reason that is true of the small question may say nothing of what was asked: others are looked for then.
        """
        passed_by: list[Callable[[Observation], bool]] = []
        while True:
            small = self._small(trial, witness, passed_by)
            if small.same is not None:
                return small, Reason(UNEXPLAINED)
            reason = self._of_many(self._explain(self._bench, small.witness))
            if reason.concerns is None or reason.explains is None or reason.concerns(witness.question):
                return small, reason
            if len(passed_by) == MOST_PASSED_BY:
                return small, Reason(UNEXPLAINED)
            passed_by.append(reason.explains)

    def _small(self, trial: Trial, witness: Witness, passed_by: Sequence[Callable[[Observation], bool]]) -> _Small:
        """Return ``witness`` made small, and what it looks like."""
        witness = self._made_small(trial, witness, passed_by)
        culprit = culprit_of(trial, witness, self._vocabulary(trial))
        component, shape = component_of(self._bench, trial, witness), shape_of_question(witness.question)
        signature = CauseSignature(witness.manner, component, culprit.words, shape)
        kind = _kind(culprit, witness, signature.context)
        same = self._unexplained_like(signature)
        if same is None and self._has_many_like(signature):
            signature = replace(signature, characters=MANY)
            same = self._unexplained_like(signature)
        return _Small(witness, signature, kind, same)

    def _made_small(
        self, trial: Trial, witness: Witness, passed_by: Sequence[Callable[[Observation], bool]]
    ) -> Witness:
        """Return ``witness`` with a smaller question that shows the same, and not for a reason that is passed by."""
        if witness.difference.verdict in NO_ANSWER:
            return witness
        is_known = self._known_of_any_text(trial, witness)
        return minimized_question(
            trial,
            witness,
            self._effort.minimizing,
            is_known=lambda question: is_known(question) or any(explains(question) for explains in passed_by),
        )

    def _refute(self, trial: Trial, question: Observation) -> None:
        """Take their reasons from causes that say of ``question`` what it does not show."""
        for each in self._gathered:
            is_refuted = each.cause.reason.is_refuted
            if trial.source.file in each.explains and is_refuted is not None and is_refuted(question):
                each.cause = replace(each.cause, reason=Reason(UNEXPLAINED))
                each.explains.clear()

    def _look_again(self, each: _Gathered, file: str) -> None:
        """Count causes that were found before for ``each``, where its reason explains them, too, and not theirs it.

        One reason that explains more is better than two that explain less each.
        """
        explains = each.explains[file]
        for other in [one for one in self._gathered if one is not each and file in one.shown_by]:
            theirs = other.explains.get(file)
            if explains(other.shown_by[file]) and (theirs is None or not theirs(each.shown_by[file])):
                counted_twice = Counter(name for name, _ in each.seen & other.seen)
                each.cause = _with_counts_of(each.cause, other.cause, counted_twice)
                each.seen |= other.seen
                each.kinds += other.kinds
                self._gathered.remove(other)

    def _known_of_any_text(self, trial: Trial, witness: Witness) -> Callable[[Observation], bool]:
        """Return what tells whether a question shows nothing but a known cause that any text shows.

        Every small text shows that: what ``witness`` has beside it would be lost with the rest of the text.
        """
        known = [
            explains
            for each in self._candidates(witness)
            if any(culprit.is_general for culprit, _, _ in each.kinds)
            and (explains := each.explains.get(trial.source.file)) is not None
        ]
        return lambda question: any(explains(question) for explains in known)

    def _unexplained_like(self, signature: CauseSignature) -> _Gathered | None:
        """Return the cause that looks the same and has no reason: to look like one that is proven proves nothing."""
        alike = (each for each in self._gathered if _looks_the_same(each.cause.signature, signature))
        return next((each for each in alike if not each.cause.reason.is_proven), None)

    def _of_many(self, reason: Reason) -> Reason:
        """Return ``reason``; where many single entries, or characters, were reasons before, that of many."""
        kind = _single(reason)
        before = {each.cause.reason.parameter for each in self._gathered if _single(each.cause.reason) == kind}
        is_further = len(before - {reason.parameter}) >= MOST_SINGLE
        return reason if kind is None or not is_further else replace(reason, parameter=kind)

    def _cut_down(self, trial: Trial, witness: Witness) -> Witness:
        """Return ``witness`` with a small tokenizer.json, where one can be found that is small enough to be told."""
        is_of_document = trial.takes_documents and witness.stage is not Stage.CHAT
        if not is_of_document or witness.difference.verdict in NO_ANSWER:
            return witness
        try:
            small = minimized_document(self._bench, witness, self._effort.cutting_down)
        except TimeSpentError:  # its reason was found in time
            return witness
        is_small = small.document is not None and document_size(small.document) <= LARGEST_DOCUMENT
        return small if is_small else witness

    def _has_many_like(self, signature: CauseSignature) -> bool:
        """Return whether there are many causes that differ from ``signature`` in their one character only."""
        alike = sum(
            _looks_the_same(replace(each.cause.signature, characters=""), replace(signature, characters=""))
            for each in self._gathered
            if not each.cause.reason.is_proven
        )
        return alike >= MOST_ALONE

    def _vocabulary(self, trial: Trial) -> Vocabulary:
        if trial.source.file not in self._vocabularies:
            added = [token for token in trial.read().get("added_tokens") or () if isinstance(token, dict)]
            self._vocabularies[trial.source.file] = Vocabulary(
                trial.vocabulary(),
                frozenset(token["id"] for token in added if "id" in token),
                frozenset(token["id"] for token in added if "id" in token and token.get("special")),
            )
        return self._vocabularies[trial.source.file]

    # Counting

    def _count(self, each: _Gathered, trial: Trial, input_id: str, finding: Signature | None) -> Cause:
        cause, name = each.cause, trial.source.name
        is_new = (name, input_id) not in each.seen
        each.seen.add((name, input_id))
        each.cause = replace(
            cause,
            differences=cause.differences + 1,
            inputs=cause.inputs + is_new,
            tokenizers={**cause.tokenizers, name: cause.tokenizers.get(name, 0) + is_new},
            examples=cause.examples
            if input_id in cause.examples or len(cause.examples) == MOST_EXAMPLES
            else (*cause.examples, input_id),
            findings=cause.findings if finding is None else _sum(cause.findings, {finding: 1}),
        )
        return each.cause


def _single(reason: Reason) -> str | None:
    """Return what kind of single thing a reason is about; ``None`` where it is about more."""
    if reason.name == MODEL_ENTRY:
        return MANY_ENTRIES
    is_of_one = reason.parameter == MANY_CHARACTERS or reason.parameter.startswith("U+")
    return MANY_CHARACTERS if reason.name == CHARACTERS_DROPPED and is_of_one else None


def _sum(one: Mapping[Signature, int], other: Mapping[Signature, int]) -> Mapping[Signature, int]:
    return {each: one.get(each, 0) + other.get(each, 0) for each in (*one, *other)}


SHAPES = (
    "a text to normalize",
    "a text to pre-tokenize",
    "a text without special tokens",
    "a text",
    "words without special tokens",
    "words",
    "a pair without special tokens",
    "a pair",
    "a pair of words without special tokens",
    "a pair of words",
    "a batch",
)
"""Kinds of questions about texts, the simpler ones first: what any text shows, a batch of texts shows too."""


def _kind(culprit: Culprit, witness: Witness, context: str) -> _Kind:
    """Return by what a cause is known again."""
    core = culprit.core() if isinstance(culprit, CharacterCulprit) else culprit
    return core, witness.manner, context


def merged(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return ``causes`` of several tokenizers, those that are one as one; those that most inputs show first."""
    found: list[Cause] = []
    for cause in causes:
        for at, each in enumerate(found):
            if each.implementation == cause.implementation and _is_one(each, cause):
                found[at] = _joined(each, cause)
                break
        else:
            found.append(cause)
    return tuple(sorted(found, key=lambda each: -each.inputs))


def _is_one(one: Cause, other: Cause) -> bool:
    if one.reason.is_proven or other.reason.is_proven:
        return _has_reason(one.reason, other.reason)
    return _looks_the_same(one.signature, other.signature)


def _joined(one: Cause, other: Cause) -> Cause:
    """Return two causes that are one, with the smaller witness."""
    small, large = sorted((one, other), key=lambda each: each.witness.size)
    return _with_counts_of(small, large)


def _with_counts_of(one: Cause, other: Cause, twice: Mapping[str, int] = MappingProxyType({})) -> Cause:
    """Return ``one`` with what was counted for ``other``, too; so many inputs of each tokenizer were for both."""
    names = dict.fromkeys((*one.tokenizers, *other.tokenizers))
    return replace(
        one,
        differences=one.differences + other.differences,
        inputs=one.inputs + other.inputs - sum(twice.values()),
        tokenizers={
            name: one.tokenizers.get(name, 0) + other.tokenizers.get(name, 0) - twice.get(name, 0) for name in names
        },
        examples=tuple(dict.fromkeys((*one.examples, *other.examples)))[:MOST_EXAMPLES],
        findings=_sum(one.findings, other.findings),
    )


def _may_be_of(stage: Stage, earlier: Stage) -> bool:
    """Return whether a difference at ``stage`` can have a cause that was seen ``earlier``: encodings are two stages."""
    return stage == earlier or (stage, earlier) == (Stage.POST_PROCESS, Stage.MODEL)


def _may_be_of_kind(manner: Manner, earlier: Manner) -> bool:
    """Return whether a difference in ``manner`` can have a cause that was seen in the manner ``earlier``."""
    return _may_be_of(manner.stage, earlier.stage) and _is_of_kind(replace(manner, stage=earlier.stage), earlier)


def _covers(manner: Manner, shape: str, other: Manner, other_shape: str) -> bool:
    """Return whether a cause that any text shows, in ``manner`` and in a question of ``shape``, covers another one."""
    if not _may_be_of_kind(other, manner) or manner.field != other.field:
        return False
    if shape in SHAPES and other_shape in SHAPES:
        return SHAPES.index(shape) <= SHAPES.index(other_shape)
    return shape == other_shape


def _is_of_kind(one: Manner, other: Manner) -> bool:
    return (one.stage, one.verdict, one.party, one.detail) == (other.stage, other.verdict, other.party, other.detail)


def _looks_the_same(one: CauseSignature, other: CauseSignature) -> bool:
    """Return whether two signatures are those of one cause: lengths and values may differ, all else is the same."""
    return (
        _is_of_kind(one.manner, other.manner)
        and one.manner.field == other.manner.field
        and (one.component, one.characters, one.context) == (other.component, other.characters, other.context)
    )


def _has_reason(one: Reason, other: Reason) -> bool:
    return one.is_proven and (one.name, one.parameter) == (other.name, other.parameter)
