"""The adapter of version 3 of ``@huggingface/transformers`` (transformers.js), whose tokenizers are its own, on Node.

Version 4 has those of ``@huggingface/tokenizers``. The program in this folder, ``worker.mjs``, speaks the line
protocol; ``package.json`` says which version it needs, and leaves out what runs models.
``python -m tokenizer_adapters.peers.transformers_js3`` prints the folder.
"""

from __future__ import annotations

from tokenizer_adapters.peers.node import ConfiguredImplementation


class TransformersJs3Implementation(ConfiguredImplementation):
    """``@huggingface/transformers`` 3, through ``AutoTokenizer``: every stage, no offsets, and prompts."""

    name = "transformers-js-3"
    package = "@huggingface/transformers"
