r"""The record of a run as JSON Lines: a header, differences as they are found, checkpoints, results, and a footer.

A record without a footer is that of a run that was killed; all lines before the end are whole and valid. The format has
a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII is written:
other characters, lone surrogates too, stand as ``\u`` escapes.
"""

from __future__ import annotations

import importlib.resources
import json
import os
from typing import TYPE_CHECKING, Any, Self

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Decode,
    Encode,
    Failed,
    Normalize,
    Observation,
    PreTokenize,
    TimedOut,
)
from tokenizer_conformance.events import (
    Checkpoint,
    DifferenceFound,
    ImplementationMissing,
    InputRefused,
    LoadFailed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
    TokenizerLoaded,
)

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.comparison import Difference, Excerpt, Side
    from tokenizer_conformance.events import Environment, Event, ImplementationResult
    from tokenizer_conformance.findings import Example, Finding, Signature

SCHEMA = "tokenizer-conformance-record"
VERSION = "1.1"
"""The version of the format: readers refuse another major number and accept a greater minor one."""

LONGEST_TEXT = 2000
"""Texts are cut at this many code points, ids at as many; the full length stands beside them."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of a record."""
    file = importlib.resources.files("tokenizer_conformance") / "schemas" / "record-1.json"
    parsed: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return parsed


