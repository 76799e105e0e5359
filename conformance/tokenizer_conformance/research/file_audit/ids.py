"""Ids: each token has one of its own, in a range without holes, and added tokens have those that the file says."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import VOCABULARY, is_id, is_piece
from tokenizer_conformance.research.file_audit.finding import (
    Defect,
    Example,
    FoundDefect,
    Severity,
    Witness,
    gathered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile


ID_LIMIT = 2**32
"""Ids are unsigned numbers of 32 bits."""

MOST_RANGES = 5
"""How many ranges of missing ids a message names."""

OUT_OF_RANGE = Defect(
    "id-out-of-range",
    "An id is no unsigned number of 32 bits",
    Severity.ERROR,
    "Ids run from 0 to 4294967295; a file with another one is refused.",
    "Give the token the id that the model was trained with.",
)
DUPLICATE_ID = Defect(
    "duplicate-id",
    "Two tokens have one id",
    Severity.ERROR,
    "Both become the same id, so the model cannot tell them apart, and the id decodes to one of them.",
    "Give one of them an id of its own, as the model was trained.",
)
DUPLICATE_PIECE = Defect(
    "duplicate-piece",
    "A piece of a Unigram is there twice",
    Severity.WARNING,
    "The later one is found, with its own id and score: no text becomes the id of the earlier one.",
    "Leave the earlier entry in place, for its id, under a name that marks it as unused.",
)
GAP = Defect(
    "id-gap",
    "Ids are missing in between",
    Severity.WARNING,
    "The number of tokens is not the highest id plus one: an embedding with a row for each token is too small, and "
    "added tokens are numbered from that number on, so that they may take ids that are in use.",
    "Fill the gaps with tokens that are marked as unused, or size embeddings by the highest id.",
)
ADDED_TOKEN_ID = Defect(
    "added-token-id",
    "An added token has another id than the file says",
    Severity.ERROR,
    "The id of an added token is read and ignored: a token of the vocabulary has its id there, and all others are "
    "numbered after it in the order of the list.",
    "Write the id that the token has, or put the token into the vocabulary under the id that is meant.",
)
DUPLICATE_ADDED_TOKEN = Defect(
    "duplicate-added-token",
    "An added token is there twice",
    Severity.WARNING,
    "One content has one id and one set of options: of two entries, one is ignored.",
    "Leave one of them out.",
)

DEFECTS = (OUT_OF_RANGE, DUPLICATE_ID, DUPLICATE_PIECE, GAP, ADDED_TOKEN_ID, DUPLICATE_ADDED_TOKEN)


def check_ids(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with ids."""
    vocabulary = audited.parts.model.get("vocab")
    if isinstance(vocabulary, dict):
        yield from _ranges(vocabulary)
        yield from _duplicates(audited)
    elif isinstance(vocabulary, list):
        yield from _pieces(vocabulary)
    yield from _added_tokens(audited)
    yield from _gaps(audited)


def _ranges(vocabulary: Mapping[str, object]) -> Iterator[FoundDefect]:
    for token, number in vocabulary.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < ID_LIMIT:
            message = f"{quoted(token)} has the id {str(number)[:40]}, which is none"
            yield FoundDefect(OUT_OF_RANGE, (*VOCABULARY, token), message)


def _duplicates(audited: AuditedFile) -> Iterator[FoundDefect]:
    tokens: dict[int, list[str]] = defaultdict(list)
    for token, number in audited.token_ids.items():
        tokens[number].append(token)
    for number, sharing in tokens.items():
        for token in sharing[1:]:
            yield FoundDefect(
                DUPLICATE_ID,
                (*VOCABULARY, token),
                f"{quoted(token)} has the id {number}, as {quoted(sharing[0])} has",
                witness=_decoded(audited, number),
            )


def _decoded(audited: AuditedFile, number: int) -> Witness | None:
    text = audited.decoded((number,)) if 0 <= number < ID_LIMIT else None
    return None if text is None else Witness(f"the id {number} decodes to {quoted(text)}", ids=(number,))


