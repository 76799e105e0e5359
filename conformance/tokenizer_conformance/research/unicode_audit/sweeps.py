"""Sweeps over all code points: many in one text, each of them told apart, and alone where that is not clear.

What is told of many at once is never less than what each would say alone: the texts are built so that every character
stands between the same neighbours, or all of them are shown to be treated alike. Answers that fit no such reading are
asked again in halves, down to single characters. A sample and the edges of all that was found
(:func:`checked_alone`) are then asked about alone, to hold the one against the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeVar

from tokenizer_conformance.research.unicode_audit.asking import chunks
from tokenizer_conformance.research.unicode_audit.code_point_sets import LAST, SCALARS, CodePoints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.unicode_audit.asking import Asker, Cuts
    from tokenizer_conformance.research.unicode_audit.documents import Sentinels

ASCII_END: Final = 0x80
"""Boundaries between ASCII characters are not all seen in ids, so these are not asked about in runs."""

RUN: Final = 512
"""How many characters stand in one text."""

NO_ANSWER: Final = "\udcff no answer"
"""The value of a character over which an implementation gives none. No answer has a lone surrogate."""

T = TypeVar("T")
A = TypeVar("A")
V = TypeVar("V")


@cache
def _all() -> tuple[int, ...]:
    return tuple(SCALARS)


@cache
def _all_texts() -> tuple[str, ...]:
    """Return the texts of all code points, one after the other, :data:`RUN` in each."""
    return tuple("".join(map(chr, part)) for part in chunks(_all(), RUN))


def _parts(code_points: Sequence[int] | None, size: int = RUN) -> Iterator[Sequence[int]]:
    return chunks(_all() if code_points is None else code_points, size)


def _in_halves(
    ask: Asker[A],
    parts: Iterable[Sequence[T]],
    text_of: Callable[[Sequence[T]], str],
    read: Callable[[Sequence[T], str, A | None], V | None],
) -> Iterator[tuple[Sequence[T], V | None]]:
    """Yield parts with what ``read`` says of the answer to the text of each.

    Where that is ``None``, the halves of the part are asked about instead, down to those of one.
    """
    waiting = list(parts)
    while waiting:
        again: list[Sequence[T]] = []
        texts = list(map(text_of, waiting))
        for part, text, answer in zip(waiting, texts, ask(texts), strict=True):
            value = read(part, text, answer)
            if value is None and len(part) > 1:
                middle = len(part) // 2
                again += [part[:middle], part[middle:]]
            else:
                yield part, value
        waiting = again


# What becomes of each character ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around each character that is asked about: ``before`` and ``after`` it, ``between`` two of them.

    ``between`` must come through as it is, and act on nothing. ``becomes`` is what comes of ``before`` and ``after``
    where the character is left as it is, if that is another text.
    """

    between: str
    before: str = ""
    after: str = ""
    becomes: tuple[str, str] | None = None

    def text(self, at: int) -> str:
        """Return the character with what is around it."""
        return f"{self.before}{chr(at)}{self.after}"

    def left_alone(self, at: int) -> str:
        """Return what comes of that where the character is left as it is."""
        before, after = self.becomes or (self.before, self.after)
        return f"{before}{chr(at)}{after}"


def mapping(
    ask: Asker[str], frame: Frame, code_points: Sequence[int] | None = None, *, size: int = RUN
) -> dict[int, str]:
    """Return what becomes of each character, with what is around it, where that is not left as it is.

    A text has at most ``size`` of them.
    """
    found: dict[int, str] = {}
    parts = _parts(code_points, size)
    for part, values in _in_halves(ask, parts, partial(_framed, frame), partial(_values, frame)):
        told = zip(part, values or (), strict=False)
        found |= {at: value for at, value in told if value != frame.left_alone(at)}
    return found


def _framed(frame: Frame, part: Iterable[int]) -> str:
    return f"{frame.between}{frame.between.join(map(frame.text, part))}{frame.between}"


def _values(frame: Frame, part: Sequence[int], text: str, answer: str | None) -> list[str] | None:
    """Return the value of each character, none where all are left as they are.

    ``None`` where the answer does not tell them apart.
    """
    if answer == text and frame.becomes is None:  # nearly all are
        return []
    if len(part) == 1:
        return [NO_ANSWER if answer is None else answer.removeprefix(frame.between).removesuffix(frame.between)]
    values = None if answer is None else answer.split(frame.between)
    if values is None or len(values) != len(part) + 2 or values[0] or values[-1]:
        return None
    return values[1:-1]


