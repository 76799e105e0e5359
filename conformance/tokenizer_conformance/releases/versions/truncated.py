"""Each tokenizer with truncation as well: releases that agree on whole texts may cut them otherwise.

A copy of the tokenizer.json that truncates is a tokenizer of its own, called as the other one with :data:`MARK` after
it. It is asked about texts and pairs as they stand, since other questions show no more of truncation.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encode
from tokenizer_conformance.inputs.tokenizer_files import PARSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

MARK = " (truncated)"

TRUNCATION: dict[str, Any] = {"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 2}
"""Short, so that most texts are cut, with room for the special tokens of any pair."""

SHORTEST, LONGEST = 16, 20_000
"""Texts of so many code points are asked about; most shorter ones are not cut."""

LARGEST_PAIR = 400
"""Each part of one text comes with each part of the other: how large the product of their lengths may be."""


def truncated_files(tokenizers: Iterable[TokenizerFile], folder: Path) -> Iterator[TokenizerFile]:
    """Yield a copy with truncation of each of ``tokenizers``, which is kept in ``folder``. Raises ``OSError``.

    There is none of a file that is too large to be parsed, or that cannot be any more.
    """
    for each in tokenizers:
        try:
            document = json.loads(Path(each.source.file).read_text("utf-8")) if each.size <= PARSED else None
        except ValueError:
            continue
        if isinstance(document, dict):
            text = json.dumps({**document, "truncation": TRUNCATION})
            digest = hashlib.sha256(text.encode("ascii")).hexdigest()
            path = folder / f"truncated-{digest[:16]}.json"
            _keep(path, text)
            source = replace(each.source, name=f"{each.source.name}{MARK}", file=str(path))
            yield replace(each, source=source, sha256=digest, size=len(text))


def original(copy: TokenizerFile) -> str:
    """Return the name of the tokenizer of which there is a ``copy``."""
    return copy.source.name.removesuffix(MARK)


def _keep(path: Path, text: str) -> None:
    """Have the file there, whole: another process may write it, too."""
    if path.is_file() and path.stat().st_size == len(text):
        return
    partial = path.with_suffix(".partial")
    partial.write_text(text, "ascii")
    partial.replace(path)


def shows_truncation(question: Observation) -> bool:
    """Return whether a snapshot has the answer to ``question`` of a copy that truncates.

    >>> [shows_truncation(Encode(*sides)) for sides in (("a " * 20,), ("a",), ("a", "b" * 20), ("a", "b" * 2000))]
    [True, False, True, False]
    """
    if not isinstance(question, Encode) or not question.add_special_tokens:
        return False
    return may_show_truncation(question) and len(question.text) + len(question.pair or "") >= SHORTEST


def may_show_truncation(question: Observation) -> bool:
    """Return whether ``question`` may be put to a copy that truncates: what is made smaller is short, too."""
    match question:
        case Encode(str(text), None):
            return len(text) <= LONGEST
        case Encode(str(text), str(pair)):
            return len(text) * len(pair) <= LARGEST_PAIR
    return False
