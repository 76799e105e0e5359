"""The invariant that ties a token to its slice: what stands in its span is normalized to what the token stands for.

The slice is asked of the normalizer, and compared with the token in the bytes that it stands for. Where the two are not
the same, one of these is the reason, and each of them is checked:

========= ============================================================================================================
part      the span takes in whole characters, and the token has only a part of the first one or of the last one: some
          of its bytes, or some of what it is normalized to
trimmed   a post-processor has taken white space at the ends out of the span (``trim_offsets``)
prefix    a space was put before the piece, where none stands in the text
unknown   the token is unknown, and so is the slice where it is encoded alone
added     the token is an added one, and the slice is its content, with white space around where it takes that along
together  what is in the span is normalized together with what is beside it, as the normalizer shows where it is asked
          about both; and the token is in what becomes of both
========= ============================================================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.offsets_audit.case import NO_TEXTS, CannotCheckError, Violation
from tokenizer_conformance.research.offsets_audit.spans import contents_of, known_manner, known_tokens
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import BYTE_TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.offsets_audit.case import Looked, SeenEncoding
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
"""White_Space of Unicode, which is not all that Python's ``isspace`` takes for it."""

SHIFTED = "spans do not count what is taken out at the beginning"

PUT_FOR_CUT = "white space is cut out and a space put before, where the file has it stay"
"""How a span is at fault where spaces are cut out first by a pipeline that is not that of the file."""

TAKEN_FOR_SPACE = {
    "a byte of a character is taken for a space": re.compile(rb" *\xa0[ \xa0]*"),
    "white space or a control character is taken for a space": re.compile(rb"[\x00-\x20\x7f\xa0]+"),
}
"""Manners in which a byte-level token stands for a space that is not in the slice, with the bytes that give it one.

Several of them give one. The byte A0 is a part of many characters: who looks for U+00A0 among bytes finds it there.
"""

NEIGHBOURS = 3
"""How many characters on either side are asked about together with a slice."""


