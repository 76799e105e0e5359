"""Snapshots: all that one implementation answers about tokenizers and texts, in a file.

A snapshot is JSON Lines, compressed by gzip or xz. A header says who answered, with what, about what; then come the
inputs, each once; then for each tokenizer a line that says how it was loaded, and a line of answers for each input;
then a footer with the number of lines and their digest. ``results/records/snapshot.py`` describes every line.

``parts`` has the values, ``questions`` the names that the questions about an input have in a file, ``lines`` the codec,
``reader`` the way back, and ``replay`` makes of a snapshot an implementation that can be compared.
"""
