"""``tokconf audit file``: what is wrong, dead or surprising in a tokenizer.json, with what shows it."""
