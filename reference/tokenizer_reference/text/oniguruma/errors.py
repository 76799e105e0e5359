"""Errors of patterns: those that the target refuses, and those that only the reference does not support."""

from __future__ import annotations

from tokenizer_reference.errors import TokenizerReferenceError


class RegexError(TokenizerReferenceError):
    """A pattern cannot be used.

    ``pattern`` is the pattern, ``position`` the code point of it where the trouble starts.
    """

    def __init__(self, pattern: str, position: int, message: str) -> None:
        super().__init__(f"{message}, at position {position} of the regular expression {pattern!r}")
        self.pattern = pattern
        self.position = position


class InvalidRegexError(RegexError):
    """Oniguruma, and so `tokenizers`, refuses the pattern too."""


class UnsupportedRegexError(RegexError):
    """`tokenizers` accepts the pattern, and the reference has no implementation of a construct in it."""
