"""SARIF is valid by the official schema, shows any text, and knows a problem again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from checked_runs import EVIL, RUNS, failed, of, run_of
from hypothesis import given, settings

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results.check import CheckOutcome, Location
from tokenizer_conformance.results.ci_results.sarif import sarif_json, uri_of

if TYPE_CHECKING:
    from tokenizer_conformance.results.ci_results.check import CheckedRun

SCHEMA = json.loads((Path(__file__).parent / "material" / "sarif-2.1.0.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA)


def parsed(run: CheckedRun) -> dict[str, Any]:
    log = json.loads(sarif_json(run).decode("ascii"))
    VALIDATOR.validate(log)
    return log["runs"][0]


@settings(max_examples=50)
@given(RUNS)
def test_any_text_in_any_field_is_valid_and_reads_back_escaped(run: CheckedRun) -> None:
    found = parsed(run)
    told = [result["message"]["text"].split("\n")[0] for result in found["results"]]
    assert told == [visible(problem.message) for check in run.checks for problem in check.problems]
    rules = found["tool"]["driver"]["rules"]
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in found["results"])


def test_a_problem_is_a_result_with_its_rule_place_stage_and_command() -> None:
    run = parsed(run_of(failed(problems=2)))
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["score-tie"]
    assert run["tool"]["driver"]["rules"][0]["help"]["text"] == "Both are right."
    first, second = run["results"]
    (place,) = first["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "models/bert/tokenizer.json"},
        "region": {"startLine": 7},
    }
    assert place["logicalLocations"][0]["name"] == "model"
    assert first["message"]["text"].split("\n") == [
        "problem 0",
        "check: mine on bert, model",
        'text  "a"',
        "repeat: x",
    ]
    assert first["partialFingerprints"] != second["partialFingerprints"]


def test_what_is_known_is_no_result_and_is_said() -> None:
    run = parsed(run_of(of(CheckOutcome.KNOWN, message="upstream knows"), of(CheckOutcome.SKIPPED), exit_status=0))
    assert run["results"] == []
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes == ["known: mine on bert, decode: upstream knows"]


@pytest.mark.parametrize(("status", "finished"), [(0, True), (1, True), (130, False)])
def test_the_invocation_has_the_exit_status_and_says_whether_it_came_to_its_end(status: int, finished: bool) -> None:
    (invocation,) = parsed(run_of(of(CheckOutcome.PASSED), exit_status=status, finished=finished))["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (status, finished)


def test_every_result_has_a_place_even_what_is_about_no_file() -> None:
    (result,) = parsed(run_of(failed(location=None)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "tokconf"


@pytest.mark.parametrize("name", [EVIL, "a b", "ü", "a:b", "\udcff", "%41", "#?"])
def test_a_uri_is_the_name_again(name: str) -> None:
    uri = uri_of(name)
    assert uri.isascii()
    assert not set(uri) & set(' #?:\\"<>\r\n')
    found = unquote_to_bytes(uri)
    assert found in (name.encode("utf-8", "surrogatepass"), name.encode("utf-8", "backslashreplace")) or (
        found.decode("utf-8", "surrogateescape") == name
    )


def test_the_schema_refuses_what_is_wrong() -> None:
    log = json.loads(sarif_json(run_of(failed(location=Location("x", 1)))))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not VALIDATOR.is_valid(log)
