"""What a quirk shows: each case asks either package the same, and says what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Callable


class Left(Enum):
    """What a case leaves unsaid."""

    OUT = auto()


@dataclass(frozen=True, kw_only=True)
class Case:
    """``ask`` takes a package, ``tokenizers`` or ``tokenizer_reference``.

    ``instead`` says what the reference does where it does neither the same nor raises UpstreamPanicError.
    """

    ask: Callable[[Any], object]
    instead: str = ""


@dataclass(frozen=True, kw_only=True)
class Shows(Case):
    """Both packages answer ``odd``, where a reader would expect ``naive``.

    ``reference`` is its answer where it differs.
    """

    odd: object
    naive: object = Left.OUT
    reference: object = Left.OUT


@dataclass(frozen=True, kw_only=True)
class Refuses(Case):
    """Both packages raise an error; that of the target says ``message`` (a pattern)."""

    message: str


@dataclass(frozen=True, kw_only=True)
class Panics(Case):
    """The target panics with ``message`` (a pattern); the reference raises an error, or answers ``reference``."""

    message: str
    error: type[Exception] = UpstreamPanicError
    reference: object = Left.OUT


@dataclass(frozen=True, kw_only=True)
class Aborts(Case):
    """The process of the target dies; the reference raises an error."""


@dataclass(frozen=True, kw_only=True)
class Hangs(Case):
    """The target does not end; the reference answers ``reference``."""

    reference: object


@dataclass(frozen=True, kw_only=True)
class Varies(Case):
    """The target gives more than one answer, all of them among ``answers``.

    The reference always gives ``reference``.
    """

    answers: frozenset[object]
    reference: object
