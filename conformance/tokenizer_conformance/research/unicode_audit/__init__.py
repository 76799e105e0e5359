"""``tokconf audit unicode``: which version of Unicode explains what implementations do with characters."""
