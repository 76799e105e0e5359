"""What every normalizer has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol, Self

from tokenizer_reference.text.normalized_string import NormalizedString

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue


class CustomNormalizer(Protocol):
    """What :meth:`Normalizer.custom` takes."""

    def normalize(self, normalized: NormalizedString) -> object:
        """Change ``normalized`` in place."""


class Normalizer(ABC):
    """Changes a text in place, keeping its alignment with the original."""

    @staticmethod
    def custom(obj: CustomNormalizer) -> Normalizer:
        """Return a normalizer that does what the method ``normalize`` of ``obj`` does. It cannot be written to a file."""
        from tokenizer_reference.normalizers.custom import Custom  # noqa: PLC0415 - it derives from this class

        return Custom(obj)

    @abstractmethod
    def normalize(self, normalized: NormalizedString) -> None:
        """Change ``normalized`` in place."""

    def normalize_str(self, sequence: str) -> str:
        """Return ``sequence`` normalized."""
        text = NormalizedString(sequence)
        self.normalize(text)
        return text.normalized

    def _to_json(self) -> dict[str, Any]:
        """Return the component as tokenizer.json holds it, keys in the order in which the target writes them."""
        return {"type": type(self).__name__}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:  # noqa: ARG003 - components with options read them from it
        """Return the component that ``value`` describes. Raises :class:`TokenizerFileError`."""
        return cls()
