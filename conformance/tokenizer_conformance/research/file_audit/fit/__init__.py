"""Whether the pipeline of a file fits its vocabulary: what the vocabulary says, against what the pipeline does.

A vocabulary is an imprint of the pipeline that it was trained behind. How it writes a space (``Ġ``, ``▁``, ``##``,
``</w>``) is one part of that, and each *sign* of a text another: capital letters, accents, punctuation beside letters,
digits in a row. Two rules follow, whatever the file:

- where entries have a sign, texts give such entries;
- where none of many entries has it, the pipeline took it away: with the sign or without, a text becomes the same.

A rule that the baseline breaks is no finding yet. Single changes of the file are tried, an option, a component left out
or put in: the finding is the change with which the rule holds and plain texts become what they become now, or more of
the vocabulary. Without such a change nothing is said.
"""
