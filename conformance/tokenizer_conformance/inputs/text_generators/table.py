"""All generators, in the order in which a search tries them first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.text_generators import TEXT_GENERATORS
from tokenizer_conformance.inputs.text_generators.tokenizer_generators import TOKENIZER_GENERATORS

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.generator import Generator

GENERATORS: tuple[Generator, ...] = (*TOKENIZER_GENERATORS, *TEXT_GENERATORS)
