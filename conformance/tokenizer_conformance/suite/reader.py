"""Reading the suite from its files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.suite.forms import StepFormError, step_of
from tokenizer_conformance.suite.requirement import Area, Case, Feature, Importance, Place, Requirement, Suite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

FORMAT = 1
"""The version of the form of the files that is read here."""

INDEX = "areas.json"
"""The file that names the areas in the order in which they are read, and every id that was ever given."""


@dataclass(frozen=True, slots=True)
class Register:
    """Every id that a requirement ever had; ``retired`` are those that are gone, each with the reason."""

    ids: tuple[str, ...]
    retired: Mapping[str, str]


def read_register() -> Register:
    """Return the register of the suite that comes with this package."""
    found = _read(_FOLDER / INDEX)
    return Register(tuple(found["ids"]), found["retired"])


_FOLDER = files("tokenizer_conformance.suite") / "requirements"


@cache
def read_suite() -> Suite:
    """Return the suite that comes with this package."""
    return read_suite_in(_FOLDER)


def read_suite_in(folder: Traversable) -> Suite:
    """Return the suite whose files stand in ``folder``.

    Raises :class:`BadInputError`, which names the file and the place in it.
    """
    names = _read(folder / INDEX)["areas"]
    return Suite(tuple(_area(folder / f"{name}.json") for name in names))


def _read(file: Traversable) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"{file}: {error}") from error
    if found.get("format") != FORMAT:
        raise BadInputError(f"{file}: format {found.get('format')!r}; this version of tokconf reads format {FORMAT}")
    return found


def _area(file: Traversable) -> Area:
    found = _read(file)
    try:
        return area_of(found)
    except StepFormError as error:
        raise BadInputError(f"{file}: {error}") from error


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
    )


def _case(requirement: str, found: dict[str, Any]) -> Case:
    steps = []
    for number, form in enumerate(found["steps"], 1):
        try:
            steps.append(step_of(form))
        except StepFormError as error:
            raise StepFormError(f"{requirement}, case {found['name']}, step {number}: {error}") from None
    return Case(name=found["name"], tokenizer=found["tokenizer"], steps=tuple(steps), releases=tuple(found["releases"]))
