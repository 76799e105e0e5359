"""Known changes between releases, as data, and which of them explain a difference.

``known/PACKAGE.toml`` is read strictly. A selector says how a difference that comes of a change looks; ``locality.py``
wants a changed character at every place that differs, ``relations.py`` are rules between the two answers. A change that
a requirement describes names it, and is told once. What was not run by a probe is no entry.
"""
