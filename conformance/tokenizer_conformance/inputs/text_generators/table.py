"""All generators, in the order in which a search tries them first."""

from __future__ import annotations

from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.text_generators.added_tokens import ADDED_TOKEN_GENERATORS
from tokenizer_conformance.inputs.text_generators.byte_sequences import BYTE_GENERATORS
from tokenizer_conformance.inputs.text_generators.charsmap_keys import CHARSMAP_GENERATORS
from tokenizer_conformance.inputs.text_generators.clusters import CLUSTERS
from tokenizer_conformance.inputs.text_generators.edges import EDGES, LONG
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.limits import LIMIT_GENERATORS
from tokenizer_conformance.inputs.text_generators.merges import MERGE_GENERATORS
from tokenizer_conformance.inputs.text_generators.mutations import MUTATIONS
from tokenizer_conformance.inputs.text_generators.normalized_characters import NORMALIZED_CHARACTER_GENERATORS
from tokenizer_conformance.inputs.text_generators.pairs import PACKED_PAIRS, SINGLE_PAIRS
from tokenizer_conformance.inputs.text_generators.patterns import PATTERN_GENERATORS
from tokenizer_conformance.inputs.text_generators.random_unicode import RANDOM_UNICODE
from tokenizer_conformance.inputs.text_generators.scores import SCORE_GENERATORS
from tokenizer_conformance.inputs.text_generators.sweeps import PACKED_SWEEPS, SINGLE_SWEEPS
from tokenizer_conformance.inputs.text_generators.vocabulary import UNCOVERED_GENERATORS, VOCABULARY_GENERATORS


def _made(_material: Material) -> Produced:
    inputs = builtin_inputs()
    return Produced(len(inputs), lambda number: inputs[number].text)


BUILT_IN = (Generator("built-in inputs", "short texts that are hostile to tokenizers, of every category", _made),)


TOKENIZER_GENERATORS: tuple[Generator, ...] = (
    *VOCABULARY_GENERATORS,
    *CHARSMAP_GENERATORS,
    *NORMALIZED_CHARACTER_GENERATORS,
    *PATTERN_GENERATORS,
    *ADDED_TOKEN_GENERATORS,
    *MERGE_GENERATORS,
    *SCORE_GENERATORS,
    *UNCOVERED_GENERATORS,
    *BYTE_GENERATORS,
    *LIMIT_GENERATORS,
)


TEXT_GENERATORS: tuple[Generator, ...] = (
    *BUILT_IN,
    *PACKED_SWEEPS,
    *EDGES,
    *CLUSTERS,
    *PACKED_PAIRS,
    *MUTATIONS,
    *RANDOM_UNICODE,
    *LONG,
    *SINGLE_PAIRS,
    *SINGLE_SWEEPS,
)


GENERATORS: tuple[Generator, ...] = (*TOKENIZER_GENERATORS, *TEXT_GENERATORS)
