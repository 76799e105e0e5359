"""Entries of the vocabulary that no input can produce, merges that never apply, and what is not covered."""
