"""What every pre-tokenizer has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from tokenizer_reference.arguments import instance
from tokenizer_reference.component import Component
from tokenizer_reference.pre_tokenized_string import PreTokenizedString

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_reference.formats.json_value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


class CustomPreTokenizer(Protocol):
    """What :meth:`PreTokenizer.custom` takes."""

    def pre_tokenize(self, pretok: PreTokenizedString) -> object:
        """Cut the splits of ``pretok`` in place."""


class PreTokenizer(Component, ABC):
    """Cuts a text into the pieces that the model works on. Splits that already have tokens are left alone."""

    @staticmethod
    def custom(pretok: CustomPreTokenizer) -> PreTokenizer:
        """Return a pre-tokenizer that does what the method ``pre_tokenize`` of ``pretok`` does.

        It cannot be written to a file.
        """
        from tokenizer_reference.pre_tokenizers.custom import Custom  # noqa: PLC0415 - it derives from this class

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
        from tokenizer_reference.formats.components import load_pre_tokenizer  # noqa: PLC0415 - it loads all of these

        return load_pre_tokenizer(value)


class Splitter(PreTokenizer):
    """A pre-tokenizer that cuts every split on its own."""

    @abstractmethod
    def _split(self, text: NormalizedString) -> Iterable[NormalizedString]:
        """Return the pieces of one split; empty ones may be among them and are dropped. May change ``text``."""

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        pretok._replace_splits(lambda _, text: self._split(text))
