"""The adapters of ``transformers`` 4, whose slow classes are plain Python and whose fast classes use ``tokenizers``.

Versions 4 and 5 cannot stand in one environment, so version 4 has its own (:data:`INSTALL`): the one that the
environment variable :data:`VARIABLE` names, else a folder :data:`ENVIRONMENT` beside this environment or in the
project's folder. Its Python runs the inner classes of this module, which speak the line protocol.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import Field, Stage, UnavailableError
from tokenizer_adapters.pipeline import UnfitTokenizerError
from tokenizer_adapters.protocol.client import ProgramImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.transformers import LOCAL, TransformersImplementation, is_configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo, TokenizerSource

VARIABLE = "TOKCONF_TRANSFORMERS4"
"""The environment variable that names the folder of an environment with ``transformers`` 4."""

ENVIRONMENT = ".venv-transformers4"
INSTALL = (
    f"python -m venv {ENVIRONMENT} && "
    f"{ENVIRONMENT}/bin/python -m pip install 'transformers>=4.57,<5' sentencepiece protobuf jinja2"
)

SLOW_STAGES = frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE, Stage.CHAT})
SLOW_FIELDS = frozenset(
    {Field.TEXT, Field.IDS, Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK}
)


# In the environment of version 4 -------------------------------------------------------------------------------------


class Version4(TransformersImplementation):
    """``transformers``, with the version that is installed where this runs."""

    @property
    def info(self) -> ImplementationInfo:
        """Return the description, with the commands that make the environment."""
        return replace(super().info, install=INSTALL)


class FastClasses(Version4):
    """The fast class of a checkpoint."""

    name: ClassVar[str] = "transformers-4-fast"

    def read(self, library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        """Read the folder of ``source``, or its ``tokenizer.json`` alone where no configuration is beside it."""
        return _read_fast(library, source)


class AnyRelease(TransformersImplementation):
    """``transformers`` in whatever version is installed where this runs: of version 4, the fast class."""

    def read(self, library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        """Read ``source`` as the version asks for."""
        is_version4 = int(str(library.__version__).partition(".")[0]) < 5
        return _read_fast(library, source) if is_version4 else super().read(library, source)


class SlowClasses(Version4):
    """The slow class of a checkpoint: it reads vocabulary files, and of the ``tokenizer.json`` nothing."""

    name: ClassVar[str] = "transformers-4-slow"

    @property
    def info(self) -> ImplementationInfo:
        """Return the description: no pipeline to look into, no offsets, words or sequences."""
        return replace(super().info, stages=SLOW_STAGES, fields=SLOW_FIELDS)

    def read(self, library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        """Read the vocabulary files in the checkpoint folder of ``source``.

        Any error raised means that it cannot; :class:`UnfitTokenizerError` that the folder has no such files.
        """
        if source.folder is None or not is_configured(source):
            raise UnfitTokenizerError(
                "a slow class reads the vocabulary files of a checkpoint whose config.json or tokenizer_config.json "
                "names it; this tokenizer.json stands alone"
            )
        tokenizer = library.AutoTokenizer.from_pretrained(source.folder, use_fast=False, **LOCAL)
        if isinstance(tokenizer, bool):  # what it gives, with a log line, where a vocabulary file is missing
            raise UnfitTokenizerError("the vocabulary files of its slow class do not lie beside the tokenizer.json")
        if tokenizer.is_fast:
            raise UnfitTokenizerError(f"{type(tokenizer).__name__} has no slow class")
        return tokenizer, tuple(_vocabulary_files(tokenizer, Path(source.folder)))


def _read_fast(library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
    if is_configured(source):
        return library.AutoTokenizer.from_pretrained(source.folder, use_fast=True, **LOCAL), (source.file,)
    return library.PreTrainedTokenizerFast(tokenizer_file=source.file), (source.file,)


def _vocabulary_files(tokenizer: Any, folder: Path) -> Iterator[str]:
    """Yield the paths of the files that ``tokenizer`` was built from.

    Raises :class:`UnfitTokenizerError` where one is missing.
    """
    for name in tokenizer.vocab_files_names.values():
        if name == "tokenizer.json":
            continue
        if not (folder / name).is_file():
            raise UnfitTokenizerError(
                f"{type(tokenizer).__name__} reads {name}, which does not lie beside the tokenizer.json"
            )
        yield str(folder / name)


# Here ----------------------------------------------------------------------------------------------------------------


class OtherEnvironment(ProgramImplementation):
    """One of the classes above, served by the Python of the other environment."""

    served: ClassVar[type[Version4]]

    @classmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where there is no such environment.
        """
        python = _python()
        if python is None:
            raise UnavailableError(f"{cls.served.name} is not installed; install it with: {INSTALL}")
        script = Path(__file__).with_name("other_python.py")
        command = (str(python), "-I", str(script), f"{cls.served.__module__}:{cls.served.__qualname__}")
        return Program(command, cls.served.name, {"HF_HUB_OFFLINE": "1"})


class Transformers4SlowImplementation(OtherEnvironment):
    """``transformers`` 4, through ``AutoTokenizer`` with ``use_fast=False``."""

    served = SlowClasses


class Transformers4FastImplementation(OtherEnvironment):
    """``transformers`` 4, through ``AutoTokenizer`` with ``use_fast=True``."""

    served = FastClasses


def _python() -> Path | None:
    """Return the Python of the environment with version 4, ``None`` where there is none."""
    if given := os.environ.get(VARIABLE):
        folders = [Path(given)]
    else:
        folders = [Path(sys.prefix).with_name(ENVIRONMENT), Path(__file__).parents[3] / ENVIRONMENT]
    return next((python for folder in folders if (python := folder / "bin" / "python").is_file()), None)
