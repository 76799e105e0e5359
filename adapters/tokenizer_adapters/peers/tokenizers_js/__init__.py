"""The adapter of ``@huggingface/tokenizers``, the JavaScript implementation, which runs on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` beside it says which version it
needs, and :data:`INSTALL` puts it there. ``python -m tokenizer_adapters.peers.tokenizers_js`` prints the folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.peers.node import ConfiguredImplementation, worker

if TYPE_CHECKING:
    from tokenizer_adapters.protocol.launch import Program

NAME = "tokenizers-js"
FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "node_modules" / "@huggingface" / "tokenizers"
INSTALL = 'npm install --prefix "$(python -m tokenizer_adapters.peers.tokenizers_js)"'


class TokenizersJsImplementation(ConfiguredImplementation):
    """``@huggingface/tokenizers``, through its class ``Tokenizer``: every stage, no offsets."""

    @classmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where Node or the package is not installed.
        """
        return worker(NAME, FOLDER, PACKAGE, INSTALL)
