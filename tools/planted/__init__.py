"""Faulty tokenizers: `tokenizers` with one fault each, to see what a search makes of it."""
