"""The files of a release: how they are built, what is in them, and whether they work where they are installed."""
