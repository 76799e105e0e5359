"""Families of models: a file with the vocabulary of a published one, and another pipeline than that has.

A vocabulary tells its family whatever a fine-tune has added to it. A part of the file that is written otherwise than in
the published file is a finding if a text becomes other ids for it: ways of writing that mean the same are none.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import path_text, with_part
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.merges import merged
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity, Witness, gathered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Encoded
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

OTHER_PIPELINE = Defect(
    "family-pipeline",
    "A part of the pipeline is not that of the model's family",
    Severity.WARNING,
    "The vocabulary is that of a published model. With its own pipeline some texts become other ids: those that the "
    "model was trained with.",
    "Write the part as the published file has it, unless the model was trained anew with this one.",
)
NO_BEGINNING = Defect(
    "family-beginning",
    "No text gets the token that texts of the model's family begin with",
    Severity.WARNING,
    "The published file puts it before each text. Where the post-processor does not, a loader has to, and some do not: "
    "without it many models answer badly.",
    "Put a TemplateProcessing with the token at $.post_processor.",
)
BEYOND_ROWS = Defect(
    "family-id-beyond-rows",
    "An added token has an id that the published model has no row for",
    Severity.NOTE,
    "The embedding of the published model ends before it. A model that was not enlarged fails on such an id, or reads "
    "what is beside its weights.",
    "Nothing, if the model was enlarged; else use one of the tokens that the family keeps in reserve.",
)

DEFECTS = (OTHER_PIPELINE, NO_BEGINNING, BEYOND_ROWS)

PROBES = (
    "2024",
    "1234567",
    "20242024",
    "12",
    "so it's",
    "IT'S",
    "don't we'll",
    "HelloWorld",
    "getHTTPResponse",
    "the end",
    " the end",
    "日本語test",
    "테스트 カタカナ12",
    "e\u0301t\u00e9",
    "\ufb01ne \uff21",
    "a  b   c",
    "a\n\nb\r\n  c\t",
    "x = {'a': [1,2]};\n\n",
    "https://a.b/c//\n",
    "नमस्ते",
    "a☃b 🙂",
    "...!!!\n///",
)
"""Texts that the pipelines of families cut or change in different ways."""

MOST_UNREACHED = 300
"""How many entries are tried that merges do not make."""


@dataclass(frozen=True, slots=True)
class Family:
    """A published vocabulary, known by ``entries`` and their ids, and what its file has behind it.

    ``parts`` has the JSON of parts by the paths of their keys, joined with dots.
    """

    name: str
    entries: dict[str, int]
    parts: dict[str, str]
    splits: tuple[str, ...] = ()
    begins: str | None = None
    rows: int | None = None
    published: dict[Path, Any] = field(init=False)

    def __post_init__(self) -> None:
        published: dict[Path, Any] = {tuple(path.split(".")): json.loads(part) for path, part in self.parts.items()}
        if self.splits:
            published["pre_tokenizer",] = {"type": "Sequence", "pretokenizers": [*map(_split, self.splits), _BYTES]}
        object.__setattr__(self, "published", published)


_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def _split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


@cache
def families() -> tuple[Family, ...]:
    """Return the families of ``families.toml``."""
    content = (files(__package__) / "families.toml").read_text("utf-8")
    rows = tomllib.loads(content)["family"]
    return tuple(Family(**{**row, "splits": tuple(row.get("splits", ()))}) for row in rows)


def family_of(audited: AuditedFile) -> Family | None:
    """Return the family that the vocabulary of the model belongs to."""
    ids = audited.token_ids
    return next((each for each in families() if all(ids.get(name) == id_ for name, id_ in each.entries.items())), None)


def check_families(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield where the file is not as those of its family."""
    family = family_of(audited)
    audited = audited.unlimited
    if family is None or audited.asked is None:
        return
    for path, published in family.published.items():
        if audited.is_over(f"whether {path_text(path)} is that of {family.name}", OTHER_PIPELINE.id):
            return
        yield from _other_part(audited, family, path, published)
    yield from _no_beginning(audited, family)
    yield from _beyond_rows(audited, family)


# Parts ---------------------------------------------------------------------------------------------------------------


def _other_part(audited: AuditedFile, family: Family, path: Path, published: Any) -> Iterator[FoundDefect]:
    written = _at(audited.document, path)
    if written == published:
        return
    changed = audited.other(with_part(audited.document, path, published))
    if changed is None:
        return
    for text in (*PROBES, *islice(_unreached(audited, path), MOST_UNREACHED)):
        ours, theirs = audited.encoded(text), changed.encoded(text)
        if ours is not None and theirs is not None and ours.ids != theirs.ids:
            said = f"the vocabulary is that of {family.name}, whose own file has {_cut(published)} here"
            witness = Witness(f"{quoted(text)} becomes {_shown(ours)}; with the family's {_shown(theirs)}", text)
            remedy = f"Write {json.dumps(published, ensure_ascii=False)} at {path_text(path)}."
            yield FoundDefect(OTHER_PIPELINE, path, said, witness=witness, to_do=remedy)
            return


def _at(document: Any, path: Path) -> Any:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _unreached(audited: AuditedFile, path: Path) -> Iterator[str]:
    """Yield the texts of entries that only ignore_merges gives, where it is that which differs; most are late ones."""
    if path[-1] == "ignore_merges":
        entries, ranks, prefix = entries_of(audited.parts), audited.parts.ranks, entries_of(audited.parts).prefix
        for token in reversed(entries.tokens):
            if len(merged(token, ranks, prefix)) > 1:
                yield entries.entry(token).text


def _cut(value: Any, most: int = 160) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}…"


def _shown(answer: Encoded) -> str:
    tokens = answer.tokens or ("",) * len(answer.ids)
    return " ".join(f"{id_} {quoted(token)}" for id_, token in zip(answer.ids, tokens, strict=True)) or "nothing"


# Ids -----------------------------------------------------------------------------------------------------------------


def _no_beginning(audited: AuditedFile, family: Family) -> Iterator[FoundDefect]:
    """Yield the finding that a text begins with no special token; another one than the family's may be meant."""
    with_them, without = (audited.encoded("a", add_special_tokens=is_wanted) for is_wanted in (True, False))
    if family.begins is None or with_them is None or without is None or with_them.ids[:1] != without.ids[:1]:
        return
    message = f"the vocabulary is that of {family.name}, whose own file puts {quoted(family.begins)} before each text"
    witness = Witness(f'"a" becomes {list(with_them.ids)}, with special tokens too', "a")
    yield FoundDefect(NO_BEGINNING, ("post_processor",), message, witness=witness)


def _beyond_rows(audited: AuditedFile, family: Family) -> Iterator[FoundDefect]:
    rows = audited.document.get("added_tokens")
    if family.rows is None or not isinstance(rows, list):
        return
    found = []
    for index, row in enumerate(rows):
        content = row.get("content") if isinstance(row, dict) else None
        id_ = audited.vocabulary.get(content) if isinstance(content, str) else None
        if id_ is not None and id_ >= family.rows:
            message = f"{quoted(str(content))} has the id {id_}, and {family.name} {family.rows:,} rows"
            found.append(Example(("added_tokens", index), message))
    message = f"{counted(len(found), 'added token')} have ids from {family.rows} on, where {family.name} has no rows"
    yield from gathered(BEYOND_ROWS, ("added_tokens",), found, message)
