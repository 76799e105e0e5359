"""A witness of a replaced component: the smallest question that the file answers otherwise once it alone is replaced.

Both documents are loaded by one implementation, with no loader in the loop: so the witness is shown by that component
and by nothing else. What is seen in ids, or in a decoded text, goes before what is seen in offsets alone, and that
before what only a stage inside shows. Then the loader itself is asked: other components may hide the difference.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    Field,
    LoaderSubject,
    Normalize,
    PreTokenize,
    Unsupported,
)
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.defaults import WITNESS_CASES, WITNESS_SECONDS
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness, encoded_of
from tokenizer_conformance.releases.loader_audit.texts import texts_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.component_differences import Replacement
    from tokenizer_conformance.comparison.differences import Comparison, Difference
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json

REDUCTION_SECONDS = 5.0
REDUCTION_CHECKS = 2000
"""What making a witness smaller may cost."""

MOST_DRAWN = 8
"""How many ids are drawn to be decoded together."""

MOST_IDS = 32
"""How many ids of tokens that a replacement is about are decoded."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How far a witness is looked for: among so many texts (``cases``), and for so many ``seconds`` at most."""

    cases: int = WITNESS_CASES
    seconds: float = WITNESS_SECONDS


class Confirmation(StrEnum):
    """What the loader itself answers to the question of a witness."""

    SAME = "the loader answers so, too"
    OTHER = "the loader answers otherwise than the file, and not as predicted"
    HIDDEN = "the loader answers as the file does: another component, or the call, hides it"
    NOT_SHOWN = "the loader does not show it"


@dataclass(frozen=True, slots=True)
class ComponentWitness:
    """What shows a replaced component.

    ``raw`` is the answer with the user's document, ``replaced`` the one with the component replaced; ``difference`` is
    between the two. ``loaded`` is the loader's own, with the result. ``inputs`` texts were asked about by then.
    """

    question: Observation
    difference: Difference
    raw: Outcome
    replaced: Outcome
    loaded: Outcome
    confirmation: Confirmation
    inputs: int


@dataclass(frozen=True, slots=True)
class Impact:
    """How many of ``inputs`` a replaced component touches: in ``ids`` or a decoded text, and in ``any`` field."""

    inputs: int
    ids: int
    any: int


@dataclass(frozen=True, slots=True)
class NoWitness:
    """Nothing was found among ``inputs`` texts; where none could be asked about, ``reason`` says why."""

    inputs: int
    reason: str = ""


Shown = ComponentWitness | CallWitness | NoWitness
"""What shows a difference, or how it was looked for."""


