"""Two answers to one question: asking for them, comparing them, laying the blame, and making a case small.

``questions.py`` alone states what an input is asked; asking ahead, comparing, fuzzing and making examples small take it
from there. Encoding is seen at two stages, since every implementation can show these: ``model`` is ``encode`` without
special tokens, ``post_process`` is ``encode`` with them, and all pairs. Decoding is judged on the baseline's ids, so
that it does not inherit what went wrong before. A text is paired with the one after it in its source, whichever inputs
are selected, so a finding can be repeated alone. Implementations that answer many questions at once are asked ahead, a
batch of inputs at a time (``asking.py``). ``impact.py`` counts what a difference touches.
"""