def _pieces(vocabulary: list[object]) -> Iterator[FoundDefect]:
    places: dict[str, int] = {}
    repeated = []
    for index, entry in enumerate(vocabulary):
        if not isinstance(entry, list) or not is_piece(entry):
            continue
        piece = entry[0]
        if piece in places:
            message = (
                f"{quoted(piece)} is the piece of the ids {places[piece]} and {index}: no text becomes {places[piece]}"
            )
            repeated.append(Example((*VOCABULARY, index), message))
        places[piece] = index
    yield from gathered(
        DUPLICATE_PIECE, VOCABULARY, repeated, f"{counted(len(repeated), 'piece')} are there a second time"
    )


def _gaps(audited: AuditedFile) -> Iterator[FoundDefect]:
    pieces = audited.parts.model.get("vocab")
    places = range(len(pieces) if isinstance(pieces, list) else 0)  # a piece that is there twice has two ids
    numbers = sorted({*places, *(number for number in audited.vocabulary.values() if 0 <= number < ID_LIMIT)})
    ranges = [(before + 1, after - 1) for before, after in pairwise([-1, *numbers]) if after - before > 1]
    if not ranges:
        return
    missing = sum(last - first + 1 for first, last in ranges)
    shown = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges[:MOST_RANGES])
    more = f" and {counted(len(ranges) - MOST_RANGES, 'further range')}" if len(ranges) > MOST_RANGES else ""
    is_one = missing == 1
    yield FoundDefect(
        GAP,
        VOCABULARY,
        f"no token has the {'id' if is_one else 'ids'} {shown}{more}; the highest id is {numbers[-1]}, and there are "
        f"{len(numbers):,} ids",
        count=missing,
    )


def _added_tokens(audited: AuditedFile) -> Iterator[FoundDefect]:
    rows = audited.document.get("added_tokens")
    seen: dict[str, int] = {}
    taken = {number: token for token, number in audited.token_ids.items()}
    moved = []
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if not isinstance(row, dict) or not isinstance(content := row.get("content"), str):
            continue
        path: Path = ("added_tokens", index)
        if content in seen:
            message = f"{quoted(content)} is also added token {seen[content]}"
            yield FoundDefect(DUPLICATE_ADDED_TOKEN, path, message, witness=_encoded(audited, content))
            continue
        seen[content] = index
        said, given = row.get("id"), audited.vocabulary.get(content)
        if is_id(said) and given is not None and said != given:
            remedy = f"Write {given} at {path_text((*path, 'id'))}, or give the token the id {said} in $.model.vocab."
            why = _other_id(audited, content, said, given)
            moved.append(Example((*path, "id"), why, _encoded(audited, content), remedy))
        owner = None if given is None else taken.get(given)
        if given is not None and owner is not None and owner != content:
            message = f"the added token {quoted(content)} gets the id {given}, which {quoted(owner)} has"
            yield FoundDefect(DUPLICATE_ID, path, message, witness=_decoded(audited, given))
    message = f"{counted(len(moved), 'added token')} have other ids than the file says"
    yield from gathered(ADDED_TOKEN_ID, ("added_tokens",), moved, message)


def _encoded(audited: AuditedFile, text: str) -> Witness | None:
    answer = audited.unlimited.encoded(text) if is_text(text) else None
    return None if answer is None else Witness(f"{quoted(text)} becomes {list(answer.ids)}", text)


def _other_id(audited: AuditedFile, content: str, said: int, given: int) -> str:
    why = "as in the vocabulary" if content in audited.token_ids else "numbered after the vocabulary"
    owner = next((token for token, number in audited.token_ids.items() if number == said and token != content), None)
    of_another = "" if owner is None else f"; {said} is that of {quoted(owner)}"
    return f"the file says that {quoted(content)} has the id {said}, and it has {given}, {why}{of_another}"
