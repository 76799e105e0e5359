"""Taking white space out of the offsets of byte-level tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.characters import WHITE_SPACE

if TYPE_CHECKING:
    from tokenizer_reference.values.encoding import Encoding, Offsets

BLANKS: Final = BYTE_TO_CHAR[ord(" ")] + WHITE_SPACE
"""What counts as white space in the text of a token: ``Ġ``, which stands for a space, and real white space."""


def blanks_around(token: str) -> tuple[int, int]:
    """Return how many characters at the start and at the end of ``token`` are blanks; if all are, both count them all.

    >>> blanks_around("Ġhello"), blanks_around("ĠĠ"), blanks_around("a")
    ((1, 0), (2, 2), (0, 0))
    """
    return len(token) - len(token.lstrip(BLANKS)), len(token) - len(token.rstrip(BLANKS))


def trimmed_span(span: Offsets, blanks: tuple[int, int], *, is_first: bool, add_prefix_space: bool) -> Offsets:
    """Return ``span`` (code points of the text) without as many characters as there are blanks around its token.

    With ``add_prefix_space`` a single leading blank of the first token is taken for one that the tokenizer added, and
    nothing is cut for it. ``is_first`` is also the token whose span starts at 0.

    >>> trimmed_span((5, 11), (1, 0), is_first=False, add_prefix_space=True)
    (6, 11)
    >>> trimmed_span((0, 5), (1, 0), is_first=True, add_prefix_space=True)
    (0, 5)
    """
    start, end = span
    leading, trailing = blanks
    if leading == 1 and add_prefix_space and (is_first or start == 0):
        leading = 0
    start = min(start + leading, end)
    if end >= trailing:
        end = max(end - trailing, start)
    return start, end


def trim_offsets(encoding: Encoding, *, add_prefix_space: bool) -> None:
    """Trim the offsets of all tokens of ``encoding`` and of its overflow (observed, tokenizers 0.23.3)."""
    for part in (encoding, *encoding._overflowing):
        part._offsets = trimmed_offsets(part._tokens, part._offsets, add_prefix_space=add_prefix_space)


def trimmed_offsets(tokens: list[str], offsets: list[Offsets], *, add_prefix_space: bool) -> list[Offsets]:
    """Return for every token what :func:`trimmed_span` gives, in little more than one look at most tokens.

    Blanks are counted once for each token. Most have none, or one at their start and a span that does not start at 0,
    where nothing has to be weighed.
    """
    trimmed = [
        span
        if blanks is None
        else (start + 1, end)
        if blanks is _ONE_LEADING and 0 < start < end
        else trimmed_span(span, blanks, is_first=False, add_prefix_space=add_prefix_space)
        for blanks, span in zip(map(_BLANKS_AROUND.__getitem__, tokens), offsets, strict=False)
        for start, end in (span,)
    ]
    if trimmed:
        blanks = blanks_around(tokens[0])
        trimmed[0] = trimmed_span(offsets[0], blanks, is_first=True, add_prefix_space=add_prefix_space)
    return trimmed + offsets[len(trimmed) :]


_ONE_LEADING: Final = (1, 0)
_REMEMBERED: Final = 100_000


class _BlanksAround(dict[str, tuple[int, int] | None]):
    """Token -> blanks around it, ``None`` where there are none; emptied when it has become large."""

    def __missing__(self, token: str) -> tuple[int, int] | None:
        counts = blanks_around(token)
        if len(self) >= _REMEMBERED:
            self.clear()
        self[token] = None if counts == (0, 0) else _ONE_LEADING if counts == _ONE_LEADING else counts
        return self[token]


_BLANKS_AROUND: Final = _BlanksAround()
