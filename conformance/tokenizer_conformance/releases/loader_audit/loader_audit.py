"""One loader on one tokenizer: its components beside those of the file, a witness for each that is another."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    LoaderDefaults,
    LoaderSubject,
    Stage,
    Unsupported,
)
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.component_differences import (
    OF_CONVERSIONS,
    OF_LOADERS,
    OF_REVISIONS,
    Change,
    Component,
    Replacement,
    replacements,
)
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.exchange import Exchange
from tokenizer_conformance.comparison.loaded_documents import written
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.releases.loader_audit.behaviour import BehaviourComparison
from tokenizer_conformance.releases.loader_audit.defaults import contradictions, left_out_by_calls, type_ids_left_out
from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged
from tokenizer_conformance.releases.loader_audit.texts import FIRST_TEXTS
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, Confirmation, NoWitness, WitnessSearch
from tokenizer_conformance.results.carriers import exchanged_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.loader_audit.behaviour import Behaviour
    from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan
    from tokenizer_conformance.releases.loader_audit.witness import Impact, Shown
    from tokenizer_conformance.results.records.exchange import Exchanged

OF_THE_OBJECT = "it is an attribute of the object, and not seen in the answer to a call without options"


CLEAN_UP = "clean_up_tokenization_spaces"
"""What ``transformers`` calls the setting."""

EXCHANGE_SECONDS = 20.0
"""How long parts of two files are exchanged at most."""

MOST_CHECKS = 500
"""How many smaller questions are tried of what it cleans up."""


class LoaderAudit:
    """The audit of ``loader``, beside the ``file`` called ``name`` that the user has; both have loaded it.

    ``no_structure`` says why components cannot be compared; it is
    empty where they can be.
    """

    def __init__(self, name: str, plan: LoaderAuditPlan, file: Asked, loader: Asked, documents: Documents) -> None:
        self._name = name
        self._plan = plan
        self._conversion = plan.conversion
        self._words = OF_LOADERS if plan.new is None else OF_REVISIONS
        if self._conversion is not None:
            self._words = OF_CONVERSIONS
        self._loader = loader
        self._documents = documents
        self._raw = written(file)
        # What is written and read again is what is changed below, so that nothing but the change differs.
        self._file = documents.loaded(self._raw, "the file")
        self._written: Asked | None = None
        self._loaded: Json | None = None
        self.no_structure = ""
        try:
            self._written = documents.loaded(_text(loader), f"what {loader.info.name} writes")
            self._loaded = written(self._written)
        except CannotLoadError as error:
            self.no_structure = str(error)
        # Of two files nothing is explained beforehand; a conversion's answers are those of its document.
        shown = self._written if plan.new is None or self._conversion is not None else None
        self._comparison = BehaviourComparison(file, loader, shown)
        engine = None if plan.conversion is None else plan.conversion.engine
        witnessing = loader if engine is None else engine
        self._search = WitnessSearch(documents, self._raw, self._file, witnessing, plan.budget, plan.given, plan.seed)

    def differences(self) -> Iterator[DifferenceJudged]:
        """Yield all differences, each when its witness has been looked for."""
        found = [] if self._loaded is None else list(replacements(self._raw, self._loaded, self._words))
        for difference in found:
            yield self._judged(self._noted(difference))
        for further, shown in () if self._conversion is None else self._conversion.further:
            yield self._found(further, shown)
        subject = self._loader.subject
        if not isinstance(subject, LoaderSubject):
            return
        for difference in left_out_by_calls(self._raw, frozenset(each.component for each in found)):
            judged = self._judged(difference)
            if _is_of_the_loader(judged):
                yield judged
        types = type_ids_left_out(self._file, subject, self._raw)
        if types is not None:
            yield self._found(*types)
        defaults = subject.defaults()
        if isinstance(defaults, LoaderDefaults):
            yield from self._of_defaults(defaults)

    def behaviour(self) -> Behaviour:
        """Return the outcome of the loader's answers about the inputs; of two files nothing is explained beforehand."""
        return self._comparison.result(self._plan.inputs)

    def texts(self, behaviour: Behaviour) -> tuple[list[str], Exchanged | None]:
        """Return the texts of ``behaviour`` that have other ids, and which parts of two files carry what differs."""
        asked = (*behaviour.kept.differing, *behaviour.kept.alike)
        questions = {text: tuple(self._comparison.questions(text)) for text in asked}

        def answers(subject: Asked, texts: Sequence[str]) -> list[tuple[Outcome, ...]]:
            return [tuple(map(subject.ask, questions[text])) for text in texts]

        encoded = [text for text in behaviour.kept.differing if _ids(self._file, text) != _ids(self._loader, text)]
        if not behaviour.kept.differing or self._loaded is None:
            return encoded, None
        exchange = Exchange(
            self._raw,
            self._loaded,
            lambda document, texts: answers(self._documents.loaded(document, "the file with other parts"), texts),
            tuple.__eq__,
            behaviour.kept.differing,
            behaviour.kept.alike,
            time.monotonic() + EXCHANGE_SECONDS,
        )
        found = exchange.outcome(answers(self._file, asked), answers(self._loader, asked))
        return encoded, exchanged_line(found, behaviour.kept.count)

    def _of_defaults(self, defaults: LoaderDefaults) -> Iterator[DifferenceJudged]:
        vocabulary = self._file.vocabulary()
        known = {} if isinstance(vocabulary, Unsupported) else vocabulary
        for difference in contradictions(self._raw, defaults, known):
            yield self._found(difference, NoWitness(0, OF_THE_OBJECT))
        if defaults.settings.get(CLEAN_UP) is True and Stage.DECODE in self._loader.info.stages:
            STATUS.at(f"looking for a witness of {CLEAN_UP}")
            texts = self._plan.inputs[: self._plan.budget.cases]
            found = _clean_up_witness(self._file, self._loader, self._written, texts)
            if found is not None:
                yield self._found(*found)

    def _noted(self, difference: Replacement) -> Replacement:
        """Return ``difference`` with what the file of a conversion says of its component."""
        if self._conversion is None or difference.name in self._conversion.losses:
            return difference
        notes = self._conversion.notes.get(difference.component, ())
        return replace(difference, words="; ".join((difference.words, *notes)))

    def _judged(self, difference: Replacement) -> DifferenceJudged:
        STATUS.at(f"looking for a witness of {difference.name}")
        replaced = self._search.replaced(difference)
        if isinstance(replaced, str):
            return self._found(difference, NoWitness(0, replaced))
        search = self._search.beside_its_base(difference)
        witness = search.witness(difference, replaced)
        STATUS.at(f"counting the inputs that {difference.name} touches")
        # Counted are the user's texts, or those that are compared where there are none.
        return self._found(
            difference, witness, search.impact(difference, replaced, self._plan.given or self._plan.inputs)
        )

    def _found(self, difference: Replacement, witness: Shown, impact: Impact | None = None) -> DifferenceJudged:
        return DifferenceJudged(self._name, self._loader.info, difference, witness, impact)


