"""``tokconf fuzz``: implementations compared on random tokenizers and random hostile texts."""
