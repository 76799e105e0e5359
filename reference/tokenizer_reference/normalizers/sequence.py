"""Sequence: several normalizers in order, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Self

from tokenizer_reference.arguments import index_of, instance, list_of, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality, in_order
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


@NORMALIZER.component(untyped("normalizers"))
class Sequence(Normalizer):
    """Applies normalizers one after the other. The constructor dissolves sequences among them.

    A member is shared: who changes its options changes the sequence. To put a component in the place of a member turns
    that member, wherever else it is held, into a copy of the component (observed, tokenizers 0.23.3).

    >>> from tokenizer_reference.normalizers import NFD, StripAccents
    >>> Sequence([NFD(), StripAccents()]).normalize_str("é")
    'e'
    """

    # Whether it is part of another sequence of a file: such a one is a member as any other, and stays as it is.
    _is_inner = False

    def __init__(self, normalizers: list[Normalizer]) -> None:
        self._normalizers: list[Normalizer] = []
        for normalizer in list_of("normalizers", normalizers, Normalizer):
            self._normalizers += normalizer._dissolved() if isinstance(normalizer, Sequence) else [normalizer]

    def _dissolved(self) -> list[Normalizer]:
        """Return what a sequence that is made of this one has in its place."""
        return [self] if self._is_inner else self._normalizers

    def _normalize(self, normalized: NormalizedString) -> None:
        for normalizer in self._normalizers:
            normalizer._normalize(normalized)

    def _last_change(self) -> int:
        return max([self._revision, *(normalizer._last_change() for normalizer in self._normalizers)])

    def _locality(self) -> Locality | None:
        return in_order(normalizer._locality() for normalizer in self._normalizers)

    def __len__(self) -> int:
        return len(self._normalizers)

    def __iter__(self) -> Iterator[Normalizer]:
        return iter(self._normalizers)

    def __getitem__(self, index: int) -> Normalizer:
        return self._normalizers[index_of(len(self), index)]

    def __setitem__(self, index: int, value: Normalizer) -> None:
        at = unsigned_64("index", index)
        instance("value", value, Normalizer)
        if isinstance(value, Sequence) and not value._is_inner:
            raise TokenizerReferenceError("normalizer should not be a sequence")
        self._normalizers[index_of(len(self._normalizers), at)]._become(value)

    def __delitem__(self, index: int) -> NoReturn:
        raise NotImplementedError("items of a Sequence can be replaced but not deleted: make a new Sequence")

    def __getnewargs__(self) -> tuple[list[Normalizer]]:
        """Return the arguments of a constructor that makes an empty sequence, to be filled by :meth:`__setstate__`."""
        return ([],)

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "normalizers": [normalizer._to_json() for normalizer in self._normalizers]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Return the sequence; sequences inside it stay as they are."""
        sequence = cls([])
        sequence._normalizers = [NORMALIZER.read(item) for item in value["normalizers"].items()]
        for member in sequence._normalizers:
            if isinstance(member, Sequence):
                member._is_inner = True
        return sequence
