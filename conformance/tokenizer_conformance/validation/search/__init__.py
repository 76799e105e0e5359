"""``tokconf fuzz TOKENIZER…``: a search for what differs on given tokenizers, by generators of texts."""
