"""Faults that are planted to see which inputs show them.

Three kinds: another tokenizer.json in the place of the user's (``documents``, ``vocabulary``, ``patterns``), another
text in the place of what was asked about (``texts``), and other answers (``answers``). All are data or small functions;
none knows of the faults that the published power of vectors is measured with.
"""
