"""What becomes of an encoding where tokenizing stops as soon as truncation has as many tokens as it keeps.

So ``tokenizers`` 0.23.1 and 0.23.2 do it; the rule was measured in them and in 0.22.2. Of a text, the words up to the
one that fills ``max_length`` are tokenized; of words given, each by itself. What is there then is truncated as ever.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from tokenizer_adapters.contract import Encode, Encoded, Span

_Item = TypeVar("_Item")

_SEQUENCES = (0, 1)


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a text: ``word`` is ``None`` where it is not shown."""

    id: int
    text: str | None
    span: Span | None
    word: int | None
    type_id: int | None


_Part = tuple[_Token, ...]
_Parts = tuple[_Part, _Part]
"""What one encoding has of the text, and of its pair."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """An encoding without padding: its part of each sequence, its special tokens, and what overflows of it."""

    parts: _Parts
    special: tuple[int, ...]
    overflowing: tuple[_Cut, ...]


def is_cut_early(question: Encode, truncation: Mapping[str, Any], old: Encoded, new: Encoded) -> bool:
    """Return whether ``new`` is what early truncation makes of the text that ``old`` shows, and of nothing else.

    ``truncation`` is that of tokenizer.json. Where ``old`` was not cut at all, as there was no room for a token beside
    the special ones, ``new`` may keep one all the same.
    """
    is_left = truncation.get("direction") == "Left"
    stride, most = int(truncation.get("stride", 0)), int(truncation["max_length"])
    whole, cut = (_cut_of(each, _sides_by(each)) for each in (old, new))
    if not _is_all_said(old, new):
        return False
    windows: list[list[_Part]] = []
    for sequence in _SEQUENCES:
        parts_old, parts_new = (_parts_of(each, sequence) for each in (whole, cut))
        text_old, text_new = (_joined(parts, stride, is_left=is_left) for parts in (parts_old, parts_new))
        if text_old is None or text_new is None:
            return False
        is_whole = not isinstance(question.text, str) or (sequence == 0 and truncation.get("strategy") == "OnlySecond")
        if text_new != (text_old if is_whole else _stopped(text_old, most, is_left=is_left)):
            return False
        size = len(parts_new[0])
        if whole.overflowing and len(parts_old[0]) != size:
            return False
        if [*_windows(text_new, size, stride, is_left=is_left)] != parts_new:
            return False
        windows.append(parts_new)
    if not whole.overflowing:
        return not cut.overflowing and whole.special == cut.special
    return _kept(whole, [_parts_of(whole, each) for each in _SEQUENCES], windows) == cut


def _is_all_said(old: Encoded, new: Encoded) -> bool:
    """Return whether both show the same fields, and the tokens have their words and spans."""
    return all(
        each.offsets is not None
        and each.word_ids is not None
        and (each.overflowing is None) == (old.overflowing is None)
        for each in (old, new)
    )


def _sides_by(encoding: Encoded) -> str:
    """Return the field that tells text and pair apart, in ``encoding`` and in what overflows of it.

    Without a post-processor, sequence ids of what overflows are all that of the text, so type ids are asked first.
    """
    return "type_ids" if 1 in (encoding.type_ids or ()) else "sequence_ids"


def _cut_of(encoding: Encoded, sides_by: str) -> _Cut:
    tokens = [*_tokens(encoding, sides_by)]
    sides: list[_Part] = [tuple(token for side, token in tokens if side == each) for each in _SEQUENCES]
    special = tuple(token.id for side, token in tokens if side is None)
    return _Cut((sides[0], sides[1]), special, tuple(_cut_of(each, sides_by) for each in encoding.overflowing or ()))


def _tokens(encoding: Encoded, sides_by: str) -> Iterator[tuple[int | None, _Token]]:
    """Yield the tokens that are no padding with their sequence, ``None`` for special ones."""
    sides: tuple[int | None, ...] | None = getattr(encoding, sides_by)
    for index, id_ in enumerate(encoding.ids):
        if _at(encoding.attention_mask, index) == 0:
            continue
        side = None if _at(encoding.special_tokens_mask, index) else 0 if sides is None else sides[index]
        word, type_id = _at(encoding.word_ids, index), _at(encoding.type_ids, index)
        yield side, _Token(id_, _at(encoding.tokens, index), _at(encoding.offsets, index), word, type_id)


def _at(values: Sequence[_Item] | None, index: int) -> _Item | None:
    return None if values is None else values[index]


def _parts_of(cut: _Cut, sequence: int) -> list[_Part]:
    """Return the parts of ``sequence`` in the order in which they first stand there, each once."""
    return [*dict.fromkeys(each.parts[sequence] for each in _all(cut))]


def _all(cut: _Cut) -> Iterator[_Cut]:
    yield cut
    for each in cut.overflowing:
        yield from _all(each)


def _joined(parts: list[_Part], stride: int, *, is_left: bool) -> _Part | None:
    """Return the text that was cut into ``parts``, which share ``stride`` tokens; ``None`` where they do not."""
    text = parts[0]
    for part in parts[1:]:
        shared = min(stride, len(text))
        inner = (text[:shared], part[len(part) - shared :]) if is_left else (text[len(text) - shared :], part[:shared])
        if inner[0] != inner[1]:
            return None
        text = part[: len(part) - shared] + text if is_left else text + part[shared:]
    return text


def _windows(text: _Part, size: int, stride: int, *, is_left: bool) -> Iterator[_Part]:
    """Yield the parts into which truncation to ``size`` tokens cuts ``text``; to none, nothing and the rest."""
    if size == 0:
        yield from dict.fromkeys(((), text))
        return
    yield text[-size:] if is_left else text[:size]
    done = size
    while stride < size and done < len(text):  # a stride as long as a part is refused, but an answer may be at fault
        start = done - stride
        done = start + size
        yield text[max(len(text) - done, 0) : len(text) - start] if is_left else text[start:done]


def _stopped(text: _Part, most: int, *, is_left: bool) -> _Part:
    """Return what is tokenized of ``text`` where that stops with the word that gives it ``most`` tokens."""
    words = [tuple(word) for _, word in groupby(text, lambda token: token.word)]
    kept: _Part = ()
    for word in reversed(words) if is_left else words:
        if len(kept) >= most:
            break
        kept = word + kept if is_left else kept + word
    first = min((token.word for token in kept if token.word is not None), default=0)
    if not is_left:
        return kept
    return tuple(replace(token, word=None if token.word is None else token.word - first) for token in kept)


def _kept(whole: _Cut, before: list[list[_Part]], since: list[list[_Part]]) -> _Cut:
    """Return ``whole`` with the parts that there are ``since`` in place of those ``before``, without what is gone."""

    def is_there(cut: _Cut) -> bool:
        return all(before[each].index(cut.parts[each]) < len(since[each]) for each in _SEQUENCES)

    def part(cut: _Cut, sequence: int) -> _Part:
        return since[sequence][before[sequence].index(cut.parts[sequence])]

    inner = tuple(_kept(each, before, since) for each in whole.overflowing if is_there(each))
    return _Cut((part(whole, 0), part(whole, 1)), whole.special, inner)
