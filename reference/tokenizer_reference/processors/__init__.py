"""Post-processors: what is done to the encodings of one input or of a pair after the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.processors.base import PostProcessor
from tokenizer_reference.processors.bert import BertProcessing
from tokenizer_reference.processors.byte_level import ByteLevel
from tokenizer_reference.processors.roberta import RobertaProcessing
from tokenizer_reference.processors.sequence import Sequence
from tokenizer_reference.processors.template import TemplateProcessing

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BertProcessing",
    "ByteLevel",
    "PostProcessor",
    "RobertaProcessing",
    "Sequence",
    "TemplateProcessing",
]

COMPONENTS: Final[Mapping[str, type[PostProcessor]]] = {
    "RobertaProcessing": RobertaProcessing,
    "BertProcessing": BertProcessing,
    "ByteLevel": ByteLevel,
    "TemplateProcessing": TemplateProcessing,
    "Sequence": Sequence,
}
"""JSON type name to class, in the order in which the target tries them: the first whose fields fit is taken.

The ``type`` says only whether ByteLevel and Sequence are among them: a post-processor with ``"type": "BertProcessing"``
and the fields of RoBERTa is RobertaProcessing (observed, tokenizers 0.23.3).
"""
