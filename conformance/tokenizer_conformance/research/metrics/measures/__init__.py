"""What is counted while texts go by, what is computed of the counts, and how sure that is.

A text is a :class:`~.sample.Sample`; a :class:`~.sample.Cut` is the sample as one tokenizer cuts it. Cuts are added to
tallies (:mod:`.tally`, :mod:`.pair_tally`, :mod:`.morphemes`), whose size the vocabulary bounds, never the corpus.
:data:`.catalogue.MEASURES` defines each measure; :mod:`.estimates` computes them, with their intervals.
"""
