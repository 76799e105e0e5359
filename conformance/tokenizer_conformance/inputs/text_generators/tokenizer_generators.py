"""Generators of texts that are derived from the tokenizer file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.added_tokens import ADDED_TOKEN_GENERATORS
from tokenizer_conformance.inputs.text_generators.byte_sequences import BYTE_GENERATORS
from tokenizer_conformance.inputs.text_generators.charsmap_keys import CHARSMAP_GENERATORS
from tokenizer_conformance.inputs.text_generators.limits import LIMIT_GENERATORS
from tokenizer_conformance.inputs.text_generators.merges import MERGE_GENERATORS
from tokenizer_conformance.inputs.text_generators.normalized_characters import NORMALIZED_CHARACTER_GENERATORS
from tokenizer_conformance.inputs.text_generators.patterns import PATTERN_GENERATORS
from tokenizer_conformance.inputs.text_generators.scores import SCORE_GENERATORS
from tokenizer_conformance.inputs.text_generators.uncovered import UNCOVERED_GENERATORS
from tokenizer_conformance.inputs.text_generators.vocabulary import VOCABULARY_GENERATORS

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.generator import Generator

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
