"""Sequence: several pre-tokenizers in order, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Self

from tokenizer_reference.arguments import index_of, instance, list_of
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, PreTokenizer
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString


@PRE_TOKENIZER.component(Form(("type", "pretokenizers")))
class Sequence(PreTokenizer):
    """Applies pre-tokenizers one after the other. The constructor dissolves sequences among them.

    >>> from tokenizer_reference.pre_tokenizers import Digits, WhitespaceSplit
    >>> Sequence([WhitespaceSplit(), Digits()]).pre_tokenize_str("a1 b")
    [('a', (0, 1)), ('1', (1, 2)), ('b', (3, 4))]
    """

    def __init__(self, pre_tokenizers: list[PreTokenizer]) -> None:
        self._pre_tokenizers: list[PreTokenizer] = []
        for each in list_of("pre_tokenizers", pre_tokenizers, PreTokenizer):
            self._pre_tokenizers += each._pre_tokenizers if isinstance(each, Sequence) else [each]

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        for each in self._pre_tokenizers:
            each._pre_tokenize(pretok)

    def __getitem__(self, index: int) -> PreTokenizer:
        return self._pre_tokenizers[index_of(len(self._pre_tokenizers), index)]

    def __setitem__(self, index: int, value: PreTokenizer) -> None:
        if isinstance(value, Sequence):
            raise TokenizerReferenceError("pre tokenizer should not be a sequence")
        at = index_of(len(self._pre_tokenizers), index)
        self._pre_tokenizers[at] = instance("value", value, PreTokenizer)

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
        return sequence
