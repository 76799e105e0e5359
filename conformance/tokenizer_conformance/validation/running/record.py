r"""The record of a run as JSON Lines: a header, differences as they are found, checkpoints, results, and a footer.

A record without a footer is that of a run that was killed; all lines before the end are whole and valid. The format has
a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII is written:
other characters, lone surrogates too, stand as ``\u`` escapes.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_conformance.causes.record_forms import cause_record, signature_record
from tokenizer_conformance.command_io.compact_names import compact
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    environment_record,
    footer_record,
    header_record,
    implementation_record,
    merged_part_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.comparison.findings import RecordedExample
from tokenizer_conformance.comparison.record_forms import difference_record, question_record
from tokenizer_conformance.comparison.whole_answers import answers_record
from tokenizer_conformance.ledger.record_forms import entries_in_play_record
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.value import Value
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Checkpoint,
    EntriesInPlay,
    InputsFailed,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.comparison.findings import Example, Finding, Signature
    from tokenizer_conformance.inputs.hub import HubSnapshot
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.events import Event


class JsonLinesReport(RecordFile):
    """Writes the record of a run ``to`` a path or to what is open already, line by line.

    A record that is resumed is written on after its first ``size`` bytes, in which case the header is there already.
    Opening raises ``OSError``.
    """

    sealed = True

    def __init__(self, to: Path | Sink, size: int = 0) -> None:
        super().__init__(to, size)
        self._resumes = size > 0

    def handle(self, event: Event) -> None:
        """Write the line of ``event``, where it has one. Raises ``OSError``."""
        record = _resumed(event) if self._resumes and isinstance(event, RunStarted) else record_of(event)
        if record is not None:
            self.write(record)


NOT_ON_PAGES = (lines.Loaded, lines.Difference, lines.Failing, InputsFailed, Checkpoint)
"""The events of which a page says nothing while a command is at work; there are very many of them."""


def lines_of(event: Event) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one that a page tells of."""
    if isinstance(event, Replayed):
        yield from lines_of(event.event)
    elif isinstance(event, Value) and not isinstance(event, NOT_ON_PAGES):
        yield event
    elif not isinstance(event, NOT_ON_PAGES):
        record = record_of(event)
        if record is not None:
            yield FORMAT.read(record)


def record_of(event: Event) -> dict[str, Any] | None:
    """Return the line of the record for ``event``, ``None`` where it has none."""
    match event:
        case lines.Difference():  # says first what it is about
            return {**dict.fromkeys(("type", "tokenizer", "implementation", "stage")), **json_of(event)}
        case Value():
            return json_of(event)
        case RunStarted():
            return _header(event)
        case InputRefused():
            return refusal_record(event)
        case ImplementationMissing(refusal, asked):
            return {"type": "implementation_missing", "name": refusal.name, "reason": refusal.reason, "asked": asked}
        case EntriesInPlay(entries, reachable):
            return {"type": "ledger_entries", "entries": entries_in_play_record(entries, reachable)}
        case RunFinished():
            return _footer(event)
        case _:
            return _line_of_tokenizer(event)


def _line_of_tokenizer(event: Event) -> dict[str, Any] | None:
    match event:
        case InputsFailed(tokenizer, implementation, ids):
            return {
                "type": "failing",
                "tokenizer": tokenizer,
                "implementation": implementation,
                "inputs": compact(ids),
            }
        case TokenizerFinished():
            return {"type": "tokenizer", **tokenizer_record(event)}
        case CausesSought():
            return {"type": "causes", "tokenizer": event.tokenizer, **_causes(event)}
        case Checkpoint(so_far):
            return {"type": "checkpoint", **tokenizer_record(so_far)}
        case _:
            return None


# Header and footer ---------------------------------------------------------------------------------------------------


def _header(run: RunStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, run.environment),
        "seed": run.seed,
        "baseline": run.baseline,
        "implementations": [implementation_record(info) for info in run.implementations],
        "tokenizers": [_tokenizer_file(tokenizer) for tokenizer in run.tokenizers],
        "inputs": {"count": run.inputs, "sha256": run.inputs_sha256, "sources": list(run.sources_sha256)},
        "stages": list(run.stages),
        "fields": list(run.fields),
        "every_id": run.every_id,
        "required": [str(requirement) for requirement in run.required],
        "ledgers": [{"name": Path(file.name).name, "sha256": file.sha256} for file in run.ledgers],
        "optional": sorted(run.optional),
        "options": dict(run.options),
        "shard": None if run.shard is None else asdict(run.shard),
        "repeats": None if run.repeats is None else asdict(run.repeats),
        **({} if not run.merged else {"merged": list(map(merged_part_record, run.merged))}),
    }


