"""Errors whose cause is what the user gave: each message says on one line what was wrong, where, and what to do."""

from __future__ import annotations

import re

MISSING = re.compile(r"^Object missing required field `(.+?)`")
"""How it is said that a member of an object is not there."""


class BadInputError(Exception):
    """Something given to the harness (a tokenizer, a file of texts, a text) cannot be used."""


def form_words(error: Exception) -> str:
    """Say in words what of a file that was read has another form than it should, by the ``error`` over which that is.

    >>> form_words(KeyError("inputs")), form_words(TypeError("'int' object is not subscriptable"))
    ("it has no 'inputs'", 'a value in it has another form than it should')
    """
    if isinstance(error, KeyError) and error.args:
        return f"it has no {error.args[0]!r}"
    if isinstance(error, TypeError | AttributeError | IndexError | OverflowError | RecursionError):
        return "a value in it has another form than it should"
    return MISSING.sub(r"it has no '\1'", str(error))