class WitnessSearch:
    """Looks for witnesses, with the user's document ``raw`` loaded as ``file``, against a ``loader``'s own answers."""

    def __init__(
        self,
        documents: Documents,
        raw: Json,
        file: Asked,
        loader: Asked,
        budget: Budget,
        given: tuple[str, ...] = (),
        seed: int = 0,
    ) -> None:
        self._documents = documents
        self._raw = raw
        self._file = file
        self._loader = loader
        self._budget = budget
        self._given = given
        self._seed = seed
        vocabulary = file.vocabulary()
        self._vocabulary = {} if isinstance(vocabulary, Unsupported) else vocabulary
        self._ids = sorted(self._vocabulary.values())

    def replaced(self, replacement: Replacement) -> Asked | str:
        """Return the file with the component replaced, loaded; the reason where it cannot be."""
        try:
            return self._documents.loaded(replacement.document, replacement.name)
        except CannotLoadError as error:
            if replacement.wider is None:
                return f"with this alone replaced, the file cannot be loaded: {error}"
        try:
            return self._documents.loaded(replacement.wider, replacement.name)
        except CannotLoadError as error:
            return f"with the model replaced, the file cannot be loaded: {error}"

    def beside_its_base(self, replacement: Replacement) -> WitnessSearch:
        """Return the search for ``replacement``: this one, or the same beside the document that is its base."""
        if replacement.base is None:
            return self
        file = self._documents.loaded(replacement.base, "the file")
        return WitnessSearch(self._documents, self._raw, file, self._loader, self._budget, self._given, self._seed)

    def witness(self, replacement: Replacement, replaced: Asked) -> ComponentWitness | NoWitness:
        """Return what shows ``replacement``, which is loaded as ``replaced``."""
        until = time.monotonic() + self._budget.seconds
        best: _Seen | None = None
        inputs = asked_for_more = 0
        for text in texts_for(replacement, self._raw, self._given, self._seed):
            if inputs >= self._budget.cases or time.monotonic() > until:
                break
            inputs += 1
            for question in self._questions(replacement, text, first=inputs == 1):
                seen = self._seen(replacement.component, question, replaced)
                if seen is not None and (best is None or seen.rank < best.rank):
                    best = seen
            if best is not None and (best.rank == 0 or (best.rank <= HIDDEN and asked_for_more >= MOST_FURTHER)):
                break
            asked_for_more += best is not None and best.rank <= HIDDEN
        if best is None:
            return NoWitness(inputs)
        component = replacement.component
        return self._confirmed(component, self._reduced(component, best, replaced), replaced, inputs)

    def impact(self, replacement: Replacement, replaced: Asked, texts: tuple[str, ...]) -> Impact:
        """Return how many of ``texts`` the replaced component touches when they are encoded, alone, and decoded."""
        ids = every = 0
        for text in texts:
            ranks = [
                _rank(question, each)
                for ask in QUESTIONS[replacement.component]
                if ask in OF_USERS
                for question in ASKS[ask](text, self._file)
                for each in self._compared(question, self._file.ask(question), replaced.ask(question)).differences
            ]
            ids += 0 in ranks
            every += bool(ranks)
        return Impact(len(texts), ids, every)

    def _questions(self, replacement: Replacement, text: str, *, first: bool) -> Iterator[Observation]:
        for ask in QUESTIONS[replacement.component]:
            yield from ASKS[ask](text, self._file)
        if replacement.component not in OF_IDS or not self._vocabulary:
            return
        if first:
            for token in replacement.hints[:MOST_IDS]:
                if token in self._vocabulary:
                    yield Decode((self._vocabulary[token],), skip_special_tokens=False)
                    yield Decode((self._vocabulary[token],))
        # No text need give ids in every order; drawn from the text, they are the same ones each time.
        random = Random(f"{self._seed}:{text}")  # noqa: S311 - repeatable on purpose
        yield Decode(tuple(random.choices(self._ids, k=MOST_DRAWN)), skip_special_tokens=False)

    def _compared(self, question: Observation, raw: Outcome, other: Outcome) -> Comparison:
        unit = self._file.info.offset_unit
        return compare(question, OutcomeInUnit(raw, unit), OutcomeInUnit(other, unit))

    def _seen(self, component: Component, question: Observation, replaced: Asked) -> _Seen | None:
        comparison = self._compared(question, self._file.ask(question), replaced.ask(question))
        if not comparison.differences:
            return None
        difference = min(comparison.differences, key=lambda each: _rank(question, each))
        rank = _rank(question, difference)
        if rank == 0:
            rank = RANKS[self._confirmed(component, _Seen(question, difference, rank), replaced, 0).confirmation]
        return _Seen(question, difference, rank)

    def _reduced(self, component: Component, seen: _Seen, replaced: Asked) -> _Seen:
        until = time.monotonic() + REDUCTION_SECONDS
        found = {seen.question: seen}

        def shows_the_same(question: Observation) -> bool:
            if time.monotonic() > until:
                raise BudgetSpentError
            smaller = self._seen(component, question, replaced)
            if smaller is None or smaller.rank > seen.rank or smaller.difference.verdict != seen.difference.verdict:
                return False
            found[question] = smaller
            return True

        return found[reduced_question(seen.question, shows_the_same, REDUCTION_CHECKS)]

    def _confirmed(self, component: Component, seen: _Seen, replaced: Asked, inputs: int) -> ComponentWitness:
        question = seen.question
        raw, predicted = self._file.ask(question), replaced.ask(question)
        loaded = self._called(component, question) or self._loader.ask(question)
        confirmation = self._confirmation(question, raw, predicted, loaded)
        return ComponentWitness(question, seen.difference, raw, predicted, loaded, confirmation, inputs)

    def _called(self, component: Component, question: Observation) -> Outcome | None:
        """Return what a user gets who calls the loader's object, where it has calls.

        An adapter may tell the call how the file truncates and pads; a user who says nothing does not.
        """
        subject = self._loader.subject
        if component not in OF_CALLS or not isinstance(subject, LoaderSubject):
            return None
        match question:
            case Encode(str(text), pair, add_special_tokens=True) if pair is None or isinstance(pair, str):
                return encoded_of(subject.called(text, pair))
        return None

    def _confirmation(self, question: Observation, raw: Outcome, predicted: Outcome, loaded: Outcome) -> Confirmation:
        unit = self._loader.info.offset_unit

        def differs(outcome: Outcome) -> bool:
            ours = OutcomeInUnit(outcome, self._file.info.offset_unit)
            return bool(compare(question, ours, OutcomeInUnit(loaded, unit)).differences)

        if isinstance(loaded, Unsupported):
            return Confirmation.NOT_SHOWN
        if not differs(raw):
            return Confirmation.HIDDEN
        return Confirmation.OTHER if differs(predicted) else Confirmation.SAME


