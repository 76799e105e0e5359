"""A pre-tokenizer written by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.pre_tokenizers.base import CustomPreTokenizer, PreTokenizer
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from tokenizer_reference.pre_tokenized_string import PreTokenizedString


class Custom(PreTokenizer, Uncopyable):
    """Hands the text to the method ``pre_tokenize`` of an object. Made by :meth:`PreTokenizer.custom`.

    What the method raises comes out as :class:`CallbackError`. The text must not be used once the method has returned: there
    the target raises an error.
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
