"""The published pages of ``reports/``: which there are, the records they are written from, and how each is held."""
