"""Generators that need no tokenizer file: built-in inputs, sweeps over Unicode, changes of real text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.built_in import BUILT_IN
from tokenizer_conformance.inputs.text_generators.clusters import CLUSTERS
from tokenizer_conformance.inputs.text_generators.edges import EDGES, LONG
from tokenizer_conformance.inputs.text_generators.mutations import MUTATIONS
from tokenizer_conformance.inputs.text_generators.pairs import PACKED_PAIRS, SINGLE_PAIRS
from tokenizer_conformance.inputs.text_generators.random_unicode import RANDOM_UNICODE
from tokenizer_conformance.inputs.text_generators.sweeps import PACKED_SWEEPS, SINGLE_SWEEPS

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.generator import Generator

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
