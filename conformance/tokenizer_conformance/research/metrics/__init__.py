"""``tokconf metrics``: tokenizers measured on a corpus, and compared.

A corpus is cut into tasks that follow from the sources alone. A process reads a task and turns it into tallies, which
are merged in order, so any number of processes, and a resumed run, give the same. ``measures/`` has what is counted,
computed and defined. Sums of texts are kept in 1,000 buckets by text number and counts of ids in 20 folds, so that a
corpus can be resampled after it has gone by; memory grows with the vocabulary, not with the corpus.
"""
