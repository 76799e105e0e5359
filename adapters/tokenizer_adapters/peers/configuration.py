"""The configuration that peers read beside a ``tokenizer.json``: as it was given, or as ``transformers`` saves it.

Some peers read ``tokenizer_config.json``: the class that it names, its special tokens, its choices for decoding. Many
checkpoints have a stub of that file. Nobody who saves a tokenizer gets such a stub: ``save_pretrained`` of
``transformers`` names the class and every special token. So a checkpoint with a stub is given to these peers as it
would be saved (:func:`saved`), and the stub counts where a peer refuses that (:func:`choices`).

What is saved is made once and kept in the user's folder for caches, under a digest of all that decides it. It is
written beside its place and renamed, so that no process sees what another has half written.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.contract import GUESSED
from tokenizer_adapters.peers.files import SENTENCEPIECE_MODELS, beside, json_object
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.contract import TokenizerSource

Loaded = TypeVar("Loaded")

VARIABLE = "TOKCONF_CONFIGURATION"
"""The environment variable that chooses one configuration for all checkpoints: :data:`GIVEN` or :data:`SAVED`."""

GIVEN, SAVED = "given", "saved"

TOKENIZER = "tokenizer.json"
CONFIGURATION = "tokenizer_config.json"
KEPT = (
    TOKENIZER,
    "config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    *SENTENCEPIECE_MODELS,
)
"""The files of a checkpoint that stand beside the configuration unchanged, whatever ``save_pretrained`` writes."""

DECIDING = (
    *KEPT,
    CONFIGURATION,
    "added_tokens.json",
    "special_tokens_map.json",
    "chat_template.jinja",
    "chat_template.json",
)
"""All files of a checkpoint that ``transformers`` is given."""

LAYOUT = "1"
"""To be changed with anything above, so that what an older version of this module has kept is not used."""

SECONDS = 120


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to give a checkpoint to a peer: its ``source``, with a ``remark`` on who has written the configuration.

    ``remark`` is ``None`` for a configuration as it was given.
    """

    source: TokenizerSource
    remark: str | None = None

    @property
    def configuration(self) -> Path | None:
        """The path of the ``tokenizer_config.json``, ``None`` where there is none."""
        return beside(self.source, [CONFIGURATION])

    def files(self, *remarks: str) -> tuple[str, ...]:
        """Return the paths of the files, the configuration with all that is to be said of it behind its name.

        Where there is none and ``remarks`` say what stands in its place, that is told, as a guess of the adapter.
        """
        said = "; ".join(filter(None, (self.remark, *remarks)))
        if self.configuration is None:
            return (self.source.file, f"no {CONFIGURATION} ({GUESSED}: {said})") if said else (self.source.file,)
        return (self.source.file, f"{self.configuration} ({said})" if said else str(self.configuration))


def choices(source: TokenizerSource) -> list[Choice]:
    """Return the ways to give ``source`` to a peer that reads a configuration, the best one first.

    A configuration that names a class is real, and given as it is; so is one that ``transformers`` cannot make whole.
    Raises :class:`UnfitTokenizerError` where :data:`VARIABLE` has another value than these, or asks for what there is
    none of.
    """
    wanted = os.environ.get(VARIABLE) or None
    if wanted not in {None, GIVEN, SAVED}:
        raise UnfitTokenizerError(f"the environment variable {VARIABLE} is {wanted!r}: it takes {GIVEN!r} or {SAVED!r}")
    given = Choice(source)
    if names_class(source) or wanted == GIVEN:
        return [given]
    whole = saved(source)
    if wanted == SAVED:
        if whole is None:
            raise UnfitTokenizerError(
                f"the environment variable {VARIABLE} is {SAVED!r}, and transformers cannot save this checkpoint"
            )
        return [whole]
    return [given] if whole is None else [whole, given]


def first_loaded(ways: Iterable[Choice], load: Callable[[Choice], Loaded]) -> Loaded:
    """Return what ``load`` makes of the first of ``ways`` that it does not refuse.

    Where it refuses all of them, what it raised over the first one is raised.
    """
    refusals: list[Exception] = []
    for way in ways:
        try:
            return load(way)
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is its refusal
            refusals.append(error)
    raise refusals[0]