def _ids(side: Asked, text: str) -> object:
    outcome = side.ask(Encode(text))
    return outcome.ids if isinstance(outcome, Encoded) else outcome


def _text(loader: Asked) -> str:
    """Return the tokenizer.json that ``loader`` writes. Raises :class:`CannotLoadError` where it writes none."""
    return json.dumps(written(loader), ensure_ascii=False)


def _is_of_the_loader(judged: DifferenceJudged) -> bool:
    """Return whether a call leaves out what the file says: nothing showed it, or the call answered as the file does."""
    witness = judged.witness
    return isinstance(witness, ComponentWitness) and witness.confirmation in (Confirmation.SAME, Confirmation.OTHER)


# Cleaning up ---------------------------------------------------------------------------------------------------------


def _clean_up_witness(
    file: Asked, loader: Asked, written: Asked | None, texts: Sequence[str]
) -> tuple[Replacement, ComponentWitness] | None:
    """Return what shows that ``loader`` decodes otherwise than the decoder it has; ``None`` where nothing does.

    It may take spaces out of decoded texts, after the decoder: no tokenizer.json can say that.

    ``written`` is what it wrote, loaded without it: its decoder gives what ``file`` gives, and the loader does not.
    """

    def seen(question: Observation) -> Difference | None:
        expected = OutcomeInUnit(file.ask(question))
        if written is not None and compare(question, expected, OutcomeInUnit(written.ask(question))).differences:
            return None
        return next(iter(compare(question, expected, OutcomeInUnit(loader.ask(question))).differences), None)

    for number, text in enumerate((*FIRST_TEXTS, *texts), start=1):
        encoded = file.ask(Encode(text))
        question = Decode(encoded.ids) if isinstance(encoded, Encoded) else Decode(())
        if seen(question) is None:
            continue
        question_ = reduced_question(question, lambda each: seen(each) is not None, MOST_CHECKS)
        difference = seen(question_)
        if difference is None:
            continue
        change = Change(CLEAN_UP, False, True)
        words = "the loader takes spaces out of a decoded text, after the decoder of the file"
        raw, loaded = file.ask(question_), loader.ask(question_)
        witness = ComponentWitness(question_, difference, raw, loaded, loaded, Confirmation.SAME, number)
        return Replacement(Component.DEFAULTS, f"defaults.{CLEAN_UP}", words, (change,), 1, {}), witness
    return None
