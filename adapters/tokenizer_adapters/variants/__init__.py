"""Variants of the reference: what it would answer if one thing in it were another."""
