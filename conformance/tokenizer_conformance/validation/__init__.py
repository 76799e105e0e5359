"""The first use: is an implementation right? Runs, the suite, searches, vectors, badges, and the same from Python."""
