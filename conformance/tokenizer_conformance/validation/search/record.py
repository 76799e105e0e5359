"""The lines of the record of a search, of given tokenizers or of random ones, made of its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import merged_part_record, rounded
from tokenizer_conformance.results.records import fuzz, search
from tokenizer_conformance.results.records.answers import Text
from tokenizer_conformance.results.records.making import (
    footer_of,
    header_of,
    implementation_of,
    ledger_files_of,
    made,
    refusal_of,
)
from tokenizer_conformance.validation.search.dealing import CHANGED, GIVEN
from tokenizer_conformance.validation.search.events import (
    CauseFound,
    Checkpoint,
    FuzzFinished,
    PairingRefused,
    SearchFinished,
    Started,
)
from tokenizer_conformance.validation.search.plan import FuzzPlan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.search.events import SearchEvent


LONGEST_TEXT = 2000


def lines_of(event: SearchEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case Started():
            yield _header(event)
        case InputRefused(refusal):
            yield made(search.InputRefused, refusal)
        case ImplementationMissing():
            yield refusal_of(event)
        case PairingRefused(pairing, reason):
            yield search.PairingRefused(
                tokenizer=pairing.tokenizer.source.name, implementation=pairing.implementation.info.name, reason=reason
            )
        case CauseFound():
            yield _found_cause(event)
        case Checkpoint(line=line):
            yield line
        case SearchFinished() | FuzzFinished():
            yield from _ending(event)
        case fuzz.Difference() | fuzz.Result() | fuzz.Finding():
            yield event
        case _:
            pass


def _header(event: Started) -> Value:
    plan = event.plan
    sides = {
        "baseline": implementation_of(plan.baseline_info),
        "implementations": tuple(map(implementation_of, plan.implementations)),
    }
    if isinstance(plan, FuzzPlan):
        merged = {"merged": list(map(merged_part_record, event.merged))} if event.merged else {}
        ledgers = ledger_files_of(plan.ledger)
        return made(fuzz.Header, plan, **header_of(fuzz.FORMAT, event.environment), **sides, **merged, ledgers=ledgers)
    digests = {each.tokenizer.source.name: each.tokenizer.sha256 for each in plan.pairings}
    return made(
        search.Header,
        plan,
        **header_of(search.FORMAT, event.environment),
        **sides,
        tokenizers=tuple(search.Tokenizer(name=name, sha256=sha256) for name, sha256 in digests.items()),
        limit=search.Limit(seconds=plan.seconds, cases=plan.cases),
        generators=(*(generator.name for generator in plan.generators), GIVEN, CHANGED),
    )


def _ending(event: SearchFinished | FuzzFinished) -> Iterator[Value]:
    if isinstance(event, FuzzFinished):
        yield made(fuzz.Footer, event, **footer_of(event))
        return
    for each in event.causes:
        yield msgspec.convert({"type": "cause", "number": each.number, **cause_record(each.cause)}, search.FinalCause)
    yield made(search.Footer, event, **footer_of(event), findings=len(event.causes))


def _found_cause(event: CauseFound) -> search.Finding:
    text = event.case.text
    told = {
        "type": "finding",
        "number": event.number,
        **cause_record(event.cause),
        "generator": event.generator,
        "input": search.FindingInput(id=event.input_id, text=Text(value=text[:LONGEST_TEXT], length=len(text))),
        "cases": event.cases,
        "seconds": rounded(event.seconds),
    }
    return msgspec.convert(told, search.Finding)
