"""Sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.base import Normalizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_reference.formats.json_value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


class Sequence(Normalizer):
    """Applies normalizers one after the other. The constructor dissolves sequences among them.

    >>> from tokenizer_reference.normalizers import NFD, StripAccents
    >>> Sequence([NFD(), StripAccents()]).normalize_str("é")
    'e'
    """

    def __init__(self, normalizers: list[Normalizer]) -> None:
        self._normalizers: list[Normalizer] = []
        for normalizer in map(_checked, normalizers):
            self._normalizers += normalizer if isinstance(normalizer, Sequence) else [normalizer]

    def _normalize(self, normalized: NormalizedString) -> None:
        for normalizer in self._normalizers:
            normalizer._normalize(normalized)

    def __len__(self) -> int:
        return len(self._normalizers)

    def __iter__(self) -> Iterator[Normalizer]:
        return iter(self._normalizers)

    def __getitem__(self, index: int) -> Normalizer:
        return self._normalizers[self._checked_index(index)]

    def __setitem__(self, index: int, value: Normalizer) -> None:
        if isinstance(value, Sequence):
            raise TokenizerReferenceError("normalizer should not be a sequence")
        self._normalizers[self._checked_index(index)] = _checked(value)

    def _checked_index(self, index: int) -> int:
        if index < 0:
            raise OverflowError("can't convert negative int to unsigned")
        if index >= len(self._normalizers):
            raise IndexError("Index not found")
        return index

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "normalizers": [normalizer._to_json() for normalizer in self._normalizers]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Return the sequence; sequences inside it stay as they are."""
        from tokenizer_reference.formats.components import load_normalizer  # noqa: PLC0415 - it loads this class too

        sequence = cls([])
        sequence._normalizers = [load_normalizer(item) for item in value["normalizers"].items()]
        return sequence


def _checked(value: Normalizer) -> Normalizer:
    if not isinstance(value, Normalizer):
        raise TypeError(f"{type(value).__name__!r} object is not an instance of 'Normalizer'")
    return value
