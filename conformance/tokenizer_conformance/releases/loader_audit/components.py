"""What a loaded tokenizer is compared in: the components of a tokenizer.json, and the calls of the loader's object."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.loader_audit import AuditedStage


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

STAGES: dict[Component, AuditedStage] = {
    Component.NORMALIZER: "normalize",
    Component.PRE_TOKENIZER: "pre_tokenize",
    Component.MODEL: "model",
    Component.VOCABULARY: "model",
    Component.MERGES: "model",
    Component.ADDED_TOKENS: "load",
    Component.POST_PROCESSOR: "post_process",
    Component.DECODER: "decode",
    Component.TRUNCATION: "post_process",
    Component.PADDING: "post_process",
    Component.DEFAULTS: "load",
}
"""The stage by which the entry of a ledger names a difference in a component; added tokens are of no single one."""
