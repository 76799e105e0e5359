"""Adapters: one module per implementation under test, and the contract between them and the harness.

``contract`` says what can be asked and answered, ``registry`` finds the implementations that are installed.
"""

from tokenizer_adapters.registry import load_implementation

__all__ = ["load_implementation"]
