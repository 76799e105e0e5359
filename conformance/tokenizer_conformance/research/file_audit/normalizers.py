"""Normalizers: parts that do nothing where they stand, because of what comes before them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

REPEATED = Defect(
    "normalizer-repeated",
    "A part of the normalizer is there twice in a row",
    Severity.WARNING,
    "What it does is done already: applied to its own result, it changes nothing.",
    "Leave one of the two out (--fix-to does).",
)
ACCENTS_STAY = Defect(
    "strip-accents-without-decomposition",
    "Accents are to be stripped, and nothing has separated them",
    Severity.WARNING,
    "StripAccents takes away combining marks; an accented letter is one character until NFD or NFKD has cut it in two.",
    "Put NFD or NFKD before it.",
)
UNDONE = Defect(
    "normalizer-undone",
    "A decomposition is undone before it is used, or a composition repeated",
    Severity.WARNING,
    "Of two normal forms in a row the later one decides whether characters are composed; the earlier one does nothing "
    "of its own.",
    "Leave the earlier one out.",
)

DEFECTS = (REPEATED, ACCENTS_STAY, UNDONE)

IDEMPOTENT = frozenset({"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip", "Nmt"})
"""Normalizers that change nothing of their own result."""

DECOMPOSING = frozenset({"NFD", "NFKD", "BertNormalizer"})

OVERRIDDEN = {
    "NFC": ("NFC", "NFD", "NFKC", "NFKD"),
    "NFD": ("NFC", "NFD", "NFKC", "NFKD"),
    "NFKC": ("NFKC", "NFKD"),
    "NFKD": ("NFKC", "NFKD"),
}
"""For each normal form, those right after it that make the same of a text, with it before them or without."""

ACCENTED = ("é", "ñ", "Å", "ü")


def check_normalizers(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the parts of the normalizer that do nothing."""
    parts = audited.of_stage("normalizer")
    for before, part in pairwise(parts):
        if part.type in IDEMPOTENT and _same(before, part):
            yield FoundDefect(REPEATED, part.path, f"{part.type} stands right after another one, with the same options")
        elif part.type in OVERRIDDEN.get(before.type, ()):
            yield FoundDefect(
                UNDONE, before.path, f"{before.type} stands right before {part.type}, which does the same to a text"
            )
    yield from _accents(audited, parts)


def _same(first: Part, second: Part) -> bool:
    return json.dumps(first.members, sort_keys=True) == json.dumps(second.members, sort_keys=True)


def _accents(audited: AuditedFile, parts: Sequence[Part]) -> Iterator[FoundDefect]:
    for index, part in enumerate(parts):
        if part.type != "StripAccents" or any(each.type in DECOMPOSING for each in parts[:index]):
            continue
        kept = next((each for each in ACCENTED if _keeps_accent(audited, each)), None)
        if kept is not None:
            witness = Witness(f"{quoted(kept)} is normalized to {quoted(str(audited.normalized(kept)))}", kept)
            message = "no NFD or NFKD stands before it"
            yield FoundDefect(ACCENTS_STAY, part.path, message, witness=witness)


def _keeps_accent(audited: AuditedFile, text: str) -> bool:
    answer = audited.normalized(text)
    return answer is not None and (text in answer or text.lower() in answer)
