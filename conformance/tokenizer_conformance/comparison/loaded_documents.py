"""Documents that one implementation loads: the user's, the loader's, and the user's with one component replaced."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import CannotLoadError, SavingSubject, TokenizerSource
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.comparison.asking import Asked, loaded

if TYPE_CHECKING:
    from types import TracebackType

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.comparison.reduction import Json

FILE_NAME = "tokenizer.json"


class Documents:
    """Has ``implementation`` load documents, from a folder that is gone at the end."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self._folder = tempfile.TemporaryDirectory()
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def loaded(self, document: Json | str, name: str) -> Asked:
        """Return the implementation with ``document``; messages call it ``name``.

        Its file stays, since an implementation may load it again. Raises :class:`CannotLoadError`.
        """
        self._count += 1
        file = Path(self._folder.name) / str(self._count) / FILE_NAME
        file.parent.mkdir()
        text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        return loaded(self._implementation, TokenizerSource(name, str(file)))


def written(asked: Asked) -> Json:
    """Return the tokenizer.json that ``asked`` writes. Raises :class:`CannotLoadError` where it writes none."""
    if not isinstance(asked.subject, SavingSubject):
        raise CannotLoadError(f"{asked.info.name} writes no tokenizer.json", unsupported=True)
    text = asked.subject.saved()
    if not isinstance(text, str):
        raise CannotLoadError(f"{asked.info.name}: {in_words(text)}", unsupported=True)
    document: Json = json.loads(text)
    return document
