"""Single components, asked alone: the implementation loads each in a document that has nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import CannotLoadError, Normalize, Pieces, PreTokenize, Text
from tokenizer_conformance.research.file_audit.vocabulary.patterns import UnreadPatternError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json

MODEL: Json = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
"""A model that takes every text."""


def document_of(
    *, normalizers: Sequence[Mapping[str, Any]] = (), pre_tokenizer: Mapping[str, Any] | None = None
) -> Json:
    """Return a tokenizer.json with these components and nothing else."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": list(normalizers)} if normalizers else None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": MODEL,
    }


def normalizing(documents: Documents, components: Sequence[Mapping[str, Any]]) -> Callable[[str], str | None] | None:
    """Return what asks ``components``, one after the other, to normalize a text; ``None`` where they are refused."""
    asked = _loaded(documents, document_of(normalizers=components))
    if asked is None:
        return None

    def normalize(text: str) -> str | None:
        answer = asked.ask(Normalize(text))
        return answer.text if isinstance(answer, Text) else None

    return normalize


def cutting(documents: Documents, component: Mapping[str, Any]) -> Callable[[str], tuple[str, ...] | None] | None:
    """Return what asks ``component`` alone to cut a text into pieces; ``None`` where it is refused."""
    asked = _loaded(documents, document_of(pre_tokenizer=component))
    if asked is None:
        return None

    @lru_cache(1 << 16)
    def cut(text: str) -> tuple[str, ...] | None:
        answer = asked.ask(PreTokenize(text))
        return tuple(piece for piece, _ in answer.pieces) if isinstance(answer, Pieces) else None

    return cut


class CharacterClasses:
    """Which characters a class of a regular expression has, as the implementation has it."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._classes: dict[str, Callable[[str], tuple[str, ...] | None]] = {}
        self._known: dict[tuple[str, str], bool] = {}

    def __call__(self, pattern: str, character: str) -> bool:
        """Return whether ``pattern``, which matches single characters, matches ``character``.

        Raises :class:`UnreadPatternError` where the implementation does not answer.
        """
        known = self._known.get((pattern, character))
        if known is None:
            known = self._known[pattern, character] = self._asked(pattern, character)
        return known

    def _asked(self, pattern: str, character: str) -> bool:
        cut = self._classes.get(pattern)
        if cut is None:
            split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": False}
            cut = cutting(self._documents, split)
            if cut is None:
                raise UnreadPatternError(f"{pattern} is refused")
            self._classes[pattern] = cut
        pieces = cut(character)
        if pieces is None:
            raise UnreadPatternError(f"{pattern} is not answered")
        return not pieces


def _loaded(documents: Documents, document: Json) -> Asked | None:
    try:
        return documents.loaded(document, "a component alone")
    except CannotLoadError:
        return None
