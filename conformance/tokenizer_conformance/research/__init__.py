"""The third use: how do tokenizers differ? Measures, cuts of texts, training, audits of files, offsets and Unicode."""
