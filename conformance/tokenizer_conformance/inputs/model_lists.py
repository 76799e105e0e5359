"""Lists of tokenizers: a file of names and paths, or a cache of the hub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.hub import BESIDE
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME

if TYPE_CHECKING:
    from pathlib import Path

IN_CACHE = "models--"
"""How the folder of a model begins in a cache of the hub."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A tokenizer of a list: its ``name``, and the ``word`` that locates it."""

    name: str
    word: str


@dataclass(frozen=True, slots=True)
class ModelList:
    """The tokenizers of a list; ``left_out`` are models of a cache that have no tokenizer.json there."""

    models: tuple[Listed, ...]
    left_out: tuple[str, ...] = ()


def read_models(argument: str) -> ModelList:
    """Return the tokenizers that the file or the cache of the hub at ``argument`` lists.

    A file has a name or a path a line; empty lines and what follows ``#`` count for nothing. A path is taken from the
    folder where the command runs. Raises :class:`BadInputError`.
    """
    path = expanded(argument)
    if path.is_dir():
        return _in_cache(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadInputError(f"list of models {argument!r}: {reason}") from error
    words = [line.partition("#")[0].strip() for line in text.splitlines()]
    models = tuple(Listed(word, word) for word in dict.fromkeys(words) if word)
    if not models:
        raise BadInputError(f"list of models {argument!r} is empty: write a name or a path a line")
    return ModelList(models)


def _in_cache(folder: Path) -> ModelList:
    inner = folder / "hub"
    folders = sorted((inner if inner.is_dir() else folder).glob(f"{IN_CACHE}*"))
    if not folders:
        raise BadInputError(
            f"list of models {str(folder)!r}: no cache of the hub, which has folders {IN_CACHE}OWNER--NAME"
        )
    models, left_out = [], []
    for each in folders:
        name = each.name.removeprefix(IN_CACHE).replace("--", "/", 1)
        snapshot = _newest(each)
        if snapshot is not None and (snapshot / FILE_NAME).is_file():
            models.append(Listed(name, str(snapshot)))
        elif snapshot is not None and any((snapshot / file).exists() for file in BESIDE if file != "config.json"):
            left_out.append(name)
    if not models:
        raise BadInputError(f"list of models {str(folder)!r}: no model in this cache has a {FILE_NAME}")
    return ModelList(tuple(models), tuple(left_out))


def _newest(folder: Path) -> Path | None:
    """Return the snapshot of the model in ``folder`` to which its branch ``main`` leads, else the newest."""
    main = folder / "refs" / "main"
    if main.is_file():
        named = folder / "snapshots" / main.read_text("utf-8").strip()
        if named.is_dir():
            return named
    snapshots = [each for each in (folder / "snapshots").glob("*") if each.is_dir()]
    return max(snapshots, key=lambda each: each.stat().st_mtime, default=None)
