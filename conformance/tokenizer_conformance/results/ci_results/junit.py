"""Checks as JUnit XML, which CI systems show as tests: valid by the schema of Jenkins' xUnit plugin (``junit-10``).

A group is a ``testsuite`` and the class of its checks. What the schema has no place for (locations, properties, what is
known) stands in the ``system-out`` of a check, a line each. Known differences pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results.check import CheckOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.results.ci_results.check import Check, CheckedRun

TAGS: dict[CheckOutcome, str] = {CheckOutcome.FAILED: "failure", CheckOutcome.ERROR: "error"}
"""The element of what is wrong; many readers take the first of a test alone, so there is one for all problems."""


def write_junit(sink: Sink, run: CheckedRun) -> None:
    """Write ``run`` to ``sink``. Raises ``OSError``."""
    sink.write(junit_xml(run))


def junit_xml(run: CheckedRun) -> bytes:
    """Return ``run`` as JUnit XML in UTF-8."""
    root = ET.Element("testsuites", name=visible(run.title), time=_seconds(run.seconds))
    root.attrib |= _counts(run.checks)
    groups: dict[str, list[Check]] = {}
    for check in run.checks:
        groups.setdefault(check.group, []).append(check)
    for name, checks in groups.items():
        suite = ET.SubElement(root, "testsuite", name=visible(name))
        suite.attrib |= _counts(checks)
        suite.set("skipped", str(sum(check.outcome is CheckOutcome.SKIPPED for check in checks)))
        timed = [check.seconds for check in checks if check.seconds is not None]
        if timed:
            suite.set("time", _seconds(sum(timed)))
        suite.set("timestamp", visible(run.environment.started.removesuffix("+00:00")))
        for check in checks:
            _add(suite, check)
    ET.indent(root, " ")
    written: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return written + b"\n"


def _counts(checks: Iterable[Check]) -> dict[str, str]:
    outcomes = [check.outcome for check in checks]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count(CheckOutcome.FAILED)),
        "errors": str(outcomes.count(CheckOutcome.ERROR)),
    }


def _add(suite: ET.Element, check: Check) -> None:
    case = ET.SubElement(suite, "testcase", classname=visible(check.group), name=visible(check.name))
    if check.seconds is not None:
        case.set("time", _seconds(check.seconds))
    if check.outcome is CheckOutcome.SKIPPED:
        ET.SubElement(case, "skipped", message=visible(check.message))
    if check.problems:
        first, *others = check.problems
        more = f" (and {len(others):,} more)" if others else ""
        tag = TAGS[check.outcome]
        wrong = ET.SubElement(case, tag, type=visible(first.rule.id), message=visible(first.message) + more)
        wrong.text = "\n".join(_problem_lines(check))
    out = list(_out_lines(check))
    if out:
        ET.SubElement(case, "system-out").text = "\n".join(out)


def _problem_lines(check: Check) -> Iterator[str]:
    for number, problem in enumerate(check.problems):
        if number:
            yield ""
        yield from map(visible, check.lines_of(problem))


def _out_lines(check: Check) -> Iterator[str]:
    if check.outcome is CheckOutcome.KNOWN:
        yield visible(f"known: {check.message}")
    elif check.outcome is CheckOutcome.PASSED and check.message:
        yield visible(check.message)
    yield from map(visible, check.details)
    for remark in check.remarks:
        yield from (visible(f"{remark.level}: {line}") for line in check.lines_of(remark))
    for name, value in check.properties.items():
        yield visible(f"{name}: {value}")


def _seconds(seconds: float) -> str:
    """Return ``seconds`` without an exponent, which readers do not know."""
    return f"{max(0.0, seconds):.3f}"
