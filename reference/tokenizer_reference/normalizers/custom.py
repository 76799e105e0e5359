"""A normalizer written by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.normalizers.base import CustomNormalizer, Normalizer
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


class Custom(Normalizer, Uncopyable):
    """Hands the text to the method ``normalize`` of an object. Made by :meth:`Normalizer.custom`.

    What the method raises comes out as :class:`CallbackError`, but not from :meth:`Tokenizer.encode`, which goes on with the
    text as far as it was changed (observed, tokenizers 0.23.3). The text must not be used once the method has returned:
    there the target raises an error.
    """

    def __init__(self, obj: CustomNormalizer) -> None:
        self._object = obj

    def _normalize(self, normalized: NormalizedString) -> None:
        try:
            self._object.normalize(normalized)
        except TokenizerReferenceError:
            raise
        except Exception as error:
            raise CallbackError(error) from error

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom Normalizer cannot be serialized")
