"""The suite: what every tokenizer must do, as requirements with cases, and how far an implementation is.

``requirement`` says what a requirement is, ``reader`` reads the files in ``requirements/``, ``judging`` compares
answers with what is expected, ``running`` asks an implementation, ``engine`` carries out a plan as a stream of events.
"""