HIDDEN, OTHER_FIELDS, INSIDE = 2, 3, 4

RANKS: dict[Confirmation, int] = {
    Confirmation.SAME: 0,
    Confirmation.OTHER: 1,
    Confirmation.HIDDEN: HIDDEN,
    Confirmation.NOT_SHOWN: HIDDEN,
}
"""How good a witness is that is seen in ids or in a text: best where the loader answers as predicted."""

MOST_FURTHER = 100
"""How many texts more are asked about for a witness to which the loader itself answers as predicted."""


@dataclass(frozen=True, slots=True)
class _Seen:
    question: Observation
    difference: Difference
    rank: int


def _rank(question: Observation, difference: Difference) -> int:
    """Return how near to the user a difference is seen: 0 in ids, a decoded text or an error, else in other fields."""
    if isinstance(question, Normalize | PreTokenize):
        return INSIDE
    return 0 if difference.field in (None, Field.IDS, Field.TEXT) else OTHER_FIELDS


# What is asked -------------------------------------------------------------------------------------------------------


def _decoded(text: str, file: Asked) -> Iterator[Observation]:
    encoded = file.ask(Encode(text))
    if isinstance(encoded, Encoded):
        yield Decode(encoded.ids, skip_special_tokens=False)
        yield Decode(encoded.ids)


ASKS: dict[str, Callable[[str, Asked], Iterable[Observation]]] = {
    "plain": lambda text, _file: (Encode(text, add_special_tokens=False),),
    "special": lambda text, _file: (Encode(text),),
    "pair": lambda text, _file: (Encode(text, "b c"), Encode("a", text, add_special_tokens=False)),
    "pair of calls": lambda text, _file: (Encode(text, "b c"),),
    "batch": lambda text, _file: (EncodeBatch((Encode(text), Encode("a"))),),
    "decoded": _decoded,
    "normalized": lambda text, _file: (Normalize(text),),
    "pre-tokenized": lambda text, _file: (PreTokenize(text),),
}
"""What can be asked about a text."""

OF_USERS = ("plain", "special", "decoded")
"""What is asked about an input to say whether it is touched."""

OF_IDS = (Component.MODEL, Component.VOCABULARY, Component.ADDED_TOKENS, Component.DECODER)
"""Components that decode ids: these are asked about ids that are drawn, too."""

OF_CALLS = (Component.TRUNCATION, Component.PADDING, Component.DEFAULTS)
"""Components that a call of a loader's object may leave out, or bring in."""

QUESTIONS: dict[Component, tuple[str, ...]] = {
    Component.NORMALIZER: ("plain", "normalized"),
    Component.PRE_TOKENIZER: ("plain", "pre-tokenized"),
    Component.MODEL: ("plain", "decoded"),
    Component.VOCABULARY: ("plain", "special", "decoded"),
    Component.MERGES: ("plain",),
    Component.ADDED_TOKENS: ("plain", "special", "decoded"),
    Component.POST_PROCESSOR: ("special", "pair"),
    Component.DECODER: ("decoded",),
    Component.TRUNCATION: ("special", "pair"),
    Component.PADDING: ("special", "batch"),
    Component.DEFAULTS: ("special", "pair of calls"),
}
"""What is asked about a text to see a component; what is asked by every user stands first."""
