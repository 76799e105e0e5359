"""Why two implementations differ: witnesses, experiments on them, and their results.

A ``Bench`` gives both sides any tokenizer, also a changed one; a *witness* is one difference with all that shows it
again. The collector tries a difference against known causes first: where it goes when their *culprits* (patterns of
character or token classes, or a length) are made harmless, it has one of these, and is counted for it. What is left is
made small (``minimizing.py``), its culprit is found by putting members of ever narrower classes in each place, and its
reason by experiment. Causes with one proven reason are one, whatever stage or tokenizer shows them; so are those that
look the same. ``classes/`` has a module for each kind of experiment: other answers, other questions, other documents
(``hypothesis.py`` judges them by probes), variants of the reference, single entries of the model. Of several reasons
that stand, ``rivals.py`` has the implementation itself say which is false. A reason that explains what was found before
takes that over.
"""
