"""The casebook: publicly reported bugs, each with the one command that shows and explains it, as data.

``bugs/*.toml`` has the cases; ``table`` reads them, ``files`` makes what their commands are given, ``asking`` runs a
command, ``expectations`` judges its record, ``page`` writes what came of all.
"""
