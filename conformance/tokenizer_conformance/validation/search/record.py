r"""The record of a search as JSON Lines: header, findings as they come, checkpoints, results, causes, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). A record
without a footer is that of a search that was killed: all that it had found stands in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.results.records.search import FORMAT
from tokenizer_conformance.validation.search.events import (
    CauseFound,
    Checkpoint,
    PairingRefused,
    PairingSearched,
    SearchFinished,
    SearchStarted,
)

if TYPE_CHECKING:
    from tokenizer_conformance.validation.search.events import SearchEvent, Tally
    from tokenizer_conformance.validation.search.plan import Pairing


LONGEST_TEXT = 2000


class SearchJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: SearchEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for record in records_of(event):
            self.write(record)


def records_of(event: SearchEvent) -> list[dict[str, Any]]:
    """Return the lines of the record for ``event``."""
    match event:
        case SearchStarted():
            return [_header(event)]
        case InputRefused(refusal):
            return [{"type": "input_refused", "what": refusal.what, "name": refusal.name, "reason": refusal.reason}]
        case ImplementationMissing():
            return [refusal_record(event)]
        case PairingRefused(pairing, reason):
            return [{"type": "pairing_refused", **_pairing(pairing), "reason": reason}]
        case CauseFound():
            return [_found(event)]
        case Checkpoint(pairing, tally, positions):
            return [{"type": "checkpoint", **_pairing(pairing), **_tally(tally), "positions": positions}]
        case PairingSearched():
            return [_result(event)]
        case SearchFinished():
            causes = [{"type": "cause", "number": each.number, **cause_record(each.cause)} for each in event.causes]
            return [*causes, _footer(event)]
        case _:
            return []


def _header(event: SearchStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "baseline": implementation_record(event.baseline),
        "implementations": [implementation_record(info) for info in event.implementations],
        "tokenizers": [{"name": each.source.name, "sha256": each.sha256} for each in event.tokenizers],
        "seed": event.seed,
        "jobs": event.jobs,
        "limit": {"seconds": event.seconds, "cases": event.cases},
        "generators": list(event.generators),
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {"tokenizer": pairing.tokenizer.source.name, "implementation": pairing.implementation.info.name}


def _found(event: CauseFound) -> dict[str, Any]:
    text = event.case.text
    return {
        "type": "finding",
        "number": event.number,
        **cause_record(event.cause),
        "generator": event.generator,
        "input": {"id": event.input_id, "text": {"value": text[:LONGEST_TEXT], "length": len(text)}},
        "cases": event.cases,
        "seconds": rounded(event.seconds),
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "cases": tally.cases,
        "questions": tally.questions,
        "values": tally.values,
        "differing": tally.hits,
        "unstable": tally.unstable,
        "skipped": tally.skipped,
        "lost": tally.lost,
        "unexamined": tally.unexamined,
        "known": [
            {
                "ledger": Path(entry.place.file).name,
                "entry": entry.place.number,
                "reason": entry.reason,
                "link": entry.link,
                "count": count,
            }
            for entry, count in tally.known.items()
        ],
        "seconds": rounded(tally.seconds),
    }


def _result(event: PairingSearched) -> dict[str, Any]:
    return {
        "type": "result",
        **_pairing(event.pairing),
        "complete": event.complete,
        "exhausted": event.exhausted,
        **_tally(event.tally),
        "positions": event.positions,
        "kept": event.kept,
        "gone": event.gone,
        "generators": [
            {
                "name": count.name,
                "count": count.count,
                "used": count.next,
                "cases": count.cases,
                "differing": count.hits,
                "findings": count.causes,
            }
            for count in event.generators
        ],
    }


def _footer(event: SearchFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "pairings": event.pairings,
        "cases": event.cases,
        "questions": event.questions,
        "values": event.values,
        "findings": len(event.causes),
        "known": event.known,
        "unexamined": event.unexamined,
        "failed": event.failed,
    }
