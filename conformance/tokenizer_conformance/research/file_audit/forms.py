"""Forms: what older releases wrote, what is left out, and what is written and ignored; each with what it becomes.

What the baseline writes when it has loaded the file is the current form of it. Every place at which the two differ is
a form of one of the kinds that are known here; a member that is not written again was ignored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.tokenizer_schema import tokenizer_json_schema
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

LEGACY = Defect(
    "legacy-form",
    "A form of older releases",
    Severity.NOTE,
    "It is read as the current form that the message gives. Implementations that follow the current form alone may "
    "refuse it or read it otherwise.",
    "Load the file and save it again (--fix-to does).",
)
DEFAULTED = Defect(
    "option-left-out",
    "An option is left out that files of today have",
    Severity.NOTE,
    "A default stands in for it, which the message gives.",
    "Load the file and save it again (--fix-to does).",
)
IGNORED = Defect(
    "member-ignored",
    "A member is no option and is ignored",
    Severity.WARNING,
    "Whatever it says has no effect, and it is not there any more once the file was saved.",
    "Leave it out (--fix-to does), or write the option that is meant.",
)
MISSING_MEMBER = Defect(
    "member-missing",
    "A member that every file has is missing",
    Severity.NOTE,
    "A default stands in for it.",
    "Load the file and save it again (--fix-to does).",
)

OTHER_TYPE = Defect(
    "read-as-other-type",
    "A component is read as one of another type",
    Severity.ERROR,
    "Where a type is unknown, the component is read as the first whose options fit, whatever it is called.",
    "Write the type that is meant.",
)

DEFECTS = (OTHER_TYPE, LEGACY, DEFAULTED, IGNORED, MISSING_MEMBER)

SAVED_ANEW = (LEGACY, DEFAULTED, MISSING_MEMBER)
"""What saving the file again mends, whichever of these it is: together one finding."""

MEMBERS_OF_FILES = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)
"""What every file has that `tokenizers` writes, in its order."""

FOLDERS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pre_tokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""What the stage of a component is called in the schema."""

OPTIONS_OF_MODELS = ("BPE", "WordPiece", "WordLevel", "Unigram")


def check_forms(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is not as `tokenizers` writes it today."""
    document = audited.document
    schema = tokenizer_json_schema()["$defs"]
    found = [*_missing(document), *_components(audited, schema), *_model(audited, schema)]
    found += _added_tokens(audited, schema)
    yield from (finding for finding in found if finding.defect not in SAVED_ANEW)
    yield from _together([finding for finding in found if finding.defect in SAVED_ANEW])


def _missing(document: Mapping[str, Any]) -> Iterator[FoundDefect]:
    for name in MEMBERS_OF_FILES:
        if name not in document and name != "model":
            yield FoundDefect(MISSING_MEMBER, (name,), f'"{name}" is not there')


def _together(findings: list[FoundDefect]) -> Iterator[FoundDefect]:
    """Yield ``findings`` that one saving mends as a single one, of the kind of the first of SAVED_ANEW among them."""
    if len(findings) == 1:
        yield findings[0]
    elif findings:
        kinds = {each.defect for each in findings}
        defect = next(each for each in SAVED_ANEW if each in kinds)
        examples = tuple(Example(each.path, each.message) for each in findings)
        message = f"{len(findings)} places are not as files are saved today; loaded and saved again, all are"
        yield FoundDefect(defect, (), message, count=len(findings), examples=examples)


def _components(audited: AuditedFile, schema: Mapping[str, Any]) -> Iterator[FoundDefect]:
    for part in audited.components:
        if not part.type:
            written = _saved(audited, part.path)
            message = f"no type is named; it is read as {_cut(written)}" if written else "no type is named"
            yield FoundDefect(LEGACY, part.path, message)
            continue
        as_read = (_saved(audited, part.path) or {}).get("type", part.type)
        if as_read != part.type:
            message = f"{quoted(part.type)} is no {part.stage}; it is read as {as_read}"
            yield FoundDefect(OTHER_TYPE, (*part.path, "type"), message)
            continue
        yield from _members(audited, schema, f"{FOLDERS[part.stage]}.{part.type}", part.path, part.members)


def _model(audited: AuditedFile, schema: Mapping[str, Any]) -> Iterator[FoundDefect]:
    model, kind = audited.parts.model, audited.parts.model_type
    if "type" not in model:
        yield FoundDefect(LEGACY, ("model",), f"no type is named; it is read as {kind}")
    merges = model.get("merges")
    strings = sum(isinstance(row, str) for row in merges) if isinstance(merges, list) else 0
    if strings:
        message = f"{counted(strings, 'merge')} as text with a space in between; each becomes an array of two tokens"
        yield FoundDefect(LEGACY, ("model", "merges"), message, count=strings)
    if kind in OPTIONS_OF_MODELS:
        yield from _members(audited, schema, f"models.{kind}", ("model",), model)


def _added_tokens(audited: AuditedFile, schema: Mapping[str, Any]) -> Iterator[FoundDefect]:
    known = set(schema["added_token"]["properties"])
    rows = audited.document.get("added_tokens")
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        for name in row if isinstance(row, dict) else ():
            if name not in known:
                yield FoundDefect(
                    IGNORED, ("added_tokens", index, name), f"{quoted(name)} is no option of an added token"
                )


def _members(
    audited: AuditedFile, schema: Mapping[str, Any], kind: str, path: Path, members: Mapping[str, Any]
) -> Iterator[FoundDefect]:
    """Yield what of ``members`` is ignored, of an older form, or left out."""
    known = schema.get(kind, {}).get("properties")
    if known is None:
        return
    for name in members:
        if name != "type" and name not in known:
            message = f"{quoted(name)} is no option of {kind.partition('.')[2]}"
            yield FoundDefect(IGNORED, (*path, name), message, witness=_not_saved(audited, path))
    written = _saved(audited, path)
    if written is None:
        return
    older = {name: value for name, value in members.items() if name in known and name not in written}
    others = {name: value for name, value in written.items() if name not in members and name != "type"}
    if older:
        becomes = f"becomes {_cut(others)}" if others else "is not written any more"
        yield FoundDefect(LEGACY, (*path, next(iter(older))), f"{_cut(older)} {becomes}")
    elif others:
        yield FoundDefect(DEFAULTED, path, f"{_cut(others)} by default")


def _not_saved(audited: AuditedFile, path: Path) -> Witness | None:
    """Return what the baseline writes of the component at ``path``, in which a member that it ignores is missing."""
    written = _saved(audited, path)
    if written is None:
        return None
    options = {name: value for name, value in written.items() if name not in ("vocab", "merges")}
    return Witness(f"saved again, {path_text(path)} is {_cut(options)}")


def _saved(audited: AuditedFile, path: Path) -> Mapping[str, Any] | None:
    """Return the object at ``path`` as the baseline writes it."""
    value: Any = audited.saved
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value if isinstance(value, dict) else None


def _cut(value: Any, most: int = 120) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}…"
