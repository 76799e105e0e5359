"""Errors whose cause is what the user gave: each message says on one line what was wrong, where, and what to do."""

from __future__ import annotations


class BadInputError(Exception):
    """Something given to the harness (a tokenizer, a file of texts, a text) cannot be used."""
