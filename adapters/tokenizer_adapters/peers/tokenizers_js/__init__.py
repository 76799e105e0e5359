"""The adapter of ``@huggingface/tokenizers``, the JavaScript implementation, which runs on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` beside it says which version it
needs, and :data:`INSTALL` puts it there. ``python -m tokenizer_adapters.peers.tokenizers_js`` prints the folder.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.protocol.client import ProgramImplementation
from tokenizer_adapters.protocol.launch import Program

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