def texts_changed(ask: Asker[str], texts: Sequence[str], between: str) -> dict[str, str]:
    """Return what becomes of each of ``texts``, many in one with ``between`` two of them, where it is another."""

    def values_of(part: Sequence[str], _text: str, answer: str | None) -> list[str] | None:
        if len(part) == 1:
            return [NO_ANSWER if answer is None else answer]
        values = [] if answer is None else answer.split(between)
        return values if len(values) == len(part) else None

    found: dict[str, str] = {}
    parts = (texts[start : start + RUN] for start in range(0, len(texts), RUN))
    for part, values in _in_halves(ask, parts, between.join, values_of):
        found |= {text: value for text, value in zip(part, values or (), strict=True) if value != text}
    return found


# Between added tokens -------------------------------------------------------------------------------------------------


def segments(
    ask: Asker[list[str]],
    frame: Frame,
    usual: tuple[str, ...],
    code_points: Sequence[int] | None = None,
    *,
    size: int = RUN,
) -> dict[int, tuple[str, ...]]:
    """Return the tokens of each character with what is around it, where these are not the ``usual`` ones.

    What is ``between`` two is an added token, so each stands in a segment of its own. A text has at most ``size``.
    """

    def values_of(part: Sequence[int], _text: str, tokens: list[str] | None) -> list[tuple[str, ...]] | None:
        values = [] if tokens is None else _segments(tokens, frame.between)
        return values if len(values) == len(part) else None

    found: dict[int, tuple[str, ...]] = {}
    for part, values in _in_halves(ask, _parts(code_points, size), partial(_framed, frame), values_of):
        told = zip(part, values or [(NO_ANSWER,)], strict=True)
        found |= {at: value for at, value in told if value != usual}
    return found


def _segments(tokens: Sequence[str], between: str) -> list[tuple[str, ...]]:
    """Return the tokens of each segment; the text begins and ends with what is ``between`` two."""
    places = [at for at, token in enumerate(tokens) if token == between]
    if not places or places[0] or places[-1] != len(tokens) - 1:
        return []
    return [tuple(tokens[start + 1 : end]) for start, end in pairwise(places)]


# Which characters are left out ----------------------------------------------------------------------------------------


def removed(ask: Asker[str]) -> tuple[CodePoints, CodePoints]:
    """Return which characters are left out of a text of them, and over which there is no answer.

    No sentinel is needed: what is kept stands in its order.
    """
    gone: list[str] = []
    lost: list[str] = []
    for part, missing in _in_halves(ask, _all_texts(), "".join, _missing):
        if missing is None:
            lost += part
        else:
            gone += missing
    return CodePoints.of(map(ord, gone)), CodePoints.of(map(ord, lost))


def _missing(_part: Sequence[str], text: str, answer: str | None) -> str | None:
    """Return the characters of ``text`` that ``answer`` lacks; ``None`` where it is not made of the others, in order.

    Each character stands in ``text`` once.
    """
    if answer in (None, "", text):  # nearly all are
        return None if answer is None else "" if answer else text
    kept = set(answer)
    is_told = answer == "".join(char for char in text if char in kept)
    return "".join(char for char in text if char not in kept) if is_told else None


# Where pieces end -----------------------------------------------------------------------------------------------------


class Stand(StrEnum):
    """How a character stands between two sentinels."""

    JOINED = "in one piece with both"
    SPLIT = "apart from both"
    LEFT = "in one piece with what is before it"
    RIGHT = "in one piece with what is after it"
    DROPPED = "in no piece"
    UNKNOWN = "no answer"


