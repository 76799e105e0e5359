"""The tokenizers that a run is given: bundled names, ``tokenizer.json`` files, folders with one, names of the hub."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.hub import BESIDE, PREFIX, HubSnapshot, UnknownRepositoryError, fetch, hub_name
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.paths import expanded, irregularity, why_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE_NAME = "tokenizer.json"

FILE_SUFFIXES = frozenset(
    {".bin", ".gguf", ".gz", ".json", ".jsonl", ".model", ".py", ".safetensors", ".spm", ".tiktoken", ".txt", ".zip"}
)
"""What ends in one of these is meant to be a file, and no name of the hub."""

TOKENIZER_CONFIG_KEYS = frozenset({"tokenizer_class", "model_max_length", "added_tokens_decoder", "do_lower_case"})
"""Keys that a ``tokenizer_config.json`` has and no vocabulary."""

PARSED = 32 << 20
"""Files of up to so many bytes are parsed before they are run. Parsed, a file takes ten times its size in memory; what
is wrong in a larger one is left to the implementations to say, which read it anyway."""

CHUNK = 1 << 20
LISTED = 6
"""How many entries of a folder a message lists."""


@dataclass(frozen=True, slots=True)
class FoundTokenizer:
    """A tokenizer that was named: its source, and the ``snapshot`` of the hub that it is from, where it is."""

    source: TokenizerSource
    snapshot: HubSnapshot | None = None


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A tokenizer to run: its source, and of its file the SHA-256, the size in bytes and the type of the model.

    ``model`` is ``None`` where the file does not say it, or was too large to be looked into. ``snapshot`` is that of
    the hub which the tokenizer is from, where it is.
    """

    source: TokenizerSource
    sha256: str
    size: int = 0
    model: str | None = None
    snapshot: HubSnapshot | None = None


# Finding -------------------------------------------------------------------------------------------------------------


def find_tokenizer(argument: str) -> TokenizerSource:
    """Return the tokenizer that ``argument`` names, as :func:`locate` does."""
    return locate(argument).source


def locate(argument: str) -> FoundTokenizer:
    """Return the tokenizer that ``argument`` names.

    A file or folder goes before a bundled name, and that before a name of the hub, whose files are brought into the
    cache; ``hub:NAME`` is on the hub whatever lies here. Raises :class:`BadInputError`.
    """
    if not argument:
        raise BadInputError("tokenizer '': an empty word names none (is a variable of the shell unset?)")
    if argument.startswith(PREFIX):
        return _on_hub(argument)
    path = expanded(argument)
    try:
        if path.is_dir():
            return FoundTokenizer(_in_folder(path))
        if path.exists():
            _refuse_irregular(path)
            return FoundTokenizer(TokenizerSource(_file_name(path), str(path), _checkpoint(path)))
    except OSError as error:
        raise BadInputError(f"tokenizer {argument!r}: {error.strerror or error}") from error
    if argument in bundled_names():
        return FoundTokenizer(TokenizerSource(argument, str(bundled_file(argument))))
    if _is_path(argument, path):
        raise BadInputError(f"tokenizer {argument!r}: no such file or folder{why_missing(path)}")
    try:
        return _on_hub(argument)
    except UnknownRepositoryError as error:
        meant = _bundled_meant(argument)
        raise BadInputError(f"{meant}{error}; and here is no file or folder of that name") from error


def _on_hub(argument: str) -> FoundTokenizer:
    name = hub_name(argument)
    if name is None:
        raise BadInputError(
            f"tokenizer {argument!r}: no file or folder, no bundled tokenizer ({', '.join(bundled_names())}), and no "
            "name of the hub, which is OWNER/NAME or OWNER/NAME@REVISION"
        )
    snapshot = fetch(name)
    return FoundTokenizer(TokenizerSource(str(name), str(snapshot.folder / FILE_NAME), str(snapshot.folder)), snapshot)


def _is_path(argument: str, path: Path) -> bool:
    """Return whether ``argument``, which leads to nothing, was meant to be a path."""
    if "://" in argument:
        raise BadInputError(
            f"tokenizer {argument!r}: an address; give a path, or of a repository on the hub the name, OWNER/NAME"
        )
    named_as_file = path.suffix.casefold() in FILE_SUFFIXES and "@" not in argument
    return (
        named_as_file
        or path.is_absolute()
        or path.is_symlink()
        or argument == "-"
        or argument.startswith((".", "~"))
        or argument.endswith("/")
        or argument.partition("@")[0].count("/") > 1
        or any(character in argument for character in "*?[\\")
    )


