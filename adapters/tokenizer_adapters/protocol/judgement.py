"""What can be wrong with an answer of the right form, whatever the tokenizer: lengths, spans, fields not announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Decode,
    Encode,
    Encoded,
    Field,
    ImplementationInfo,
    OffsetUnit,
    Pieces,
    Text,
)
from tokenizer_adapters.protocol.json_fields import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Observation, Span
    from tokenizer_adapters.protocol.messages import Answer

MASKS = (Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK)


class WrongAnswerError(Exception):
    """An answer cannot be right. The text says which field, and why."""


def judge(observation: Observation, answer: Answer, info: ImplementationInfo) -> None:
    """Judge the value that a program described by ``info`` gave in ``answer`` to ``observation``.

    Raises :class:`WrongAnswerError`.
    """
    longest = max(length(text, info.offset_unit) for text in _texts(observation))
    match answer:
        case Text():
            _announced(Field.TEXT, info)
        case Pieces(pieces):
            _announced(Field.PIECES, info)
            _spans("value.pieces", (span for _, span in pieces), longest, info.offset_unit)
        case Encoded():
            _judge_encoded("value", answer, longest, info)


def _texts(observation: Observation) -> tuple[str, ...]:
    """Return the texts that spans may lie in; each word of pre-split input is one."""
    if isinstance(observation, Decode):
        return ("",)
    if not isinstance(observation, Encode):
        return (observation.text,)
    both = (observation.text, observation.pair or ())
    return ("", *(text for each in both for text in ((each,) if isinstance(each, str) else each)))


def length(text: str, unit: OffsetUnit) -> int:
    """Return how long ``text`` is in ``unit``; a lone surrogate counts as U+FFFD.

    >>> [length("é🎉", unit) for unit in OffsetUnit]
    [2, 6, 3]
    """
    match unit:
        case OffsetUnit.CODE_POINTS:
            return len(text)
        case OffsetUnit.UTF8_BYTES:
            return len(text.encode("utf-8", "surrogatepass"))
        case OffsetUnit.UTF16_UNITS:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _announced(field: Field, info: ImplementationInfo) -> None:
    if field not in info.fields:
        raise WrongAnswerError(
            f'it shows the field {shown(field)}, and its answer to start does not announce it in "fields"'
        )


def _judge_encoded(path: str, encoded: Encoded, longest: int, info: ImplementationInfo) -> None:
    tokens = len(encoded.ids)
    for field in ENCODING_FIELDS:
        found = getattr(encoded, field)
        if found is None:
            continue
        _announced(field, info)
        if field is not Field.OVERFLOWING and len(found) != tokens:
            raise WrongAnswerError(
                f"{path}.{field}: {len(found)} entries for {tokens} ids; a list has one for each token"
            )
    for mask in MASKS:
        wrong = [entry for entry in getattr(encoded, mask) or () if entry not in (0, 1)]
        if wrong:
            raise WrongAnswerError(f"{path}.{mask}: expected 0 or 1, found {wrong[0]}")
    _spans(f"{path}.offsets", encoded.offsets or (), longest, info.offset_unit)
    for number, part in enumerate(encoded.overflowing or ()):
        _judge_encoded(f"{path}.overflowing[{number}]", part, longest, info)


def _spans(path: str, spans: Iterable[Span | None], longest: int, unit: OffsetUnit) -> None:
    for number, span in enumerate(spans):
        if span is not None and not 0 <= span[0] <= span[1] <= longest:
            raise WrongAnswerError(
                f"{path}[{number}]: [{span[0]}, {span[1]}] is no range of the text, which has {longest} {unit}"
            )
