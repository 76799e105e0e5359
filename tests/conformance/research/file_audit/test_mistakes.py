"""A hundred mistakes that people make in a tokenizer.json, planted in two files or more: who is told, where, by what.

mistakes.json has them. ``list`` 1 was written before its misses were mended, 2 tried afterwards. Of each plant: the
``edits`` of the file, and how it is ``told``: as a "defect" (an error or a warning) at one of the ``places`` and with a
witness; as "refused", where the file does not load, so that nothing can be asked; "unseen", if there is no witness;
as a "note"; or "nothing". ``entries``: it is
the check of entries that tells.
"""

from __future__ import annotations

import json
import math
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planted.edits import drop, insert, put

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from collections.abc import Callable

Document = dict[str, Any]

MISTAKES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("mistakes.json").read_text("utf-8"))

TOKENIZERS = select("tokenizers", Isolation())

OF_VOCABULARY = tuple(defect.id for check in vocabulary.CHECKS for defect in check.defects)

PLANTS = [(mistake, name) for mistake in MISTAKES for name in mistake["plants"]]
BUNDLED = [plant for plant in PLANTS if plant[1] in bundled_names()]
PUBLISHED = [plant for plant in PLANTS if plant[1] not in bundled_names()]


# Edits ---------------------------------------------------------------------------------------------------------------


def each_token(change: Callable[[str], str]) -> Callable[[Document], None]:
    def changed(document: Document) -> None:
        model = document["model"]
        if isinstance(model["vocab"], list):
            model["vocab"] = [[change(token), score] for token, score in model["vocab"]]
        else:
            model["vocab"] = {change(token): number for token, number in model["vocab"].items()}
        for merge in model.get("merges", ()):
            merge[:] = map(change, merge)

    return changed


def each_score(change: Callable[[str, float], float]) -> Callable[[Document], None]:
    def changed(document: Document) -> None:
        model = document["model"]
        model["vocab"] = [[token, change(token, score)] for token, score in model["vocab"]]

    return changed


def all_ids(by: int) -> Callable[[Document], None]:
    def changed(document: Document) -> None:
        model = document["model"]
        model["vocab"] = {token: number + by for token, number in model["vocab"].items()}

    return changed


def merges(change: Callable[[list[Any]], list[Any]]) -> Callable[[Document], None]:
    def changed(document: Document) -> None:
        document["model"]["merges"] = change(document["model"]["merges"])

    return changed


EDITS: dict[str, Callable[..., Callable[[Document], None]]] = {
    "put": put,
    "drop": drop,
    "insert": insert,
    "keep merges": lambda count: merges(lambda rows: rows[:count]),
    "sort merges": lambda: merges(sorted),
    "write for": lambda old, new: each_token(lambda token: token.replace(old, new)),
    "write after": lambda ending: each_token(lambda token: token + ending),
    "rename": lambda old, new: each_token(lambda token: new if token == old else token),
    "decompose": lambda: each_token(lambda token: unicodedata.normalize("NFD", token)),
    "capitals": lambda: each_token(lambda token: token if token.startswith("<") else token.upper()),
    "probabilities": lambda: each_score(lambda _, score: math.exp(score)),
    "times": lambda factor: each_score(lambda _, score: score * factor),
    "times one": lambda piece, factor: each_score(lambda token, score: score * factor if token == piece else score),
    "ids": all_ids,
}
"""What is done to a document, by its name in mistakes.json; the rest of an edit are the arguments."""


# Audits --------------------------------------------------------------------------------------------------------------


def findings_in(file: str, *, entries: bool) -> list[lines.Finding]:
    selection = Selection(selected=OF_VOCABULARY) if entries else Selection(ignored=OF_VOCABULARY)
    measured = (lambda: TOKENIZERS.start(Limits(seconds=10))) if not entries else None
    plan = FileAuditPlan((described(locate(file)),), TOKENIZERS.build(), measured, selection, seconds=600)
    found = []
    for event in audit_files(plan):
        if isinstance(event, InternalError):
            raise event.error
        if isinstance(event, lines.Finding):
            found.append(event)
    return found


@cache
def found_before(file: str, *, entries: bool) -> frozenset[tuple[str, str]]:
    return frozenset((each.defect, each.path) for each in findings_in(file, entries=entries))


def is_near(keys: tuple[str | int, ...], place: str) -> bool:
    """Whether one of the two paths leads to the other; the whole model is no place for what is in it."""
    given = tuple(map(str, keys))
    wanted = tuple(place.split("."))
    least = min(len(given), len(wanted))
    return bool(given) and given[:least] == wanted[:least] and (given != ("model",) or wanted == ("model",))


def told(mistake: dict[str, Any], name: str, original: Path, folder: Path) -> str:
    plant = mistake["plants"][name]
    document = json.loads(original.read_text("utf-8"))
    for kind, *arguments in plant["edits"]:
        EDITS[kind](*arguments)(document)
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(document, indent=1), "utf-8")
    entries = plant.get("entries", False)
    known = found_before(str(original), entries=entries)
    new = [each for each in findings_in(str(file), entries=entries) if (each.defect, each.path) not in known]
    is_refused = any(each.defect == "refused" for each in new)
    near = [each for each in new if any(is_near(each.keys, place) for place in mistake["places"])]
    ways = [_way(each, is_refused=is_refused) for each in near]
    return min(ways, key=WAYS.index, default="nothing")


WAYS = ("defect", "refused", "unseen", "note", "nothing")


def _way(finding: lines.Finding, *, is_refused: bool) -> str:
    if finding.severity == "note":
        return "note"
    if finding.witness is not None:
        return "defect"
    return "refused" if is_refused else "unseen"


def name_of(plant: object) -> str:
    return plant["mistake"] if isinstance(plant, dict) else str(plant)


@pytest.mark.long_but(8)
@pytest.mark.parametrize(("mistake", "name"), BUNDLED, ids=name_of)
def test_a_mistake_is_told(mistake: dict[str, Any], name: str, tmp_path: Path) -> None:
    assert told(mistake, name, Path(bundled_file(name)), tmp_path) == mistake["plants"][name]["told"]


@pytest.mark.slow
@pytest.mark.parametrize(("mistake", "name"), PUBLISHED, ids=name_of)
def test_a_mistake_in_a_published_file_is_told(
    mistake: dict[str, Any], name: str, shared: Path, tmp_path: Path
) -> None:
    original = shared / "tokenizers" / name / "tokenizer.json"
    assert told(mistake, name, original, tmp_path) == mistake["plants"][name]["told"]


def test_there_are_a_hundred_and_each_is_in_two_files() -> None:
    assert [sum(each["list"] == number for each in MISTAKES) for number in (1, 2)] == [60, 40]
    assert {len(each["plants"]) >= 2 for each in MISTAKES} == {True}
    assert {plant["told"] for each in MISTAKES for plant in each["plants"].values()} <= set(WAYS)


def test_most_are_told_as_defects() -> None:
    ways = [mistake["plants"][name]["told"] for mistake, name in PLANTS]
    assert ways.count("defect") + ways.count("refused") >= 0.9 * len(ways)
