"""Prints the folder into which npm installs the package."""

from tokenizer_adapters.peers.transformers_js3 import FOLDER

print(FOLDER)  # noqa: T201 - what it is for
