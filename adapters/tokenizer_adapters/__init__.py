"""Adapters: one module per implementation under test, and the contract between them and the harness.

``contract`` says what can be asked and answered, ``registry`` finds the implementations that are installed. It is
imported when :func:`load_implementation` is first used, since looking for what is installed takes its time.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False

if TYPE_CHECKING:
    from tokenizer_adapters.registry import load_implementation

__all__ = ["load_implementation"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.registry"), name)
    return value
