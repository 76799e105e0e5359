"""``tokconf compare``: the same texts cut by several tokenizers, side by side, and why one needs more tokens."""
