"""Implementations in JavaScript, packages of npm that run on Node.

Each has a folder with a ``package.json``, into which npm installs it, and a program ``worker.mjs``. What these programs
have in common lies here: ``line_protocol.mjs``, the stages of tokenizers in ``stages.mjs``, chat templates in
``chats.mjs``; and ``without_models``, an empty package for what runs models. npm makes links to that. It must come
before them by name: builders of wheels follow links, and take a folder once.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

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


def worker(name: str, folder: Path, package: Path, install: str) -> Program:
    """Return the program of the implementation ``name`` in ``folder``; npm puts what it needs at ``package``.

    Raises :class:`UnavailableError` where Node or the package is missing, with the command ``install``.
    """
    node = shutil.which("node")
    if node is None:
        raise UnavailableError(f"{name} is not installed: it runs on Node; install that, and then: {install}")
    if not package.is_dir():
        raise UnavailableError(f"{name} is not installed; install it with: {install}")
    return Program((node, str(folder / "worker.mjs")), name)


class ConfiguredImplementation(ProgramImplementation):
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
