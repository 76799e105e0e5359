"""The files that a command is given: texts, and tokenizers made by a declared edit of a bundled one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from reported.table import Given


def write(given: Given, folder: Path) -> None:
    """Write ``given`` into ``folder``."""
    file = folder / given.name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content(given), encoding="utf-8", newline="\n")


def content(given: Given) -> str:
    """Return what is in the file."""
    if given.text is not None:
        return given.text
    return FORMS[given.form](given.json if given.source is None else edited(given))


def _tokenizer_json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _vocab_txt(document: Any) -> str:
    vocabulary: dict[str, int] = document["model"]["vocab"]
    return "".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.__getitem__))


FORMS: dict[str, Callable[[Any], str]] = {"tokenizer.json": _tokenizer_json, "vocab.txt": _vocab_txt}
"""The forms in which a tokenizer is written."""


def edited(given: Given) -> Any:
    """Return the bundled tokenizer's document with the edits."""
    document = json.loads(Path(find_tokenizer(str(given.source)).file).read_text("utf-8"))
    for path, value in (given.replace or {}).items():
        parent, name = parent_of(document, path)
        parent[name] = value
    for path, members in (given.append or {}).items():
        parent, name = parent_of(document, path)
        parent[name] = joined(parent[name], members)
    if given.older:
        document["model"]["merges"] = [" ".join(merge) for merge in document["model"]["merges"]]
    return document


def parent_of(document: Any, path: str) -> tuple[Any, str]:
    """Return the object that has the member at the dotted ``path``, and the member's name.

    >>> parent_of({"model": {"merges": ["a b"]}}, "model.merges")
    ({'merges': ['a b']}, 'merges')
    """
    *parents, name = path.split(".")
    for parent in parents:
        document = document[parent]
    return document, name


def joined(present: Any, more: Any) -> Any:
    """Return ``present``, an object or a list, with the members of ``more`` after its own.

    >>> joined({"a": 0}, {"b": 1}), joined([1], [2])
    ({'a': 0, 'b': 1}, [1, 2])
    """
    return {**present, **more} if isinstance(present, dict) else [*present, *more]
