"""Reading a tokenizer.json that may be wrong: what it is, and at which place it is no tokenizer."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison.document_parts import at, with_part
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.paths import irregularity
from tokenizer_conformance.inputs.text_generators.document_parts import MEMBERS, STAGES
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, model_at_sight
from tokenizer_conformance.research.file_audit.audited import JsonText
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import FoundTokenizer
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

NOT_JSON = Defect(
    "not-json",
    "The file is no JSON",
    Severity.ERROR,
    "Nothing can load it. Often a file is cut off, or is another file of the checkpoint.",
    "Get the file again, or mend it at the place that the message names.",
)
NOT_A_TOKENIZER = Defect(
    "not-a-tokenizer",
    "The file is JSON, and no tokenizer",
    Severity.ERROR,
    'A tokenizer.json is an object with a "model", which is an object.',
    "Give the tokenizer.json of the checkpoint.",
)
REFUSED = Defect(
    "refused",
    "The file is refused",
    Severity.ERROR,
    "The baseline does not load it. What can be seen without it is reported all the same.",
    "Mend what the message names.",
)
REPEATED_KEY = Defect(
    "repeated-key",
    "A key is there twice in one object",
    Severity.WARNING,
    "Readers of JSON take the first, the last, or refuse the file; `tokenizers` takes the last, where it takes it.",
    "Leave one of them out.",
)

DEFECTS = (NOT_JSON, NOT_A_TOKENIZER, REFUSED, REPEATED_KEY)

SECTIONS = (*STAGES, "truncation", "padding")
"""What a tokenizer can do without."""

MEMBERS_OF_FILES = ("version", "added_tokens", *SECTIONS, "model")
"""What a tokenizer.json may have at the top."""

MOST_REPEATED = 20
"""How many repeated keys are findings."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The text and the document of a file."""

    text: JsonText
    document: Json


def described(found: FoundTokenizer) -> TokenizerFile:
    """Return the file of ``found``, whatever is in it, with its digest. Raises :class:`BadInputError`."""
    file = FilePath(found.source.file)
    try:
        irregular = irregularity(file)
        if irregular is not None:
            raise BadInputError(f"tokenizer file {str(file)!r} {irregular}")
        content = file.read_bytes()
    except OSError as error:
        raise BadInputError(f"tokenizer file {str(file)!r}: {error.strerror or error}") from error
    digest, model = hashlib.sha256(content).hexdigest(), model_at_sight(content)
    return TokenizerFile(found.source, digest, len(content), model, found.snapshot)


def read(tokenizer: TokenizerFile) -> ReadFile | FoundDefect:
    """Return what is in the file of ``tokenizer``, or why that is no tokenizer. Raises ``OSError``."""
    content = FilePath(tokenizer.source.file).read_bytes()
    try:
        text = content.decode("utf-8")
        document = json.loads(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{content[error.start]:02X} at offset {error.start} is no UTF-8"
        return FoundDefect(NOT_JSON, (), message, line=line)
    except json.JSONDecodeError as error:
        message = f"{error.msg} at line {error.lineno} column {error.colno}" if content else "it is empty"
        return FoundDefect(NOT_JSON, (), message, line=error.lineno)
    except RecursionError:
        return FoundDefect(NOT_JSON, (), "it is nested too deeply to be read")
    except ValueError as error:  # a number of thousands of digits
        return FoundDefect(NOT_JSON, (), one_line(str(error)))
    if not isinstance(document, dict):
        return FoundDefect(
            NOT_A_TOKENIZER, (), f"an object is expected at the top, and it is a {_kind(document)}", line=1
        )
    if not isinstance(document.get("model"), dict):
        names = ", ".join(map(quoted, list(document)[:5])) or "nothing"
        message = f'there is no "model" object; at the top are {names}'
        return FoundDefect(NOT_A_TOKENIZER, ("model",), message)
    return ReadFile(JsonText(text), document)


def _kind(value: object) -> str:
    kinds = {list: "array", str: "string", bool: "truth value", int: "number", float: "number", type(None): "null"}
    return kinds.get(type(value), "value")


# What is loaded ------------------------------------------------------------------------------------------------------


def refusal(document: Json, reason: str, documents: Documents) -> FoundDefect:
    """Return the finding that ``document`` is refused for ``reason``, at the part without which it is loaded."""
    path: Path = ()
    known = {name: value for name, value in document.items() if name in MEMBERS_OF_FILES}
    if len(known) < len(document) and _is_loaded(known, documents):
        path = (next(name for name in document if name not in known),)
    for name in () if path else SECTIONS:
        if document.get(name) is not None and _is_loaded({**document, name: None}, documents):
            path = _innermost(document, (name,), documents)
            break
    if not path and document.get("added_tokens") and _is_loaded({**document, "added_tokens": []}, documents):
        path = _added_token(document, documents)
    return FoundDefect(REFUSED, path or ("model",), _without_place(reason))


def _is_loaded(document: Json, documents: Documents) -> bool:
    try:
        documents.loaded(document, "a part of the file")
    except CannotLoadError:
        return False
    return True


def _innermost(document: Json, path: Path, documents: Documents) -> Path:
    """Return the path of the part of a sequence that the file is refused for, where there is one."""
    component = at(document, path)
    for name in MEMBERS if isinstance(component, dict) else ():
        parts = component.get(name)
        for index in range(len(parts) if isinstance(parts, list) else 0):
            rest = [*parts[:index], *parts[index + 1 :]]
            if _is_loaded(with_part(document, (*path, name), rest), documents):
                return _innermost(document, (*path, name, index), documents)
    return path


def _added_token(document: Json, documents: Documents) -> Path:
    rows = document["added_tokens"]
    for index in range(min(len(rows), 200)) if isinstance(rows, list) else ():
        if _is_loaded({**document, "added_tokens": [*rows[:index], *rows[index + 1 :]]}, documents):
            return ("added_tokens", index)
    return ("added_tokens",)


def _without_place(reason: str) -> str:
    """Return ``reason`` without a line and a column that are of no use: those of a document on one line."""
    return re.sub(r"(?: at line 1 column \d+)+$", "", one_line(reason))


# Repeated keys -------------------------------------------------------------------------------------------------------


def check_repeated_keys(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the keys that are there twice in the objects of the document: those of components, tokens, and files."""
    found = 0
    for path in _objects(audited.document, ()):
        for key, line in audited.text.repeated(path):
            found += 1
            if found > MOST_REPEATED:
                return
            yield FoundDefect(REPEATED_KEY, (*path, key), f"{quoted(key)} is there before", line=line)


def _objects(value: object, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
        for key, member in value.items():
            if isinstance(member, dict | list) and key != "merges":
                yield from _objects(member, (*path, key))
    elif isinstance(value, list) and not (value and isinstance(value[0], list)):
        for index, item in enumerate(value):
            yield from _objects(item, (*path, index))
