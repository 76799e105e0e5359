"""Reading a tokenizer.json that may be wrong: what it is, and at which place it is no tokenizer."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, cast

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison.asking import NotLoadedError
from tokenizer_conformance.comparison.document_parts import at, with_part
from tokenizer_conformance.comparison.loading_errors import faults_of, release_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.paths import irregularity
from tokenizer_conformance.inputs.text_generators.document_parts import MEMBERS, STAGES
from tokenizer_conformance.inputs.tokenizer_files import (
    NoJsonError,
    TokenizerFile,
    model_at_sight,
    parsed,
    why_no_tokenizer,
)
from tokenizer_conformance.research.file_audit.audited import JsonText
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.loading_errors import Fault
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
    "Correct or leave out the part at this path, without which the file loads; or get the file again.",
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
    file = tokenizer.source.file
    content = FilePath(file).read_bytes()
    try:
        document = parsed(file, content)
    except NoJsonError as error:
        return FoundDefect(NOT_JSON, (), f"it {error.reason}".removeprefix("it is not JSON: "), line=error.line)
    reason = why_no_tokenizer(document)
    if reason is not None:
        path = ("model",) if isinstance(document, dict) else ()
        return FoundDefect(NOT_A_TOKENIZER, path, reason, line=None if path else 1)
    return ReadFile(JsonText(content.decode("utf-8")), cast("Json", document))


# What is loaded ------------------------------------------------------------------------------------------------------


NOWHERE = (
    "Neither the reference nor the known changes of tokenizers say what is wrong, and there is no part without which "
    "the file loads: get it again, and load it with what wrote it."
)
"""What to do where nothing is known."""


def refusals(
    document: Json, error: CannotLoadError, source: TokenizerSource, documents: Documents
) -> Iterator[FoundDefect]:
    """Yield why ``document``, that of ``source``, is refused with ``error``: the faults that are known, or a part."""
    reason = one_line(str(error)).partition(f" ({one_line(source.file)}): ")
    words = _without_place(reason[2] or reason[0])
    release = release_of(error.info) if isinstance(error, NotLoadedError) else None
    faults = faults_of(source.file, words, release)
    for fault in faults:
        yield FoundDefect(REFUSED, fault.path, _refused_for(fault, words), to_do=_sentences(fault))
    if not faults:
        yield _without_part(document, words, documents)


def _refused_for(fault: Fault, words: str) -> str:
    """Say what is wrong, with the ``words`` of the refusal where these are others: they are what users look for."""
    place = f" ({fault.of})" if fault.of else ""
    return f"{fault.what}{place}" + ("" if fault.what in words else f"; the refusal says: {words}")


def _sentences(fault: Fault) -> str:
    to_do = f"{fault.to_do[:1].upper()}{fault.to_do[1:]}."
    return f"{fault.releases}. {to_do}" if fault.releases else to_do


def _without_part(document: Json, words: str, documents: Documents) -> FoundDefect:
    """Return the finding that ``document`` is refused, at the part without which it is loaded, where there is one."""
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
    return FoundDefect(REFUSED, path, words) if path else FoundDefect(REFUSED, (), words, to_do=NOWHERE)


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
    return re.sub(r"(?: at line 1 column \d+)+$", "", reason)


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
