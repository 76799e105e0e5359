"""What implementations are asked about: texts, files of texts, tokenizer files, and random ones of both."""
