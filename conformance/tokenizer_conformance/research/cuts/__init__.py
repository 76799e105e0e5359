"""``tokconf compare``: how several tokenizers cut the same texts, and why one needs more tokens.

Between boundaries common to both tokenizers each token is counted once, so regions sum to the difference. A region is
of the first kind of a table that fits. Causes in normalization are decided by experiment; examples are counted in
bounded memory.
"""
