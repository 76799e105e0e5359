"""Random texts of all blocks, scripts and categories of Unicode, as a source of inputs like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text import Input, lone_surrogate
from tokenizer_conformance.inputs.text_generators.generator import Material
from tokenizer_conformance.inputs.text_generators.random_unicode import RANDOM_UNICODE

if TYPE_CHECKING:
    from collections.abc import Iterator

CATEGORY = "random"


@dataclass(frozen=True, slots=True)
class RandomTexts:
    """The first ``count`` texts of ``seed``, of each generator in turn. Iterating makes the same ones anew.

    >>> [each.id for each in RandomTexts(2, 7)]
    ['random/7/0', 'random/7/1']
    """

    count: int
    seed: int = 0

    def __iter__(self) -> Iterator[Input]:
        material = Material({}, (), self.seed)
        made = [generator.make(material) for generator in RANDOM_UNICODE]
        for number in range(self.count):
            text = made[number % len(made)].text(number // len(made))
            if lone_surrogate(text) is None:
                yield Input(f"{CATEGORY}/{self.seed}/{number}", CATEGORY, text)
