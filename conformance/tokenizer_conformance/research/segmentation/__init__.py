"""How tokenizers cut texts: tokens with the characters they stand for, by whatever implementation does it."""
