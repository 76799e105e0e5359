"""The tokenizer as a whole: what comes before and after its components, and the file that it is written to."""
