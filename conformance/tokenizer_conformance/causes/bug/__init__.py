"""A bug report for the maintainers of an implementation: one difference, and what shows it without this project.

How users of a package load a tokenizer.json and ask it is data (``snippets/NAME.toml``). ``snippet.py`` makes programs
of that in ASCII; ``checking.py`` runs them as maintainers would and believes only what they print.
"""
