"""The suite as plain files for those who write tokenizers, in any language: what stands in them.

The bytes depend on nothing but the suite and what was chosen of it.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from importlib.metadata import version
from importlib.resources import files as package_files
from string import Template
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.suite.file_text import area_text, case_text
from tokenizer_conformance.validation.suite.reader import FORMAT, SCHEMA, suite_of
from tokenizer_conformance.validation.suite.selection import chosen_cases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.validation.suite.reader import Register
    from tokenizer_conformance.validation.suite.selection import Wanted

File = dict[str, Any]
"""What the file of an area says."""

EXPORT = "tokenizer-conformance-suite"
"""What the index says, so that a folder is known for an export."""

INDEX = "index.json"
README = "README.md"
LINES = "suite.jsonl"

CASES_LEFT_OUT = ("cases", "not_asked")
"""The fields of a requirement that a line of one case has not."""


class Form(StrEnum):
    """How the cases are written: a file of JSON an area, or one file with a line of JSON a case."""

    JSON = "json"
    JSON_LINES = "jsonl"


def exported(files: Mapping[str, File], register: Register, wanted: Wanted, form: Form) -> dict[str, bytes]:
    """Return the files of an export, by name: of the suite in ``files``, what is ``wanted``.

    The index comes last; it has the digests of the others. Raises :class:`BadInputError` where nothing is left.
    """
    chosen = chosen_files(files, wanted)
    by_name = (
        {name: area_text(file) for name, file in chosen.items()}
        if form is Form.JSON
        else {LINES: "".join(map(_lines, chosen.values()))}
    )
    texts = {README: _readme(chosen, form), SCHEMA: _schema_text(), **by_name}
    found = {name: text.encode("utf-8") for name, text in texts.items()}
    return {**found, INDEX: _index(chosen, register, wanted, form, found)}


def chosen_files(files: Mapping[str, File], wanted: Wanted) -> dict[str, File]:
    """Return what ``files`` say about the requirements that are ``wanted``, with the tokenizers that these need.

    Raises :class:`BadInputError` where nothing is left.
    """
    suite = suite_of(files)
    chosen_cases(suite, wanted)
    ids = {requirement.id for area, requirement in suite.requirements() if wanted.takes(area, requirement)}
    chosen = {name: _with_requirements(file, ids) for name, file in files.items()}
    return {name: file for name, file in chosen.items() if file["requirements"]}


def _with_requirements(file: File, ids: set[str]) -> File:
    requirements = [requirement for requirement in file["requirements"] if requirement["id"] in ids]
    used = {case["tokenizer"] for requirement in requirements for case in requirement["cases"]}
    tokenizers = {name: document for name, document in file["tokenizers"].items() if name in used}
    return {**file, "tokenizers": tokenizers, "requirements": requirements}


def _cases(file: File) -> Iterator[tuple[File, File]]:
    """Yield the cases of ``file``, each with its requirement."""
    for requirement in file["requirements"]:
        for case in requirement["cases"]:
            yield requirement, case


def _lines(file: File) -> str:
    return "".join(f"{json.dumps(_line(file, *found))}\n" for found in _cases(file))


def _line(file: File, requirement: File, case: File) -> File:
    said = {name: value for name, value in requirement.items() if name not in ("id", *CASES_LEFT_OUT)}
    return {
        "format": FORMAT,
        "area": file["area"],
        "stage": file["stage"],
        "requirement": requirement["id"],
        **said,
        "case": case["name"],
        "tokenizer": file["tokenizers"][case["tokenizer"]],
        "releases": case["releases"],
        "steps": case["steps"],
    }


def _index(
    chosen: Mapping[str, File], register: Register, wanted: Wanted, form: Form, found: Mapping[str, bytes]
) -> bytes:
    areas = [
        {
            "area": file["area"],
            "title": file["title"],
            "stage": file["stage"],
            "file": name if form is Form.JSON else LINES,
            "requirements": len(file["requirements"]),
            "cases": sum(1 for _ in _cases(file)),
        }
        for name, file in chosen.items()
    ]
    index = {
        "export": EXPORT,
        "format": FORMAT,
        "version": version("tokenizer-conformance"),
        "form": form,
        "selection": wanted.expression,
        "releases": _releases(chosen),
        "areas": areas,
        "retired": dict(register.retired),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in found.items()},
    }
    return (json.dumps(index, indent=1) + "\n").encode("ascii")


def _releases(chosen: Mapping[str, File]) -> list[str]:
    found = {release for file in chosen.values() for _, case in _cases(file) for release in case["releases"]}
    return sorted(found, key=lambda release: tuple(map(int, release.split("."))))


def _schema_text() -> str:
    return (package_files("tokenizer_conformance") / "schemas" / SCHEMA).read_text(encoding="ascii")


def _readme(chosen: Mapping[str, File], form: Form) -> str:
    template = (package_files("tokenizer_conformance.validation.suite") / "export-README.md").read_text(
        encoding="utf-8"
    )
    releases = _releases(chosen)
    file, requirement, case = _example(chosen)
    return Template(template).substitute(
        version=version("tokenizer-conformance"),
        target=releases[-1],
        releases=", ".join(releases),
        areas=counted(len(chosen), "area"),
        requirements=counted(sum(len(file["requirements"]) for file in chosen.values()), "requirement"),
        cases=counted(sum(1 for file in chosen.values() for _ in _cases(file)), "case"),
        files=LAYOUT[form],
        requirement=requirement["id"],
        rule=requirement["rule"],
        case=case_text(case),
        tokenizer=json.dumps(file["tokenizers"][case["tokenizer"]]),
    )


LAYOUT = {
    Form.JSON: (
        "| `AREA.json` | the requirements of an area, with their cases and the tokenizers that these name |\n"
        "| `index.json` | the areas in the order of the pipeline, with their files and counts |"
    ),
    Form.JSON_LINES: (
        "| `suite.jsonl` | a line for each case, with its requirement and its tokenizer: a whole tokenizer.json |\n"
        "| `index.json` | the areas in the order of the pipeline, with their counts |"
    ),
}
"""The rows about the cases in the table of files."""


def _example(chosen: Mapping[str, File]) -> tuple[File, File, File]:
    """Return the shortest case that encodes a text, or else the shortest, with its file and requirement."""
    found = [(file, *both) for file in chosen.values() for both in _cases(file)]
    encoding = [each for each in found if any(step["ask"] == "encode" for step in each[2]["steps"])]
    return min(encoding or found, key=_length)


def _length(found: tuple[File, File, File]) -> int:
    file, _, case = found
    return len(case_text(case)) + len(json.dumps(file["tokenizers"][case["tokenizer"]]))
