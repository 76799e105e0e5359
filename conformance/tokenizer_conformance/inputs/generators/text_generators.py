"""Generators that need no tokenizer file: built-in inputs, sweeps over Unicode, changes of real text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.generators.generator import Generator

TEXT_GENERATORS: tuple[Generator, ...] = ()
