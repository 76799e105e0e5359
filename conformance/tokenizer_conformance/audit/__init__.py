"""``tokconf audit``: what is looked into, a folder each: a loader, a tokenizer file, offsets, versions of Unicode."""
