"""The adapter of ``@huggingface/tokenizers``, the JavaScript implementation, which runs on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` beside it says which version it
needs, and :data:`INSTALL` puts it there. ``python -m tokenizer_adapters.peers.tokenizers_js`` prints the folder.
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

NAME = "tokenizers-js"
FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "node_modules" / "@huggingface" / "tokenizers"
INSTALL = 'npm install --prefix "$(python -m tokenizer_adapters.peers.tokenizers_js)"'


class TokenizersJsImplementation(ProgramImplementation):
    """``@huggingface/tokenizers``, through its class ``Tokenizer``: every stage, no offsets."""

    @classmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where Node or the package is not installed.
        """
        node = shutil.which("node")
        if node is None:
            raise UnavailableError(f"{NAME} is not installed: it runs on Node; install that, and then: {INSTALL}")
        if not PACKAGE.is_dir():
            raise UnavailableError(f"{NAME} is not installed; install it with: {INSTALL}")
        return Program((node, str(FOLDER / "worker.mjs")), NAME)

    def load(self, source: TokenizerSource) -> ProcessSubject:
        """Load the tokenizer of ``source``, with the configuration that :func:`choices` finds for it.

        Raises :class:`CannotLoadError`.
        """
        try:
            ways = choices(source)
        except UnfitTokenizerError as error:
            raise CannotLoadError(f"{NAME} cannot load {source.name} ({source.file}): {error}") from error
        return first_loaded(ways, self._load)

    def _load(self, choice: Choice) -> ProcessSubject:
        subject = super().load(choice.source)
        subject.files = choice.files()
        return subject
