"""Post-processors: what is done to the encodings of one input or of a pair after the model."""

from __future__ import annotations

from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.processors.bert import BertProcessing
from tokenizer_reference.processors.byte_level import ByteLevel
from tokenizer_reference.processors.roberta import RobertaProcessing
from tokenizer_reference.processors.sequence import Sequence
from tokenizer_reference.processors.template import TemplateProcessing

__all__ = [
    "BertProcessing",
    "ByteLevel",
    "PostProcessor",
    "RobertaProcessing",
    "Sequence",
    "TemplateProcessing",
]

COMPONENTS: dict[str, type[PostProcessor]] = POST_PROCESSOR.components
"""The classes by the name that tokenizer.json has for them, in the order of the stage."""
