"""The adapter of ``@huggingface/transformers`` (transformers.js), whose tokenizers render chat templates, on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` says which version it needs, and
leaves out what runs models. ``python -m tokenizer_adapters.peers.transformers_js`` prints the folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.peers.node import worker
from tokenizer_adapters.protocol.client import ProgramImplementation

if TYPE_CHECKING:
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
        return worker(NAME, FOLDER, PACKAGE, INSTALL)