class JsonLinesReport:
    """Writes the record of a run to ``path``, line by line; every line is flushed.

    A record that is resumed is written on after its first ``size`` bytes, in which case the header is there already.
    Opening raises ``OSError``.
    """

    def __init__(self, path: Path, size: int = 0) -> None:
        self._resumes = size > 0
        if self._resumes:
            os.truncate(path, size)
        self._file = path.open("a" if self._resumes else "w", encoding="ascii", newline="\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def handle(self, event: Event) -> None:
        """Write the line of ``event``, where it has one. Raises ``OSError``."""
        record = _resumed(event) if self._resumes and isinstance(event, RunStarted) else record_of(event)
        if record is not None:
            self._file.write(json.dumps(record, ensure_ascii=True, allow_nan=False) + "\n")
            self._file.flush()


def record_of(event: Event) -> dict[str, Any] | None:
    """Return the line of the record for ``event``, ``None`` where it has none."""
    match event:
        case RunStarted():
            return _header(event)
        case InputRefused(refusal):
            return {"type": "refused", "what": refusal.what, "name": refusal.name, "reason": refusal.reason}
        case ImplementationMissing(refusal, asked):
            return {"type": "implementation_missing", "name": refusal.name, "reason": refusal.reason, "asked": asked}
        case TokenizerLoaded(tokenizer, implementation, seconds):
            return {
                "type": "loaded",
                "tokenizer": tokenizer,
                "implementation": implementation,
                "seconds": _rounded(seconds),
            }
        case LoadFailed(tokenizer, implementation, reason):
            return {"type": "load_failed", "tokenizer": tokenizer, "implementation": implementation, "reason": reason}
        case DifferenceFound(tokenizer, implementation, stage, example):
            return {
                "type": "difference",
                "tokenizer": tokenizer,
                "implementation": implementation,
                "stage": stage,
                **_example(example),
            }
        case TokenizerFinished():
            return {"type": "tokenizer", **_tokenizer(event)}
        case Checkpoint(so_far):
            return {"type": "checkpoint", **_tokenizer(so_far)}
        case RunFinished():
            return _footer(event)
        case _:
            return None


def _rounded(seconds: float) -> float:
    return round(seconds, 6)


# Header and footer ---------------------------------------------------------------------------------------------------


def _header(run: RunStarted) -> dict[str, Any]:
    return {
        "type": "header",
        "schema": SCHEMA,
        "version": VERSION,
        "environment": environment_record(run.environment),
        "seed": run.seed,
        "baseline": run.baseline,
        "implementations": [implementation_record(info) for info in run.implementations],
        "tokenizers": [{"name": name, "sha256": digest} for name, digest in run.tokenizers],
        "inputs": {"count": run.inputs, "sha256": run.inputs_sha256},
        "stages": list(run.stages),
        "fields": list(run.fields),
        "every_id": run.every_id,
    }


def _resumed(run: RunStarted) -> dict[str, Any]:
    return {"type": "resumed", "environment": environment_record(run.environment)}


def environment_record(environment: Environment) -> dict[str, Any]:
    """Return ``environment`` as it stands in a header."""
    return {
        "tokconf": environment.tokconf,
        "python": environment.python,
        "platform": environment.platform,
        "started": environment.started,
        "command": list(environment.command),
    }


def implementation_record(info: ImplementationInfo) -> dict[str, Any]:
    """Return ``info`` as it stands in a header."""
    return {
        "name": info.name,
        "version": info.version,
        "language": info.language,
        "home_page": info.home_page,
        "offset_unit": info.offset_unit,
        "stages": sorted(info.stages),
        "fields": sorted(info.fields),
    }


def _footer(finished: RunFinished) -> dict[str, Any]:
    return {
        "type": "footer",
        "finished": finished.finished,
        "reason": finished.reason,
        "conclusion": finished.conclusion,
        "exit_status": finished.exit_status,
        "tokenizers": finished.tokenizers,
        "inputs": finished.inputs,
        "compared": finished.compared,
        "differences": finished.differences,
        "seconds": _rounded(finished.seconds),
    }


# Results -------------------------------------------------------------------------------------------------------------


def _tokenizer(finished: TokenizerFinished) -> dict[str, Any]:
    return {
        "tokenizer": finished.tokenizer,
        "complete": finished.complete,
        "inputs": finished.inputs,
        "ids": finished.ids,
        "baseline_load_error": finished.baseline_load_error,
        "baseline_seconds": _rounded(finished.baseline_seconds),
        "seconds": _rounded(finished.seconds),
        "results": [_result(result) for result in finished.results],
        "findings": [_finding(finding) for finding in finished.findings],
    }


def _result(result: ImplementationResult) -> dict[str, Any]:
    return {
        "implementation": result.implementation,
        "load_error": result.load_error,
        "files": list(result.files),
        "failing_inputs": result.failing_inputs,
        "blamed": dict(result.blamed),
        "seconds": _rounded(result.seconds),
        "stages": {
            stage: {
                "inputs": dict(count.inputs),
                "values": dict(count.values),
                "unsupported_fields": dict(count.unsupported_fields),
            }
            for stage, count in result.stages.items()
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        **_signature(finding.signature),
        "differences": finding.differences,
        "inputs": finding.inputs,
        "consequences": finding.consequences,
        "first": _example(finding.first),
        "smallest": _example(finding.smallest),
    }


def _signature(signature: Signature) -> dict[str, Any]:
    return {
        "implementation": signature.implementation,
        "stage": signature.stage,
        "field": signature.field,
        "verdict": signature.verdict,
        "kind": signature.kind,
        "party": signature.party,
        "detail": signature.detail,
    }


# Examples ------------------------------------------------------------------------------------------------------------


def _example(example: Example) -> dict[str, Any]:
    return {
        "input": {"id": example.input.id, "category": example.input.category},
        "question": question_record(example.question),
        "difference": difference_record(example.difference),
        "parted_at": example.parted_at,
        "consequence_of": example.consequence_of,
    }


def question_record(question: Observation) -> dict[str, Any]:
    """Return what was asked; long texts are cut."""
    match question:
        case Normalize(text):
            return {"ask": "normalize", "text": _text(text)}
        case PreTokenize(text):
            return {"ask": "pre_tokenize", "text": _text(text)}
        case Encode(text, pair, add_special_tokens):
            return {
                "ask": "encode",
                "text": _text(text),
                "pair": None if pair is None else _text(pair),
                "add_special_tokens": add_special_tokens,
            }
        case Decode(ids, skip_special_tokens):
            return {
                "ask": "decode",
                "ids": list(ids[:LONGEST_TEXT]),
                "ids_length": len(ids),
                "skip_special_tokens": skip_special_tokens,
            }


def _text(text: str | tuple[str, ...]) -> dict[str, Any] | list[dict[str, Any]]:
    if not isinstance(text, str):
        return [{"value": word[:LONGEST_TEXT], "length": len(word)} for word in text]
    return {"value": text[:LONGEST_TEXT], "length": len(text)}


def difference_record(difference: Difference) -> dict[str, Any]:
    """Return how two answers part."""
    return {
        "verdict": difference.verdict,
        "kind": difference.kind,
        "field": difference.field,
        "party": difference.party,
        "detail": difference.detail,
        "part": difference.part,
        "position": difference.position,
        "baseline": _side(difference.baseline),
        "implementation": _side(difference.implementation),
    }


def _side(side: Side) -> dict[str, Any]:
    match side:
        case Failed(kind, message):
            return {"failed": {"kind": kind, "message": message[:LONGEST_TEXT]}}
        case Crashed(detail):
            return {"crashed": {"detail": detail[:LONGEST_TEXT]}}
        case TimedOut(seconds):
            return {"timed_out": {"seconds": seconds}}
        case BrokeProtocol(detail):
            return {"broke_protocol": {"detail": detail[:LONGEST_TEXT]}}
        case _:
            return {"excerpt": _excerpt(side)}


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    place = {"start": excerpt.start, "total": excerpt.total}
    if excerpt.is_text:
        return {**place, "text": excerpt.text}
    entries = [list(entry) if isinstance(entry, tuple) else entry for entry in excerpt.entries]
    return {**place, "entries": entries, "tokens": None if excerpt.tokens is None else list(excerpt.tokens)}
