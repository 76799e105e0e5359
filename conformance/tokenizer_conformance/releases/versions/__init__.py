"""``tokconf versions``: releases of a package beside one another, and what changed from each to the next."""
