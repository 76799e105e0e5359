"""Random but valid tokenizers, and hostile texts, from a seed."""

from tokenizer_conformance.inputs.random_tokenizers.documents import Document, random_document
from tokenizer_conformance.inputs.random_tokenizers.texts import random_text

__all__ = ["Document", "random_document", "random_text"]
