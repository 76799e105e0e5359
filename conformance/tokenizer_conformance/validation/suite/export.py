"""The suite as plain files for those who write tokenizers, in any language: what stands in them.

The bytes depend on nothing but the suite and what was chosen of it. They are pure ASCII, laid out for people and for
what version control compares.

In the folder that they go to nothing of the user's is replaced, and no half of an export is taken for a whole. All
files are written beside their places first; where that fails, the folder is as it was. Then they are moved, the index
last. It has the digests of the others, so an export that was broken off can be told from a whole one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from enum import StrEnum
from importlib.metadata import version
from importlib.resources import files as package_files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.suite.reader import FORMAT, SCHEMA, suite_of
from tokenizer_conformance.validation.suite.selection import chosen_cases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    texts = {README: _readme(chosen, _releases(files), form), SCHEMA: _schema_text(), **by_name}
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
    documents = {
        member: {name: document for name, document in file[member].items() if name in used}
        for member in DOCUMENTS
        if member in file
    }
    return {**file, **documents, "requirements": requirements}


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
        **_configuration(file, case),
        "releases": case["releases"],
        "steps": case["steps"],
    }


def _configuration(file: File, case: File) -> File:
    found = file.get("configurations", {}).get(case["tokenizer"])
    return {} if found is None else {"configuration": found}


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


def _readme(chosen: Mapping[str, File], releases: Sequence[str], form: Form) -> str:
    template = (package_files("tokenizer_conformance.validation.suite") / "export-README.md").read_text(
        encoding="utf-8"
    )
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


HEAD = ("format", "generator", "area", "title", "stage", "about")
"""The fields of the file of an area that come before its tokenizers."""

DOCUMENTS = ("tokenizers", "configurations")
"""The fields that have a document for the name of a tokenizer."""


def area_text(file: Mapping[str, Any]) -> str:
    """Return the text of the file of an area: a line for each tokenizer and each step."""
    lines = ["{"]
    lines.extend(f" {json.dumps(name)}: {json.dumps(file[name])}," for name in HEAD if name in file)
    for member in (each for each in DOCUMENTS if each in file):
        lines.append(f" {json.dumps(member)}: {{")
        lines.append(",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in file[member].items()))
        lines.append(" },")
    lines.append(' "requirements": [')
    lines.append(",\n".join(map(requirement_text, file["requirements"])))
    lines.append(" ]")
    lines.append("}")
    return "\n".join(lines) + "\n"


def requirement_text(requirement: Mapping[str, Any]) -> str:
    """Return the text of one requirement."""
    plain = [f"   {json.dumps(name)}: {json.dumps(value)}," for name, value in requirement.items() if name != "cases"]
    cases = ",\n".join(map(case_text, requirement["cases"]))
    return "\n".join(["  {", *plain, f'   "cases": [\n{cases}\n   ]' if cases else '   "cases": []', "  }"])


def case_text(case: Mapping[str, Any]) -> str:
    """Return the text of one case."""
    head = ", ".join(f"{json.dumps(name)}: {json.dumps(case[name])}" for name in ("name", "tokenizer", "releases"))
    steps = ",\n".join(f"     {json.dumps(step)}" for step in case["steps"])
    return f'    {{{head}, "steps": [\n{steps}\n    ]}}'


def write_folder(name: str, files: Mapping[str, bytes], *, force: bool) -> None:
    """Write ``files``, the names and contents of an export, into the folder called ``name``.

    The folder is made where it is missing, with those above it. Of what is there already, an earlier export is
    replaced, as far as it was not changed; anything else only where ``force`` allows it, and only what has the name of
    one of the files. Raises :class:`BadInput` where the folder cannot be used, and :class:`ReportLost` where the files
    cannot be written.
    """
    folder = _folder(name)
    earlier = _refuse_what_is_there(name, folder, files, force=force)
    with _made(name, folder), _staged(name, folder, files) as staged:
        _move(name, folder, staged, files, earlier - files.keys())


def _folder(name: str) -> Path:
    if not name:
        raise BadInput("DIR names no folder: its value is empty")
    folder = Path(os.path.realpath(name))
    try:
        is_other = folder.exists() and not folder.is_dir()
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    if is_other:
        raise BadInput(f"cannot export to {name!r}: it is not a folder")
    return folder


def _refuse_what_is_there(name: str, folder: Path, files: Mapping[str, bytes], *, force: bool) -> frozenset[str]:
    """Return the names of the files of an earlier export that is to be replaced."""
    try:
        present = {entry.name: entry.is_dir(follow_symlinks=False) for entry in os.scandir(folder)}
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    earlier = files_of_export(folder)
    others = sorted(present.keys() - earlier)
    if others and not force:
        raise BadInput(
            f"cannot export to {name!r}: {others[0]!r} there is no part of an earlier export, or was changed since; "
            "give another folder, or --force to replace files of the same names"
        )
    for file in files:
        if present.get(file):
            raise BadInput(f"cannot export to {name!r}: {file!r} there is a folder")
    return earlier


def files_of_export(folder: Path) -> frozenset[str]:
    """Return the names of the files in ``folder`` that are as they were exported; none where it is no export."""
    try:
        index = json.loads((folder / INDEX).read_bytes())
    except (OSError, ValueError, RecursionError):
        return frozenset()
    if not isinstance(index, dict) or index.get("export") != EXPORT or not isinstance(index.get("files"), dict):
        return frozenset()
    same = (name for name, digest in index["files"].items() if Path(name).name == name and _is(folder / name, digest))
    return frozenset({INDEX, *same})


def _is(file: Path, digest: object) -> bool:
    try:
        return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == digest
    except OSError:
        return False


@contextmanager
def _made(name: str, folder: Path) -> Iterator[None]:
    """Make ``folder`` and those above it; where the work within fails, remove again what was made and is empty."""
    made: list[Path] = []
    try:
        for each in reversed((folder, *folder.parents)):
            if not each.exists():
                each.mkdir()
                made.append(each)
    except OSError as error:
        _remove(made)
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    try:
        yield
    except BaseException:
        _remove(made)
        raise


def _remove(made: list[Path]) -> None:
    with contextlib.suppress(OSError):
        for each in reversed(made):
            each.rmdir()


@contextmanager
def _staged(name: str, folder: Path, files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write ``files`` into a folder of their own within ``folder``, which is gone at the end."""
    try:
        staged = Path(tempfile.mkdtemp(prefix=".tokconf-", dir=folder))
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    try:
        for file, data in files.items():
            (staged / file).write_bytes(data)
    except OSError as error:
        shutil.rmtree(staged, ignore_errors=True)
        raise ReportLost(f"cannot export to {name!r}: {reason_of(error)}; nothing was changed there") from error
    except BaseException:
        shutil.rmtree(staged, ignore_errors=True)
        raise
    try:
        yield staged
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _move(name: str, folder: Path, staged: Path, files: Mapping[str, bytes], old: frozenset[str]) -> None:
    """Move ``files`` to their places, the last one last, and remove ``old`` ones."""
    try:
        for file in old:
            (folder / file).unlink(missing_ok=True)
        for file in files:
            (staged / file).replace(folder / file)
    except OSError as error:
        raise ReportLost(
            f"cannot export to {name!r}: {reason_of(error)}; what is there now is not whole: export it again"
        ) from error
