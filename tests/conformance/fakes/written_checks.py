"""What a command has written for CI systems, read back and held against the schemas of JUnit XML and SARIF."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from lxml import etree

from tokenizer_conformance.results.ci_results.check import CONCLUSION

MATERIAL = Path(__file__).parent.parent / "results" / "ci_results" / "material"

FILES = ("--junit", "junit.xml", "--sarif", "run.sarif")
"""The options that have both files written."""


@cache
def _junit_schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(MATERIAL / "junit.xsd"))


@cache
def _sarif_schema() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads((MATERIAL / "sarif-2.1.0.json").read_text("utf-8")))


@dataclass(frozen=True)
class Written:
    """What both files say: each test by class and name, and the results."""

    title: str
    cases: dict[tuple[str, str], etree._Element]
    results: list[dict[str, Any]]
    exit_status: int

    def came_to(self, group: str, name: str) -> str:
        """Return ``failure``, ``error``, ``skipped`` or ``passed``."""
        case = self.cases[group, name]
        return next((tag for tag in ("error", "failure", "skipped") if case.find(tag) is not None), "passed")

    def message(self, group: str, name: str) -> str:
        """Return all that a test says."""
        return "\n".join(
            [*self.cases[group, name].itertext(), *(each.get("message", "") for each in self.case(group, name))]
        )

    def case(self, group: str, name: str) -> list[Any]:
        return list(self.cases[group, name])

    def wrong(self) -> dict[tuple[str, str], str]:
        """Return the tests that fail or are in error."""
        told = {key: self.came_to(*key) for key in self.cases}
        return {key: outcome for key, outcome in told.items() if outcome in ("failure", "error")}

    def rules(self) -> set[str]:
        return {result["ruleId"] for result in self.results}

    def fingerprints(self) -> set[str]:
        found = [tuple(result["partialFingerprints"].values()) for result in self.results]
        assert len(set(found)) == len(found), "two problems of one run have one fingerprint"
        return {"".join(each) for each in found}


def written(folder: Path) -> Written:
    """Read both files in ``folder``."""
    root = etree.fromstring((folder / "junit.xml").read_bytes())
    _junit_schema().assertValid(root)
    log = json.loads((folder / "run.sarif").read_text("ascii"))
    _sarif_schema().validate(log)
    (run,) = log["runs"]
    cases = {(case.get("classname"), case.get("name")): case for case in root.findall(".//testcase")}
    assert len(cases) == len(root.findall(".//testcase")), "two checks are called the same"
    return Written(root.get("name"), cases, run["results"], run["invocations"][0]["exitCode"])


def agreeing(folder: Path, status: int) -> Written:
    """Read both files, which must fail exactly where a command with the exit ``status`` does."""
    found = written(folder)
    assert found.exit_status == status
    assert bool(found.wrong()) == bool(status), found.wrong()
    assert bool(found.results) == bool(status)
    if status == 1:
        assert (CONCLUSION, "finished") not in found.wrong(), "what differs has a check of its own"
    return found
