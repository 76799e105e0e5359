"""The form that causes have in every record, written and read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage, TokenizerSource, Unsupported
from tokenizer_conformance.causes.cause import Cause, CauseSignature, ExplainedBy, Reason
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.comparison.findings import Signature
from tokenizer_conformance.comparison.record_forms import (
    difference_of,
    difference_record,
    field_of,
    party_of,
    question_of,
    question_record,
)
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.comparison.whole_answers import answers_of, answers_record

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

NOT_KEPT = Unsupported("a record has answers in a form of its own")


def cause_record(cause: Cause) -> Json:
    """Return ``cause`` as a record has it; long answers are cut, and show the difference in an excerpt."""
    witness, signature, reason = cause.witness, cause.signature, cause.reason
    return {
        "implementation": cause.implementation,
        "tokenizer": witness.source.name,
        "stage": witness.stage,
        "component": signature.component,
        "characters": signature.characters,
        "context": signature.context,
        "question": question_record(witness.question),
        "tokenizer_json": witness.document,
        "difference": difference_record(witness.difference),
        **answers_record(witness.answers),
        "reason": {"name": reason.name, "parameter": reason.parameter, "proof": list(reason.proof)},
        "differences": cause.differences,
        "inputs": cause.inputs,
        "tokenizers": dict(cause.tokenizers),
        "examples": list(cause.examples),
        "explained_by": None if cause.explained_by is None else [asdict(each) for each in cause.explained_by],
        **({"findings": list(_findings(cause))} if cause.findings else {}),
        **({} if cause.own is None else {"own": _own(cause.own)}),
        **({"repeat": cause.repeat} if cause.repeat else {}),
        **({"earlier": list(map(question_record, cause.earlier))} if cause.earlier else {}),
    }


def _own(witness: Witness) -> Json:
    """Return what is another one on the user's own tokenizer."""
    return {
        "question": question_record(witness.question),
        "difference": difference_record(witness.difference),
        **answers_record(witness.answers),
    }


def _findings(cause: Cause) -> Iterator[Json]:
    for signature, differences in cause.findings.items():
        yield {**signature_record(signature), "differences": differences}


def signature_record(signature: Signature) -> Json:
    """Return what the differences of one finding have in common, but for the entry of a ledger."""
    return {
        "tokenizer": signature.tokenizer,
        "implementation": signature.implementation,
        "stage": signature.stage,
        "field": signature.field,
        "verdict": signature.verdict,
        "kind": signature.kind,
        "party": signature.party,
        "detail": signature.detail,
    }


def signature_of_record(record: Json) -> Signature:
    """Return the signature that :func:`signature_record` wrote. Raises ``KeyError`` or ``ValueError`` for no such."""
    return Signature(
        tokenizer=record["tokenizer"],
        implementation=record["implementation"],
        stage=Stage(record["stage"]),
        field=field_of(record["field"]),
        verdict=Verdict(record["verdict"]),
        kind=DifferenceKind(record["kind"]),
        party=party_of(record["party"]),
        detail=record["detail"],
    )


def cause_of(record: Json) -> Cause:
    """Return the cause that :func:`cause_record` wrote; the file of its tokenizer is not known.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is no such record.
    """
    witness = _witness_of(record, record, record["tokenizer_json"])
    reason = record["reason"]
    return Cause(
        implementation=record["implementation"],
        signature=CauseSignature(witness.manner, record["component"], record["characters"], record["context"]),
        witness=witness,
        reason=Reason(reason["name"], reason["parameter"], tuple(reason["proof"])),
        differences=record["differences"],
        inputs=record["inputs"],
        tokenizers=dict(record["tokenizers"]),
        examples=tuple(record["examples"]),
        explained_by=_explained_by(record.get("explained_by")),
        findings={signature_of_record(each): each["differences"] for each in record.get("findings", ())},
        own=_witness_of(record, record["own"], None) if "own" in record else None,
        repeat=record.get("repeat", ""),
        earlier=tuple(map(question_of, record.get("earlier", ()))),
    )


def _witness_of(record: Json, shown: Json, document: Json | None) -> Witness:
    """Return the witness that is ``shown`` in the ``record`` of a cause, on its tokenizer or on ``document``."""
    return Witness(
        source=TokenizerSource(record["tokenizer"], ""),
        document=document,
        question=question_of(shown["question"]),
        stage=Stage(record["stage"]),
        difference=difference_of(shown["difference"]),
        expected=NOT_KEPT,
        actual=NOT_KEPT,
        answers=answers_of(shown),
    )


def _explained_by(record: list[Json] | None) -> tuple[ExplainedBy, ...] | None:
    return None if record is None else tuple(ExplainedBy(**each) for each in record)
