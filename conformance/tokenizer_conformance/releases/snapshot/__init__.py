"""``tokconf snapshot``: everything that one implementation answers, in a file (:mod:`snapshot_file`)."""
