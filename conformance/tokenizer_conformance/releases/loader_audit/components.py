"""What a loaded tokenizer is compared in: the components of a tokenizer.json, and the calls of the loader's object."""

from __future__ import annotations

from enum import StrEnum

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.ledger.entry import LOAD


class Component(StrEnum):
    """A part of a tokenizer.json that is replaced as one, or what a loader keeps beside it (``DEFAULTS``)."""

    NORMALIZER = "normalizer"
    PRE_TOKENIZER = "pre_tokenizer"
    MODEL = "model"
    VOCABULARY = "vocabulary"
    MERGES = "merges"
    ADDED_TOKENS = "added_tokens"
    POST_PROCESSOR = "post_processor"
    DECODER = "decoder"
    TRUNCATION = "truncation"
    PADDING = "padding"
    DEFAULTS = "defaults"


ANSWERS = "answers"
"""What answers are called that no replaced component explains, where a component's name would stand."""

STAGES: dict[Component, str] = {
    Component.NORMALIZER: Stage.NORMALIZE,
    Component.PRE_TOKENIZER: Stage.PRE_TOKENIZE,
    Component.MODEL: Stage.MODEL,
    Component.VOCABULARY: Stage.MODEL,
    Component.MERGES: Stage.MODEL,
    Component.ADDED_TOKENS: LOAD,
    Component.POST_PROCESSOR: Stage.POST_PROCESS,
    Component.DECODER: Stage.DECODE,
    Component.TRUNCATION: Stage.POST_PROCESS,
    Component.PADDING: Stage.POST_PROCESS,
    Component.DEFAULTS: LOAD,
}
"""The stage by which the entry of a ledger names a difference in a component; added tokens are of no single one."""
