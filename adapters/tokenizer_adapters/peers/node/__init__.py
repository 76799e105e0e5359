"""Implementations in JavaScript, packages of npm that run on Node.

Each has a folder with a ``package.json``, into which npm installs it, and a program ``worker.mjs``. What these programs
have in common lies here: ``line_protocol.mjs``, the stages of tokenizers in ``stages.mjs``, chat templates in
``chats.mjs``; and ``without_models``, an empty package for what runs models. npm makes links to that. It must come
before them by name: builders of wheels follow links, and take a folder once.
"""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import CannotLoadError, UnavailableError
from tokenizer_adapters.peers.configuration import choices, first_loaded
from tokenizer_adapters.pipeline import UnfitTokenizerError
from tokenizer_adapters.protocol.client import ProgramImplementation
from tokenizer_adapters.protocol.launch import Program

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.peers.configuration import Choice
    from tokenizer_adapters.protocol.client import ProcessSubject

FOLDER = Path(__file__).parent


class NodeImplementation(ProgramImplementation):
    """An implementation whose ``worker.mjs`` lies in the folder of the package of Python that defines it.

    ``name`` is that under which it is registered, ``package`` that of npm, which is installed into the same folder.
    """

    name: ClassVar[str]
    package: ClassVar[str]

    @classmethod
    def folder(cls) -> Path:
        """Return where the program lies, and ``package.json``."""
        return Path(inspect.getfile(cls)).parent

    @classmethod
    def install(cls) -> str:
        """Return the command that installs the package of npm."""
        return f'npm install --prefix "$(python -m {cls.__module__})"'

    @classmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where Node or the package is not installed, with the command that does it.
        """
        node = shutil.which("node")
        if node is None:
            raise UnavailableError(
                f"{cls.name} is not installed: it runs on Node; install that, and then: {cls.install()}"
            )
        if not (cls.folder() / "node_modules" / cls.package).is_dir():
            raise UnavailableError(f"{cls.name} is not installed; install it with: {cls.install()}")
        return Program((node, str(cls.folder() / "worker.mjs")), cls.name)


class ConfiguredImplementation(NodeImplementation):
    """An implementation that reads ``tokenizer_config.json``, too."""

    def load(self, source: TokenizerSource) -> ProcessSubject:
        """Load the tokenizer of ``source``, with the configuration that :func:`choices` finds for it.

        Raises :class:`CannotLoadError`.
        """
        try:
            ways = choices(source)
        except UnfitTokenizerError as error:
            raise CannotLoadError(f"{self.info.name} cannot load {source.name} ({source.file}): {error}") from error
        return first_loaded(ways, self._load)

    def _load(self, choice: Choice) -> ProcessSubject:
        subject = super().load(choice.source)
        subject.files = choice.files()
        return subject
