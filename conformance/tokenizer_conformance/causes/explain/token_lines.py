"""The way of the tokens from the model to the encoding, and back to a text, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.tracing import Station
from tokenizer_conformance.causes.explain.plan import around
from tokenizer_conformance.causes.explain.section import MORE, Section, joined, member_words, shortened, span_words
from tokenizer_conformance.command_io.wrapping import cut, wrapped
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Encoded
    from tokenizer_adapters.tracing import Trace
    from tokenizer_conformance.causes.explain.plan import Limits

T = TypeVar("T")

LONGEST_TOKEN = 26
"""How many cells a token takes in the table of an encoding."""


def token_sections(trace: Trace, focus: int, limits: Limits, width: int) -> list[Section]:
    """Return what becomes of the tokens after the model, the encoding, and the way back."""
    sections = [Section("after the model", tuple(_step_lines(trace, limits, width)))]
    if trace.encoded is not None:
        sections.append(Section("encoding", tuple(_encoding_lines(trace, trace.encoded, focus, limits, width))))
    if trace.decoding:
        sections.append(Section("decoding", tuple(_decoding_lines(trace, limits, width))))
    if trace.stopped is not None:
        stopped = trace.stopped
        where = f"{stopped.member.station} {stopped.member.type}".strip()
        told = f"  {where} fails: {one_line(stopped.kind)}: {one_line(stopped.message)}"
        sections.append(Section("here the way ends", tuple(wrapped(told, width, 4))))
    return sections


def _step_lines(trace: Trace, limits: Limits, width: int) -> list[str]:
    lines: list[str] = []
    before: tuple[Encoded, ...] = ()
    for step in trace.tokens:
        if step.member.station is Station.MODEL:
            before = step.parts
            continue
        lines += wrapped(f"  {member_words(step.member)}", width, 6)
        if before == step.parts:
            lines.append("    changes nothing")
        for number, part in enumerate(step.parts if before != step.parts else ()):
            lines += _part_lines(part, number, len(step.parts), limits, width)
        before = step.parts
    return lines or ["  neither truncation nor a post-processor nor padding"]


def _part_lines(part: Encoded, number: int, total: int, limits: Limits, width: int) -> list[str]:
    which = f"part {number + 1}: " if total > 1 else ""
    kept = f"    {which}{counted(len(part.ids), 'token')}"
    over = f", {counted(len(part.overflowing), 'part')} cut off" if part.overflowing else ""
    types = sorted(set(part.type_ids or ()))
    of_types = f", type {', '.join(map(str, types))}" if types else ""
    listed = shortened(list(map(quoted, part.tokens or ())), limits.entries, "tokens")
    return [f"{kept}{of_types}{over}", *joined(listed, width, 6)]


def _encoding_lines(trace: Trace, encoded: Encoded, focus: int, limits: Limits, width: int) -> list[str]:
    """Return a table of all tokens with all that is known of them; of many those around ``focus``."""
    total = len(encoded.ids)
    at = next((place for place, (_, end) in enumerate(encoded.offsets or ()) if focus < end), 0)
    start, end = around(at, total, limits.entries)
    rows = [["  ", "id", "token", "offsets", "word", "type", "special", "attention", "text"]]
    rows += [[f"  {index}", *_token_row(trace, encoded, index)] for index in range(start, end)]
    lines = [cut(line, width) for line in aligned(_needed(rows))]
    if (start, end) != (0, total):
        lines.append(f"  shown are tokens {start:,} to {end:,} of {total:,} {MORE}")
    if encoded.overflowing:
        lines.append(f"  and {counted(len(encoded.overflowing), 'overflowing encoding')}")
    return lines if total else ["  no token"]


def _token_row(trace: Trace, encoded: Encoded, index: int) -> list[str]:
    sequence = _at(encoded.sequence_ids, index)
    offsets = _at(encoded.offsets, index) or (0, 0)
    number = sequence if isinstance(sequence, int) and sequence < len(trace.texts) else None
    text = "" if number is None or offsets[0] == offsets[1] else quoted(trace.texts[number].text[slice(*offsets)])
    word = _at(encoded.word_ids, index)
    return [
        str(encoded.ids[index]),
        cut(quoted(_at(encoded.tokens, index) or ""), LONGEST_TOKEN),
        span_words(offsets),
        "-" if word is None else str(word),
        str(_at(encoded.type_ids, index)),
        str(_at(encoded.special_tokens_mask, index)),
        str(_at(encoded.attention_mask, index)),
        text if number is None or len(trace.texts) == 1 else f"{text} of text {number + 1}".strip(),
    ]


def _at(column: Sequence[T] | None, index: int) -> T | None:
    return None if column is None else column[index]


def _needed(rows: list[list[str]]) -> list[list[str]]:
    """Return ``rows`` without the columns type, special and attention where these are as in every plain encoding."""
    usual = {"type": "0", "special": "0", "attention": "1"}
    kept = [
        at for at, name in enumerate(rows[0]) if name not in usual or any(row[at] != usual[name] for row in rows[1:])
    ]
    return [[row[at] for at in kept] for row in rows]


def _decoding_lines(trace: Trace, limits: Limits, width: int) -> list[str]:
    lines: list[str] = []
    before: tuple[str, ...] | None = None
    for step in trace.decoding:
        head = member_words(step.member) if step.member.type else "tokens of the ids, special ones left out"
        lines += wrapped(f"  {head}", width, 6)
        if step.strings == before:
            lines.append("    changes nothing")
        else:
            lines += joined(
                shortened(list(map(quoted, step.strings)), limits.entries, "strings") or ["nothing"], width, 4
            )
        before = step.strings
    if trace.decoded is None:
        return lines
    if len(trace.decoding) == 1:
        lines.append("  no decoder: they are joined by spaces")
    same = len(trace.texts) == 1 and trace.decoded == trace.texts[0].text
    shown = trace.decoded if limits.characters is None else trace.decoded[: limits.characters]
    told = f"  text {quoted(shown)}{'…' if len(shown) < len(trace.decoded) else ''}"
    return [*lines, *wrapped(told, width, 4), f"  {'as it was given' if same else 'not what was given'}"]
