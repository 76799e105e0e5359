"""What changed in how a tokenizer is loaded: refusals, the saved tokenizer.json, the vocabulary."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.vocabularies import ABSENT
from tokenizer_conformance.ledger.entry import LOAD, SAVE, VOCABULARY
from tokenizer_conformance.releases.snapshot_file.saved_document import DEEPEST
from tokenizer_conformance.validation.running.wording import load_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer

SHOWN = "shown"
NOT_SHOWN = "not shown any more"
NOT_TOLD = "changed as well, and not told one by one"
PARTS = ("load", "vocabulary", "save")
"""What is compared of how a tokenizer is loaded, in the words of ledgers."""

MOST_CHANGES = 50
"""How many changes of one saved document are told; of further ones only how many there are."""


@dataclass(frozen=True, slots=True)
class LoadingChange:
    """A change in how ``tokenizer`` is loaded.

    ``what`` is ``load``, ``save`` or ``vocabulary``, the words of ledgers; ``path`` is where in the saved document it
    lies, as JSON has it (empty for the others). ``old`` and ``new`` are what stands there, as JSON or in words.
    """

    tokenizer: str
    what: str
    path: str
    old: str
    new: str


def loading_changes(
    old: LoadedTokenizer, new: LoadedTokenizer, *, is_same_implementation: bool
) -> Iterator[LoadingChange]:
    """Yield what changed from ``old`` to ``new``, of one tokenizer.

    What a side does not show is no change, as not all implementations show the same. But it is one where the new side
    ``is_same_implementation`` as the old one, which did show it: saving may raise an error now.
    """
    before, after = _load_words(old), _load_words(new)
    if before != after:
        yield LoadingChange(old.name, LOAD, "", before, after)
    if old.error is not None or new.error is not None:
        return
    if old.vocabulary is not None and new.vocabulary is not None:
        if old.vocabulary != new.vocabulary:
            yield LoadingChange(old.name, VOCABULARY, "", _tokens(old.vocabulary), _tokens(new.vocabulary))
    elif old.vocabulary is not None and is_same_implementation:
        yield LoadingChange(old.name, VOCABULARY, "", _tokens(old.vocabulary), NOT_SHOWN)
    if old.saved is not None and new.saved is not None:
        changes = list(document_changes(old.saved, new.saved))
        for path, before, after in changes[:MOST_CHANGES]:
            yield LoadingChange(old.name, SAVE, path, before, after)
        if len(changes) > MOST_CHANGES:
            yield LoadingChange(old.name, SAVE, "", f"{len(changes) - MOST_CHANGES:,} more places", NOT_TOLD)
    elif old.saved is not None and is_same_implementation:
        yield LoadingChange(old.name, SAVE, "", SHOWN, NOT_SHOWN)


def parts_left_out(old: LoadedTokenizer, new: LoadedTokenizer) -> dict[str, str]:
    """Return why parts of how a tokenizer is loaded are not compared, by the part."""
    if old.error is not None or new.error is not None:
        both = old.error is not None and new.error is not None
        why = "not loaded by both sides"
        left_out = {"vocabulary": why, "save": why}
        return left_out | ({"load": f"both sides refuse it: {load_reason(new.error or '', new.name)}"} if both else {})
    shown = {"vocabulary": (old.vocabulary, new.vocabulary), "save": (old.saved, new.saved)}
    return {part: "not shown by both sides" for part, sides in shown.items() if None in sides}


def _load_words(loaded: LoadedTokenizer) -> str:
    """Return the words of a refusal, without who refuses and where the file lies: that depends on the machine."""
    return "loads" if loaded.error is None else f"refuses: {load_reason(loaded.error, loaded.name)}"


def _tokens(vocabulary: tuple[int, str]) -> str:
    return f"{vocabulary[0]:,} tokens (SHA-256 of all with their ids {vocabulary[1][:12]}…)"


def document_changes(old: Any, new: Any, path: str = "$", depth: int = DEEPEST) -> Iterator[tuple[str, str, str]]:
    """Yield where two JSON values differ: the path, and both sides there as JSON.

    The order of keys counts for nothing; that of lists does. What is deeper than ``depth`` levels is compared whole.

    >>> list(document_changes({"a": 1, "b": [1, 2]}, {"b": [1, 3], "a": 1}))
    [('$.b[1]', '2', '3')]
    """
    if depth and isinstance(old, dict) and isinstance(new, dict):
        for key in (*old, *(key for key in new if key not in old)):
            inner = f"{path}.{key}" if key.isidentifier() else f"{path}[{json.dumps(key)}]"
            if key not in old or key not in new:
                yield inner, _json(old, key), _json(new, key)
            else:
                yield from document_changes(old[key], new[key], inner, depth - 1)
    elif depth and isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from document_changes(one, other, f"{path}[{number}]", depth - 1)
    elif old != new or type(old) is not type(new):
        yield path, json.dumps(old, ensure_ascii=True), json.dumps(new, ensure_ascii=True)


def _json(document: dict[str, Any], key: str) -> str:
    return json.dumps(document[key], ensure_ascii=True) if key in document else ABSENT
