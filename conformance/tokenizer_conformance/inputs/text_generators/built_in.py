"""The built-in inputs as a generator."""

from __future__ import annotations

from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced


def _made(_material: Material) -> Produced:
    inputs = builtin_inputs()
    return Produced(len(inputs), lambda number: inputs[number].text)


BUILT_IN = (Generator("built-in inputs", "short texts that are hostile to tokenizers, of every category", _made),)
