"""Programs that show a finding without this project, for the small tokenizer.json that its record has.

They are written from the record alone: nothing is run, so that a page does not say that they were tried.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Failed,
    Field,
    Normalize,
    PreTokenize,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.selection import is_class, is_command
from tokenizer_conformance.causes.bug.recipes import SPEAKS_FOR, Runs, recipe_of
from tokenizer_conformance.causes.bug.sides import ReportedSide
from tokenizer_conformance.causes.bug.snippet import Subject, packages_of, ways
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.results.page import Snippet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bug.snippet import Snippet as Program
    from tokenizer_conformance.comparison.differences import Difference

Json = dict[str, Any]

LONGEST_SNIPPET = 20_000
"""A program of more characters than these is left out of a page."""

LANGUAGES = {Runs.PYTHON: "python", Runs.OWN_PYTHON: "python", Runs.NODE: "javascript"}

_NOT_KEPT = Unsupported("answers are not kept whole in a record")


def snippets_of(
    document: Json | None, question: Json, difference: Json, sides: tuple[str, str], versions: Mapping[str, str]
) -> tuple[Snippet, ...]:
    """Return programs that ask both ``sides`` the recorded ``question`` about ``document``.

    There is none where the record has no small tokenizer.json or not the whole question, where the second of the sides
    cannot be asked without this project, or where a program would be too long. ``versions`` are those of published
    packages, by name (:func:`published`); who is not among them is not asked. Raises one of ``MALFORMED``.
    """
    if document is None or not is_whole(question) or len(json.dumps(document)) > LONGEST_SNIPPET:
        return ()
    found, asked = difference_of(difference), question_of(question)
    baseline, implementation = SPEAKS_FOR.get(sides[0], sides[0]), sides[1]
    asking = [
        _side(name, versions[name], seen)
        for name, seen in ((baseline, found.baseline), (implementation, found.implementation))
        if name in versions
    ]
    source = TokenizerSource("tokenizer", "")
    subject = Subject(source, sha256="", document=document, question=asked, field=_field(found, asked))
    programs: tuple[Program, ...] = next(ways(asking, subject), ())
    asks_it = any(side.name == sides[1] for each in programs for side in each.sides)
    if not asks_it or any(len(each.code) > LONGEST_SNIPPET for each in programs):
        return ()
    return tuple(Snippet(LANGUAGES[each.runs], each.code, packages_of(each.sides, each.runs)) for each in programs)


def published(command: Collection[str], versions: Mapping[str, str]) -> dict[str, str]:
    """Return those of the ``versions`` of implementations, by name, that are what their names say.

    A program or a class of the user may call itself as it likes: where the ``command`` of the record names one, only
    names that the command has as they are can be relied on.
    """
    has_own = any(is_command(word) or "=command:" in word or is_class(word) for word in command)
    renamed = {word.partition("=")[0] for word in command if "=" in word}
    return {
        name: version for name, version in versions.items() if name in command or (not has_own and name not in renamed)
    }


def is_whole(question: object) -> bool:
    """Return whether a recorded ``question`` has all of its texts and ids.

    >>> is_whole({"ask": "normalize", "text": {"value": "ab", "length": 3}})
    False
    >>> is_whole({"ask": "decode", "ids": [1, 2], "ids_length": 2})
    True
    """
    match question:
        case {"value": str(value), "length": int(length)}:
            return len(value) == length
        case dict():
            ids = question.get("ids", [])
            is_cut = len(ids) != question.get("ids_length", len(ids))
            return not is_cut and all(map(is_whole, question.values()))
        case list():
            return all(map(is_whole, question))
        case _:
            return True


def _side(name: str, version: str, seen: object) -> ReportedSide:
    recipe = recipe_of(name)
    label = recipe.label if recipe else name
    return ReportedSide(name, label, version, seen if isinstance(seen, Failed) else _NOT_KEPT, recipe)


def _field(difference: Difference, question: Observation) -> Field:
    """Return the field to print: that of the difference, else the first one of an answer to ``question``."""
    if difference.field is not None:
        return difference.field
    match question:
        case Decode() | DecodeStream() | Normalize():
            return Field.TEXT
        case PreTokenize():
            return Field.PIECES
        case _:
            return Field.IDS
