"""What the tests of vocabularies share: tokenizers made of documents, in the implementation that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reachability, reachability

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.loaded_documents import Documents


class Loaded:
    """A tokenizer with what is decided about its vocabulary."""

    def __init__(self, documents: Documents, document: dict[str, Any]) -> None:
        self.document = document
        self.documents = documents
        self.parts = DocumentParts(document)
        self.asked: Asked = documents.loaded(document, "planted")

    @property
    def reachability(self) -> Reachability:
        return reachability(self.parts, self.asked, self.documents)

    def tokens(self, text: str) -> tuple[str, ...]:
        answer = self.asked.ask(Encode(text, add_special_tokens=False))
        assert isinstance(answer, Encoded), answer
        return answer.tokens

    def ids_of_all(self, texts: Iterable[str]) -> set[int]:
        found: set[int] = set()
        for text in texts:
            answer = self.asked.ask(Encode(text, add_special_tokens=False))
            if isinstance(answer, Encoded):
                found.update(answer.ids)
        return found


@pytest.fixture
def load(documents: Documents) -> Callable[[dict[str, Any]], Loaded]:
    return lambda document: Loaded(documents, document)
