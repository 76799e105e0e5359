"""Comparing the vocabularies that two implementations show, entry by entry: a token, and its id."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ABSENT = "not there"
"""What is said of the side that does not have an entry."""

MOST_ENTRIES = 100
"""So many entries that differ are told one by one, and named in ledgers; of more, all have one name together."""


class OtherEntry(NamedTuple):
    """A ``token`` of which the two sides have another id; a side that does not have the token has ``None``."""

    token: str
    baseline: int | None
    implementation: int | None

    @property
    def name(self) -> str:
        r"""What a ledger calls it, in ASCII.

        >>> print(OtherEntry("é", 5, 7).name, OtherEntry("b", 5, None).name, sep="; ")
        "\u00e9": 5 -> 7; "b": 5 -> not there
        """
        return f"{json.dumps(self.token)}: {_id(self.baseline)} -> {_id(self.implementation)}"

    @property
    def words(self) -> str:
        r"""The same for people: only what is not plainly visible is escaped.

        >>> print(OtherEntry("é\n", 5, 7).words)
        "é\n": 5 -> 7
        """
        return f'"{escape(self.token)}": {_id(self.baseline)} -> {_id(self.implementation)}'


def _id(number: int | None) -> str:
    return ABSENT if number is None else str(number)


def other_entries(baseline: Mapping[str, int], implementation: Mapping[str, int]) -> list[OtherEntry]:
    """Return the entries that differ, by the ids that they have.

    >>> [each.name for each in other_entries({"a": 0, "b": 1, "c": 2}, {"a": 0, "b": 3, "d": 2})]
    ['"b": 1 -> 3', '"c": 2 -> not there', '"d": not there -> 2']
    """
    if baseline == implementation:
        return []
    tokens = [token for token, number in baseline.items() if implementation.get(token) != number]
    tokens += [token for token in implementation if token not in baseline]
    found = [OtherEntry(token, baseline.get(token), implementation.get(token)) for token in tokens]
    return sorted(found, key=_order)


def _order(entry: OtherEntry) -> tuple[int, bool, str]:
    number = entry.implementation if entry.baseline is None else entry.baseline
    return number or 0, entry.baseline is None, entry.token


def name_of_all(entries: Sequence[OtherEntry]) -> str:
    """Return what a ledger calls just these ``entries`` together, where they are too many to be named one by one."""
    return f"{len(entries):,} entries, SHA-256 {digest(json.dumps(entries, ensure_ascii=True))}"


def why_no_vocabulary(shown: Any) -> str:
    """Say why what an implementation has ``shown`` is no vocabulary; nothing where it is one."""
    if not isinstance(shown, dict):
        return f"it answers with {type(shown).__name__}, and not with tokens and their ids"
    if {*map(type, shown)} <= {str} and {*map(type, shown.values())} <= {int}:
        return ""
    wrong = next(each for each in shown.items() if (type(each[0]), type(each[1])) != (str, int))
    return f"{wrong[0]!r} has {wrong[1]!r} for an id"


def vocabulary_digest(vocabulary: Mapping[str, int]) -> tuple[int, str]:
    """Return the number of tokens, and the digest of all tokens with their ids."""
    ordered = sorted(vocabulary.items(), key=lambda entry: (entry[1], entry[0]))
    return len(vocabulary), digest(json.dumps(ordered, ensure_ascii=True))


def digest(text: str) -> str:
    """Return the SHA-256 of ``text`` in UTF-8; lone surrogates count as what they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
