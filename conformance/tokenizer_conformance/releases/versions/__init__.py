"""``tokconf versions``: releases beside one another, and what changed from each to the next.

Each release becomes a snapshot. All are read side by side (lines of the same bytes are the same answers), and a diff
looks into those inputs alone that differ. Facts that are no answers to texts (defaults, refusals, saved files, what is
learnt) are sections, compared by name; ledgers know them by section and fact (``known.py``).
"""
