"""What every normalizer has in common, their stage, and the normalizer that a user writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from tokenizer_reference.arguments import instance
from tokenizer_reference.component import Component
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.stage import Stage
from tokenizer_reference.text.lent_string import NormalizedStringRefMut
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.normalizers.locality import Locality


NORMALIZER: Final[Stage[Normalizer]] = Stage(
    "normalizer",
    "BertNormalizer",
    "Strip",
    "StripAccents",
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "Sequence",
    "Lowercase",
    "Nmt",
    "Precompiled",
    "Replace",
    "Prepend",
    "ByteLevel",
    other_tags={"Bert": "BertNormalizer"},
    never_guessed="Precompiled",
)
"""The stage, its classes in the order of the target's variants."""


class CustomNormalizer(Protocol):
    """An object with a method ``normalize``, of which :meth:`Normalizer.custom` makes a normalizer."""

    def normalize(self, normalized: NormalizedStringRefMut) -> object:
        """Change ``normalized`` in place."""


class Normalizer(Component, ABC):
    """Changes a text in place, keeping its alignment with the original."""

    @staticmethod
    def custom(obj: CustomNormalizer) -> Normalizer:
        """Return a normalizer that does what the method ``normalize`` of ``obj`` does.

        It cannot be written to a file.
        """
        return Custom(obj)

    def normalize(self, normalized: NormalizedString | NormalizedStringRefMut) -> None:
        """Change ``normalized`` in place."""
        text = normalized._lent() if isinstance(normalized, NormalizedStringRefMut) else normalized
        self._normalize(instance("normalized", text, NormalizedString))

    @abstractmethod
    def _normalize(self, normalized: NormalizedString) -> None:
        """Change ``normalized`` in place."""

    def _locality(self) -> Locality | None:
        """Return what the normalizer vouches for as its options are now, see :mod:`.locality`; ``None`` for nothing."""
        return None

    def normalize_str(self, sequence: str) -> str:
        """Return ``sequence`` normalized."""
        text = NormalizedString(sequence)
        self._normalize(text)
        return text.normalized

    @staticmethod
    def _read_any(value: JsonValue) -> Normalizer:
        return NORMALIZER.read(value)


class Custom(Normalizer, Uncopyable):
    """Hands the text to the method ``normalize`` of an object. Made by :meth:`Normalizer.custom`.

    What the method raises comes out as :class:`CallbackError`, but not from :meth:`Tokenizer.encode`, which goes on
    with the text as far as it was changed (observed, tokenizers 0.23.3). The text is lent to the method, and cannot be
    used once that has returned.
    """

    def __init__(self, obj: CustomNormalizer) -> None:
        self._object = obj

    def _normalize(self, normalized: NormalizedString) -> None:
        try:
            with NormalizedStringRefMut.of(normalized) as lent:
                self._object.normalize(lent)
        except TokenizerReferenceError:
            raise
        except Exception as error:
            raise CallbackError(error) from error

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom Normalizer cannot be serialized")
