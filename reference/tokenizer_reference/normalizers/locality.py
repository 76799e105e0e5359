"""Locality: what a normalizer vouches for, so that its work can be done character by character.

The definition is ``Normalizer._normalize``. A normalizer that vouches for nothing (``Normalizer._locality`` gives
``None``, which is the default) is never called but by the plain way. One that gives a :class:`Locality` vouches for two
things:

1. **It can be called again.** What it makes of a text depends on the text alone, and nobody notices a further call.
2. **A covered text is normalized character by character.** A text is *covered* if no member of ``literals`` occurs in
   it, and ``of`` has an answer for each of its characters. It becomes these answers, one after the other; each new
   character stands for exactly the old character of whose answer it is part. Before them comes the ``prefix``, which
   stands for the first old character; an empty text gets none.

Nothing is said of other texts: what is not covered, even by one character, is for ``_normalize``, as a whole.

So the answers to the parts of a covered text, put together, are the answer to the text, wherever it is cut. What is
between the parts belongs to the text: who cuts at a newline must ask what becomes of that, too. It may vanish, and the
lines beside it are then one word; it may become a letter, or several characters.

:func:`in_order` alone puts localities together, those of nested sequences included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Answer = str | None
"""What becomes of a character beside any others that have an answer; ``None`` where that depends on the others."""


def unknown(_: str) -> Answer:
    """Answer for no character: only the empty text is covered."""
    return None


def unchanged(char: str) -> Answer:
    """Answer that every character stays as it is."""
    return char


@dataclass(frozen=True, slots=True)
class Locality:
    """What a normalizer vouches for; see the module. Without arguments: no more than that it can be called again.

    ``literals`` are strings of one character or more.
    """

    of: Callable[[str], Answer] = unknown
    literals: tuple[str, ...] = ()
    prefix: str = ""


NO_CHANGE: Final = Locality(unchanged)
"""That of no normalizer at all."""


def in_order(localities: Iterable[Locality | None]) -> Locality | None:
    """Return the locality of normalizers one after the other; ``None`` where one vouches for nothing.

    >>> lowercase, replace = Locality(str.lower), Locality(unchanged, literals=("ab",))
    >>> made = in_order([replace, lowercase])
    >>> made.literals, [made.of(char) for char in "ABC"]
    (('ab',), ['a', 'b', 'c'])

    Behind a change a literal may arise that was not in the text, so its first character has no answer:

    >>> made = in_order([lowercase, replace])
    >>> made.literals, [made.of(char) for char in "ABC"]
    ((), [None, 'b', 'c'])
    """
    made = NO_CHANGE
    for each in localities:
        if each is None:
            return None
        made = _followed(made, each)
    return made


def _followed(first: Locality, second: Locality) -> Locality:
    """Return the locality of ``first`` and then ``second``."""
    before = _answers(second, first.prefix)
    if before is None or (first.prefix and second.literals) or (second.prefix and first.of is not unchanged):
        return Locality()
    prefix = second.prefix + before
    if first.of is unchanged:
        return Locality(second.of, first.literals + second.literals, prefix)
    starts = {literal[0] for literal in second.literals}

    def of(char: str) -> Answer:
        between = first.of(char)
        if between is None or not starts.isdisjoint(between):
            return None
        return _answers(second, between)

    return Locality(of, first.literals, prefix)


def _answers(locality: Locality, text: str) -> Answer:
    """Return what becomes of ``text`` by ``locality.of``."""
    answers = [locality.of(each) for each in text]
    known = [answer for answer in answers if answer is not None]
    return "".join(known) if len(known) == len(answers) else None
