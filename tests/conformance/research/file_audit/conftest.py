"""What the tests of audits of files share: the implementation that loads documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.comparison.loaded_documents import Documents

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def documents() -> Iterator[Documents]:
    with Documents(TokenizersImplementation()) as found:
        yield found
