"""Implementations with one known fault each, and what is true of it: the data of ``tools/cause_truth.py``."""
