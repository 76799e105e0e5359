"""What trainers learn from one corpus, compared: words, tokens, merges or scores, ids.

Nothing here trusts a trainer. Pairs are counted from the words of the corpus (``pair_counts.py``), and every merge is
done again beside these counts (``merge_replay.py``). Two answers that differ are a tie only if every merge of both was
of a most frequent pair (BPE, WordPiece), if only equally frequent words are exchanged (WordLevel), or only pieces of
equal scores and the scores of dropped characters (Unigram).
"""
