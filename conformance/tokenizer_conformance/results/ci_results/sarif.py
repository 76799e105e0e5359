"""Checks as SARIF 2.1.0 (OASIS), which code scanners' pages and editors show: a result for each problem.

Only what is wrong or remarked is a result; what a ledger knows of is a notification of the invocation, since readers
show every result as an alert. Each result has a location, as GitHub wants it: that of the problem, or of its check,
or, where it is about no file, this tool's name. The same problem has the same fingerprint in every run. Only ASCII is
written.
"""

from __future__ import annotations

import json
import os
import shlex
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results.check import CheckOutcome, Location

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, Problem, Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""The name of the schema, which readers know the format by."""

VERSION = "2.1.0"
TOOL = "tokconf"
FINGERPRINT = "tokconf/v1"

GITHUB_FINGERPRINT = "primaryLocationLineHash"
"""The only fingerprint that GitHub looks at; where it is missing it takes the line's text, which all results share."""

NOWHERE = Location(TOOL)
"""The place of what is about no file."""


def write_sarif(sink: Sink, run: CheckedRun) -> None:
    """Write ``run`` to ``sink``. Raises ``OSError``."""
    sink.write(sarif_json(run))


def sarif_json(run: CheckedRun) -> bytes:
    """Return ``run`` as SARIF."""
    return (json.dumps(sarif_log(run), indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def sarif_log(run: CheckedRun) -> dict[str, Any]:
    """Return ``run`` as the object that SARIF calls a log."""
    rules: dict[str, Rule] = {}
    for check in run.checks:
        for problem in (*check.problems, *check.remarks):
            rules.setdefault(problem.rule.id, problem.rule)
    numbers = {id: number for number, id in enumerate(rules)}
    results = [
        _result(check, problem, numbers[problem.rule.id])
        for check in run.checks
        for problem in (*check.problems, *check.remarks)
    ]
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": TOOL,
                        "version": visible(run.environment.tokconf),
                        "rules": list(map(_rule, rules.values())),
                    }
                },
                "automationDetails": {"id": f"{visible(run.title)}/"},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run)],
                "results": results,
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    help_text = "\n".join(map(visible, rule.help)) or visible(rule.title)
    return {
        "id": visible(rule.id),
        "name": visible(rule.id),
        "shortDescription": {"text": visible(rule.title)},
        "fullDescription": {"text": help_text},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "error"},
    }


def _result(check: Check, problem: Problem, rule: int) -> dict[str, Any]:
    fingerprint = check.fingerprint(problem)
    return {
        "ruleId": visible(problem.rule.id),
        "ruleIndex": rule,
        "level": problem.level,
        "message": {"text": "\n".join(map(visible, _message(check, problem)))},
        "locations": [
            {
                "physicalLocation": _physical(check.place_of(problem) or NOWHERE),
                "logicalLocations": [
                    {"name": visible(check.name), "fullyQualifiedName": visible(f"{check.group}::{check.name}")}
                ],
            }
        ],
        "partialFingerprints": {FINGERPRINT: fingerprint, GITHUB_FINGERPRINT: f"{fingerprint}:1"},
        "properties": {visible(name): visible(value) for name, value in check.properties.items()},
    }


def _message(check: Check, problem: Problem) -> Iterator[str]:
    first, *others = problem.lines()
    yield first
    yield f"check: {check.group}, {check.name}"
    yield from others


def _physical(place: Location) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri_of(place.file)}, "region": {"startLine": place.line or 1}}


def uri_of(file: str) -> str:
    """Return the URI of ``file``: relative where its name is, with every byte escaped that a URI cannot have.

    >>> uri_of("a b/ü.json"), uri_of("/tmp/x"), uri_of("a:b")
    ('a%20b/%C3%BC.json', 'file:///tmp/x', 'a%3Ab')
    """
    try:
        encoded = os.fsencode(file)
    except UnicodeEncodeError:
        encoded = file.encode("utf-8", "surrogatepass")
    path = quote(encoded, safe="/")
    if PurePosixPath(file).is_absolute():
        return f"file:///{path.lstrip('/')}"
    is_of_windows = len(file) > 2 and file[1] == ":" and file[2] == "/"
    return f"file:///{file[0]}:{path[4:]}" if is_of_windows else path


def _invocation(run: CheckedRun) -> dict[str, Any]:
    words = run.environment.command
    known = [check for check in run.checks if check.outcome is CheckOutcome.KNOWN]
    return {
        "executionSuccessful": run.finished,
        "exitCode": run.exit_status,
        "exitCodeDescription": visible(run.conclusion),
        "commandLine": visible(shlex.join(words)),
        "arguments": [visible(word) for word in words[1:]],
        "startTimeUtc": visible(run.environment.started.replace("+00:00", "Z")),
        "toolExecutionNotifications": [
            *({"level": "note", "message": {"text": visible(note)}} for note in run.notes),
            *({"level": "note", "message": {"text": _known(check)}} for check in known),
        ],
    }


def _known(check: Check) -> str:
    return "\n".join(map(visible, (f"known: {check.group}, {check.name}: {check.message}", *check.details)))
