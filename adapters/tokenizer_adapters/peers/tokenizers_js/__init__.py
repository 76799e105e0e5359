"""The adapter of ``@huggingface/tokenizers``, the JavaScript implementation, which runs on Node.

The program in this folder, ``worker.mjs``, speaks the line protocol; ``package.json`` beside it says which version it
needs. ``python -m tokenizer_adapters.peers.tokenizers_js`` prints the folder.
"""

from __future__ import annotations

from tokenizer_adapters.peers.node import ConfiguredImplementation


class TokenizersJsImplementation(ConfiguredImplementation):
    """``@huggingface/tokenizers``, through its class ``Tokenizer``: every stage, no offsets."""

    name = "tokenizers-js"
    package = "@huggingface/tokenizers"
