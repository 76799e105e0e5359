"""A witness beside variants of the reference: which of them answers as the implementation does.

A variant explains a witness where it gives exactly the implementation's answer to the question, in all fields that this
shows, and the reference as it is does not. That could be by chance, or the implementation could do so for this text
alone. So both are asked *probes*, questions like the one of the witness: the implementation must never answer as the
reference does where the variant answers otherwise, and there must be a probe to which all three answer alike.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from enum import Enum
from functools import cached_property
from operator import add
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Decode,
    DecodeStream,
    Encode,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    plain_of,
)
from tokenizer_conformance.causes.classes.cutting import loaded_small
from tokenizer_conformance.causes.classes.experiment import ground_of
from tokenizer_conformance.causes.classes.small_documents import (
    added_tokens,
    only_decoder,
    only_model,
    tokens_by_their_neighbours,
    without_model,
)
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.questions import all_ids_of, texts_in, with_ids, with_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation
    from tokenizer_adapters.variants.change import Change
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

HARMLESS = ("a", "ab", "a b")
"""Texts that no change is about, to see that the implementation works as the reference does otherwise."""

FOLLOWING = frozenset(ENCODING_FIELDS) - {Field.IDS, Field.TOKENS, Field.OVERFLOWING}
"""The fields that say more about the tokens that were found."""

_MOST_DECODED = 500
"""How many ids are decoded to find harmless ones."""

_MOST_TAKEN_APART = 12
"""Up to how many characters (ids) of a text each of them is left out for a probe."""


class Stand(Enum):
    """Whose answer the implementation gives."""

    BOTH = "that of the reference, which the variant gives, too"
    VARIANT = "that of the variant, which is not that of the reference"
    REFERENCE = "that of the reference, which is not that of the variant"
    NEITHER = "another one, or none"


_STANDS = {
    (True, True): Stand.BOTH,
    (False, True): Stand.VARIANT,
    (True, False): Stand.REFERENCE,
    (False, False): Stand.NEITHER,
}


@dataclass(frozen=True, slots=True)
class Probed:
    """How often the implementation stood where, on the probes of one variant."""

    both: int = 0
    variant: int = 0
    reference: int = 0
    neither: int = 0

    def __add__(self, other: Probed) -> Probed:
        return Probed(*map(add, astuple(self), astuple(other)))

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the variant, and there was a control."""
        return self.both > 0 and self.reference == 0

    @property
    def tells(self) -> bool:
        """Whether any of these probes tells the variant from the reference."""
        return self.variant + self.reference + self.neither > 0

    @property
    def is_borne_out(self) -> bool:
        """Whether these probes, which others than the witness are, show the variant, and nothing else as often."""
        return self.reference == 0 and self.variant > 0 and self.variant >= self.neither

    @property
    def sentence(self) -> str:
        """The probes in a sentence, for a proof."""
        others = f"on {self.variant} the implementation answers as the variant, and not as the reference"
        against = f"; on {self.reference} it is the other way round" if self.reference else ""
        return f"Of other questions, all three answer alike on {self.both}; {others}{against}."


@dataclass(frozen=True, slots=True)
class Varying:
    """A ``reason`` that is a variant of the reference: that in which ``changes`` hold."""

    reason: Reason
    changes: tuple[Change, ...]


