"""``tokconf fuzz``: implementations compared on random tokenizers and random hostile texts.

Tokenizer *n* of a seed is drawn from the seed and *n* alone (``inputs/random_tokenizers``), so a difference is named
by two numbers, whatever ran before it. Where both sides refuse there is nothing to compare: ``comparison/no_value.py``
says when that passes for known (never where the implementation crashes, or ends in an ``IndexError``), and every pair
of refusals is counted.
"""
