"""Adapters of the libraries that claim to tokenize as ``tokenizers`` does; each is imported only when it is asked for.

[PEERS.md](../../PEERS.md) lists them: what each is given, what it can show, and what it cannot load.
"""
