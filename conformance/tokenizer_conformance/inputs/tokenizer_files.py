"""The tokenizers that a run is given: bundled names, ``tokenizer.json`` files, and folders that hold one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE_NAME = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A tokenizer to run: its source, and the SHA-256 of its file."""

    source: TokenizerSource
    sha256: str


def find_tokenizer(argument: str) -> TokenizerSource:
    """Return the tokenizer that ``argument`` names; files and folders go before bundled names.

    Raises :class:`BadInputError`.
    """
    path = Path(argument)
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():
            return TokenizerSource(_file_name(path), str(path), _checkpoint(path))
    except OSError as error:
        raise BadInputError(f"tokenizer {argument!r}: {error.strerror or error}") from error
    if argument in bundled_names():
        return TokenizerSource(argument, str(bundled_file(argument)))
    raise BadInputError(_not_found(argument, path))


def _in_folder(folder: Path) -> TokenizerSource:
    file = folder / FILE_NAME
    if not file.exists():
        raise BadInputError(f"folder {str(folder)!r} holds no {FILE_NAME}")
    return TokenizerSource(folder.resolve().name, str(file), str(folder))


def _file_name(file: Path) -> str:
    """Return the display name of ``file``: that of its folder, where its own name says nothing."""
    return file.resolve().parent.name if file.name == FILE_NAME else file.name.removesuffix(".json")


def _checkpoint(file: Path) -> str | None:
    """Return the folder of ``file`` where it is the tokenizer of a whole checkpoint."""
    return str(file.parent) if file.name == FILE_NAME else None


def _not_found(argument: str, path: Path) -> str:
    known = ", ".join(bundled_names())
    if path.suffix == ".json" or len(path.parts) > 2 or path.is_absolute() or argument.startswith("."):
        return f"tokenizer {argument!r}: no such file or folder"
    return (
        f"tokenizer {argument!r}: neither a file, a folder nor a bundled tokenizer ({known}); names of the hub are not "
        "supported yet: download the tokenizer and give its folder"
    )


def read_tokenizer(source: TokenizerSource) -> TokenizerFile:
    """Return ``source`` with its digest, once its file is known to be readable JSON that describes a tokenizer.

    Raises :class:`BadInputError`, with the place in the file where there is one.
    """
    content = _content(source.file)
    _check_kind(source.file, _parsed(source.file, content))
    return TokenizerFile(source, hashlib.sha256(content).hexdigest())


def _content(file: str) -> bytes:
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise BadInputError(f"tokenizer file {file!r}: {error.strerror or error}") from error
    if not content:
        raise BadInputError(f"tokenizer file {file!r} is empty")
    return content


def _parsed(file: str, content: bytes) -> object:
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"tokenizer file {file!r} is not UTF-8: byte 0x{content[error.start]:02X} at offset {error.start}",
        ) from error
    except json.JSONDecodeError as error:
        raise BadInputError(
            f"tokenizer file {file!r} is not JSON: {error.msg} at line {error.lineno} column {error.colno}",
        ) from error
    except RecursionError as error:
        raise BadInputError(f"tokenizer file {file!r} is nested too deeply to be read") from error
    except ValueError as error:  # a number of thousands of digits
        raise BadInputError(f"tokenizer file {file!r} cannot be read as JSON: {error}") from error


def _check_kind(file: str, parsed: object) -> None:
    if not isinstance(parsed, dict):
        raise BadInputError(f"tokenizer file {file!r} is JSON but no tokenizer: an object is expected at the top")
    if not isinstance(parsed.get("model"), dict):
        raise BadInputError(
            f'tokenizer file {file!r} is JSON but no tokenizer: it has no "model" object{_likely_kind(parsed)}',
        )


def _likely_kind(parsed: Mapping[str, object]) -> str:
    """Say which other file of a checkpoint ``parsed`` looks like, where it does."""
    if "tokenizer_class" in parsed:
        return f" (it looks like tokenizer_config.json; give the {FILE_NAME} beside it)"
    if parsed and all(isinstance(value, int) for value in parsed.values()):
        return f" (it looks like vocab.json; give the {FILE_NAME} beside it)"
    return ""


def with_unique_names(sources: Iterable[TokenizerSource]) -> list[TokenizerSource]:
    """Return ``sources`` without repetitions; where names collide, the files' paths stand in their place."""
    unique = {source.file: source for source in sources}
    names = Counter(source.name for source in unique.values())
    return [
        source if names[source.name] == 1 else TokenizerSource(source.file, source.file, source.folder)
        for source in unique.values()
    ]
