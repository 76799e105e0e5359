"""What trainers learn from one corpus, compared: words, tokens, merges or scores, ids.

Nothing here trusts a trainer. How often pairs of tokens occur is counted from the words of the corpus
(``pair_counts.py``), every merge is done again
(``merge_replay.py``), and a difference is called a tie only where these counts prove it.
"""
