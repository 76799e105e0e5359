"""Writing a GGUF file that has a tokenizer and no weights, once for each content.

The file is kept in the user's folder for caches, under a digest of all that decides it. It is written beside its place
and renamed, so that no process sees what another has half written. PyPI ``gguf`` writes it, which the caller has to
have installed.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.vocabulary import DEFAULT_TEMPLATE, GGML, ID, TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary

LAYOUT = "1"
"""To be changed with what a conversion says or how it is written: what an older version has kept is not used then."""


def kept(contents: Iterable[bytes], convert: Callable[[], GgufVocabulary]) -> Path:
    """Return the file that was made of files with these ``contents``; where there is none yet, ``convert`` says it.

    Where the cache cannot be written, the file lasts as long as this process. What ``convert`` raises is raised.
    """
    digest = hashlib.sha256(LAYOUT.encode())
    for content in contents:
        digest.update(f"\n{len(content)}\n".encode())
        digest.update(content)
    name = f"{digest.hexdigest()}.gguf"
    place = cache_folder() / name
    if place.is_file():
        return place
    vocabulary = convert()
    try:
        return _written(vocabulary, place)
    except OSError:
        return _written(vocabulary, _own_folder() / name)


def cache_folder() -> Path:
    """Return the folder in which such files are kept: in ``XDG_CACHE_HOME``, else in ``~/.cache``."""
    given = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    # The specification of that variable has relative paths ignored.
    base = given if given.is_absolute() else Path("~/.cache").expanduser()
    return base / "tokenizer-conformance" / "gguf"


def _written(vocabulary: GgufVocabulary, place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f"{place.stem}.", dir=place.parent)
    os.close(descriptor)
    unfinished = Path(name)
    try:
        write(vocabulary, unfinished)
        unfinished.chmod(0o644)  # a temporary file is its maker's alone
        unfinished.replace(place)
    finally:
        unfinished.unlink(missing_ok=True)
    return place


def write(vocabulary: GgufVocabulary, file: Path) -> None:
    """Write ``vocabulary`` as ``file``, without tensors."""
    writer = importlib.import_module("gguf").GGUFWriter(str(file), vocabulary.architecture)
    if vocabulary.name:
        writer.add_name(vocabulary.name)
    writer.add_tokenizer_model(vocabulary.model)
    if vocabulary.pre is not None:
        writer.add_tokenizer_pre(vocabulary.pre)
    writer.add_token_list(list(vocabulary.tokens))
    if vocabulary.scores is not None:
        writer.add_token_scores(list(vocabulary.scores))
    if vocabulary.types is not None:
        writer.add_token_types(list(map(int, vocabulary.types)))
    if vocabulary.merges is not None:
        # An empty list has no type in this format, and the writer leaves it out: llama.cpp asks for one.
        writer.add_token_merges(list(vocabulary.merges) or [""])
    for key, id_ in vocabulary.special_ids.items():
        writer.add_uint32(f"{GGML}{key}{ID}", id_)
    for key, value in vocabulary.flags.items():
        writer.add_bool(f"{GGML}{key}", value)
    if vocabulary.charsmap is not None:
        writer.add_precompiled_charsmap(vocabulary.charsmap)
    for name, template in vocabulary.templates.items():
        writer.add_string(TEMPLATE if name == DEFAULT_TEMPLATE else f"{TEMPLATE}.{name}", template)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


@cache
def _own_folder() -> Path:
    """Return a folder that lasts as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix="tokenizer-conformance-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
