"""What every pre-tokenizer has in common, their stage, and the pre-tokenizer that a user writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from tokenizer_reference.arguments import instance
from tokenizer_reference.component import Component
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.stage import Stage
from tokenizer_reference.uncopyable import Uncopyable
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


PRE_TOKENIZER: Final[Stage[PreTokenizer]] = Stage(
    "pre-tokenizer",
    "BertPreTokenizer",
    "ByteLevel",
    "CharDelimiterSplit",
    "Metaspace",
    "Whitespace",
    "Sequence",
    "Split",
    "Punctuation",
    "WhitespaceSplit",
    "Digits",
    "UnicodeScripts",
    "FixedLength",
)
"""The stage, its classes in the order of the target's variants."""


class CustomPreTokenizer(Protocol):
    """An object with a method ``pre_tokenize``, of which :meth:`PreTokenizer.custom` makes a pre-tokenizer."""

    def pre_tokenize(self, pretok: PreTokenizedString) -> object:
        """Cut the splits of ``pretok`` in place."""


class PreTokenizer(Component, ABC):
    """Cuts a text into the pieces that the model works on. Splits that already have tokens are left alone."""

    @staticmethod
    def custom(pretok: CustomPreTokenizer) -> PreTokenizer:
        """Return a pre-tokenizer that does what the method ``pre_tokenize`` of ``pretok`` does.

        It cannot be written to a file.
        """
        return Custom(pretok)

    def pre_tokenize(self, pretok: PreTokenizedString) -> None:
        """Cut the splits of ``pretok`` in place."""
        self._pre_tokenize(instance("pretok", pretok, PreTokenizedString))

    @abstractmethod
    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        """Cut the splits of ``pretok`` in place."""

    def pre_tokenize_str(self, s: str) -> list[tuple[str, tuple[int, int]]]:
        """Return the pieces of ``s`` with their offsets: code points of ``s``, end exclusive."""
        pretok = PreTokenizedString(s)
        self._pre_tokenize(pretok)
        return [(text, offsets) for text, offsets, _ in pretok.get_splits()]

    @staticmethod
    def _read_any(value: JsonValue) -> PreTokenizer:
        return PRE_TOKENIZER.read(value)


class Custom(PreTokenizer, Uncopyable):
    """Hands the text to the method ``pre_tokenize`` of an object. Made by :meth:`PreTokenizer.custom`.

    What the method raises comes out as :class:`CallbackError`. The text must not be used once the method has returned:
    there the target raises an error.
    """

    def __init__(self, pretok: CustomPreTokenizer) -> None:
        self._object = pretok

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        try:
            self._object.pre_tokenize(pretok)
        except TokenizerReferenceError:
            raise
        except Exception as error:
            raise CallbackError(error) from error

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom PreTokenizer cannot be serialized")


class Splitter(PreTokenizer):
    """A pre-tokenizer that cuts every split on its own."""

    @abstractmethod
    def _split(self, text: NormalizedString) -> Iterable[NormalizedString]:
        """Return the pieces of one split; empty ones may be among them and are dropped. May change ``text``."""

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        pretok._replace_splits(lambda _, text: self._split(text))
