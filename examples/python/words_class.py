"""The least class that tokconf compares: the words of a text that stand in the vocabulary, id 0 for all others.

tokconf suite run -i words_class:Words      in this folder
"""

import json
import re
from pathlib import Path


class Words:
    """A tokenizer. What it has no method for (a normalizer, batches, pairs) is not supported, and costs nothing."""

    adds_special_tokens = False  # encode has no argument for it

    def __init__(self, tokens):
        self._tokens = tokens
        self._ids = {token: number for number, token in enumerate(tokens)}

    @classmethod
    def from_file(cls, path):
        """Load a tokenizer.json."""
        model = json.loads(Path(path).read_text("utf-8"))["model"]
        if model.get("type") != "WordLevel":
            raise NotImplementedError("only WordLevel is read")
        return cls(sorted(model["vocab"], key=model["vocab"].get))

    def encode(self, text):
        """Return ids, and what else there is."""
        words = list(re.finditer(r"\S+", text))
        return {"ids": [self._ids.get(word[0], 0) for word in words], "offsets": [word.span() for word in words]}

    def decode(self, ids):
        """Return the text."""
        return " ".join(self._tokens[each] for each in ids)
