"""Which differences of fuzzing are known: those that an entry of the ledger is about, and what follows from them.

A random tokenizer is called ``fuzz``, and ``fuzz:TYPE`` after the type of each of its components (``fuzz:WordPiece``),
so that an entry can name those that it is about. Its texts have no ids. Whether an entry is stale is not judged:
nobody knows whether a random tokenizer has given it a chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Normalize, PreTokenize, stage_of
from tokenizer_conformance.ledger.entry import LOAD, VOCABULARY
from tokenizer_conformance.ledger.entry import Difference as LedgerDifference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan

NAME = "fuzz"
"""The name of every random tokenizer."""

STAGES_OF_A_DOCUMENT = ("normalizer", "pre_tokenizer", "model", "post_processor", "decoder")


def names_of(document: Json) -> tuple[str, ...]:
    """Return what the tokenizer of ``document`` is called beside ``fuzz``.

    >>> names_of({"model": {"type": "BPE"}, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}})
    ('fuzz:BPE', 'fuzz:NFC', 'fuzz:Sequence')
    """
    types = {name for stage in STAGES_OF_A_DOCUMENT for name in _types(document.get(stage))}
    return tuple(f"{NAME}:{name}" for name in sorted(types))


def _types(component: object) -> Iterator[str]:
    if not isinstance(component, Mapping):
        return
    if isinstance(component.get("type"), str):
        yield component["type"]
    for value in component.values():
        if isinstance(value, list):
            for each in value:
                yield from _types(each)


def entry_for_answer(
    plan: ImplementationPlan, document: Json, question: Observation, difference: Difference
) -> Entry | None:
    """Return the entry of the plan's ledger that is about ``difference``, ``None`` where it is new."""
    text, pair = _texts(question)
    return plan.ledger.entry_for(
        LedgerDifference(
            implementation=plan.implementation,
            version=plan.versions[1],
            tokenizer=NAME,
            stage=stage_of(question),
            fields=() if difference.field is None else (difference.field,),
            requirement=None,
            kind=difference.kind,
            input=None,
            verdict=difference.verdict,
            text=text,
            pair=pair,
            baseline=plan.baseline,
            baseline_version=plan.versions[0],
            also_called=names_of(document),
        )
    )


def entry_for_loading(plan: ImplementationPlan, document: Json) -> Entry | None:
    """Return the entry that is about a tokenizer that one side refuses."""
    return _of_tokenizer(plan, document, LOAD, "refused", "error")


def entry_for_vocabulary(plan: ImplementationPlan, document: Json) -> Entry | None:
    """Return the entry that is about vocabularies that differ."""
    return _of_tokenizer(plan, document, VOCABULARY, "other values", "differ")


def _of_tokenizer(plan: ImplementationPlan, document: Json, stage: str, kind: str, verdict: str) -> Entry | None:
    return plan.ledger.entry_for(
        LedgerDifference(
            implementation=plan.implementation,
            version=plan.versions[1],
            tokenizer=NAME,
            stage=stage,
            fields=(),
            requirement=None,
            kind=kind,
            input=None,
            verdict=verdict,
            baseline=plan.baseline,
            baseline_version=plan.versions[0],
            also_called=names_of(document),
        )
    )


def texts_in(question: Observation) -> tuple[str, ...]:
    """Return the single texts that ``question`` is about: a text, those of a pair, or the words."""
    match question:
        case Encode(text, pair):
            return tuple(
                each
                for part in (text, pair)
                if part is not None
                for each in ((part,) if isinstance(part, str) else part)
            )
        case Normalize(text) | PreTokenize(text):
            return (text,)
    return ()


def _texts(question: Observation) -> tuple[str | None, str | None]:
    match question:
        case Encode(text, pair):
            return text if isinstance(text, str) else None, pair if isinstance(pair, str) else None
        case Normalize(text) | PreTokenize(text):
            return text, None
    return None, None
