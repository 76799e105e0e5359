"""Generators of texts that are derived from the tokenizer file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.generators.generator import Generator

TOKENIZER_GENERATORS: tuple[Generator, ...] = ()
