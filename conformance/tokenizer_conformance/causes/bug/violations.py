"""Which requirement of the suite a difference violates: one that the implementation is seen to fail in the same way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Observation, stage_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

MOST_SECONDS = 10.0
MOST_VIOLATED = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A requirement: its ``id``, the ``rule`` in words, and the ``questions`` of its cases, each with its document."""

    id: str
    title: str
    rule: str
    questions: tuple[tuple[Json, Observation], ...]


FOLDERS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pre_tokenizers",
    "model": "models",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""The first half of the name of an area, by the member of tokenizer.json."""


def area_of(component: str) -> str | None:
    """Return the name of the area of requirements for a ``component`` that is to blame, where it is a single one.

    >>> [area_of(each) for each in ("decoder: WordPiece", "added_tokens", "normalizer: NFC + Lowercase")]
    ['decoders.WordPiece', 'added_tokens', None]
    """
    member, colon, kind = component.partition(": ")
    if not colon:
        return member if member == "added_tokens" else None
    return f"{FOLDERS[member]}.{kind}" if member in FOLDERS and kind.isalnum() else None


def violated(bench: Bench, witness: Witness, rules: Iterable[Rule]) -> list[Rule]:
    """Return those of the ``rules`` whose cases differ as ``witness`` does: at its stage, in its field.

    Only an implementation that reads a tokenizer.json and nothing beside it can be asked.
    """
    found: list[Rule] = []
    until = time.monotonic() + MOST_SECONDS
    for rule in rules:
        if len(found) == MOST_VIOLATED or time.monotonic() > until:
            break
        if any(_differs_alike(bench, witness, document, question) for document, question in rule.questions):
            found.append(rule)
    return found


def _differs_alike(bench: Bench, witness: Witness, document: Json, question: Observation) -> bool:
    if stage_of(question) != stage_of(witness.question):
        return False
    trial = bench.trial_of(witness.source, document)
    seen = None if trial is None or not trial.takes_documents else trial.witness(question)
    return seen is not None and (seen.manner.stage, seen.manner.field, seen.manner.verdict, seen.manner.kind) == (
        witness.manner.stage,
        witness.manner.field,
        witness.manner.verdict,
        witness.manner.kind,
    )
