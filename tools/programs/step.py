"""Steps of a program: code that both packages run, and what has to be known of it beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PRELUDE = '''
class Lower:
    """Custom components that never fail."""
    def normalize(self, normalized):
        normalized.lowercase()
    def pre_tokenize(self, pretok):
        pretok.split(lambda index, split: split.split("b", "isolated"))
    def decode_chain(self, tokens):
        return [token.lower() for token in tokens]

class Half:
    """Custom components that change a text, and fail then where it has a B."""
    def fail_at_b(self, text):
        if "B" in text.upper():
            raise ValueError("B")
    def normalize(self, normalized):
        normalized.prepend("_")
        self.fail_at_b(normalized.original)
    def pre_tokenize(self, pretok):
        pretok.split(lambda index, split: split.split(" ", "removed"))
        self.fail_at_b("".join(text for text, _, _ in pretok.get_splits()))
    def decode_chain(self, tokens):
        self.fail_at_b("".join(tokens))
        return tokens[::-1]

class Nothing:
    """No component at all."""

def breaking_off(texts):
    yield from texts
    raise ValueError("no more texts")

def forget_words(model):
    """BPE models of the target remember words from before a change, see the quirk."""
    getattr(model, "_clear_cache", int)()
'''
"""What every program begins with."""


@dataclass(frozen=True, slots=True)
class Step:
    """``code`` is statements, or an expression whose value is compared.

    ``doubts`` are pairs of a name in :data:`programs.left_out.LEFT_OUT` and what to look at. A panic of a step that
    ``locks`` what it changes (a tokenizer, a text) leaves it useless in the target: the program ends there.
    """

    kind: str
    code: str
    doubts: tuple[tuple[str, ...], ...] = ()
    locks: bool = False


def as_program(steps: Iterable[Step], package: str = "tokenizers") -> str:
    """Return ``steps`` as a program that can be run; what fails on the way is shown."""
    lines = [
        "import copy, json, pickle",
        f"from {package} import *",
        f"from {package} import decoders, models, normalizers, pre_tokenizers, processors, trainers",
        PRELUDE,
    ]
    return "\n".join([*lines, *(step.code for step in steps)]) + "\n"
