"""The lines of the record of a search: findings as they come, checkpoints, results, causes as they stand at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.results.records import search as lines
from tokenizer_conformance.results.records.answers import Text
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, made, refusal_of
from tokenizer_conformance.validation.search.events import (
    CauseFound,
    Checkpoint,
    PairingRefused,
    PairingSearched,
    SearchFinished,
    SearchStarted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.search.events import SearchEvent, Tally
    from tokenizer_conformance.validation.search.plan import Pairing


LONGEST_TEXT = 2000


def lines_of(event: SearchEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case SearchStarted():
            yield made(
                lines.Header,
                event,
                **header_of(lines.FORMAT, event.environment),
                baseline=implementation_of(event.baseline),
                implementations=tuple(map(implementation_of, event.implementations)),
                tokenizers=tuple(
                    lines.Tokenizer(name=each.source.name, sha256=each.sha256) for each in event.tokenizers
                ),
                limit=lines.Limit(seconds=event.seconds, cases=event.cases),
            )
        case InputRefused(refusal):
            yield made(lines.InputRefused, refusal)
        case ImplementationMissing():
            yield refusal_of(event)
        case PairingRefused(pairing, reason):
            yield lines.PairingRefused(**_pairing(pairing), reason=reason)
        case CauseFound():
            yield _found(event)
        case Checkpoint(pairing, tally, positions):
            yield lines.Checkpoint(**_pairing(pairing), **_tally(tally), positions=positions)
        case PairingSearched():
            yield _result(event)
        case SearchFinished():
            for each in event.causes:
                yield msgspec.convert(
                    {"type": "cause", "number": each.number, **cause_record(each.cause)}, lines.FinalCause
                )
            yield made(lines.Footer, event, **footer_of(event), findings=len(event.causes))
        case _:
            pass


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {"tokenizer": pairing.tokenizer.source.name, "implementation": pairing.implementation.info.name}


def _found(event: CauseFound) -> lines.Finding:
    text = event.case.text
    told = {
        "type": "finding",
        "number": event.number,
        **cause_record(event.cause),
        "generator": event.generator,
        "input": lines.FindingInput(id=event.input_id, text=Text(value=text[:LONGEST_TEXT], length=len(text))),
        "cases": event.cases,
        "seconds": rounded(event.seconds),
    }
    return msgspec.convert(told, lines.Finding)


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
        "known": tuple(
            lines.Known(
                ledger=Path(entry.place.file).name,
                entry=entry.place.number,
                reason=entry.reason,
                link=entry.link,
                count=count,
            )
            for entry, count in tally.known.items()
        ),
        "seconds": rounded(tally.seconds),
    }


def _result(event: PairingSearched) -> lines.Result:
    return lines.Result(
        **_pairing(event.pairing),
        complete=event.complete,
        exhausted=event.exhausted,
        **_tally(event.tally),
        positions=event.positions,
        kept=event.kept,
        gone=event.gone,
        generators=tuple(
            lines.Generator(
                name=count.name,
                count=count.count,
                used=count.next,
                cases=count.cases,
                differing=count.hits,
                findings=count.causes,
            )
            for count in event.generators
        ),
    )
