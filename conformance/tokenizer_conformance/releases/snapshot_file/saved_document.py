"""What a tokenizer is saved as, cut down to what people compare: large parts stand as their digests."""

from __future__ import annotations

import json
import math
from typing import Any

from tokenizer_conformance.comparison.vocabularies import digest

LONGEST_LIST = 50
"""Lists and objects of more entries stand as their digest, with the number of entries. The order of keys counts for
nothing: the digest is that of an object with its keys sorted."""

LONGEST_TEXT = 200
"""Texts of more characters stand as their digest, with the number of characters: maps of characters, mostly."""

DEEPEST = 100
"""What has more levels than that stands as its digest."""

ALWAYS_WHOLE = ("added_tokens",)

MERGES = "merges"
"""The member with merges. Each is written as two strings, or as one with a space between its parts: which of these is
the ``form``. The digest is that of the pairs, so that one list of merges has one digest."""

PAIRS, STRINGS = "pairs", "strings"


def cut_down(document: str) -> Any:
    """Return the JSON ``document`` with large parts by their digests.

    Of what is no JSON, or nested too deeply, there is the digest alone.

    >>> cut_down('{"model": {"type": "BPE", "merges": []}, "added_tokens": []}')
    {'model': {'type': 'BPE', 'merges': []}, 'added_tokens': []}
    """
    try:
        return _cut(json.loads(document, parse_constant=_refused), "", DEEPEST)
    except (ValueError, RecursionError):
        return {"characters": len(document), "sha256": digest(document)}


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _cut(value: Any, name: str, depth: int) -> Any:
    if depth == 0 or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError("no document of a tokenizer is like this")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return {"characters": len(value), "sha256": digest(value)}
    if isinstance(value, dict | list) and len(value) > LONGEST_LIST and name not in ALWAYS_WHOLE:
        form, told = _merges(value) if name == MERGES else (None, value)
        entries = {"entries": len(value), "sha256": digest(json.dumps(told, ensure_ascii=True, sort_keys=True))}
        return entries if form is None else {**entries, "form": form}
    if isinstance(value, dict):
        return {key: _cut(each, key, depth - 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_cut(each, "", depth - 1) for each in value]
    return value


def _merges(merges: Any) -> tuple[str | None, Any]:
    """Return the form of ``merges``, with these as pairs; no form, and what is there, of what is no list of merges."""
    if not isinstance(merges, list):
        return None, merges
    if all(isinstance(merge, list) and len(merge) == 2 for merge in merges):
        return PAIRS, merges
    if all(isinstance(merge, str) and merge.count(" ") == 1 for merge in merges):
        return STRINGS, [merge.split(" ") for merge in merges]
    return None, merges
