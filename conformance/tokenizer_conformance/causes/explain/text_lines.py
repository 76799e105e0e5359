"""The text, and its way as far as the model, for people."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.tracing import Station
from tokenizer_conformance.causes.explain.changes import changes_between
from tokenizer_conformance.causes.explain.columns import Cell, Row, aligned_under
from tokenizer_conformance.causes.explain.odd_characters import UNICODE, odd_characters
from tokenizer_conformance.causes.explain.plan import around
from tokenizer_conformance.causes.explain.section import MORE, Section, joined, member_words, shortened, span_words
from tokenizer_conformance.command_io.visible import SPACE, visible
from tokenizer_conformance.command_io.wrapping import stacked, wrapped
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import code_point, quoted
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_adapters.tracing import AddedOccurrence, Piece, TextStep, TextWay, Trace, Word
    from tokenizer_conformance.causes.explain.plan import Limits

LISTED_POSITIONS = 8
"""How many places of an odd character are listed."""


def text_sections(trace: Trace, number: int, focus: int, limits: Limits, width: int) -> list[Section]:
    """Return what there is to show of text ``number`` of the trace, laid out for ``width`` cells."""
    way = trace.texts[number]
    which = ("text", "pair")[number]
    of_pair = " of the pair" if number else ""
    return [
        Section(which, tuple(_text_lines(way, focus, limits, width))),
        *([Section(f"aligned{of_pair}", tuple(_grid(way, focus, limits, width)))] if way.text else []),
        Section(f"added tokens{of_pair}", tuple(_added_lines(way, limits, width))),
        Section(f"normalizer{of_pair}", tuple(_normalizer_lines(way, limits, width))),
        Section(f"pre-tokenizer{of_pair}", tuple(_pieces_lines(way, limits, width))),
    ]


# The text ------------------------------------------------------------------------------------------------------------


def _text_lines(way: TextWay, focus: int, limits: Limits, width: int) -> list[str]:
    text = way.text
    start, end = around(focus, len(text), limits.characters)
    shown = f"{'…' if start else ''}{quoted(text[start:end])}{'…' if end < len(text) else ''}"
    size = f"{counted(len(text), 'code point')}, {counted(len(text.encode()), 'UTF-8 byte')}"
    lines = [*wrapped(f"  {shown}", width, 2), f"  {size}"]
    if (start, end) != (0, len(text)):
        lines.append(f"  shown are characters {start:,} to {end:,} {MORE}")
    rows = []
    for odd in odd_characters(text):
        places = ", ".join(map(str, odd.positions[:LISTED_POSITIONS]))
        more = f" and {len(odd.positions) - LISTED_POSITIONS:,} more" if len(odd.positions) > LISTED_POSITIONS else ""
        rows.append([f"  {code_point(odd.character)}", odd.name, odd.kind, f"at {places}{more}"])
    if rows:
        listed = shortened(aligned(rows), limits.entries, "odd characters")
        lines += [f"  odd characters (names of Unicode {UNICODE}):", *stacked(listed, width, 2)]
    return lines


# Aligned -------------------------------------------------------------------------------------------------------------


def _grid(way: TextWay, focus: int, limits: Limits, width: int) -> list[str]:
    rows = [row for row in (*_state_rows(way), *_token_rows(way)) if row.cells]
    start, end = around(focus, len(way.text), limits.characters)
    lines = [f"  {line}".rstrip() for line in aligned_under(way.text, start, end, rows, width - 2)]
    if SPACE in "".join(lines):
        lines += ["", f"  {SPACE} is a space; marks and letters written from right to left stand as escapes"]
    return lines


def _state_rows(way: TextWay) -> Iterator[Row]:
    """Yield a row for each stage that has changed the text: its added tokens, its characters, its pieces."""
    of_station = {step.member.station: step for step in way.steps}
    searches = [of_station[each] for each in (Station.ADDED_AS_GIVEN, Station.ADDED_NORMALIZED) if each in of_station]
    if searches:
        yield Row("added", tuple(_cell(piece) for piece in searches[-1].pieces if piece.added is not None))
    normalized = of_station.get(Station.NORMALIZER)
    if normalized is not None and "".join(piece.text for piece in normalized.pieces) != way.text:
        yield Row("normalized", tuple(_character_cells(normalized.pieces)))
    cut = of_station.get(Station.PRE_TOKENIZER)
    if cut is not None:
        yield Row("pieces", tuple(map(_cell, cut.pieces)))


def _token_rows(way: TextWay) -> Iterator[Row]:
    yield Row("tokens", _token_cells(way, lambda word: map(visible, word.tokens)))
    yield Row("ids", _token_cells(way, lambda word: map(str, word.ids)))


def _texts(pieces: Sequence[Piece]) -> list[tuple[str, int | None]]:
    return [(piece.text, piece.added) for piece in pieces]


def _cell(piece: Piece) -> Cell:
    return Cell(*_extent(piece), visible(piece.text))


def _character_cells(pieces: Sequence[Piece]) -> Iterator[Cell]:
    """Yield a cell for all neighbours that stand for the same characters of the original text."""
    for piece in pieces:
        for origin, group in groupby(zip(piece.origins, piece.text, strict=True), key=lambda pair: pair[0]):
            yield Cell(origin[0], origin[1], visible("".join(char for _, char in group)))


def _extent(piece: Piece) -> tuple[int, int]:
    """Return what of the original text the characters of a piece stand for."""
    if not piece.origins:
        return piece.span
    return min(start for start, _ in piece.origins), max(end for _, end in piece.origins)


def _token_cells(way: TextWay, labels_of: Callable[[Word], Iterable[str]]) -> tuple[Cell, ...]:
    """Return a cell for each token; those whose place fits no characters are left out."""
    return tuple(
        Cell(*span, label)
        for word in way.words
        for label, span in zip(labels_of(word), word.offsets, strict=True)
        if span is not None
    )


# Added tokens --------------------------------------------------------------------------------------------------------


def _added_lines(way: TextWay, limits: Limits, width: int) -> list[str]:
    found = [each for step in way.steps for each in step.occurrences]
    if not found:
        return ["  none stands in the text"]
    lines = [line for each in found for line in wrapped(f"  {_occurrence_words(each)}", width, 4)]
    return shortened(lines, limits.entries, "lines")


def _occurrence_words(each: AddedOccurrence) -> str:
    flags = f" ({', '.join(each.flags)})" if each.flags else ""
    as_form = f", looked for as {quoted(each.searched)}" if each.searched != each.content else ""
    head = f"{span_words(each.span)} {quoted(each.content)}, id {each.id}{flags}{as_form}:"
    if each.taken is not None:
        more = "" if each.taken == each.span else f" together with the white space around it, {span_words(each.taken)}"
        return f"{head} cut out{more}"
    by = f": {quoted(each.other)}" if each.other else ""
    return f"{head} not cut out: {each.why_not}{by}"


# Normalizer and pre-tokenizer ----------------------------------------------------------------------------------------


def _of(way: TextWay, station: Station) -> list[tuple[TextStep, tuple[Piece, ...]]]:
    """Return the steps of a station, each with the pieces that it was given."""
    befores = [(), *(step.pieces for step in way.steps)]
    return [(step, before) for step, before in zip(way.steps, befores, strict=False) if step.member.station is station]


def _normalizer_lines(way: TextWay, limits: Limits, width: int) -> list[str]:
    steps = _of(way, Station.NORMALIZER)
    lines: list[str] = [] if steps else ["  none"]
    for step, before in steps:
        lines += wrapped(f"  {member_words(step.member)}", width, 6)
        changes = changes_between(before, step.pieces)
        told = [f"    {span_words(each.span)} {quoted(each.before)} -> {quoted(each.after)}" for each in changes]
        lines += shortened(told, limits.entries, "changes") or ["    changes nothing"]
    if steps:
        texts = "".join(piece.text for piece in steps[-1][0].pieces)
        if len(texts) <= (limits.characters or len(texts)):
            lines += wrapped(f"  gives {quoted(texts)}", width, 4)
    return [each for line in lines for each in wrapped(line, width, 6)]


def _pieces_lines(way: TextWay, limits: Limits, width: int) -> list[str]:
    steps = _of(way, Station.PRE_TOKENIZER)
    lines: list[str] = [] if steps else ["  none: what is between added tokens goes to the model whole"]
    for step, before in steps:
        lines += wrapped(f"  {member_words(step.member)}", width, 6)
        if _texts(before) == _texts(step.pieces):
            lines.append("    changes nothing")
            continue
        told = [f"{span_words(_extent(piece))} {quoted(piece.text)}" for piece in step.pieces]
        lines += joined(shortened(told, limits.entries, "pieces"), width, 4) if told else ["    leaves nothing"]
    return lines
