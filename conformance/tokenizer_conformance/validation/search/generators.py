"""The generators of a search: those of all inputs, and short texts for tokenizers with other options."""

from __future__ import annotations

from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.table import GENERATORS

VARIED = "truncation-padding"
"""The generator whose texts are asked about copies of the tokenizer with another truncation or padding."""

PIECES = ("a", "be", "tea", "abate", "eat-tab", "é", "中", "😀", "1", ",", "...", "  ", 20 * "t")
"""What its texts are made of: words of one token and of several, in few letters, so that a small vocabulary does."""

MOST_ADDED = 8
"""How many added tokens of the file are among them."""

COUNTS = (0, 1, 2, 3, 5, 8, 13)
"""How many of them a text has: truncations are short, too."""


def _short(material: Material) -> Produced:
    added = [str(each["content"]) for each in material.document.get("added_tokens") or ()]
    pieces = (*PIECES, *added[:MOST_ADDED])

    def text(number: int) -> str:
        random = material.random(VARIED, number)
        return random.choice((" ", " ", "")).join(random.choices(pieces, k=random.choice(COUNTS)))

    return Produced(None, text)


VARIED_TEXTS = Generator(VARIED, "short texts, of the tokenizer with another truncation or padding", _short)

SEARCH_GENERATORS: tuple[Generator, ...] = (*GENERATORS, VARIED_TEXTS)
"""All of them, in the order in which they are tried first."""
