"""Auditing encodings by invariants: what must hold for any answer, whoever gave it."""
