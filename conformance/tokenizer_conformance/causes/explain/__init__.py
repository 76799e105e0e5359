"""``tokconf explain``: the way of one text through a tokenizer, and where implementations leave it."""