def _tokenizer_file(tokenizer: TokenizerFile) -> dict[str, Any]:
    snapshot = tokenizer.snapshot
    origin = {} if snapshot is None else _origin(snapshot)
    return {"name": tokenizer.source.name, "sha256": tokenizer.sha256, **origin}


def _origin(snapshot: HubSnapshot) -> dict[str, Any]:
    cached = {"cached": True} if snapshot.is_cached else {}
    return {"repository": snapshot.repository, "commit": snapshot.commit, **cached}


def _resumed(run: RunStarted) -> dict[str, Any]:
    return {"type": "resumed", "environment": environment_record(run.environment)}


def _footer(finished: RunFinished) -> dict[str, Any]:
    return {
        **footer_record(finished),
        "reason": finished.reason,
        "tokenizers": finished.tokenizers,
        "inputs": finished.inputs,
        "compared": finished.compared,
        "differences": finished.differences,
        "shares": {stage: json_of(share) for stage, share in finished.shares.items()},
        "shortfalls": list(map(json_of, finished.shortfalls)),
        "causes": list(map(cause_record, finished.causes)),
        "known": finished.known,
        "stale": list(map(entry_reference, finished.stale)),
    }


# Results -------------------------------------------------------------------------------------------------------------


def tokenizer_record(finished: TokenizerFinished) -> dict[str, Any]:
    """Return the result of a tokenizer, as it stands in records."""
    return {
        "tokenizer": finished.tokenizer,
        "complete": finished.complete,
        "inputs": finished.inputs,
        "ids": finished.ids,
        "baseline_load_error": finished.baseline_load_error,
        "baseline_seconds": rounded(finished.baseline_seconds),
        "seconds": rounded(finished.seconds),
        "results": list(map(json_of, finished.results)),
        "findings": [_finding(finding) for finding in finished.findings],
        "unstable": [_finding(finding) for finding in finished.unstable],
        "known": [_finding(finding) for finding in finished.known],
        "matched": list(map(entry_reference, finished.matched)),
        **_causes(finished),
    }


def _causes(found: TokenizerFinished | CausesSought) -> dict[str, Any]:
    return {
        "causes": list(map(cause_record, found.causes)),
        "uncounted": found.uncounted,
        "unexamined": [
            {**signature_record(each.signature), "differences": each.differences, "why": each.why}
            for each in found.unexamined
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        **_signature(finding.signature),
        "differences": finding.differences,
        "inputs": finding.inputs,
        "consequences": finding.consequences,
        "first": _example(finding.first),
        "smallest": _example(finding.smallest),
        "repeat": finding.repeat,
        "own_inputs": list(finding.own_inputs),
    }


def _signature(signature: Signature) -> dict[str, Any]:
    recorded = signature_record(signature)
    del recorded["tokenizer"]  # that of the line
    return recorded if signature.entry is None else {**recorded, "known": _known(signature.entry)}


def known_line(entry: Entry) -> lines.Known:
    """Return the ``entry`` by which something is known."""
    return lines.Known(**_known(entry))


def _known(entry: Entry) -> dict[str, Any]:
    return {**entry_reference(entry), "reason": entry.reason, "link": entry.link, "finding": entry.finding}


def entry_reference(entry: Entry) -> dict[str, Any]:
    """Name an entry: the ledger, by its number (from 0) in the header, and the entry in it, from 1."""
    return {"ledger": entry.place.ledger, "entry": entry.place.number, "line": entry.place.line}


# Examples ------------------------------------------------------------------------------------------------------------


def difference_line(tokenizer: str, implementation: str, stage: Stage, example: Example) -> lines.Difference:
    """Return the line about one difference of an ``implementation``."""
    of = {"tokenizer": tokenizer, "implementation": implementation, "stage": stage}
    return msgspec.convert({"type": "difference", **of, **_example(example)}, lines.Difference)


def _example(example: Example) -> dict[str, Any]:
    if isinstance(example, RecordedExample):
        return dict(example.recorded)
    return {
        "input": {"id": example.input.id, "category": example.input.category},
        "question": question_record(example.question),
        "difference": difference_record(example.difference),
        "differs_at": example.differs_at,
        "consequence_of": example.consequence_of,
        "near": None if example.near is None else asdict(example.near),
        "reduced_from": example.reduced_from,
        **answers_record(example.answers),
    }