def names_class(source: TokenizerSource) -> bool:
    """Return whether the checkpoint's own ``tokenizer_config.json`` names its class."""
    file = beside(source, [CONFIGURATION])
    return file is not None and bool(json_object(file).get("tokenizer_class"))


# Saving ---------------------------------------------------------------------------------------------------------------


def saved(source: TokenizerSource) -> Choice | None:
    """Return ``source`` with the configuration that ``save_pretrained`` writes, and its own files unchanged.

    ``None`` where ``transformers`` is not installed or cannot read the checkpoint; it knows one by the model type in
    ``config.json``.
    """
    version = _transformers_version()
    if version is None or not _names_model_type(source):
        return None
    folder = _kept(_digest(source, version), source)
    if folder is None:
        return None
    whole = replace(source, file=str(folder / TOKENIZER), folder=str(folder))
    return Choice(whole, f"as save_pretrained of transformers {version} writes it")


def cache_folder() -> Path:
    """Return the folder in which saved configurations are kept: in ``XDG_CACHE_HOME``, else in ``~/.cache``."""
    given = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    # The specification of that variable has relative paths ignored.
    base = given if given.is_absolute() else Path("~/.cache").expanduser()
    return base / "tokenizer-conformance" / "configurations"


def _transformers_version() -> str | None:
    if importlib.util.find_spec("transformers") is None:
        return None
    return importlib.metadata.version("transformers")


def _names_model_type(source: TokenizerSource) -> bool:
    file = beside(source, ["config.json"])
    return file is not None and bool(json_object(file).get("model_type"))


def _deciding_files(source: TokenizerSource) -> dict[str, Path]:
    """Return the files that ``transformers`` is given, by their names."""
    found = {name: file for name in DECIDING if (file := beside(source, [name])) is not None}
    return found | {TOKENIZER: Path(source.file)}


def _digest(source: TokenizerSource, version: str) -> str:
    """Return a digest of everything that decides what is saved."""
    digest = hashlib.sha256(f"{LAYOUT} {version}".encode())
    for name, file in sorted(_deciding_files(source).items()):
        content = file.read_bytes()
        digest.update(f"\n{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _kept(key: str, source: TokenizerSource) -> Path | None:
    """Return the folder kept as ``key``, made where there is none; ``None`` where ``transformers`` cannot.

    Where the cache cannot be written, what is made lasts as long as this process.
    """
    folder = cache_folder() / key
    if _is_whole(folder):
        return folder
    for base in (folder.parent, _own_folder()):
        try:
            base.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(prefix=f"{key}.", dir=base))
        except OSError:
            continue
        try:
            return _made(base / key, unfinished, source)
        except OSError:
            continue
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return None


def _made(place: Path, unfinished: Path, source: TokenizerSource) -> Path | None:
    """Write the folder in ``unfinished`` and move it to ``place``, unless that is there by then."""
    if _is_whole(place):
        return place
    if not _save(source, unfinished):
        return None
    unfinished.chmod(0o755)  # a temporary folder is its maker's alone
    try:
        unfinished.rename(place)
    except OSError:
        if not _is_whole(place):  # it is where another process was faster
            shutil.rmtree(place)
            unfinished.rename(place)
    return place


def _is_whole(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (TOKENIZER, CONFIGURATION))


def _save(source: TokenizerSource, target: Path) -> bool:
    """Write what ``save_pretrained`` writes of ``source`` into ``target``, and the kept files over it; tell whether."""
    script = Path(__file__).with_name("save_checkpoint.py")
    files = _deciding_files(source)
    with tempfile.TemporaryDirectory() as folder:
        for name, file in files.items():
            shutil.copyfile(file, Path(folder) / name)
        try:
            done = subprocess.run(  # noqa: S603 - this Python, and a script of this package
                [sys.executable, "-I", str(script), folder, str(target)],
                env={**os.environ, "HF_HUB_OFFLINE": "1"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    if done.returncode != 0 or not (target / CONFIGURATION).is_file():
        return False
    for name in KEPT:
        (target / name).unlink(missing_ok=True)
        if name in files:
            shutil.copyfile(files[name], target / name)
    return True


@cache
def _own_folder() -> Path:
    """Return a folder that lasts as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix="tokenizer-conformance-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
