"""Environments of versions: a release of a package, in a Python environment of its own, as an implementation.

A word such as ``tokenizers==0.19.1`` (``words``) names a release of a package that an adapter reads (``packages``). The
environment is made once (``installer``), kept in the user's folder for caches (``store``) and found again by a digest
of all that decides what is in it. Its Python serves the adapter of this package behind the line protocol. Which
releases there are is asked of pip (``releases``): where packages come from is the user's configuration and nobody
else's. What can go wrong is a type each, with words for people (``faults``).

``pinned`` says what serves a word; ``tokenizer_adapters.selection`` takes such words.
"""
