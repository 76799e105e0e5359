"""Generators: texts made from a tokenizer file, from Unicode and from real text, each by its number."""
