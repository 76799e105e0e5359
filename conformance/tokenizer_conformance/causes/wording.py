"""Causes in words, for terminals and Markdown. All text that comes from tokenizers and inputs is escaped here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.comparison.wording import describe, error_in_words, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.cause import Cause, ExplainedBy
    from tokenizer_conformance.comparison.reduction import Json

MOST_PROOFS = 2
"""How many sentences of a proof are shown."""

NEW = "new: no known change explains it"
"""What is said of a difference between releases that none of the known changes explains."""

LONGEST_CLASS = 160
"""How many characters of the words for a culprit are shown."""


def causes_title(causes: Sequence[Cause], uncounted: int = 0) -> str:
    """Return how many causes there are, and how many differences have a proven reason."""
    differences = sum(cause.differences for cause in causes) + uncounted
    proven = sum(cause.differences for cause in causes if cause.reason.is_proven)
    share = 100 * proven // differences if differences else 0
    title = (
        f"{counted(len(causes), 'cause')} of {counted(differences, 'difference')}, "
        f"{proven:,} of them ({share} %) with a proven reason"
    )
    return f"{title}; {uncounted:,} not analysed" if uncounted else title


def cause_headline(cause: Cause) -> str:
    """Return what a cause is about, on one line."""
    signature = cause.signature
    where = f"{signature.manner.stage}, {one_line(signature.component, LONGEST_CLASS)}"
    return (
        f"{one_line(cause.implementation)} at {where}: {what_differs(cause)} "
        f"({counted(cause.inputs, 'input')} of {_tokenizers(cause)}): {reason_in_words(cause)}"
    )


def what_differs(cause: Cause) -> str:
    """Return which field differs, or how, for which characters or tokens, and in what question."""
    signature = cause.signature
    characters = one_line(signature.characters, LONGEST_CLASS)
    field = signature.manner.field
    error = error_in_words(cause.shown.difference)
    how = f"{field} {_differs(field)}" if field else signature.manner.kind.value + (f" ({error})" if error else "")
    return f"{how} for {characters} in {one_line(signature.context, LONGEST_CLASS)}"


def _differs(field: str) -> str:
    """Return the verb for a field: most are of many values.

    >>> [_differs(field) for field in ("ids", "text", "attention_mask")]
    ['differ', 'differs', 'differs']
    """
    return "differ" if field.endswith("s") else "differs"


def _tokenizers(cause: Cause) -> str:
    names = [one_line(name) for name, count in Counter(dict(cause.tokenizers)).most_common()]
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])} and {len(names) - 3} more"


def reason_in_words(cause: Cause) -> str:
    """Return the class of the reason, and what of it; where no class has it, the known change that explains it."""
    reason = cause.reason
    if reason.name == UNEXPLAINED:
        undecided = f": {one_line(reason.parameter, 2 * LONGEST_CLASS)}" if reason.parameter else ""
        return explained_in_short(cause.explained_by) if cause.explained_by else f"{UNEXPLAINED}{undecided}"
    return ", ".join(one_line(each, LONGEST_CLASS) for each in (reason.name, reason.parameter) if each)


def titled(what: str, cause: Cause) -> str:
    """Return ``what`` is told of a ``cause``, with its reason where there is one: that there is none is no title."""
    is_told = cause.reason.name != UNEXPLAINED or cause.explained_by
    return f"{what}: {reason_in_words(cause)}" if is_told else what


def cause_lines(cause: Cause, baseline: str) -> list[str]:
    """Return what was asked, both answers where they part, and the proof."""
    witness = cause.shown
    return [
        *earlier_lines(cause.earlier),
        *subject_lines(witness.question, None),
        *window(witness.difference, one_line(baseline), one_line(cause.implementation)),
        *changed_file_lines(witness.document),
        *(f"proof: {one_line(sentence, 400)}" for sentence in cause.reason.proof[:MOST_PROOFS]),
        *explained_lines(cause.explained_by),
    ]


def earlier_lines(earlier: Sequence[Observation]) -> list[str]:
    """Return which questions have to be asked first, one after the other; nothing where there are none."""
    return [
        f"first {describe(each)}: {', '.join(' '.join(line.split(None, 1)) for line in subject_lines(each))}"
        for each in earlier
    ]


def changed_file_lines(document: Json | None) -> tuple[str, ...]:
    """Say that a question is asked of a tokenizer.json made smaller, whose ids are other ones; nothing for the file."""
    words = "of a tokenizer.json made smaller, with ids of its own: it is in the record (--json)"
    return () if document is None else (words,)


def explained_in_short(explained_by: Sequence[ExplainedBy] | None) -> str:
    """Name the known changes that explain a difference between releases; nothing where nobody looked."""
    if explained_by is None:
        return ""
    names = ", ".join(one_line(each.id) for each in explained_by)
    return f"explained by {names}" if names else NEW


def explained_lines(explained_by: Sequence[ExplainedBy] | None) -> list[str]:
    """Say which known changes explain a difference between releases, or that none does; nothing where nobody looked."""
    if explained_by is None:
        return []
    if not explained_by:
        return [NEW]
    return [f"explained by {one_line(each.id)}, {one_line(each.when)}: {one_line(each.title)}" for each in explained_by]
