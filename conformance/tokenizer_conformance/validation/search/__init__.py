"""``tokconf fuzz TOKENIZER…``: a search for what differs on given tokenizers, by generators of texts.

The search deals numbered batches of texts. Which texts batch *n* has follows from the seed and from what came of the
batches before the last sixteen, never from time or from the number of processes. Processes ask; the main process takes
what differs, in order, to the collector of causes. A generator makes text *n* from material, seed and number alone;
what a tokenizer file lacks gives no texts.
"""
