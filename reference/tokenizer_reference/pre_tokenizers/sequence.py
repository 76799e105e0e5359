"""Sequence: several pre-tokenizers in order, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Self

from tokenizer_reference.arguments import index_of, instance, list_of, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Locality, PreTokenizer, in_order
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString


@PRE_TOKENIZER.component(Form(("type", "pretokenizers")))
class Sequence(PreTokenizer):
    """Applies pre-tokenizers one after the other. The constructor dissolves sequences among them.

    A member is shared: who changes its options changes the sequence. To put a component in the place of a member turns
    that member, wherever else it is held, into a copy of the component (observed, tokenizers 0.23.3).

    >>> from tokenizer_reference.pre_tokenizers import Digits, WhitespaceSplit
    >>> Sequence([WhitespaceSplit(), Digits()]).pre_tokenize_str("a1 b")
    [('a', (0, 1)), ('1', (1, 2)), ('b', (3, 4))]
    """

    # Whether it is part of another sequence of a file: such a one is a member as any other, and stays as it is.
    _is_inner = False

    def __init__(self, pre_tokenizers: list[PreTokenizer]) -> None:
        self._pre_tokenizers: list[PreTokenizer] = []
        for each in list_of("pre_tokenizers", pre_tokenizers, PreTokenizer):
            self._pre_tokenizers += each._dissolved() if isinstance(each, Sequence) else [each]

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        for each in self._pre_tokenizers:
            each._pre_tokenize(pretok)

    def _last_change(self) -> int:
        return max([self._revision, *(each._last_change() for each in self._pre_tokenizers)])

    def _locality(self) -> Locality | None:
        return in_order(each._locality() for each in self._pre_tokenizers)

    def _dissolved(self) -> list[PreTokenizer]:
        """Return what a sequence that is made of this one has in its place."""
        return [self] if self._is_inner else self._pre_tokenizers

    def __getitem__(self, index: int) -> PreTokenizer:
        return self._pre_tokenizers[index_of(len(self._pre_tokenizers), index)]

    def __setitem__(self, index: int, value: PreTokenizer) -> None:
        at = unsigned_64("index", index)
        instance("value", value, PreTokenizer)
        if isinstance(value, Sequence) and not value._is_inner:
            raise TokenizerReferenceError("pre tokenizer should not be a sequence")
        self._pre_tokenizers[index_of(len(self._pre_tokenizers), at)]._become(value)

    def __delitem__(self, index: int) -> NoReturn:
        raise NotImplementedError("items of a Sequence can be replaced but not deleted: make a new Sequence")

    def __getnewargs__(self) -> tuple[list[PreTokenizer]]:
        """Return the arguments of a constructor that makes an empty sequence, to be filled by :meth:`__setstate__`."""
        return ([],)

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "pretokenizers": [each._to_json() for each in self._pre_tokenizers]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Return the sequence; sequences inside it stay as they are."""
        sequence = cls([])
        sequence._pre_tokenizers = [PRE_TOKENIZER.read(item) for item in value["pretokenizers"].items()]
        for member in sequence._pre_tokenizers:
            if isinstance(member, Sequence):
                member._is_inner = True
        return sequence