def slice_content(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that what stands in the span of a token is normalized to what the token stands for."""
    if not view.can_normalize:
        raise CannotCheckError("it does not show what its normalizer makes of a text")
    if not seen.sequences:
        raise CannotCheckError(NO_TEXTS)
    for index, span in enumerate(seen.spans):
        text = seen.text_of(index)
        if span is None or text is None or span[0] == span[1]:
            continue
        yield 1
        place = _Place(text, span)
        manner = _fault_of(place, seen, view, index)
        if manner:
            shifted = SHIFTED if _is_shifted(place, seen, view, index) else manner
            yield Violation(known_manner(seen, view, index) or shifted, seen.shown(index))


@dataclass(frozen=True, slots=True)
class _Place:
    """A span of a text."""

    text: str
    span: Span

    @property
    def slice(self) -> str:
        """What stands there."""
        return self.text[self.span[0] : self.span[1]]

    @property
    def before(self) -> str:
        """The character before it; none at the beginning."""
        return self.text[max(self.span[0] - 1, 0) : self.span[0]]


def _is_shifted(place: _Place, seen: SeenEncoding, view: TokenizerView, index: int) -> bool:
    """Return whether the token stands later, by as many characters as are taken out at the beginning of the text.

    Marks behind its characters may be taken out, too.
    """
    by = view.removed_at_beginning(place.text)
    start, end = place.span[0] + by, place.span[1] + by
    ends = range(end, min(end + NEIGHBOURS, len(place.text)) + 1)
    return by > 0 and any(not _fault_of(_Place(place.text, (start, each)), seen, view, index) for each in ends)


def _fault_of(place: _Place, seen: SeenEncoding, view: TokenizerView, index: int) -> str:
    """Return what is wrong with the token; nothing where there is a good reason for its span."""
    id = seen.encoded.ids[index]
    if id in view.rules.added and _is_added(place, view, id):
        return ""
    if id == view.rules.unknown_id:
        is_unknown = any(known(place, view, id) for known in (_is_unknown, _is_unknown_together, _is_unknown_there))
        return "" if is_unknown else _manner_of_unknown(view)
    contents = contents_of(seen, view, index)
    if not contents or any(fits(content, place, view) for fits in (_fits, _fits_together) for content in contents):
        return ""
    if view.rules.has_byte_tokens and any(map(BYTE_TOKEN.fullmatch, known_tokens(seen, view, index))):
        return "a byte token beside its character"
    taken = _taken_for_space(contents, place) if view.rules.is_byte_level else ""
    if taken:
        return taken
    if any(_is_put_for_cut(content, place, view) for content in contents):
        return PUT_FOR_CUT
    if any(_differs_in_space(content, place, view) for content in contents):
        return "white space at an end that the token has not, or the other way round"
    return "the slice is not what the token stands for"


def _is_added(place: _Place, view: TokenizerView, id: int) -> bool:
    added = view.rules.added[id]
    found, content = place.slice, added.content
    if found == content or (added.strips and found.strip() == content.strip()):
        return True
    if not added.is_normalized:
        return False
    return (view.normalized(found) or "").strip() == (view.normalized(content) or "").strip()


def _is_unknown(place: _Place, view: TokenizerView, id: int) -> bool:
    """Return whether the slice, encoded alone, has the unknown token in it, or gives no token at all."""
    ids = view.ids(place.slice)
    return not ids or id in ids


def _is_unknown_there(place: _Place, view: TokenizerView, id: int) -> bool:
    """Return whether the text up to the end of the slice has more unknown tokens than up to its beginning.

    A pre-tokenizer may cut a slice otherwise where it is a text of its own.
    """
    start, end = place.span
    before, after = (view.ids(place.text[:at]) or () for at in (start, end))
    return after.count(id) > before.count(id)


# A token and its slice -----------------------------------------------------------------------------------------------


def _fits(content: bytes, place: _Place, view: TokenizerView) -> bool:
    """Return whether ``content`` is what becomes of the slice, or a part of it that a token may have."""
    found = place.slice
    normalized = _bytes_of(found, view)
    if normalized is None:
        return True
    first, last = (len(_bytes_of(each, view) or b"") for each in (found[0], found[-1]))
    forms = list(_forms(content, place, view))
    if not forms:
        return False
    return any(
        _is_part(form, each, first, last, len(found) == 1) for form in forms for each in _edged(normalized, found)
    )


def _bytes_of(text: str, view: TokenizerView) -> bytes | None:
    normalized = view.normalized(text)
    return None if normalized is None else view.rules.normalized_bytes(normalized)


def _forms(content: bytes, place: _Place, view: TokenizerView) -> Iterator[bytes]:
    """Yield what may stand in the span: ``content``, and that without the white space that is not in the text.

    A token of white space alone may have the span of what the white space was put before.
    """
    yield content
    lead, trail = _ends(content)
    if not lead and not trail:
        return
    may_lead = view.rules.trims or (view.rules.adds_prefix and lead == 1 and _is_at_prefix(place, view))
    if lead == len(content):
        if may_lead and not view.rules.trims:
            yield b""
        return
    if lead and may_lead:
        yield content[lead:]
    if trail and view.rules.trims:
        yield content[: len(content) - trail]
        if lead:
            yield content[lead : len(content) - trail]


def _is_at_prefix(place: _Place, view: TokenizerView) -> bool:
    """Return whether a space may have been put before this place, where the text has none, or has lost its own.

    That is so behind what the tokenizer takes out at the beginning of a text, white space or other.
    """
    if place.before != " " or view.rules.cuts_spaces:
        return True
    before = place.text[: place.span[0]]
    return view.is_removed(" ") and all(each in WHITE_SPACE or view.is_removed(each) for each in before)


def _ends(content: bytes) -> tuple[int, int]:
    """Return how many bytes at the beginning and at the end are spaces."""
    return len(content) - len(content.lstrip(b" ")), len(content) - len(content.rstrip(b" "))


def _edged(normalized: bytes, found: str) -> Iterator[bytes]:
    """Yield what the slice is normalized to, and that with the white space of the slice alone at its ends.

    Normalizers put spaces around characters, and take those at the ends of a text away.
    """
    yield normalized
    has_lead, has_trail = found[0] in WHITE_SPACE, found[-1] in WHITE_SPACE
    lead, trail = _ends(normalized)
    core = normalized[lead : len(normalized) - trail] if lead < len(normalized) else b""
    yield (b" " if has_lead else b"") + core + (b" " if has_trail and (core or not has_lead) else b"")


def _is_part(content: bytes, normalized: bytes, first: int, last: int, is_single: bool) -> bool:
    """Return whether ``content`` is all of ``normalized``, but for a part of its first and of its last character.

    ``first`` and ``last`` are the lengths of what these become.
    """
    if content == normalized:
        return True
    if not content:
        return is_single
    at = normalized.find(content)
    while at >= 0:
        after = len(normalized) - at - len(content)
        if is_single or ((at == 0 or at < first) and (after == 0 or after < last)):
            return True
        at = normalized.find(content, at + 1)
    return False


def _differs_in_space(content: bytes, place: _Place, view: TokenizerView) -> bool:
    normalized = _bytes_of(place.slice, view)
    return normalized is not None and content.strip(b" ") == normalized.strip(b" ")


def _taken_for_space(contents: list[bytes], place: _Place) -> str:
    """Return the manner of :data:`TAKEN_FOR_SPACE` in which the slice has the token; nothing where it has it in none.

    A token without a space is at fault in another manner.
    """
    found = place.slice.encode("utf-8", "surrogatepass")
    for manner, taken in TAKEN_FOR_SPACE.items():
        spaced = taken.sub(b" ", found)
        if spaced != found and any(b" " in content and content in spaced for content in contents):
            return manner
    return ""


def _is_put_for_cut(content: bytes, place: _Place, view: TokenizerView) -> bool:
    """Return whether the slice has the token but for a space, in place of white space of the text that was cut out."""
    if not view.rules.adds_prefix or place.before not in WHITE_SPACE or not content.startswith(b" "):
        return False
    return len(place.slice) == 1 if content == b" " else _fits(content[1:], place, view)


def _manner_of_unknown(view: TokenizerView) -> str:
    """Return how an unknown token is at fault; beside tokens of single bytes it may stand in another's place."""
    known = "an unknown token where the slice is known"
    return "an unknown token among byte tokens" if view.rules.has_byte_tokens else known


def _is_unknown_together(place: _Place, view: TokenizerView, id: int) -> bool:
    """Return whether the slice is normalized together with characters beside it, and all of them are unknown."""
    return any(id in (view.ids(whole) or ()) for whole in _together(place, view))


# Together with its neighbours ----------------------------------------------------------------------------------------


def _fits_together(content: bytes, place: _Place, view: TokenizerView) -> bool:
    """Say whether the slice is normalized together with characters beside it, and the token is in what becomes of all.

    The normalizer says so itself: of the whole it makes something else than of the parts.
    """
    core = content.strip(b" ")
    return any(core in (_bytes_of(whole, view) or b"") for whole in _together(place, view))


def _together(place: _Place, view: TokenizerView) -> Iterator[str]:
    """Yield the slice with characters beside it, where these are normalized together."""
    start, end = place.span
    for left in range(NEIGHBOURS + 1):
        for right in range(NEIGHBOURS + 1):
            if (not left and not right) or start < left or end + right > len(place.text):
                continue
            parts = (place.text[start - left : start], place.slice, place.text[end : end + right])
            if not view.is_one_by_one(*parts):
                yield "".join(parts)
