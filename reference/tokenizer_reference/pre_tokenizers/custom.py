"""A pre-tokenizer written by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.pre_tokenizers.base import CustomPreTokenizer, PreTokenizer

if TYPE_CHECKING:
    from tokenizer_reference.pre_tokenized_string import PreTokenizedString


class Custom(PreTokenizer):
    """Hands the text to the method ``pre_tokenize`` of an object. Made by :meth:`PreTokenizer.custom`."""

    def __init__(self, pretok: CustomPreTokenizer) -> None:
        self._object = pretok

    def pre_tokenize(self, pretok: PreTokenizedString) -> None:
        """Let the object cut ``pretok``."""
        self._object.pre_tokenize(pretok)

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom PreTokenizer cannot be serialized")
