"""Making one finding of a run small: its question, then its tokenizer.json."""
