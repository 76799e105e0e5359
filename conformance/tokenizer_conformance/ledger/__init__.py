"""Expected differences as data: ledgers say which differences are known, and why.

A ledger is a file of TOML (``tokconf formats ledger-1.json`` describes it). :func:`reader.read_ledgers` reads several,
:func:`reader.known_ledger` the one that comes with the project. :meth:`matching.Ledger.entry_for` says which entry a
:class:`entry.Difference` has, :meth:`matching.Ledger.stale` which entries a :class:`staleness.Scope` has left without
any. :mod:`updating` appends entries. Nothing here asks an implementation anything.
"""
