"""``tokconf fuzz``: a search for what differs, on given tokenizers or on random ones, with texts that are made.

With given tokenizers the search deals numbered batches of texts. Which texts batch *n* has follows from the seed and
from what came of the batches before the last sixteen, never from time or from the number of processes. Processes ask;
the main process takes what differs, in order, to the collector of causes. A generator makes text *n* from material,
seed and number alone; what a tokenizer file lacks gives no texts.

Random tokenizer *n* of a seed is drawn from the seed and *n* alone (``inputs/random_tokenizers``), so a difference is
named by two numbers, whatever ran before it. Where both sides refuse there is nothing to compare:
``comparison/no_value.py`` says when that passes for known (never where the implementation crashes, or ends in an
``IndexError``), and every pair of refusals is counted.
"""
