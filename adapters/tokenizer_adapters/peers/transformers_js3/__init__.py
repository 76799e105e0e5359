"""The adapter of version 3 of ``@huggingface/transformers`` (transformers.js), whose tokenizers are its own, on Node.

Version 4 has those of ``@huggingface/tokenizers``. The program in this folder, ``worker.mjs``, speaks the line
protocol; ``package.json`` says which version it needs, and leaves out what runs models.
``python -m tokenizer_adapters.peers.transformers_js3`` prints the folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.peers.node import ConfiguredImplementation, worker

if TYPE_CHECKING:
    from tokenizer_adapters.protocol.launch import Program

NAME = "transformers-js-3"
FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "node_modules" / "@huggingface" / "transformers"
INSTALL = 'npm install --prefix "$(python -m tokenizer_adapters.peers.transformers_js3)"'


class TransformersJs3Implementation(ConfiguredImplementation):
    """``@huggingface/transformers`` 3, through ``AutoTokenizer``: every stage, no offsets, and prompts."""

    @classmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where Node or the package is not installed.
        """
        return worker(NAME, FOLDER, PACKAGE, INSTALL)
