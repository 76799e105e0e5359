r"""The record of an audit as JSON Lines: header, what was loaded, differences, what the answers come to, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII
is written: other characters stand as ``\u`` escapes. Values of a tokenizer.json stand as their JSON text, cut where it
is long.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    tokenizer_file_record,
)
from tokenizer_conformance.comparison.record_forms import (
    LONGEST_TEXT,
    difference_record,
    outcome_record,
    question_record,
)
from tokenizer_conformance.ledger.audit_entries import known_record
from tokenizer_conformance.releases.loader_audit.components import STAGES
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.releases.loader_audit.structure import ABSENT
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, NoWitness
from tokenizer_conformance.results.records.loader_audit import FORMAT

if TYPE_CHECKING:
    from tokenizer_adapters.contract import LoaderDefaults
    from tokenizer_conformance.releases.loader_audit.behaviour import BehaviourFinding
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent
    from tokenizer_conformance.releases.loader_audit.structure import Change


class LoaderAuditJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: LoaderAuditEvent) -> None:
        """Write the line of ``event``. Raises ``OSError``."""
        self.write(record_of(event))


def record_of(event: LoaderAuditEvent) -> dict[str, Any]:
    """Return the line of the record for ``event``."""
    match event:
        case LoaderAuditStarted():
            return _header(event)
        case ImplementationMissing() | InputRefused():
            return refusal_record(event)
        case LoaderRefused():
            return {**_about("not_loaded", event), "reason": event.reason, "unsupported": event.unsupported}
        case TokenizerLoaded():
            return {
                **_about("loaded", event),
                "files": list(event.files),
                "defaults": None if event.defaults is None else _defaults(event.defaults),
                "no_structure": event.no_structure,
            }
        case DifferenceJudged():
            return _difference(event)
        case LoaderAudited():
            return _audited(event)
        case LoaderAuditFinished():
            return _footer(event)


def _header(event: LoaderAuditStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "audit": "loader",
        "baseline": implementation_record(event.baseline),
        "loaders": list(map(implementation_record, event.loaders)),
        "tokenizers": list(map(tokenizer_file_record, event.tokenizers)),
        "cases": event.budget.cases,
        "seconds": event.budget.seconds,
        "seed": event.seed,
        "inputs": event.inputs,
        "given": event.given,
    }


def _about(kind: str, event: LoaderRefused | TokenizerLoaded | DifferenceJudged | LoaderAudited) -> dict[str, Any]:
    return {
        "type": kind,
        "tokenizer": event.tokenizer.source.name,
        "loader": event.loader.name,
        "loader_version": event.loader.version,
    }


def _defaults(defaults: LoaderDefaults) -> dict[str, Any]:
    return {
        "loader": defaults.loader,
        "special_tokens": list(map(asdict, defaults.special_tokens)),
        "settings": {
            name: list(value) if isinstance(value, tuple) else value for name, value in defaults.settings.items()
        },
    }


def _difference(event: DifferenceJudged) -> dict[str, Any]:
    difference = event.difference
    return {
        **_about("difference", event),
        "component": difference.component,
        "name": difference.name,
        "stage": STAGES[difference.component],
        "words": difference.words,
        "changes": list(map(_change, difference.changes)),
        "count": difference.count,
        "witness": _witness(event.witness),
        "impact": None if event.impact is None else asdict(event.impact),
        "known": known_record(event.known),
    }


def _change(change: Change) -> dict[str, Any]:
    return {"path": change.path, "raw": _json_text(change.raw), "loaded": _json_text(change.loaded)}


def _json_text(value: Any) -> str | None:
    """Return the JSON text of a value, cut where it is long; ``None`` where there is none."""
    return None if value is ABSENT else json.dumps(value)[:LONGEST_TEXT]


def _witness(witness: ComponentWitness | CallWitness | NoWitness) -> dict[str, Any]:
    match witness:
        case NoWitness(inputs, reason):
            return {"found": False, "inputs": inputs, "reason": reason}
        case CallWitness(question, raw, called):
            return {
                "found": True,
                "question": question_record(question),
                "raw": outcome_record(raw),
                "call": {name: list(values) for name, values in called.fields.items()},
            }
        case ComponentWitness():
            return {
                "found": True,
                "inputs": witness.inputs,
                "question": question_record(witness.question),
                "difference": difference_record(witness.difference),
                "raw": outcome_record(witness.raw),
                "replaced": outcome_record(witness.replaced),
                "loaded": outcome_record(witness.loaded),
                "confirmation": witness.confirmation.name.lower(),
            }


def _audited(event: LoaderAudited) -> dict[str, Any]:
    behaviour = event.behaviour
    return {
        **_about("answers", event),
        "inputs": behaviour.inputs,
        "values": behaviour.values,
        "differing": behaviour.differing,
        "explained": behaviour.explained,
        "findings": list(map(_finding, behaviour.findings)),
    }


def _finding(finding: BehaviourFinding) -> dict[str, Any]:
    return {
        "stage": finding.manner.stage,
        "inputs": finding.inputs,
        "question": question_record(finding.question),
        "difference": difference_record(finding.difference),
        "raw": outcome_record(finding.raw),
        "loaded": outcome_record(finding.loaded),
    }


def _footer(event: LoaderAuditFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "audited": event.audited,
        "differing": event.differing,
        "differences": event.differences,
        "witnessed": event.witnessed,
        "known": event.known,
        "stale": list(map(known_record, event.stale)),
    }
