r"""The record of an audit as JSON Lines: header, a line for each behaviour, disagreements, differences, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Sets of code
points stand as ranges in hexadecimal, ends inclusive. Only ASCII is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.research.unicode_audit.code_point_sets import written
from tokenizer_conformance.research.unicode_audit.events import (
    AuditReached,
    BehaviourDiffers,
    BehaviourExplained,
    BehaviourNotAsked,
    PartsDisagree,
    UnicodeAuditFinished,
    UnicodeAuditStarted,
)
from tokenizer_conformance.results.records.unicode_audit import FORMAT

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.behaviours import Behaviour
    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent
    from tokenizer_conformance.research.unicode_audit.explaining import Residual


MOST_TEXTS = 1000
"""How many texts of a residual or a difference are written; their number is written always."""


class UnicodeAuditJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: UnicodeAuditEvent) -> None:
        """Write the line of ``event``, if it has one. Raises ``OSError``."""
        if not isinstance(event, AuditReached):
            self.write(record_of(event))


def record_of(event: UnicodeAuditEvent) -> dict[str, Any]:
    """Return the line of the record for ``event``. Raises :class:`ValueError` where it has none."""
    match event:
        case UnicodeAuditStarted():
            return _header(event)
        case ImplementationMissing():
            return refusal_record(event)
        case BehaviourExplained():
            return _behaviour(event)
        case BehaviourNotAsked():
            return {**_about("not_asked", event.implementation, event.behaviour), "reason": event.reason}
        case PartsDisagree(implementation, found):
            return {
                "type": "disagreement",
                **_named(implementation),
                "question": found.question,
                "one": found.one,
                "other": found.other,
                "code_points": written(found.code_points.ranges()),
                "count": len(found.code_points),
                "example": found.example,
                "told": list(found.told),
            }
        case BehaviourDiffers():
            return {
                "type": "difference",
                "one": _named(event.one),
                "other": _named(event.other),
                "behaviour": event.behaviour.name,
                "count": event.count,
                "code_points": written(event.code_points.ranges()),
                "texts": list(event.texts[:MOST_TEXTS]),
            }
        case UnicodeAuditFinished():
            return _footer(event)
        case AuditReached():
            raise ValueError("how far an audit has come is not recorded")


def _header(event: UnicodeAuditStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "implementations": list(map(implementation_record, event.implementations)),
        "behaviours": event.behaviours,
        "oldest": event.oldest,
        "newest": event.newest,
    }


def _named(info: ImplementationInfo) -> dict[str, str]:
    return {"implementation": info.name, "implementation_version": info.version}


def _about(kind: str, info: ImplementationInfo, behaviour: Behaviour) -> dict[str, Any]:
    return {"type": kind, **_named(info), "behaviour": behaviour.name, "question": behaviour.question}


def _behaviour(event: BehaviourExplained) -> dict[str, Any]:
    explanation = event.explanation
    return {
        **_about("behaviour", event.implementation, event.behaviour),
        "about": event.behaviour.about,
        "way": event.way,
        "members": event.members,
        "digest": event.digest,
        "rule": explanation.rule,
        "exact": explanation.is_exact,
        "fixed": explanation.is_fixed,
        "versions": list(explanation.versions),
        "residual": _residual(explanation.residual),
        "unanswered": written(event.unanswered.ranges()),
        "alone": event.alone,
        "contradicted": written(event.contradicted.ranges()),
        "seconds": rounded(event.seconds),
    }


def _residual(residual: Residual) -> dict[str, Any]:
    return {
        "count": residual.count,
        "more": written(residual.more.ranges()),
        "fewer": written(residual.fewer.ranges()),
        "other": written(residual.other.ranges()),
        "texts": list(residual.texts[:MOST_TEXTS]),
        "examples": [{"text": each.text, "expected": each.expected, "seen": each.seen} for each in residual.examples],
    }


def _footer(event: UnicodeAuditFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "explained": event.explained,
        "unexplained": event.unexplained,
        "not_asked": event.not_asked,
        "disagreeing": event.disagreeing,
        "differing": event.differing,
    }
