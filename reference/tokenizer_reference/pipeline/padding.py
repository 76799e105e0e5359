"""Filling encodings up to a common length. All rules observed, tokenizers 0.23.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_reference.arguments import optional, string, unsigned_32, unsigned_64
from tokenizer_reference.pipeline.truncation import DIRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding


@dataclass(frozen=True, slots=True)
class PaddingParams:
    """How a tokenizer pads: to ``length`` tokens, or to the longest encoding of a batch where that is ``None``.

    The length is then rounded up to a multiple of ``pad_to_multiple_of`` (``None`` and 0: no rounding).
    """

    direction: str = "right"
    pad_id: int = 0
    pad_type_id: int = 0
    pad_token: str = "[PAD]"  # noqa: S105 - not a password
    length: int | None = None
    pad_to_multiple_of: int | None = None

    _FIELDS: ClassVar[tuple[str, ...]] = (
        "strategy",
        "direction",
        "pad_to_multiple_of",
        "pad_id",
        "pad_type_id",
        "pad_token",
    )
    """The fields in tokenizer.json, in the order in which they are written."""

    @classmethod
    def of_arguments(
        cls,
        direction: str,
        pad_id: int,
        pad_type_id: int,
        pad_token: str,
        length: int | None,
        pad_to_multiple_of: int | None,
    ) -> PaddingParams:
        """Return the checked arguments of ``enable_padding``.

        Raises :class:`TypeError` for arguments of another type, :class:`ValueError` for an unknown ``direction``,
        :class:`OverflowError` for a number below zero.
        """
        if string("direction", direction) not in DIRECTIONS.values():
            raise ValueError(f"Unknown `direction`: `{direction}`. Use one of `left` or `right`")
        return cls(
            direction,
            unsigned_32("pad_id", pad_id),
            unsigned_32("pad_type_id", pad_type_id),
            string("pad_token", pad_token),
            optional(unsigned_64)("length", length),
            optional(unsigned_64)("pad_to_multiple_of", pad_to_multiple_of),
        )

    def as_arguments(self) -> dict[str, Any]:
        """Return the arguments of ``enable_padding`` that give this."""
        return {
            "length": self.length,
            "pad_to_multiple_of": self.pad_to_multiple_of,
            "pad_id": self.pad_id,
            "pad_token": self.pad_token,
            "pad_type_id": self.pad_type_id,
            "direction": self.direction,
        }

    def _to_json(self) -> dict[str, Any]:
        """Return the member ``padding`` of tokenizer.json."""
        return {
            "strategy": "BatchLongest" if self.length is None else {"Fixed": self.length},
            "direction": self.direction.capitalize(),
            "pad_to_multiple_of": self.pad_to_multiple_of,
            "pad_id": self.pad_id,
            "pad_type_id": self.pad_type_id,
            "pad_token": self.pad_token,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> PaddingParams:
        """Read the member ``padding``: an object, or an array of its fields in the order in which they are written.

        Only ``pad_to_multiple_of`` may be missing or null.
        """
        value = value.struct(*cls._FIELDS)
        multiple = value.get("pad_to_multiple_of")
        return cls(
            length=_length(value["strategy"]),
            direction=value["direction"].one_of(DIRECTIONS),
            pad_to_multiple_of=None if multiple.value is None else multiple.unsigned(),
            pad_id=value["pad_id"].token_id(),
            pad_type_id=value["pad_type_id"].token_id(),
            pad_token=value["pad_token"].string(),
        )


def _length(strategy: JsonValue) -> int | None:
    """Return the length that a padding strategy names: ``"BatchLongest"`` names none, ``{"Fixed": n}`` does."""
    if strategy.has("Fixed") and len(strategy.fields("Fixed").members()) == 1:
        return strategy["Fixed"].unsigned()
    strategy.one_of({"BatchLongest": "BatchLongest"})
    return None


def pad_encodings(encodings: Sequence[Encoding], params: PaddingParams) -> None:
    """Pad all encodings, and their overflow, to the length that ``params`` asks for; longer ones stay as they are."""
    if not encodings:
        return
    length = max(map(len, encodings)) if params.length is None else params.length
    if params.pad_to_multiple_of:
        length += -length % params.pad_to_multiple_of
    for encoding in encodings:
        encoding.pad(
            length,
            direction=params.direction,
            pad_id=params.pad_id,
            pad_type_id=params.pad_type_id,
            pad_token=params.pad_token,
        )
