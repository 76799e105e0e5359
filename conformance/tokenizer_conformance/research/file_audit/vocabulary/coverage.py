"""Bytes and characters that have no entry, and what becomes of them."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.audited import VOCABULARY
from tokenizer_conformance.research.file_audit.finding import FoundDefect, Witness
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import (
    CHARACTER_OF_BYTE,
    NEVER_IN_UTF8,
    completed,
)
from tokenizer_conformance.research.file_audit.vocabulary.defects import COVERAGE, MISSING_BYTES
from tokenizer_conformance.research.file_audit.vocabulary.entries import is_byte_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

USED_BYTES = tuple(sorted(set(range(0x100)) - NEVER_IN_UTF8))
"""The bytes that a text can have."""

MOST_TRIED = 200
BATCH = 2000
MOST_NAMED = 8

PROBES = ("\ue000", "\U0010fffd", "𒀀", "ﷺ", "中")
"""Characters that hardly any vocabulary has."""

SCRIPTS = (
    *("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Thaana", "Ethiopic", "Devanagari"),
    *("Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao"),
    *("Tibetan", "Myanmar", "Khmer", "Bopomofo", "Hangul", "Hiragana", "Katakana", "CJK"),
)
"""How the names of characters begin, script by script in wide use today (Unicode Standard Annex 31, table 5)."""


def find_uncovered(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is found about bytes and characters that have no entry."""
    if audited.asked is not None and audited.parts.tokens:
        STATUS.begin(audited.tokenizer.source.name, "asking for characters without an entry")
        yield from _missing_bytes(audited.parts, audited.asked)
        yield from _unknown(audited, audited.asked)


def _missing_bytes(parts: DocumentParts, asked: Asked) -> Iterator[FoundDefect]:
    """Yield the finding about bytes that a byte-level vocabulary lacks, with a text that loses one."""
    if not is_byte_level(parts) or parts.model_type not in ("BPE", "Unigram"):
        return
    tokens = frozenset(parts.tokens)
    missing = [byte for byte in USED_BYTES if CHARACTER_OF_BYTE[byte] not in tokens]
    for byte in missing:
        for text in islice(completed(bytes([byte])), MOST_TRIED):
            answer = asked.ask(Encode(text, add_special_tokens=False))
            if isinstance(answer, Encoded) and _count(answer.tokens or (), byte) < text.encode().count(byte):
                message, witness = f"no entry for {_listed(missing)}", Witness(_result(answer), text)
                yield FoundDefect(MISSING_BYTES, VOCABULARY, message, witness=witness, count=len(missing))
                return


def _result(answer: Encoded) -> str:
    named = " ".join(map(quoted, answer.tokens or ())) or " ".join(map(str, answer.ids))
    return f"encodes to {named}" if named else "encodes to nothing"


def _unknown(audited: AuditedFile, asked: Asked) -> Iterator[FoundDefect]:
    """Yield the finding about assigned characters that become the unknown token when they are a text."""
    number = audited.unknown_id
    if number is None or not any(_gives(number, asked.ask(question)) for question in _questions(PROBES)):
        return
    lost: set[str] = set()
    characters = _assigned()
    for begin in range(0, len(characters), BATCH):
        if audited.is_over(f"which characters are unknown, from U+{ord(characters[begin]):04X} on", COVERAGE.id):
            return
        questions = _questions(characters[begin : begin + BATCH])
        asked.ask_ahead(questions)
        lost.update(str(question.text) for question in questions if _gives(number, asked.ask(question)))
        asked.forget()
    if lost:
        rows = [(script, len(members), len(members & lost)) for script, members in _by_name()]
        share = f"{len(lost):,} of {len(characters):,} characters of the Basic Multilingual Plane"
        message = f"{share} become the unknown token"
        yield FoundDefect(COVERAGE, VOCABULARY, message, count=len(lost), details=tuple(_lines(rows)))


def _lines(rows: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    """Say of which scripts none, some, or all letters and marks are unknown; rows are a script, all, and these."""
    partly = sorted((row for row in rows if 0 < row[2] < row[1]), key=lambda row: (row[2] / row[1], row[0]))
    for label, named in (
        ("no letter or mark is unknown of", [script for script, _, unknown in rows if not unknown]),
        ("some are unknown of", [f"{script} ({unknown:,} of {total:,})" for script, total, unknown in partly]),
        ("all are unknown of", [script for script, total, unknown in rows if unknown == total]),
    ):
        if named:
            yield f"{label} {', '.join(named)}"


def _gives(number: int, answer: Outcome) -> bool:
    return isinstance(answer, Encoded) and number in answer.ids


def _questions(texts: Iterable[str]) -> list[Encode]:
    return [Encode(text, add_special_tokens=False) for text in texts]


def _count(tokens: Iterable[str], byte: int) -> int:
    """Return how often ``byte`` is in byte-level ``tokens``."""
    return "".join(tokens).count(CHARACTER_OF_BYTE[byte])


def _listed(missing: Sequence[int]) -> str:
    named = ", ".join(f"0x{byte:02X}" for byte in missing[:MOST_NAMED])
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    return f"{'byte' if len(missing) == 1 else 'the bytes'} {named}{more}"


@cache
def _assigned() -> tuple[str, ...]:
    """Return all assigned characters of the Basic Multilingual Plane but those of private use."""
    characters = map(chr, (*range(0xD800), *range(0xF900, 0x10000)))
    return tuple(each for each in characters if unicodedata.category(each) not in ("Cn", "Co"))


@cache
def _by_name() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the letters and marks of each script in wide use, as the first word of their names tells it."""
    found: dict[str, set[str]] = {script.upper(): set() for script in SCRIPTS}
    for each in _assigned():
        first = unicodedata.name(each, "").partition(" ")[0]
        if first in found and unicodedata.category(each)[0] in "LM":
            found[first].add(each)
    return tuple((script, frozenset(found[script.upper()])) for script in SCRIPTS)
