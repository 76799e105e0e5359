"""References, ``module:name``, to what is imported when it is used.

A command line is read without the engines, and a run begins without what explains differences.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def imported(reference: str) -> Any:
    """Return what ``reference`` names.

    >>> imported("os.path:basename")("a/b")
    'b'
    """
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def lazy(reference: str) -> Callable[..., Any]:
    """Return a function that calls the one that ``reference`` names, and imports its module only then."""

    def call(*arguments: Any, **options: Any) -> Any:
        return imported(reference)(*arguments, **options)

    return call


def carried_out_by(reference: str) -> Callable[[Callable[[], None]], Callable[..., object]]:
    """Return a decorator for the description of a command, a function that does nothing.

    What it gives has its name and docstring, and does what the function that ``reference`` names does.
    """

    def decorate(described: Callable[[], None]) -> Callable[..., object]:
        return functools.wraps(described)(lazy(reference))

    return decorate
