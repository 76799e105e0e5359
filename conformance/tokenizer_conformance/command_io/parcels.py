"""Values for processes on other machines: what they name of this machine's files goes along.

A value is pickled with two exceptions. A tokenizer goes with a *parcel*, its file and the smaller files of its folder:
another machine unpacks that in its cache where it does not see the very same files. A program that this Python runs is
run there by the Python that unpickles it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import os
import pickle
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.environments.store import cache_folder
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.selection import Selected, is_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LARGEST = 256 << 20
"""Files beside a tokenizer.json that are larger, in bytes, are weights, or so rare that they are not sent."""

DISTRIBUTIONS = ("tokenizer-conformance", "tokenizers", "transformers", "regex")
"""What has to be of the same release on all machines: answers depend on it."""

WEIGHTS = frozenset({".bin", ".gguf", ".h5", ".msgpack", ".onnx", ".pt", ".pth", ".safetensors"})


@dataclass(frozen=True, slots=True)
class Listed:
    """What a parcel holds: the files of ``folder`` of these ``names``, which have this ``digest``."""

    digest: str
    folder: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parcel:
    """The contents of the files that are ``listed``, in that order."""

    listed: Listed
    contents: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """A value, ``pickled``; the ``parcels`` that it goes with; the ``modules`` whose classes it names as words."""

    pickled: bytes
    parcels: tuple[Parcel, ...]
    modules: tuple[str, ...]


def packed(value: object) -> Packed:
    """Return ``value`` for another machine."""
    file = io.BytesIO()
    pickler = _Packing(file)
    pickler.dump(value)
    return Packed(file.getvalue(), tuple(pickler.parcels.values()), tuple(sorted(pickler.modules)))


class _Packing(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.parcels: dict[str, Parcel] = {}
        self.modules: set[str] = set()

    def reducer_override(self, value: Any) -> Any:
        """Return what makes of ``value`` what it is elsewhere."""
        if isinstance(value, TokenizerSource):
            return self._tokenizer(value)
        if isinstance(value, Program):
            return program_here, (value.command, value.label, dict(value.environment), sys.executable)
        if isinstance(value, Selected) and is_class(value.word):
            self.modules.add(value.word.partition(".")[0])
        return NotImplemented

    def _tokenizer(self, source: TokenizerSource) -> Any:
        parcel = parcel_of(source.file, source.folder)
        if parcel is None:
            return NotImplemented
        self.parcels[parcel.listed.digest] = parcel
        return tokenizer_here, (source.name, source.file, source.folder, parcel.listed.digest)


# Parcels -------------------------------------------------------------------------------------------------------------


@cache
def parcel_of(file: str, folder: str | None) -> Parcel | None:
    """Return the parcel of a tokenizer, ``None`` where its file cannot be read: who loads it says so."""
    place = Path(file)
    try:
        beside = [] if folder is None else sorted(each.name for each in Path(folder).iterdir() if _goes_along(each))
        names = tuple(dict.fromkeys((place.name, *beside)))
        contents = tuple((place.parent / name).read_bytes() for name in names)
    except OSError:
        return None
    return Parcel(Listed(_digest(names, contents), str(place.parent), names), contents)


def _goes_along(path: Path) -> bool:
    return path.is_file() and path.suffix.casefold() not in WEIGHTS and path.stat().st_size <= LARGEST


def _digest(names: Sequence[str], contents: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in zip(names, contents, strict=True):
        for each in (name.encode("utf-8", "surrogateescape"), content):
            digest.update(hashlib.sha256(each).digest())
    return digest.hexdigest()


def is_here(listed: Listed) -> bool:
    """Return whether this machine has the files of a parcel, in the very folder or unpacked."""
    if place_of(listed.digest).is_dir():
        return True
    try:
        contents = [Path(listed.folder, name).read_bytes() for name in listed.names]
    except OSError:
        return False
    return _digest(listed.names, contents) == listed.digest


def unpack(parcel: Parcel) -> None:
    """Write the files of ``parcel`` into the cache of this machine, all of them or none. Raises ``OSError``."""
    place = place_of(parcel.listed.digest)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as temporary:
        whole = Path(temporary, "files")
        whole.mkdir()
        for name, content in zip(parcel.listed.names, parcel.contents, strict=True):
            (whole / name).write_bytes(content)
        try:
            whole.rename(place)
        except OSError:
            if not place.is_dir():  # no other process was there first
                raise


def place_of(digest: str) -> Path:
    """Return where a parcel is unpacked on this machine."""
    return cache_folder().with_name("parcels") / digest


# What a value is here ------------------------------------------------------------------------------------------------


def tokenizer_here(name: str, file: str, folder: str | None, digest: str) -> TokenizerSource:
    """Return a tokenizer of another machine as it is found on this one."""
    place = place_of(digest)
    if not place.is_dir():
        return TokenizerSource(name, file, folder)
    return TokenizerSource(name, str(place / Path(file).name), None if folder is None else str(place))


def program_here(command: tuple[str, ...], label: str, environment: dict[str, str], their_python: str) -> Program:
    """Return a program of another machine, as this one runs it; ``their_python`` ran it there."""
    if command[0] != their_python:
        return Program(command, label, environment)
    own = {"PYTHONPATH": os.pathsep.join(sys.path)} if "PYTHONPATH" in environment else {}
    return Program((sys.executable, *command[1:]), label, environment | own)


def releases() -> dict[str, str]:
    """Return the releases of the packages that answers depend on, as they are installed here."""
    return {name: _release(name) for name in DISTRIBUTIONS}


def _release(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "in no release"
