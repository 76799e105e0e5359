"""Regular expressions as Oniguruma reads them."""

from __future__ import annotations

from tokenizer_reference.errors import TokenizerReferenceError


class InvalidRegexError(TokenizerReferenceError):
    """The target rejects this pattern."""


class UnsupportedRegexError(TokenizerReferenceError):
    """The target accepts this pattern, the reference does not."""


class Regex:
    """A pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return all matches."""
        raise UnsupportedRegexError(self.pattern)
