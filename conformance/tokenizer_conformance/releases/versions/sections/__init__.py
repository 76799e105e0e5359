"""The sections of a comparison of releases, a module each."""
