"""Merges of a BPE: each has two parts and a result in the vocabulary, and is there once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Defect, Example, Severity, gathered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Finding

MERGES: Path = ("model", "merges")

MALFORMED = Defect(
    "merge-malformed",
    "A merge is no pair of tokens",
    Severity.ERROR,
    "A merge is an array of two tokens, or in older files a text with one space between them; a file with another one "
    "is refused.",
    "Write the two tokens as an array, which may have spaces in them.",
)
PART_MISSING = Defect(
    "merge-part-missing",
    "A part of a merge is not in the vocabulary",
    Severity.ERROR,
    "What is merged are tokens with ids; a file with a merge of other things is refused.",
    "Put the part into the vocabulary, or leave the merge out.",
)
RESULT_MISSING = Defect(
    "merge-result-missing",
    "The result of a merge is not in the vocabulary",
    Severity.ERROR,
    "A merge makes a token with an id; a file with a merge that makes something else is refused.",
    "Put the result into the vocabulary, or leave the merge out.",
)
DUPLICATE = Defect(
    "duplicate-merge",
    "A merge is there twice",
    Severity.WARNING,
    "The later one counts: the merge is done with the later, lower priority, and the earlier entry does nothing.",
    "If the file is right as it behaves, leave the earlier entry out (--fix-to does); if the earlier one is meant, the "
    "later.",
)

DEFECTS = (MALFORMED, PART_MISSING, RESULT_MISSING, DUPLICATE)


def parts_of_merge(row: object) -> tuple[str, str] | None:
    """Return the two parts of a merge, which is an array or a text; ``None`` where it is none.

    >>> parts_of_merge("a b"), parts_of_merge(["a ", "b"]), parts_of_merge("a b c")
    (('a', 'b'), ('a ', 'b'), None)
    """
    parts = row.split(" ") if isinstance(row, str) else row
    if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):
        return None
    return parts[0], parts[1]


def check_merges(audited: AuditedFile) -> Iterator[Finding]:
    """Yield what is wrong with single merges."""
    rows = audited.parts.model.get("merges")
    if not isinstance(rows, list):
        return
    prefix = audited.parts.text_option("continuing_subword_prefix")
    tokens = audited.token_ids
    malformed, without_part, without_result, repeated = [], [], [], []
    seen: dict[tuple[str, str], int] = {}
    for rank, row in enumerate(rows):
        path: Path = (*MERGES, rank)
        merge = parts_of_merge(row)
        if merge is None:
            malformed.append(Example(path, f"{str(row)[:80]} is no merge"))
            continue
        named = f"the merge of {quoted(merge[0])} and {quoted(merge[1])}"
        absent = [part for part in dict.fromkeys(merge) if part not in tokens]
        result = merge[0] + merge[1].removeprefix(prefix)
        if absent:
            without_part.append(Example(path, f"{named}: {' and '.join(map(quoted, absent))} not in the vocabulary"))
        elif result not in tokens:
            without_result.append(Example(path, f"{named}: {quoted(result)} is not in the vocabulary"))
        if merge in seen:
            earlier = seen[merge]
            message = f"{named} has the ranks {earlier} and {rank}; it is done with rank {rank}"
            repeated.append(Example(path, message))
        seen[merge] = rank
    for defect, found in (
        (MALFORMED, malformed),
        (PART_MISSING, without_part),
        (RESULT_MISSING, without_result),
        (DUPLICATE, repeated),
    ):
        yield from gathered(defect, MERGES, found, f"{counted(len(found), 'merge')}: {defect.title.lower()}")
