"""JUnit XML is valid, can be read by others, and shows any text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import junitparser
import pytest
from checked_runs import EVIL, RUNS, failed, of, run_of
from hypothesis import given
from lxml import etree

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results.check import CheckOutcome, Location
from tokenizer_conformance.results.ci_results.junit import junit_xml

if TYPE_CHECKING:
    from tokenizer_conformance.results.ci_results.check import CheckedRun

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "material" / "junit.xsd"))


def parsed(run: CheckedRun) -> etree._Element:
    root = etree.fromstring(junit_xml(run))
    SCHEMA.assertValid(root)
    return root


@given(RUNS)
def test_any_text_in_any_field_is_valid_and_reads_back_escaped(run: CheckedRun) -> None:
    root = parsed(run)
    cases = root.findall(".//testcase")
    told = sorted((case.get("classname"), case.get("name")) for case in cases)
    assert told == sorted((visible(check.group), visible(check.name)) for check in run.checks)
    for check in run.checks:
        for problem in check.problems:
            texts = [case[0].text for case in cases if case.get("name") == visible(check.name) and len(case)]
            assert any("\n".join(map(visible, problem.lines())) in (text or "") for text in texts)


def test_counts_are_those_of_the_checks() -> None:
    error = failed("normalize", outcome=CheckOutcome.ERROR)
    passed, known, skipped = (
        of(each, each) for each in (CheckOutcome.PASSED, CheckOutcome.KNOWN, CheckOutcome.SKIPPED)
    )
    root = parsed(run_of(failed(), failed("decode"), error, passed, known, skipped))
    assert dict(root.attrib) == {
        "name": "tokconf run",
        "time": "1.500",
        "tests": "7",
        "failures": "2",
        "errors": "1",
    }
    suite = root[0]
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["6", "2", "1", "1"]


def test_a_viewer_shows_what_failed_what_is_known_and_why() -> None:
    run = run_of(failed(problems=2), of(CheckOutcome.KNOWN, message="upstream knows"), of(CheckOutcome.SKIPPED, "x"))
    suite, _ = junitparser.JUnitXml.fromroot(junitparser.JUnitXml.fromfile(io.BytesIO(junit_xml(run)))._elem)
    wrong, known, skipped = suite
    (failure,) = wrong.result
    assert isinstance(failure, junitparser.Failure)
    assert (failure.type, failure.message) == ("score-tie", "problem 0 (and 1 more)")
    for line in (
        "score-tie: segmentations of equal score",
        "problem 1",
        "repeat: x",
        "at models/bert/tokenizer.json:7",
    ):
        assert line in failure.text.split("\n")
    assert known.is_passed
    assert known.system_out == "known: upstream knows"
    assert [type(each) for each in skipped.result] == [junitparser.Skipped]
    assert skipped.result[0].message == "why"


def test_controls_surrogates_and_what_xml_cannot_have_are_shown() -> None:
    root = parsed(run_of(failed(EVIL, group=EVIL, location=Location(EVIL))))
    name = root[0][0].get("name")
    assert name == root[0].get("name")
    assert all(shown in name for shown in (r"\x1b[2J", r"\u202e", r"\ud800", r"\ufffe", r"\r\n", r"\x00", "]]>&<\"'"))


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1e16, 12.3456])
def test_seconds_have_no_exponent(seconds: float) -> None:
    parsed(run_of(failed(seconds=seconds)))


def test_the_schema_of_these_tests_refuses_what_readers_would() -> None:
    good = junit_xml(run_of(failed()))
    for old, new in ((b'tests="', b'count="'), (b"<failure", b"<wrong"), (b' name="model"', b""), (b"1.500", b"1e-9")):
        assert old in good
        assert not SCHEMA.validate(
            etree.fromstring(
                good.replace(old, new).replace(b"</failure", b"</wrong" if new == b"<wrong" else b"</failure")
            )
        )