def _bundled_meant(argument: str) -> str:
    close = difflib.get_close_matches(argument, bundled_names(), n=1)
    return f"is the bundled {close[0]!r} meant? " if close else ""


def _in_folder(folder: Path) -> TokenizerSource:
    file = folder / FILE_NAME
    if not file.exists():
        raise BadInputError(f"folder {str(folder)!r} holds no {FILE_NAME}{_what_else(folder)}")
    _refuse_irregular(file)
    return TokenizerSource(folder.resolve().name, str(file), str(folder))


def _what_else(folder: Path) -> str:
    """Say what ``folder`` holds in place of a ``tokenizer.json``, and what to do about it."""
    if (folder / FILE_NAME).is_symlink():
        return f"{why_missing(folder / FILE_NAME)}"
    entries = sorted(entry.name for entry in folder.iterdir())
    inner = [name for name in entries if (folder / name / FILE_NAME).is_file()]
    others = [name for name in entries if name in BESIDE and name != "config.json"]
    if inner:
        return f"; folders in it do: {_listed([str(folder / name) for name in inner])}"
    if (folder / "snapshots").is_dir() and folder.name.startswith("models--"):
        name = folder.name.removeprefix("models--").replace("--", "/", 1)
        return f"; it is a part of the hub's cache: give the name, {name}"
    if weights := [name for name in entries if name.endswith(".gguf")]:
        return (
            f" but {_listed(weights)}, which keeps its tokenizer inside; give the {FILE_NAME} of the checkpoint "
            "that it was made of"
        )
    if others:
        return (
            f" but {_listed(others)}; convert it with transformers, "
            "AutoTokenizer.from_pretrained(folder).save_pretrained(other), and give that folder"
        )
    return f" but {_listed(entries)}" if entries else "; it is empty"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


def _refuse_irregular(file: Path) -> None:
    irregular = irregularity(file)
    if irregular is not None:
        raise BadInputError(f"tokenizer file {str(file)!r} {irregular}")


def _file_name(file: Path) -> str:
    """Return the display name of ``file``: that of its folder, where its own name says nothing.

    The file itself may be a link to one with another name, as in the cache of the hub.
    """
    return file.parent.resolve().name if file.name == FILE_NAME else file.name.removesuffix(".json")


def _checkpoint(file: Path) -> str | None:
    """Return the folder of ``file`` where it is the tokenizer of a whole checkpoint."""
    return str(file.parent) if file.name == FILE_NAME else None


def with_folder(tokenizer: TokenizerFile) -> TokenizerFile:
    """Return ``tokenizer`` with the folder of its file, where chat templates stand, even if it has none of its own."""
    source = tokenizer.source
    folder = source.folder or str(Path(source.file).parent)
    return replace(tokenizer, source=TokenizerSource(source.name, source.file, folder))


# Reading -------------------------------------------------------------------------------------------------------------


def read_tokenizer(source: TokenizerSource, snapshot: HubSnapshot | None = None) -> TokenizerFile:
    """Return ``source`` with the digest of its file, once that is known to be readable and to describe a tokenizer.

    A file of more than :data:`PARSED` bytes is not parsed. Raises :class:`BadInputError`, with the place in the file
    where there is one.
    """
    file = source.file
    try:
        _refuse_irregular(Path(file))
        size = Path(file).stat().st_size
        if size > PARSED:
            digest, model = _looked_through(file)
        else:
            content = Path(file).read_bytes()
            digest, model, size = hashlib.sha256(content).hexdigest(), _model(file, content), len(content)
    except OSError as error:
        raise BadInputError(f"tokenizer file {file!r}: {error.strerror or error}") from error
    return TokenizerFile(source, digest, size, model, snapshot)


_UNIGRAM: Final = re.compile(rb'"type"\s*:\s*"Unigram"')


def _looked_through(file: str) -> tuple[str, str | None]:
    """Return the digest of a large ``file`` and the type of its model, with no more than a chunk of it in memory.

    Only a Unigram is known for sure: the other models have decoders of the same names.
    """
    digest = hashlib.sha256()
    model = None
    before, head, first = b"", b"", b""
    with Path(file).open("rb") as opened:
        while chunk := opened.read(CHUNK):
            digest.update(chunk)
            head, first = head or chunk[:HEAD], first or chunk.lstrip()[:1]
            model = model or model_at_sight(before + chunk)
            before = (before + chunk).rstrip()[-HEAD:]
    if first != b"{":
        raise BadInputError(f"tokenizer file {file!r} is no JSON object{_hint(head)}")
    if not before.endswith(b"}"):
        raise BadInputError(f"tokenizer file {file!r} is not whole: it does not end with the }} of a JSON object")
    return digest.hexdigest(), model


