"""``tokconf audit offsets``: what must hold for any encoding, without another implementation.

The tokenizer.json says what a token may stand for; ``table.py`` says which invariant looks at which answer.
"""
