"""What every normalizer has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from tokenizer_reference.arguments import instance
from tokenizer_reference.component import Component
from tokenizer_reference.text.normalized_string import NormalizedString

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue


class CustomNormalizer(Protocol):
    """What :meth:`Normalizer.custom` takes."""

    def normalize(self, normalized: NormalizedString) -> object:
        """Change ``normalized`` in place."""


class Normalizer(Component, ABC):
    """Changes a text in place, keeping its alignment with the original."""

    @staticmethod
    def custom(obj: CustomNormalizer) -> Normalizer:
        """Return a normalizer that does what the method ``normalize`` of ``obj`` does. It cannot be written to a file."""
        from tokenizer_reference.normalizers.custom import Custom  # noqa: PLC0415 - it derives from this class

        return Custom(obj)

    def normalize(self, normalized: NormalizedString) -> None:
        """Change ``normalized`` in place."""
        self._normalize(instance("normalized", normalized, NormalizedString))

    @abstractmethod
    def _normalize(self, normalized: NormalizedString) -> None:
        """Change ``normalized`` in place."""

    def normalize_str(self, sequence: str) -> str:
        """Return ``sequence`` normalized."""
        text = NormalizedString(sequence)
        self._normalize(text)
        return text.normalized

    @staticmethod
    def _read_any(value: JsonValue) -> Normalizer:
        from tokenizer_reference.formats.components import load_normalizer  # noqa: PLC0415 - it loads all of these

        return load_normalizer(value)
