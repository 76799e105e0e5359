"""Badges: how far an implementation is in the suite, small enough for a page of its own."""
