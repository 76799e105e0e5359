"""Reading the suite from its files, and steps in the form that these have.

That form is the words of the line protocol, with what is expected beside them. Reading and writing go through the codec
of the protocol, so there is one form of questions and answers, not two.
"""

from __future__ import annotations

import gc
import hashlib
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, assert_never

from packaging.version import Version

from tokenizer_adapters.protocol.answer_lines import read_value, write_answer
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_adapters.protocol.messages import Observe, name_of
from tokenizer_adapters.protocol.request_lines import read_observation, write_request
from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.suite.requirement import (
    Area,
    Case,
    Feature,
    FileRefused,
    FileWritten,
    Importance,
    Observed,
    Place,
    RaisesError,
    Requirement,
    Step,
    Suite,
    TextWritten,
    VocabularyShown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from tokenizer_adapters.contract import Observation, Value

FORMAT = 1
"""The version of the form of the files that is read here."""

SCHEMA = "suite-1.json"
"""The file of the folder ``schemas`` that describes the form."""

INDEX = "areas.json"
"""The file that names the areas in the order in which they are read, and every id that was ever given."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the files of the suite, of the index of an export and of its lines."""
    text = (files("tokenizer_conformance") / "schemas" / SCHEMA).read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


@dataclass(frozen=True, slots=True)
class Register:
    """Every id that a requirement ever had; ``retired`` are those that are gone, each with the reason."""

    ids: tuple[str, ...]
    retired: Mapping[str, str]


def read_register() -> Register:
    """Return the register of the suite that comes with this package."""
    found = _read(_FOLDER / INDEX)
    return Register(tuple(found["ids"]), found["retired"])


_FOLDER = files("tokenizer_conformance.validation.suite") / "requirements"


@cache
def read_files() -> Mapping[str, dict[str, Any]]:
    """Return the files of the areas of the suite that comes with this package: their names and what they say.

    Raises :class:`BadInputError`.
    """
    return files_in(_FOLDER)


def files_in(folder: Traversable) -> dict[str, dict[str, Any]]:
    """Return the files of the areas whose index is in ``folder``, in its order: their names and what they say.

    Raises :class:`BadInputError`, which names the file.
    """
    return {name: _read(folder / name) for name in _names_in(folder)}


def _names_in(folder: Traversable) -> list[str]:
    return [f"{name}.json" for name in _read(folder / INDEX)["areas"]]


@cache
def read_suite() -> Suite:
    """Return the suite that comes with this package."""
    with _uncollected():
        return suite_of(read_files())


@cache
def read_rules() -> Suite:
    """Return the suite that comes with this package without its cases, which take nearly all of the time to read."""
    bare = {
        name: {**found, "requirements": [{**each, "cases": []} for each in found["requirements"]]}
        for name, found in read_files().items()
    }
    return suite_of(bare)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from looking again and again at what is being read, none of which is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass(frozen=True, slots=True)
class SuiteIdentity:
    """Which suite is asked.

    ``version`` is that of the package that it comes with, for the suite has no other; ``sha256`` is the digest of its
    files, which tells two suites of one version apart. ``target`` is the newest release of the target that it was
    checked with.
    """

    version: str
    target: str
    sha256: str


@cache
def suite_identity() -> SuiteIdentity:
    """Return which suite comes with this package."""
    digest = hashlib.sha256()
    for name in _names_in(_FOLDER):
        digest.update(name.encode() + b"\n" + (_FOLDER / name).read_bytes().replace(b"\r\n", b"\n"))
    releases = {release for case in read_suite().cases() for release in case.case.releases}
    return SuiteIdentity(version(), max(releases, key=Version), digest.hexdigest())


@cache
def requirement_lines_of(area: str) -> Mapping[str, int]:
    """Return the lines (from 1) at which the requirements of ``area`` begin in the file of that name, by their ids.

    There are none of an area that does not come with this package.
    """
    file = _FOLDER / f"{area}.json"
    if not file.is_file():
        return {}
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    found = ((re.match(r'\s*"id": "([^"]+)"', line), number) for number, line in lines)
    return {match[1]: number for match, number in found if match is not None}


def read_suite_in(folder: Traversable) -> Suite:
    """Return the suite whose files stand in ``folder``.

    Raises :class:`BadInputError`, which names the file and the place in it.
    """
    return suite_of(files_in(folder))


def suite_of(files: Mapping[str, dict[str, Any]]) -> Suite:
    """Return the suite that ``files`` mean: their names and what they say.

    Raises :class:`BadInputError`, which names the file and the place in it.
    """
    return Suite(tuple(_area(name, found) for name, found in files.items()))


def _read(file: Traversable) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"{file}: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        form = found.get("format") if isinstance(found, dict) else None
        raise BadInputError(f"{file}: format {form!r}; this version of tokconf reads format {FORMAT}")
    return found


def _area(name: str, found: dict[str, Any]) -> Area:
    try:
        return area_of(found)
    except StepFormError as error:
        raise BadInputError(f"{name}: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadInputError(f"{name}: is not in the form of schemas/{SCHEMA}: {error!r}") from error


def area_of(found: dict[str, Any]) -> Area:
    """Return the area that ``found``, the content of a file, means.

    Raises :class:`StepFormError`.
    """
    return Area(
        name=found["area"],
        title=found["title"],
        stage=Place(found["stage"]),
        about=found["about"],
        tokenizers=found["tokenizers"],
        requirements=tuple(map(_requirement, found["requirements"])),
        configurations=found.get("configurations", {}),
    )


def _requirement(found: dict[str, Any]) -> Requirement:
    return Requirement(
        id=found["id"],
        title=found["title"],
        rule=found["rule"],
        why=found["why"],
        links=tuple(found["links"]),
        features=frozenset(map(Feature, found["features"])),
        importance=Importance(found["importance"]),
        since=found["since"],
        until=found["until"],
        cases=tuple(_case(found["id"], case) for case in found["cases"]),
        not_asked=found.get("not_asked", ""),
        not_in=tuple(found.get("not_in", ())),
        refused_before=found.get("refused_before", False),
    )


def _case(requirement: str, found: dict[str, Any]) -> Case:
    steps = []
    for number, form in enumerate(found["steps"], 1):
        try:
            steps.append(step_of(form))
        except StepFormError as error:
            raise StepFormError(f"{requirement}, case {found['name']}, step {number}: {error}") from None
    return Case(name=found["name"], tokenizer=found["tokenizer"], steps=tuple(steps), releases=tuple(found["releases"]))


EXPECTED = "expected"
ERROR = {"error": True}
REFUSED = {"refused": True}


class StepFormError(ValueError):
    """A step has not the form that the schema describes. The message says what is wrong with it."""


def observation_of(asked: dict[str, Any]) -> Observation:
    """Return the observation that ``asked`` (``ask`` and its arguments) means.

    >>> observation_of({"ask": "normalize", "text": "A"})
    Normalize(text='A')

    Raises :class:`StepFormError`.
    """
    try:
        return read_observation(asked)
    except FieldError as error:
        raise StepFormError(f"request: {error}") from None


def asked_of(observation: Observation) -> dict[str, Any]:
    """Return ``observation`` as a step asks it: the opposite of :func:`observation_of`."""
    found = json.loads(write_request(0, Observe(observation)))
    return {name: value for name, value in found.items() if name not in ("id", "do")}


def value_form(value: Value) -> dict[str, Any]:
    """Return ``value`` as a step expects it."""
    form: dict[str, Any] = json.loads(write_answer(0, value))["value"]
    return form


def value_of(observation: Observation, form: dict[str, Any]) -> Value:
    """Return the value that ``form`` means as an answer to ``observation``: the opposite of :func:`value_form`.

    Raises :class:`StepFormError`.
    """
    try:
        return read_value(observation, form, "value")
    except FieldError as error:
        raise StepFormError(f"answer to {name_of(Observe(observation))}: {error}") from None


def step_of(form: dict[str, Any]) -> Step:
    """Return the step that ``form`` means.

    Raises :class:`StepFormError`.
    """
    asked = {name: value for name, value in form.items() if name != EXPECTED}
    if EXPECTED not in form:
        raise StepFormError(f'the field "{EXPECTED}" is missing')
    expected = form[EXPECTED]
    match asked:
        case {"ask": "vocabulary"}:
            return VocabularyShown(expected["vocabulary"])
        case {"ask": "save"}:
            return TextWritten(expected["text"]) if "text" in expected else FileWritten(expected["document"])
        case {"ask": "load", "tokenizer": document}:
            return FileRefused(document)
        case _:
            observation = observation_of(asked)
            return Observed(observation, RaisesError() if expected == ERROR else value_of(observation, expected))


def form_of(step: Step) -> dict[str, Any]:
    """Return ``step`` in the form of the files: the opposite of :func:`step_of`."""
    match step:
        case VocabularyShown(expected):
            return {"ask": "vocabulary", EXPECTED: {"vocabulary": dict(expected)}}
        case FileWritten(expected):
            return {"ask": "save", EXPECTED: {"document": expected}}
        case TextWritten(expected):
            return {"ask": "save", EXPECTED: {"text": expected}}
        case FileRefused(document):
            return {"ask": "load", "tokenizer": document, EXPECTED: REFUSED}
        case Observed(observation, expected):
            form = ERROR if isinstance(expected, RaisesError) else value_form(expected)
            return {**asked_of(observation), EXPECTED: form}
        case _:
            assert_never(step)
