"""Tokenizers measured on texts: how much they cut, how evenly, and how far they agree."""
