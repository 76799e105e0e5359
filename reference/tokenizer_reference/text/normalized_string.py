"""A text on its way through the pipeline, aligned character by character with the original.

The target keeps one original byte range per *byte* of normalized text. All bytes of a character always carry the same
range and every range lies on character boundaries, so one code-point range per *character* holds the same information:
that is what this module keeps. Observed on ``tokenizers`` 0.23.3.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import index
from typing import TYPE_CHECKING, TypeVar

from tokenizer_reference.arguments import function, string, unsigned_64
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.text import characters, code_point_sets, normalization
from tokenizer_reference.text.pattern import check_pattern, match_spans, matches
from tokenizer_reference.text.split_behavior import check_behavior, pieces
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_reference.text.pattern import Pattern

T = TypeVar("T")

Change = normalization.Change
"""A character of a new text and how it came to be.

``0`` replaces one old character, ``+n`` is inserted, ``-n`` replaces one old character and swallows the ``n`` after it.
"""

Origins = tuple[int, ...]
"""For each character of a new text the old character whose alignment it takes.

It is counted from where the change starts; -1 is the one before.
"""

Region = tuple[int, int, str, Origins]
"""A local change: a range of the old text, what comes in its place, and the origins of that."""


def origins_of(changes: Iterable[Change]) -> tuple[str, Origins]:
    """Return the text that ``changes`` make, and its origins.

    >>> origins_of([("a", 0), ("b", 1), ("c", -1), ("d", 0)])
    ('abcd', (0, 0, 1, 3))
    """
    text: list[str] = []
    origins: list[int] = []
    cursor = 0
    for char, change in changes:
        text.append(char)
        if change > 0:
            origins.append(cursor - 1)
        else:
            origins.append(cursor)
            cursor += 1 - change
    return "".join(text), tuple(origins)


_cached_origins = lru_cache(maxsize=4096)(origins_of)


@lru_cache(maxsize=64)
def _one_to_one(size: int) -> Origins:
    return tuple(range(size))


def normal_form_regions(text: str, form: normalization.Form) -> list[Region]:
    """Return where ``form`` changes ``text``, and how."""
    return [
        (start, end, *(_cached_origins(changes) if isinstance(changes, tuple) else origins_of(changes)))
        for start, end, changes in normalization.changed_regions(text, form)
    ]


CharacterRange = int | tuple[int, int] | slice
"""How ranges of characters can be given in the mirrored API."""


def _character_range(given: CharacterRange, size: int) -> tuple[int, int]:
    """Return start and end of ``given``, negative numbers counted from ``size``."""
    if isinstance(given, slice):
        start, end, _ = given.indices(size)
        return start, end
    try:
        if isinstance(given, tuple):
            start, end = (unsigned_64("range", position) for position in given)
            return start, end
        number = index(given)
    except (TypeError, ValueError, OverflowError):
        number = 2**63
    if not -(2**63) <= number < 2**63:
        raise TypeError(f"expected an index, a tuple of start and end, or a slice; got {given!r}")
    if number < -size:
        raise ValueError(f"{-number} is bigger than max len")
    start = number + size if number < 0 else number
    return start, start + 1


def _called(func: Callable[[str], T], char: str, signature: str, kind: type) -> T:
    """Return what a function of the user gives for ``char``, a value of the class ``kind``."""
    try:
        value = func(char)
    except Exception as error:
        raise UpstreamPanicError(
            f"a function `{signature}` raised an error, and `tokenizers` panics: {error}"
        ) from error
    if not isinstance(value, kind):
        raise UpstreamPanicError(f"a function `{signature}` returned {value!r}: `tokenizers` panics here")
    return value


class _CaseMapping:
    """A case mapping of single characters, and how to apply it to a whole text."""

    def __init__(self, table: Callable[[], dict[int, str]], of_ascii: Callable[[str], str]) -> None:
        self._table = table
        self.of_ascii = of_ascii

    def of(self, char: str) -> str:
        """Return what one character becomes."""
        return self._table().get(ord(char), char)

    def of_run(self, run: str) -> tuple[str, Origins]:
        """Return what a run of characters becomes, and the origins."""
        table = self._table()
        mapped = run.translate(table)
        if len(mapped) == len(run):
            return mapped, _one_to_one(len(run))
        return origins_of((new, int(index > 0)) for char in run for index, new in enumerate(self.of(char)))

    @cache  # noqa: B019 - there are two of these for good
    def runs(self) -> re.Pattern[str]:
        """Return a pattern of runs of the characters beyond ASCII that change."""
        changing = code_point_sets.from_code_points(code_point for code_point in self._table() if code_point > 0x7F)
        return re.compile(f"[{code_point_sets.character_class(changing)}]+")


# bytes.lower and bytes.upper know ASCII only, on every host.
_LOWERCASE = _CaseMapping(characters.lowercase_table, lambda text: text.encode().lower().decode())
_UPPERCASE = _CaseMapping(characters.uppercase_table, lambda text: text.encode().upper().decode())


class NormalizedString(Uncopyable):
    r"""A piece of an original text and its normalized form, with the alignment of the two.

    ``original`` and ``normalized`` are the two texts. Alignments are half-open code point ranges of the whole original
    text that the piece was cut from. Every change of the text goes through one of three doors: a one-to-one replacement
    (:meth:`set_one_to_one`, alignment untouched), a replacement of matches (:meth:`replace`), or :meth:`transform`.

    >>> text = NormalizedString("Ça va")
    >>> text.nfd()
    >>> text.lowercase()
    >>> text.normalized == "c\u0327a va"
    True
    >>> text.alignment()
    [(0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    """

    __slots__ = ("_begin", "_end", "_ends", "_first", "_source", "_starts", "_text")

    # Character i of the text stands for the range from _starts[_first + i] to _ends[_first + i]. Pieces share the lists
    # of the text that they were cut from, so they are never changed in place. Without lists, character i of the text is
    # character _begin + i of the source.
    _starts: list[int] | None
    _ends: list[int] | None
    _first: int

    def __init__(self, sequence: str) -> None:
        self._source = self._text = string("sequence", sequence)
        self._begin = 0
        self._end = len(sequence)
        self._starts = None
        self._ends = None
        self._first = 0

    @property
    def original(self) -> str:
        """The part of the original text that this piece covers."""
        return self._source[self._begin : self._end]

    @property
    def normalized(self) -> str:
        """The text as normalized so far."""
        return self._text

    @property
    def source(self) -> str:
        """The whole original text that this piece was cut from."""
        return self._source

    @property
    def begin(self) -> int:
        """Where the piece starts in the whole original text, in code points."""
        return self._begin

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f'NormalizedString(original="{self.original}", normalized="{self._text}")'

    def duplicate(self) -> NormalizedString:
        """Return a text that is the same now, and changes on its own."""
        new = NormalizedString.__new__(NormalizedString)
        for slot in NormalizedString.__slots__:
            setattr(new, slot, getattr(self, slot))
        return new

    # Alignment -------------------------------------------------------------------------------------------------------

    def alignment(self) -> list[tuple[int, int]]:
        """Return for each character of the normalized text the code point range of the original text it stands for."""
        starts, ends = self._alignment_lists()
        return list(zip(starts, ends, strict=True))

    @property
    def is_aligned_one_to_one(self) -> bool:
        """Whether every character stands for the character at its own place in the piece."""
        return self._starts is None or self._ends is None

    def original_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original text that the characters ``start`` to ``end`` (exclusive) stand for.

        The range must not be empty. It runs from the first character's start to the last one's end, which for
        reordered text need not contain the ranges between.
        """
        if self._starts is None or self._ends is None:
            return self._begin + start, self._begin + end
        return self._starts[self._first + start], self._ends[self._first + end - 1]

    def _alignment_lists(self) -> tuple[list[int], list[int]]:
        """Return start and end of the original range of each character, in new lists or in ones that nobody changes."""
        size = len(self._text)
        if self._starts is None or self._ends is None:
            begin = self._begin
            return list(range(begin, begin + size)), list(range(begin + 1, begin + size + 1))
        first = self._first
        if first == 0 and size == len(self._starts):
            return self._starts, self._ends
        return self._starts[first : first + size], self._ends[first : first + size]

    def slice_range(self, start: int, end: int) -> NormalizedString:
        """Return the piece from ``start`` to ``end`` (normalized characters, exclusive), with its original."""
        (piece,) = self.cut([(start, end)])
        return piece

    def cut(self, spans: Iterable[tuple[int, int]]) -> list[NormalizedString]:
        """Return the pieces at the normalized character ranges ``spans``."""
        source, text, base = self._source, self._text, self._begin
        starts, ends, first = self._starts, self._ends, self._first
        new = NormalizedString.__new__
        cut: list[NormalizedString] = []
        for start, end in spans:
            piece = new(NormalizedString)
            piece._source = source
            piece._text = text[start:end]
            piece._starts = starts
            piece._ends = ends
            if starts is None or ends is None:
                piece._first = 0
                piece._begin = base + start
                piece._end = base + end
            else:
                piece._first = first + start
                if start < end:
                    piece._begin = starts[first + start]
                    piece._end = ends[first + end - 1]
                else:
                    piece._begin = piece._end = base
            cut.append(piece)
        return cut

    def __getitem__(self, range: CharacterRange) -> NormalizedString | None:
        """Return the piece of a range of normalized characters: an index, a tuple of start and end, or a slice.

        ``None`` for a range that starts at the end or beyond (but 0 to 0 of an empty text). As in the target, negative
        numbers count from the length in *UTF-8 bytes*, the step of a slice is ignored, and an end before the start is
        the end of the text.

        Raises :class:`ValueError` for an index further below 0 than there are bytes.
        """
        size = len(self._text)
        start, end = _character_range(range, len(self._text.encode()))
        if start >= size and (start, end, size) != (0, 0, 0):
            return None
        return self.slice_range(start, min(end, size) if end >= start else size)

    def slice(self, range: CharacterRange) -> NormalizedString | None:
        """Return ``self[range]``."""
        return self[range]

    # Changing the text -----------------------------------------------------------------------------------------------

    def _whole_text(self) -> tuple[int, int]:
        """Return the range of the normalized text that "the whole original" maps to.

        The target looks that range up in the alignment, and passes over leading characters that stand for nothing: text
        inserted before position 0 is therefore not part of it. Nothing maps to an original that is empty.
        """
        size = len(self._text)
        starts, ends = self._starts, self._ends
        if starts is None or ends is None:
            return 0, size
        if self._begin == self._end:
            return 0, 0
        first = self._first
        return next((index for index in range(size) if starts[first + index] != ends[first + index]), size), size

    @property
    def is_regular(self) -> bool:
        """Whether a whole-text change takes in the whole text: it does unless text was inserted before position 0."""
        return self._whole_text() == (0, len(self._text))

    def transform(self, changes: Iterable[Change], initial_offset: int = 0) -> None:
        """Replace the whole text by the characters of ``changes``.

        The first ``initial_offset`` old characters are removed before the first change. A replaced character gives its
        alignment to the new one; an inserted one takes that of the old character before the cursor, and stands for
        nothing (an empty range) at the very start.

        Raises :class:`UpstreamPanicError` where the target runs off the end of its alignment: a whole-text change after
        an insertion before position 0.
        """
        start, end = self._whole_text()
        self.transform_range(start, end, changes, initial_offset)

    def transform_range(self, start: int, end: int, changes: Iterable[Change], initial_offset: int = 0) -> None:
        """Replace the normalized characters ``start`` to ``end`` (exclusive) as :meth:`transform` does."""
        starts, ends = self._alignment_lists()
        size = len(starts)
        cursor = min(start + initial_offset, end)
        new_text: list[str] = []
        new_starts: list[int] = []
        new_ends: list[int] = []
        for char, change in changes:
            if change > 0:
                at = cursor - 1
            else:
                at = cursor
                if at >= size:
                    raise UpstreamPanicError(
                        "a normalizer changes the whole text after text was inserted before its first character: "
                        f"`tokenizers` panics here (index out of bounds: the index is {at})"
                    )
                cursor = min(cursor + 1 - change, end)
            new_text.append(char)
            if at < 0:
                new_starts.append(self._begin)
                new_ends.append(self._begin)
            else:
                new_starts.append(starts[at])
                new_ends.append(ends[at])
        self._text = self._text[:start] + "".join(new_text) + self._text[end:]
        self._starts = starts[:start] + new_starts + starts[end:]
        self._ends = ends[:start] + new_ends + ends[end:]
        self._first = 0

    def set_one_to_one(self, text: str) -> None:
        """Replace the text by one of the same length, character for character; the alignment stays.

        The fast form of a :meth:`transform` in which every change is 0.
        """
        if self.is_regular:
            self._text = text
        else:
            self.transform((char, 0) for char in text)

    def rewrite(self, regions: Iterable[Region]) -> None:
        """Change the text inside ``regions`` (in order, not overlapping) and nowhere else.

        The fast form of a :meth:`transform` whose changes are 0 outside of the regions, and which is through with the
        characters of each region at its end. Only for a text that :attr:`is_regular`.

        >>> text = NormalizedString("Ça va")
        >>> text.rewrite([(0, 1, "C,", (0, 0))])
        >>> text.normalized, text.alignment()
        ('C,a va', [(0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
        """
        todo = list(regions)
        if not todo:
            return
        old = self._text
        texts: list[str] = []
        done = 0
        one_to_one = True
        for start, end, new, origins in todo:
            texts += (old[done:start], new)
            done = end
            one_to_one = one_to_one and len(origins) == end - start and origins == _one_to_one(end - start)
        texts.append(old[done:])
        if not one_to_one:
            self._realign(todo)
        self._text = "".join(texts)

    def _realign(self, regions: Iterable[Region]) -> None:
        """Set the alignment that follows from the origins of ``regions``."""
        begin = self._begin
        old_starts: Sequence[int]
        old_ends: Sequence[int]
        if self._starts is None or self._ends is None:
            old_starts = range(begin, self._end)
            old_ends = range(begin + 1, self._end + 1)
        else:
            old_starts, old_ends = self._alignment_lists()
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for start, end, _, origins in regions:
            starts += old_starts[done:start]
            ends += old_ends[done:start]
            done = end
            if not origins:
                continue
            if start == 0 and -1 in origins:
                # Before position 0 there is nothing that could lend its alignment.
                starts += [begin if origin < 0 else old_starts[origin] for origin in origins]
                ends += [begin if origin < 0 else old_ends[origin] for origin in origins]
            else:
                starts += [old_starts[start + origin] for origin in origins]
                ends += [old_ends[start + origin] for origin in origins]
        starts += old_starts[done:]
        ends += old_ends[done:]
        self._starts = starts
        self._ends = ends
        self._first = 0

    def replace(self, pattern: Pattern, content: str) -> None:
        """Replace every match of ``pattern`` by ``content``, taken literally.

        All characters of the replacement take the alignment of the *last* character they replace (of the one before,
        for an empty match; none at position 0).

        >>> text = NormalizedString("abcd")
        >>> text.replace("ab", "XYZ")
        >>> text.normalized, text.alignment()
        ('XYZcd', [(1, 2), (1, 2), (1, 2), (2, 3), (3, 4)])
        """
        check_pattern("pattern", pattern)
        string("content", content)
        if pattern == "":  # an empty literal matches nothing
            return
        if isinstance(pattern, str) and len(pattern) == len(content) == 1:
            # One character for one: nothing moves.
            self._text = self._text.replace(pattern, content)
            return
        self.replace_matches(match_spans(pattern, self._text), content)

    def replace_matches(self, spans: list[tuple[int, int]], content: str) -> None:
        """Replace the character ranges ``spans`` (in order, not overlapping) by ``content``; see :meth:`replace`."""
        width = len(content)
        last = {size: (size - 1,) * width for size in {end - start for start, end in spans}}
        if width == 1:
            # A character that replaces itself changes nothing.
            text = self._text
            spans = [span for span in spans if span[1] - span[0] != 1 or text[span[0]] != content]
        self.rewrite((start, end, content, last[end - start]) for start, end in spans)

    def prepend(self, s: str) -> None:
        """Put ``s`` before the text; it shares the alignment of the first character. Does nothing on an empty text."""
        string("s", s)
        if not self._text:
            return
        starts, ends = self._alignment_lists()
        if s:
            self._starts = [starts[0]] * len(s) + starts
            self._ends = [ends[0]] * len(s) + ends
        else:
            # The target makes an insertion of the first character, and nothing before it lends an alignment (observed).
            self._starts = [self._begin, *starts[1:]]
            self._ends = [self._begin, *ends[1:]]
        self._first = 0
        self._text = s + self._text

    def append(self, s: str) -> None:
        """Put ``s`` after the text; it shares the alignment of the last character, and on an empty text has none."""
        string("s", s)
        size = len(self._text)
        last = [(self._text[-1], 0)] if size else []
        self.transform_range(max(size - 1, 0), size, [*last, *((char, 1) for char in s)])

    def filter(self, func: Callable[[str], bool]) -> None:
        """Keep the characters for which ``func`` is true.

        Raises :class:`UpstreamPanicError` where ``func`` raises an error, or gives anything but ``True`` and ``False``.
        """
        function("func", func)
        changes: list[Change] = []
        leading = 0
        for char in self._text:
            if _called(func, char, "fn(char) -> bool", bool):
                changes.append((char, 0))
            elif changes:
                kept, change = changes[-1]
                changes[-1] = (kept, change - 1)
            else:
                leading += 1
        self.transform(changes, leading if changes else 0)

    def remove(self, removed: re.Pattern[str]) -> None:
        """Remove what ``removed`` matches, a run of characters told by their kind.

        The fast form of a :meth:`filter`, which it leaves the work to where text was inserted before position 0.
        """
        if self.is_regular:
            self.rewrite((*match.span(), "", ()) for match in removed.finditer(self._text))
        else:
            self.filter(lambda char: removed.fullmatch(char) is None)

    def map(self, func: Callable[[str], str]) -> None:
        """Replace each character by the one that ``func`` gives for it.

        Of several characters the first counts. Raises :class:`UpstreamPanicError` where ``func`` raises an error or
        gives none.
        """
        function("func", func)
        mapped = [_called(func, char, "fn(char) -> char", str)[:1] for char in self._text]
        if not all(mapped):
            raise UpstreamPanicError("a function for `map` returned an empty string: `tokenizers` panics here")
        self.set_one_to_one("".join(mapped))

    def for_each(self, func: Callable[[str], object]) -> None:
        """Call ``func`` with each character. Raises :class:`UpstreamPanicError` where it raises an error."""
        function("func", func)
        for char in self._text:
            _called(func, char, "fn(char)", object)

    def clear(self) -> None:
        """Remove the whole text."""
        self.transform((), len(self._text))

    def lowercase(self) -> None:
        """Lowercase each character on its own (Unicode 17.0; no rule for a final sigma)."""
        self._map_case(_LOWERCASE)

    def uppercase(self) -> None:
        """Uppercase each character on its own (Unicode 17.0)."""
        self._map_case(_UPPERCASE)

    def _map_case(self, mapping: _CaseMapping) -> None:
        text = self._text
        if not self.is_regular:
            self.transform((new, int(index > 0)) for char in text for index, new in enumerate(mapping.of(char)))
            return
        if not text.isascii():
            self.rewrite(
                (start, end, *mapping.of_run(text[start:end]))
                for start, end in (match.span() for match in mapping.runs().finditer(text))
            )
        self._text = mapping.of_ascii(self._text)

    def nfc(self) -> None:
        """Compose canonically (Unicode 9.0)."""
        self._normalize("NFC")

    def nfd(self) -> None:
        """Decompose canonically (Unicode 9.0)."""
        self._normalize("NFD")

    def nfkc(self) -> None:
        """Compose after compatibility decomposition (Unicode 9.0)."""
        self._normalize("NFKC")

    def nfkd(self) -> None:
        """Decompose by compatibility (Unicode 9.0)."""
        self._normalize("NFKD")

    def _normalize(self, form: normalization.Form) -> None:
        if self.is_regular:
            self.rewrite(normal_form_regions(self._text, form))
        else:
            changes = normalization.changes(self._text, form)
            self.transform([(char, 0) for char in self._text] if changes is None else changes)

    def lstrip(self) -> None:
        """Remove white space (Unicode's White_Space) from the start."""
        self._strip(left=True, right=False)

    def rstrip(self) -> None:
        """Remove white space (Unicode's White_Space) from the end."""
        self._strip(left=False, right=True)

    def strip(self) -> None:
        """Remove white space (Unicode's White_Space) from both ends."""
        self._strip(left=True, right=True)

    def _strip(self, *, left: bool, right: bool) -> None:
        text = self._text
        kept = text.lstrip(characters.WHITE_SPACE) if left else text
        leading = len(text) - len(kept)
        if right:
            kept = kept.rstrip(characters.WHITE_SPACE)
        if len(kept) == len(text):
            return
        if self.is_regular:
            trailing = leading + len(kept)
            self.rewrite([(0, leading, "", ()), (trailing, len(text), "", ())])
        else:
            self.transform([(char, 0) for char in kept], leading)

    # Cutting ---------------------------------------------------------------------------------------------------------

    def split(self, pattern: Pattern, behavior: str) -> list[NormalizedString]:
        """Cut at the matches of ``pattern``, which are treated as ``behavior`` says (see :mod:`.split_behavior`)."""
        pattern = check_pattern("pattern", pattern)
        check_behavior(behavior)
        return self.cut(pieces(matches(pattern, self._text), behavior))
