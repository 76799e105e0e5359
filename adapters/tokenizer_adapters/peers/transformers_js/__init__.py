"""The adapter of ``@huggingface/transformers`` (transformers.js), whose tokenizers render chat templates, on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` says which version it needs, and
leaves out what runs models. ``python -m tokenizer_adapters.peers.transformers_js`` prints the folder.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.protocol.client import ProgramImplementation
from tokenizer_adapters.protocol.launch import Program

NAME = "transformers-js"
FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "node_modules" / "@huggingface" / "transformers"
INSTALL = 'npm install --prefix "$(python -m tokenizer_adapters.peers.transformers_js)"'


class TransformersJsImplementation(ProgramImplementation):
    """``@huggingface/transformers``, through ``AutoTokenizer``: prompts and their ids."""

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
