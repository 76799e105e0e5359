"""Cutting encodings to a maximal length, before special tokens are added. All rules observed, tokenizers 0.23.3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from tokenizer_reference.arguments import string, unsigned_64
from tokenizer_reference.errors import TruncationError

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding

USIZE: Final = 2**64
"""The target computes lengths in unsigned 64-bit numbers, which wrap around below zero."""

STRATEGIES: Final = {"LongestFirst": "longest_first", "OnlyFirst": "only_first", "OnlySecond": "only_second"}
"""Name in tokenizer.json to name in Python."""

DIRECTIONS: Final = {"Left": "left", "Right": "right"}
"""Name in tokenizer.json to name in Python: the end at which tokens are cut off (or padding is added)."""


@dataclass(frozen=True, slots=True)
class TruncationParams:
    """How a tokenizer truncates: to ``max_length`` tokens, special ones included.

    ``stride`` is how many tokens neighbouring parts share; a file may hold one that is greater than ``max_length``.
    ``strategy`` and ``direction`` have the names of Python.
    """

    max_length: int
    stride: int = 0
    strategy: str = "longest_first"
    direction: str = "right"

    _FIELDS: ClassVar[tuple[str, ...]] = ("direction", "max_length", "strategy", "stride")
    """The fields in tokenizer.json, in the order in which they are written."""

    @classmethod
    def of_arguments(cls, max_length: int, stride: int, strategy: str, direction: str) -> TruncationParams:
        """Return the checked arguments of ``enable_truncation``.

        Raises :class:`TypeError` for arguments of another type, :class:`ValueError` for an unknown ``strategy`` or
        ``direction``, :class:`OverflowError` below zero.
        """
        max_length, stride = unsigned_64("max_length", max_length), unsigned_64("stride", stride)
        if string("strategy", strategy) not in STRATEGIES.values():
            raise ValueError(
                f"Unknown `strategy`: `{strategy}`. Use one of `longest_first`, `only_first`, or `only_second`"
            )
        if string("direction", direction) not in DIRECTIONS.values():
            raise ValueError(f"Unknown `direction`: `{direction}`. Use one of `left` or `right`.")
        return cls(max_length, stride, strategy, direction)

    def as_arguments(self) -> dict[str, Any]:
        """Return the arguments of ``enable_truncation`` that give this."""
        return {
            "max_length": self.max_length,
            "stride": self.stride,
            "strategy": self.strategy,
            "direction": self.direction,
        }

    def room_for(self, added_tokens: int) -> TruncationParams:
        """Return what is left for text when a post-processor adds ``added_tokens`` special tokens.

        The subtraction wraps around: where the special tokens alone do not fit, nothing is truncated at all.

        >>> TruncationParams(512).room_for(2).max_length
        510
        >>> TruncationParams(1).room_for(2).max_length
        18446744073709551615
        """
        return replace(self, max_length=(self.max_length - added_tokens) % USIZE)

    def check_stride(self, added_tokens: int) -> None:
        """Raise :class:`ValueError` if the stride is greater than what ``added_tokens`` special tokens leave.

        The target asks this only when truncation is enabled by code, for a single sequence, and lets a stride pass that
        is *equal* to the effective length, although no text can then be truncated.
        """
        effective = self.room_for(added_tokens).max_length
        if effective < self.stride:
            raise ValueError(
                f"tokenizer stride set to {self.stride}, which is greater than or equal to its effective max length of "
                f"{effective} (= {self.max_length} original max length - {added_tokens} added special tokens), "
            )

    def _to_json(self) -> dict[str, Any]:
        """Return the member ``truncation`` of tokenizer.json."""
        return {
            "direction": _name_in_json(DIRECTIONS, self.direction),
            "max_length": self.max_length,
            "strategy": _name_in_json(STRATEGIES, self.strategy),
            "stride": self.stride,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> TruncationParams:
        """Read the member ``truncation``: an object, or an array of its fields in the order in which they are written.

        Only ``direction`` may be missing.
        """
        value = value.struct(*cls._FIELDS)
        return cls(
            direction=value.get("direction", "Right").one_of(DIRECTIONS),
            max_length=value["max_length"].unsigned(),
            strategy=value["strategy"].one_of(STRATEGIES),
            stride=value["stride"].unsigned(),
        )


def _name_in_json(names: dict[str, str], name: str) -> str:
    return next(in_json for in_json, in_python in names.items() if in_python == name)


def truncate_encodings(
    encoding: Encoding, pair: Encoding | None, params: TruncationParams
) -> tuple[Encoding, Encoding | None]:
    """Return the encodings, truncated so that together they have at most ``params.max_length`` tokens.

    ``params.max_length`` counts no special tokens here (see :meth:`TruncationParams.room_for`). The arguments stay as
    they are. Raises :class:`TruncationError` where the sequence that the strategy names is missing or has too few
    tokens, and :class:`UpstreamPanicError` where the stride leaves no progress.
    """
    first_length = len(encoding)
    second_length = 0 if pair is None else len(pair)
    if params.max_length and first_length + second_length <= params.max_length:
        return encoding, pair
    first_length, second_length = _lengths(first_length, None if pair is None else second_length, params)
    truncated = encoding._copy()
    truncated.truncate(first_length, params.stride, params.direction)
    if pair is None:
        return truncated, None
    truncated_pair = pair._copy()
    truncated_pair.truncate(second_length, params.stride, params.direction)
    return truncated, truncated_pair


def _lengths(first: int, second: int | None, params: TruncationParams) -> tuple[int, int]:
    """Return how many tokens to keep of each sequence, given how many there are (``None``: there is no second)."""
    if params.max_length == 0:
        return 0, 0
    excess = first + (second or 0) - params.max_length
    if params.strategy == "longest_first":
        return (params.max_length, 0) if second is None else _longest_first(first, second, params.max_length)
    if params.strategy == "only_first":
        return _shortened(first, excess, "first"), second or 0
    if second is None:
        raise TruncationError("Second sequence not provided: the strategy `only_second` needs a pair")
    return first, _shortened(second, excess, "second")


def _shortened(length: int, excess: int, which: str) -> int:
    if length <= excess:
        raise TruncationError(
            f"Sequence to truncate too short to respect the provided max_length: {excess} tokens are too many, "
            f"and the {which} sequence has {length}"
        )
    return length - excess


def _longest_first(first: int, second: int, max_length: int) -> tuple[int, int]:
    """Return the lengths of two sequences that together are too long.

    The shorter is kept whole if the longer can stay at least as long; otherwise both get half, and where that does not
    come out even the longer one gets the token that is left (the second one, if they are equally long).

    >>> _longest_first(2, 9, 8), _longest_first(9, 8, 7), _longest_first(8, 8, 7)
    ((2, 6), (4, 3), (3, 4))
    """
    if first > second:
        second, first = _longest_first(second, first, max_length)
        return first, second
    second = first if first > max_length else max(first, max_length - first)
    if first + second > max_length:
        first = max_length // 2
        second = first + max_length % 2
    return first, second
