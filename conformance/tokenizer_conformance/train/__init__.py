"""What trainers learn from one corpus, compared: words, tokens, merges or scores, ids.

Nothing here trusts a trainer. How often pairs of tokens occur is counted from the words of the corpus
(:mod:`~tokenizer_conformance.train.pair_counts`), every merge is done again
(:mod:`~tokenizer_conformance.train.merge_replay`), and a difference is called a tie only where these counts prove it.
"""
