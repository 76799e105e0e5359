"""The suite: what every tokenizer must do, as requirements with cases, and how far an implementation is.

``requirement`` says what a requirement is, ``reader`` reads the files in ``requirements/``, ``judging`` compares
answers with what is expected, ``running`` asks an implementation, ``engine`` carries out a plan as a stream of events.

Requirements are data, one file an area, written by ``tools/generate_requirements.py`` from the recipes in
``tools/requirements/``: a recipe says what is asked and why, never what is expected, and an answer is written only
where the reference and the target give it independently. Questions have the words of the line protocol (``reader.py``).
The place to blame is the first that is wrong, or, where nothing but offsets is, that of the area, since normalizers
show no offsets of their own. ``coverage.py`` has the whole of tokenizer.json as a table of cells to fill;
``null_implementations.py`` pass no case. The specification is rendered from the same data (``specification.py``). Ids
are for ever (``areas.json`` has each that was given).
"""
