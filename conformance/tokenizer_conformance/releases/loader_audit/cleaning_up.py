"""The clean-up of spaces that a loader may do in decoded texts, after the decoder: no tokenizer.json can say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, Encode, Encoded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.releases.loader_audit.components import Component
from tokenizer_conformance.releases.loader_audit.structure import Change, Replacement
from tokenizer_conformance.releases.loader_audit.texts import FIRST_TEXTS
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, Confirmation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Difference

CLEAN_UP = "clean_up_tokenization_spaces"
"""What ``transformers`` calls the setting."""

MOST_CHECKS = 500
"""How many smaller questions are tried."""


def clean_up_witness(
    file: Asked, loader: Asked, written: Asked | None, texts: Sequence[str]
) -> tuple[Replacement, ComponentWitness] | None:
    """Return what shows that ``loader`` decodes otherwise than the decoder it has; ``None`` where nothing does.

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