def model_at_sight(content: bytes) -> str | None:
    """Return the type of the model in ``content`` without parsing it: Unigram, which no decoder is called, or none."""
    return "Unigram" if _UNIGRAM.search(content) else None


def _model(file: str, content: bytes) -> str | None:
    """Return the type of the model that ``content`` describes, where it says it."""
    try:
        model = _model_object(file, parsed(file, content))
    except NoJsonError as error:
        raise BadInputError(f"tokenizer file {file!r} {error.reason}") from error
    kind = model.get("type", "Unigram" if isinstance(model.get("vocab"), list) else None)
    return kind if isinstance(kind, str) else None


class NoJsonError(Exception):
    """A file is no JSON: ``reason`` says why, and what to do where that is known, ``line`` where, from 1."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def parsed(file: str, content: bytes) -> object:
    """Return the value of JSON that ``content`` is, of a ``file`` of that name. Raises :class:`NoJsonError`."""
    if not content:
        raise NoJsonError("is empty", 1)
    hint = _hint(content[:HEAD]) or _hint_of_name(Path(file)) or _hint_of_end(content)
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"is not UTF-8: byte 0x{content[error.start]:02X} at offset {error.start}{hint}"
        raise NoJsonError(reason, line) from error
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" starting at")
        lines = " (it looks like JSON Lines: a tokenizer is a single object)" if what == "Extra data" else ""
        reason = f"is not JSON: {what} at line {error.lineno} column {error.colno}{hint}{lines}"
        raise NoJsonError(reason, error.lineno) from error
    except RecursionError as error:
        raise NoJsonError("is nested too deeply to be read") from error
    except ValueError as error:  # a number of thousands of digits
        raise NoJsonError(f"cannot be read as JSON: {one_line(str(error))}") from error


def _hint(head: bytes) -> str:
    known = by_magic_number(head)
    return "" if known is None else f" ({known})"


def _hint_of_end(content: bytes) -> str:
    """Say that ``content`` begins as an object and does not end as one, where that is so."""
    is_cut = content.lstrip().startswith(b"{") and not content.rstrip().endswith(b"}")
    return " (it does not end with the } of an object: it is cut off; get the file again)" if is_cut else ""


def _hint_of_name(file: Path) -> str:
    """Say what ``file``, which is no JSON, is by its name, where that is known."""
    if file.name in BESIDE:
        return f" (it is another file of a checkpoint; give the {FILE_NAME} beside it)"
    return " (texts are given with --inputs)" if file.suffix == ".txt" else ""


def _model_object(file: str, document: object) -> Mapping[str, object]:
    reason = why_no_tokenizer(document)
    if reason is not None or not isinstance(document, dict):
        raise BadInputError(f"tokenizer file {file!r} is JSON but no tokenizer: {reason}")
    model: Mapping[str, object] = document["model"]
    return model


def why_no_tokenizer(document: object) -> str | None:
    """Return why ``document`` is no tokenizer, ``None`` where it is an object with a model that is one."""
    if not isinstance(document, dict):
        return f"an object is expected at the top, and it is {kind_of(document)}"
    if "model" in document and not isinstance(document["model"], dict):
        return f"$.model is {kind_of(document['model'])}, where an object is expected{_likely_kind(document)}"
    return None if "model" in document else f'it has no "model" object{_likely_kind(document)}'


def kind_of(value: object) -> str:
    """Return what kind of value of JSON ``value`` is.

    >>> kind_of([]), kind_of(None)
    ('an array', 'null')
    """
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")


def _likely_kind(parsed: Mapping[str, object]) -> str:
    """Say which other file of a checkpoint ``parsed`` looks like, where it does."""
    if not TOKENIZER_CONFIG_KEYS.isdisjoint(parsed):
        return f" (it looks like tokenizer_config.json; give the {FILE_NAME} beside it)"
    if "model_type" in parsed or "architectures" in parsed:
        return f" (it looks like config.json; give the {FILE_NAME} beside it)"
    if isinstance(parsed.get("error"), str):
        return f" (it says {quoted(str(parsed['error']))}: a server's answer in place of the file; get it again)"
    if parsed.get("schema") is not None and parsed.get("type") == "header":
        return " (it looks like a record of tokconf)"
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
