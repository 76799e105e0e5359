"""Random but valid tokenizers, and hostile texts, from a seed."""

from tokenizer_conformance.inputs.generation.documents import Document, random_document
from tokenizer_conformance.inputs.generation.texts import random_text

__all__ = ["Document", "random_document", "random_text"]
