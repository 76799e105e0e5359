"""Hypotheses about the tokenizer.json: the implementation is right about a file that differs in one thing."""

from __future__ import annotations

import time
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.causes.classes.document_changes import DocumentChange, changes_of, put
from tokenizer_conformance.causes.classes.ground import VALUES, Offsets
from tokenizer_conformance.causes.classes.hypothesis import Hypothesis, proven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.classes.ground import Ground
    from tokenizer_conformance.causes.witness import Witness

SECONDS = 8.0
"""How long changes of one tokenizer.json are tried for one witness."""

MOST_PAIRED = 24
"""Of so many changes at most, pairs are tried."""

_TEXT_PARTS = ("truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "model", "post_processor")

PARTS: dict[Stage, tuple[str, ...]] = {
    Stage.NORMALIZE: ("normalizer",),
    Stage.PRE_TOKENIZE: ("pre_tokenizer",),
    Stage.MODEL: _TEXT_PARTS,
    Stage.POST_PROCESS: _TEXT_PARTS,
    Stage.DECODE: ("decoder", "added_tokens"),
}
"""The members of tokenizer.json that can matter at each stage."""

SHOWN_APART: dict[str, Stage] = {"normalizer": Stage.NORMALIZE, "pre_tokenizer": Stage.PRE_TOKENIZE}
"""Members that are not to blame for a difference of a later stage where an implementation shows theirs."""


def explained_by_documents(bench: Bench, witness: Witness) -> Reason | None:
    """Return the reason where a tokenizer.json with one thing changed gives the implementation's answer."""
    return proven(bench, witness, _supposed)


DOCUMENT_EXPERIMENTS = (explained_by_documents,)


def _supposed(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    until = time.monotonic() + SECONDS
    question = witness.question
    if not ground.reference_is_baseline(question):
        return
    changes = sorted(_relevant(ground, witness), key=lambda change: change.key not in ground.proven)
    telling: list[DocumentChange] = []
    for change in changes:
        if time.monotonic() > until:
            return
        hypothesis = _hypothesis(ground, change)
        predicted = hypothesis.predict(question)
        if predicted is not None and isinstance(predicted, VALUES):
            if not ground.is_same(question, predicted, witness.expected):
                telling.append(change)
            yield hypothesis
    for first, second in combinations(telling[:MOST_PAIRED], 2):
        if time.monotonic() > until:
            return
        if first.part != second.part:
            yield _hypothesis(ground, _both(first, second))


def _relevant(ground: Ground, witness: Witness) -> Iterator[DocumentChange]:
    """Give the changes of members that can be to blame for ``witness``."""
    shows = ground.trial.implementation.shows
    parts = [
        part
        for part in PARTS[witness.stage]
        if part not in SHOWN_APART or SHOWN_APART[part] is witness.stage or SHOWN_APART[part] not in shows
    ]
    for change in changes_of(ground.document):
        if change.part in parts:
            yield change


def _hypothesis(ground: Ground, change: DocumentChange) -> Hypothesis:
    def predict(question: Observation) -> Outcome | None:
        reference = ground.reference(change.key, put(ground.document, change))
        return None if reference is None else reference.ask(question)

    return Hypothesis(
        change.name,
        change.parameter,
        f"With this changed in the tokenizer.json ({change.parameter}), in the reference",
        predict,
        Offsets.OF_REFERENCE,
    )


def _both(first: DocumentChange, second: DocumentChange) -> DocumentChange:
    return DocumentChange(
        first.name, f"{first.parameter}; {second.parameter}", first.part, {**first.members, **second.members}
    )
