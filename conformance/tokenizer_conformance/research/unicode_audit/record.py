"""The lines of the record of an audit: header, a line for each behaviour, disagreements, differences, footer.

Sets of code points stand as ranges in hexadecimal, ends inclusive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import rounded
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
from tokenizer_conformance.results.records import unicode_audit as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, made, refusal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent
    from tokenizer_conformance.research.unicode_audit.explaining import Residual
    from tokenizer_conformance.results.records.value import Value

MOST_TEXTS = 1000
"""How many texts of a residual or a difference are written; their number is written always."""


def lines_of(event: UnicodeAuditEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``, if it has one."""
    match event:
        case UnicodeAuditStarted():
            implementations = tuple(map(implementation_of, event.implementations))
            yield made(
                lines.Header, event, **header_of(lines.FORMAT, event.environment), implementations=implementations
            )
        case ImplementationMissing():
            yield refusal_of(event)
        case BehaviourExplained():
            yield _behaviour(event)
        case BehaviourNotAsked(info, behaviour, reason):
            yield lines.NotAsked(
                implementation=info.name,
                implementation_version=info.version,
                behaviour=behaviour.name,
                question=behaviour.question,
                reason=reason,
            )
        case PartsDisagree(info, found):
            yield made(
                lines.Disagreement,
                found,
                implementation=info.name,
                implementation_version=info.version,
                code_points=written(found.code_points.ranges()),
                count=len(found.code_points),
            )
        case BehaviourDiffers():
            yield lines.Difference(
                one=_named(event.one),
                other=_named(event.other),
                behaviour=event.behaviour.name,
                count=event.count,
                code_points=written(event.code_points.ranges()),
                texts=event.texts[:MOST_TEXTS],
            )
        case UnicodeAuditFinished():
            yield made(lines.Footer, event, **footer_of(event))
        case AuditReached():
            return


def _named(info: ImplementationInfo) -> lines.Named:
    return lines.Named(implementation=info.name, implementation_version=info.version)


def _behaviour(event: BehaviourExplained) -> lines.Behaviour:
    explanation = event.explanation
    return made(
        lines.Behaviour,
        event,
        implementation=event.implementation.name,
        implementation_version=event.implementation.version,
        behaviour=event.behaviour.name,
        question=event.behaviour.question,
        about=event.behaviour.about,
        rule=explanation.rule,
        exact=explanation.is_exact,
        fixed=explanation.is_fixed,
        versions=explanation.versions,
        residual=_residual(explanation.residual),
        unanswered=written(event.unanswered.ranges()),
        contradicted=written(event.contradicted.ranges()),
        seconds=rounded(event.seconds),
    )


def _residual(residual: Residual) -> lines.Residual:
    return made(
        lines.Residual,
        residual,
        more=written(residual.more.ranges()),
        fewer=written(residual.fewer.ranges()),
        other=written(residual.other.ranges()),
        texts=residual.texts[:MOST_TEXTS],
    )
