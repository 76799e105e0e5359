"""What lines of records are made of."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct


class Value(Struct, frozen=True, kw_only=True):
    """A JSON object with these members, and no other; those with a default may be missing.

    A string after a member says what it is; it stands in the JSON Schema. Where a member is left out, and not ``null``,
    its type has ``UnsetType``.
    """


class OneOf(Value, frozen=True, kw_only=True):
    """A value that has exactly one of the members that ``kinds`` names; its other members may be left out."""

    kinds: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        """Raise ``ValueError`` where it has none of these, or several."""
        if sum(getattr(self, name) is not UNSET for name in self.kinds) != 1:
            raise ValueError(f"exactly one of these is expected: {', '.join(self.kinds)}")


class Line(Value, frozen=True, kw_only=True, tag_field="type"):
    """A line of a record; its ``type`` says what it is."""


Count = Annotated[int, Meta(ge=0)]
FromOne = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Version = Annotated[str, Meta(pattern=r"^1\.[0-9]+$")]