def stands(
    ask: Asker[Cuts],
    sentinels: Sentinels,
    code_points: Sequence[int] | None = None,
    accepted: frozenset[Stand] = frozenset(Stand),
    *,
    sharing: bool = False,
    size: int = RUN,
) -> Mapping[Stand, CodePoints]:
    """Return how each character stands between the two ``sentinels``.

    Runs of characters are asked about first: where all of one are treated alike, each of them is, if that is among the
    ``accepted`` ways. The others are asked about one by one, ``size`` in one text, with what is ``between`` the blocks;
    with ``sharing``, two neighbours share the left sentinel instead, which then is the right one, too.
    """
    found: dict[Stand, list[int]] = {stand: [] for stand in Stand}
    single = _all() if code_points is None else list(code_points)
    for run in (RUN, RUN // 16) if accepted else ():
        parts = list(chunks(single, run))
        single = []
        texts = [f"{sentinels.left}{''.join(map(chr, part))}{sentinels.right}" for part in parts]
        for part, cuts in zip(parts, ask(texts), strict=True):
            stand = None if part[0] < ASCII_END else _alike(cuts)
            if stand in accepted:
                found[stand] += part
            else:
                single += part

    def blocks(part: Sequence[int]) -> str:
        if sharing:
            return sentinels.left + "".join(chr(at) + sentinels.left for at in part)
        return sentinels.between.join(f"{sentinels.left}{chr(at)}{sentinels.right}" for at in part)

    step = 1 + len(sentinels.left) if sharing else 3 + len(sentinels.between)
    for part, cuts in _in_halves(ask, chunks(single, size), blocks, lambda _part, _text, cuts: cuts):
        for number, at in enumerate(part):
            found[_stand(cuts, step * number)].append(at)
    return {stand: CodePoints.of(members) for stand, members in found.items()}


def stands_alone(ask: Asker[Cuts], sentinels: Sentinels, code_points: Sequence[int]) -> Mapping[Stand, CodePoints]:
    """Return what :func:`stands` does, each character asked about in a text of its own."""
    return stands(ask, sentinels, code_points, frozenset(), size=1)


def _stand(cuts: Cuts | None, start: int) -> Stand:
    if cuts is None:
        return Stand.UNKNOWN
    left, own, right = cuts[start : start + 3]
    if own == -1:
        return Stand.DROPPED
    return {
        (True, True): Stand.JOINED,
        (True, False): Stand.LEFT,
        (False, True): Stand.RIGHT,
        (False, False): Stand.SPLIT,
    }[left == own, own == right]


def _alike(cuts: Cuts | None) -> Stand | None:
    """Return how all characters of a run stand, ``None`` where they do not stand alike.

    Where they are apart from the sentinels, they are one piece: one character that is a piece of its own among others
    could be of any kind.
    """
    if cuts is None:
        return None
    first, *inner, last = cuts
    pieces = set(inner)
    if pieces == {first} == {last} and first != -1:
        return Stand.JOINED
    if pieces == {-1}:
        return Stand.DROPPED
    return Stand.SPLIT if len(pieces) == 1 and not pieces & {first, last} else None


# What stays together -------------------------------------------------------------------------------------------------


def held_together(
    ask: Asker[list[Span]], sentinel: str, code_points: Sequence[int] | None = None
) -> tuple[CodePoints, CodePoints, CodePoints]:
    """Return which characters are in one piece with the ``sentinel`` before them, and which with the one after them.

    The third are those over which there is no answer.
    Only pieces of several characters need to be shown; that makes answers short. Two neighbours share a sentinel.
    """
    before: list[int] = []
    after: list[int] = []
    lost: list[int] = []

    def shared(part: Sequence[int]) -> str:
        return sentinel + "".join(chr(at) + sentinel for at in part)

    for part, spans in _in_halves(ask, _parts(code_points), shared, lambda _part, _text, spans: spans):
        lost += part if spans is None else ()
        for start, end in spans or ():  # characters that are asked about have the odd places
            before += [part[place // 2] for place in range(start | 1, end, 2) if place > start]
            after += [part[place // 2] for place in range(start | 1, end, 2) if place + 1 < end]
    return CodePoints.of(before), CodePoints.of(after), CodePoints.of(lost)


# Asking alone ---------------------------------------------------------------------------------------------------------

SAMPLED: Final = 1009
"""Every so many code points one is asked about alone; a prime, so that no block is left out."""


def checked_alone(sets: Iterable[CodePoints]) -> list[int]:
    """Return the code points to ask about alone: a sample of all, and the edges of ``sets``, both sides."""
    edges = {at for found in sets for first, last in found.ranges() for at in (first - 1, first, last, last + 1)}
    return list(CodePoints.of(at for at in {*range(0, LAST, SAMPLED), *edges} if 0 <= at <= LAST) & SCALARS)
