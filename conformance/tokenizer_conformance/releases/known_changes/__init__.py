"""Known changes as data: what a release of a library answers otherwise than the one before, and how to see it.

A change is an entry of ``known/PACKAGE.toml``. :func:`reader.read_changes`
reads them; :meth:`explaining.KnownChanges.explaining` says which changes explain a difference between two releases, and
:mod:`probing` asks the probe of a change in the environment of a release. Nothing here asks an implementation itself.

Changes that a requirement of the suite describes are told by the requirement (``since``); an entry names it where a
difference can be known by more than the requirement.
"""
