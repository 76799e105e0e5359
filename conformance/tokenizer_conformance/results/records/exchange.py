"""What carries the difference between two tokenizer.json, as several formats say it."""

from __future__ import annotations

from tokenizer_conformance.results.records.value import Count, Value


class ExchangedPart(Value, frozen=True, kw_only=True):
    """A part in which two files differ: values are JSON, cut or counted where they are long; null: not there."""

    name: str
    path: str
    first: str | None
    second: str | None


class Carrier(Value, frozen=True, kw_only=True):
    """Parts that were exchanged together."""

    parts: tuple[ExchangedPart, ...]
    texts: Count
    """To how many texts that differ the first, with these parts of the second, gives the second's answer."""
    back: Count
    """To how many the second, with these parts of the first, gives the first's."""


class Exchanged(Value, frozen=True, kw_only=True):
    """Which parts carry the difference, found by exchanging parts of the two files."""

    differing: Count
    """How many texts differ."""
    texts: Count
    """How many of these were asked about, of each way in which they do."""
    controls: Count
    """How many that do not differ: no carrier changes these."""
    parts: Count
    """In how many parts the files differ."""
    carriers: tuple[Carrier, ...]
    """Single parts that carry all texts, or one set that does; where is_all is false, the parts that carry some."""
    is_all: bool
    reason: str
    """Why nothing, or nothing more, can be said."""