class Study:
    """The ``witness`` of the trial of ``ground``, whose answers the reference gives on the baseline's side."""

    def __init__(self, ground: Ground, witness: Witness) -> None:
        self.ground = ground
        self.trial = ground.trial
        self.witness = witness

    @classmethod
    def of(cls, bench: Bench, witness: Witness) -> Self | None:
        """Return the study of ``witness``.

        ``None`` where its tokenizer cannot be loaded, or where the reference does not give the baseline's answer: what
        a variant of it does then proves nothing.
        """
        ground = ground_of(bench, witness)
        if ground is None:
            return None
        study = cls(ground, witness)
        expected = OutcomeInUnit(witness.expected, ground.trial.baseline.info.offset_unit)
        return study if study._is_baseline(expected) else None

    def _is_baseline(self, expected: OutcomeInUnit) -> bool:
        answer = self.answer(self.question)
        if answer is None:
            return False
        comparison = compare(self.question, OutcomeInUnit(answer), expected)
        return bool(comparison.agreed) and not comparison.differences

    @property
    def question(self) -> Observation:
        """The question of the witness."""
        return self.witness.question

    @property
    def text(self) -> str:
        """All that the question has of text, joined; that of the ids where it has none."""
        return "".join(self.texts)

    @cached_property
    def document(self) -> Json:
        """The tokenizer.json; without any members where it cannot be read."""
        try:
            return self.trial.read()
        except (OSError, ValueError):
            return {}

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the question, each for itself."""
        return texts_in(self.question)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What the model is given of the texts where they have no added tokens: the pieces of the pre-tokenizer."""
        return tuple(dict.fromkeys(word for text in self.texts for word in self.words_of(text)))

    def words_of(self, text: str) -> list[str]:
        """Return what the model is given of ``text``: the pieces of the pre-tokenizer, of the normalized text."""
        normalized = self.answer(Normalize(text))
        if not isinstance(normalized, Text):
            return []
        cut = self.answer(PreTokenize(normalized.text))
        return [piece for piece, _ in cut.pieces] if isinstance(cut, Pieces) else []

    # Whether a change can matter at all, found out with a small document -------------------------------------------

    def can_matter_before_the_model(self, change: Change) -> bool:
        """Return whether ``change`` does anything to what the model is given of the texts."""
        added = tokens_by_their_neighbours(self.document)
        return added or self._matters(change, self._without_model, self.texts)

    def can_matter_in_the_model(self, change: Change) -> bool:
        """Return whether ``change`` does anything to the tokens of the words of the texts."""
        small = self._small_model
        return small is None or self._matters(change, small, self.words)

    def can_matter_in_decoding(self, change: Change) -> bool:
        """Return whether ``change`` does anything to what the ids of the question are decoded to."""
        question = plain_of(self.question)
        if not isinstance(question, Decode | DecodeStream):
            return True
        return self._differ(change, self._small_decoder, [question])

    def _matters(self, change: Change, text: str, about: tuple[str, ...]) -> bool:
        return self._differ(change, text, [kind(each) for each in about for kind in (Normalize, PreTokenize, Encode)])

    @staticmethod
    def _differ(change: Change, text: str, questions: Sequence[PlainObservation]) -> bool:
        """Return whether the small tokenizer in ``text`` answers any question otherwise with ``change``."""
        plain, changed = loaded_small(text, ()), loaded_small(text, (change,))
        if plain is None or changed is None:
            return True
        return any(plain.observe(question) != changed.observe(question) for question in questions)

    @cached_property
    def _without_model(self) -> str:
        return without_model(self.document)

    @cached_property
    def _small_decoder(self) -> str:
        asked = plain_of(self.question)
        ids = set(all_ids_of(asked)) if isinstance(asked, Decode | DecodeStream) else set()
        known = self.ground.vocabulary().items()
        return only_decoder(self.document, ((token, id_) for token, id_ in known if id_ in ids))

    @cached_property
    def _small_model(self) -> str | None:
        if any(token in text for token in added_tokens(self.document) for text in self.texts):
            return None
        return only_model(self.document, self.words)

    # Answers ---------------------------------------------------------------------------------------------------------

    def answer(self, question: Observation, *changes: Change) -> Outcome | None:
        """Return what the reference answers with ``changes``; ``None`` where it cannot load the tokenizer."""
        self.trial.check_time()
        subject = self.ground.variant(*changes) if changes else self.ground.reference()
        return None if subject is None else subject.ask(question)

    def explains(self, *changes: Change) -> bool:
        """Return whether the reference with ``changes`` gives exactly the implementation's answer, and without not."""
        return self._stand(self.question, changes, self.witness.actual) is Stand.VARIANT

    def explains_with(self, *changes: Change) -> Callable[[Observation], bool]:
        """Return what tells of a question whether the implementation answers as the reference with ``changes``."""
        return lambda question: self.stand(question, changes) is Stand.VARIANT

    def stand(self, question: Observation, changes: tuple[Change, ...]) -> Stand:
        """Return whose answer the implementation gives to ``question``."""
        return self._stand(question, changes, self.trial.actual(question))

    def _stand(self, question: Observation, changes: tuple[Change, ...], actual: Outcome) -> Stand:
        theirs = OutcomeInUnit(actual, self.trial.implementation.info.offset_unit)
        return _STANDS[self._gives(question, (), theirs), self._gives(question, changes, theirs)]

    def _gives(self, question: Observation, changes: tuple[Change, ...], outcome: OutcomeInUnit) -> bool:
        """Return whether the reference with ``changes`` agrees with ``outcome``, a value; errors prove nothing."""
        answer = self.answer(question, *changes)
        if answer is None:
            return False
        comparison = compare(question, OutcomeInUnit(answer), outcome, self._fields)
        return bool(comparison.agreed) and not comparison.differences

    @cached_property
    def set_aside(self) -> frozenset[Field]:
        """Fields that are not compared, for the implementation has them otherwise on harmless texts, too.

        Only such as follow from the tokens, and not the one of the witness: how an implementation counts its offsets
        is another matter than which tokens it finds.
        """
        if not isinstance(plain_of(self.question), Encode):
            return frozenset()
        found = {field for question in self.instead(HARMLESS) for field in self._differing(question)}
        mine = self.witness.difference.field
        return frozenset(field for field in FOLLOWING if field in found and field != mine)

    def _differing(self, question: Observation) -> Iterator[Field | None]:
        """Yield the fields in which the implementation differs from the reference, where it finds the same tokens."""
        answer = self.answer(question)
        if answer is None:
            return
        theirs = OutcomeInUnit(self.trial.actual(question), self.trial.implementation.info.offset_unit)
        comparison = compare(question, OutcomeInUnit(answer), theirs)
        if Field.IDS in comparison.agreed:
            yield from (difference.field for difference in comparison.differences)

    @cached_property
    def _fields(self) -> frozenset[Field] | None:
        if not self.set_aside:
            return self.trial.fields
        return (frozenset(Field) if self.trial.fields is None else self.trial.fields) - self.set_aside

    @property
    def proviso(self) -> tuple[str, ...]:
        """What a proof has to add, in a sentence: which fields were not compared."""
        if not self.set_aside:
            return ()
        named = ", ".join(sorted(field.value for field in self.set_aside))
        return (f"Left out of the comparison: {named}, which differ on harmless texts, too.",)

    # Probes ----------------------------------------------------------------------------------------------------------

    def probed(self, changes: tuple[Change, ...], probes: Iterable[Observation]) -> Probed:
        """Ask the ``probes``."""
        counted = dict.fromkeys(Stand, 0)
        for question in dict.fromkeys(probes):
            if question != self.question:
                counted[self.stand(question, changes)] += 1
        return Probed(counted[Stand.BOTH], counted[Stand.VARIANT], counted[Stand.REFERENCE], counted[Stand.NEITHER])

    def around(self) -> Iterator[Observation]:
        """Yield the probes around the question: parts of it, it twice, and harmless ones."""
        yield from self.instead(HARMLESS)
        yield from self._harmless_ids()
        size = max(map(len, _parts(self.question)), default=0)
        yield _with(self.question, lambda text: f"{text} {text}", lambda ids: ids + ids)
        yield _with(self.question, lambda text: f"a {text}", lambda ids: ids[1:])
        for at in range(size if size <= _MOST_TAKEN_APART else 0):
            yield _with(
                self.question,
                lambda text, at=at: text[:at] + text[at + 1 :],  # type: ignore[misc]
                lambda ids, at=at: ids[:at] + ids[at + 1 :],  # type: ignore[misc]
            )

    def _harmless_ids(self) -> Iterator[Observation]:
        """Yield the question with single ids, where it has ids, that are decoded to ASCII."""
        if not isinstance(plain_of(self.question), Decode | DecodeStream):
            return
        found = 0
        for id_ in sorted(set(self.trial.vocabulary().values()))[:_MOST_DECODED]:
            text = self.answer(Decode((id_,)))
            if isinstance(text, Text) and text.text and text.text.isascii():
                yield with_ids(self.question, lambda _, id_=id_: (id_,))  # type: ignore[misc]
                found += 1
            if found == len(HARMLESS):
                return

    def replacing(self, old: str, others: Iterable[str]) -> Iterator[Observation]:
        """Yield the question with each of ``others`` in the place of the character ``old``."""
        for new in others:
            yield with_texts(self.question, lambda text, new=new: text.replace(old, new))  # type: ignore[misc]

    def instead(self, texts: Iterable[str]) -> Iterator[Observation]:
        """Yield the question with each of ``texts`` in the place of its own."""
        for new in texts:
            yield with_texts(self.question, lambda _, new=new: new)  # type: ignore[misc]


def _with(
    question: Observation, of_text: Callable[[str], str], of_ids: Callable[[tuple[int, ...]], tuple[int, ...]]
) -> Observation:
    """Return ``question`` with ``of_text`` of each of its texts, or ``of_ids`` of its ids."""
    return with_ids(with_texts(question, of_text), of_ids)


def _parts(question: Observation) -> tuple[str | tuple[int, ...], ...]:
    plain = plain_of(question)
    return (plain.ids,) if isinstance(plain, Decode | DecodeStream) else texts_in(plain)
