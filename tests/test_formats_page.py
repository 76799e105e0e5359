"""The page of all formats names every schema and every version that the code has, and no other."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from in_one_test import in_one_test

from tokenizer_adapters.protocol import messages
from tokenizer_conformance.cli.formats import OTHERS, schema_called
from tokenizer_conformance.ledger import reader as ledger
from tokenizer_conformance.report import findings_table
from tokenizer_conformance.report.site import folder
from tokenizer_conformance.research.metrics import flat_table
from tokenizer_conformance.research.metrics.flat_table import METADATA
from tokenizer_conformance.results.ci_results import sarif
from tokenizer_conformance.results.html.writing import FORMAT
from tokenizer_conformance.results.records.schema import FORMATS
from tokenizer_conformance.validation.suite import reader as suite

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "conformance" / "tokenizer_conformance"
PAGE = (PROJECT / "docs" / "reference" / "formats.md").read_text("utf-8")
TYPES = {str: "string", float: "number", bool: "boolean"}


def rows() -> list[list[str]]:
    """The cells of every row of every table, without the marks of code."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def listed() -> dict[str, str]:
    """The versions of the page, by the names of schemas."""
    found = [row for row in rows() if row[0].startswith("tokenizer-conformance-")]
    assert len({row[0] for row in found}) == len(found)
    return {row[0]: row[1] for row in found}


def in_code() -> dict[str, str]:
    """Every name of a schema with the version that stands beside it, in whichever module."""
    found = {each.name: each.version for each in FORMATS.values()}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        if '"tokenizer-conformance-' not in text:
            continue
        constants = {
            target.id: node.value.value
            for node in ast.parse(text).body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for name in ("SCHEMA", "FORMAT"):
            schema = constants.get(name)
            if isinstance(schema, str) and schema.startswith("tokenizer-conformance-"):
                assert schema not in found
                found[schema] = constants.get("VERSION") or constants["SCHEMA_VERSION"]
    return found


def test_every_version_is_the_one_in_the_code() -> None:
    assert listed() == in_code()
    assert len(listed()) > 20


@in_one_test("name", [*FORMATS, *OTHERS])
def test_every_schema_is_listed(name: str) -> None:
    (row,) = (row for row in rows() if name in row)
    schema = schema_called(name)
    assert schema["$schema"].startswith("https://json-schema.org/")
    if row[0].startswith("tokenizer-conformance-"):
        assert f'"{row[0]}"' in json.dumps(schema)
    major = re.search(r"-(\d+)\.json$", name)
    assert major is None or row[1].split(".")[0] == major[1]


def test_no_schema_is_listed_that_is_not_there() -> None:
    named = {cell for row in rows() for cell in row if re.fullmatch(r"[\w.-]+\.json", cell)} - {"tokenizer.json"}
    assert named == {*FORMATS, *OTHERS}


def test_other_versions_are_those_of_the_code() -> None:
    versions = {row[0]: row[1] for row in rows()}
    assert versions["ledger"] == str(ledger.FORMAT)
    assert versions["suite"] == str(suite.FORMAT)
    assert versions["line protocol"] == str(messages.VERSION)
    assert [row[2] for row in rows() if row[0] == "--sarif"] == [sarif.VERSION]


def test_the_table_of_measurements_is_the_one_that_is_written() -> None:
    section = PAGE.partition("## Tables of measurements")[2].partition("\n## ")[0]
    described = re.findall(r"^\| `(\w+)` \| (\w+) \|", section, re.MULTILINE)
    assert described == [(name, TYPES[kind]) for name, kind in flat_table.COLUMNS.items()]
    assert f"Its version is {flat_table.VERSION};" in section
    assert METADATA["version"] == flat_table.VERSION


def test_the_table_of_findings_is_the_one_that_is_written() -> None:
    section = PAGE.partition("## Tables of findings")[2].partition("\n## ")[0]
    names = {str: "string", int: "integer"}
    described = re.findall(r"^\| `(\w+)` \| (\w+) \|", section, re.MULTILINE)
    assert described == [(name, names[kind]) for name, kind in findings_table.COLUMNS.items()]
    assert f"The version is {findings_table.METADATA['version']};" in section


def test_the_form_of_pages_is_the_one_that_is_written() -> None:
    assert f"`{FORMAT}` in `<meta" in PAGE
    assert f"(`{folder.SCHEMA}`, version {folder.VERSION})" in PAGE
