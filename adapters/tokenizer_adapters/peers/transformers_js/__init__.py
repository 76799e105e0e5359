"""The adapter of ``@huggingface/transformers`` (transformers.js), whose tokenizers render chat templates, on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` says which version it needs, and
leaves out what runs models. ``python -m tokenizer_adapters.peers.transformers_js`` prints the folder.
"""

from __future__ import annotations

from tokenizer_adapters.peers.node import NodeImplementation


class TransformersJsImplementation(NodeImplementation):
    """``@huggingface/transformers``, through ``AutoTokenizer``: prompts and their ids."""

    name = "transformers-js"
    package = "@huggingface/transformers"
