"""A part of an explanation for people: a title, and lines that are escaped and laid out already."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.visible import visible
from tokenizer_conformance.command_io.wrapping import cut, wrapped
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_adapters.tracing import Member

LONGEST_OPTION = 60
"""How many cells the value of an option takes at most."""

MORE = "(--all shows them)"


@dataclass(frozen=True, slots=True)
class Section:
    """A title, and the lines below it."""

    title: str
    lines: tuple[str, ...]


def span_words(span: tuple[int, int]) -> str:
    """Return a range of code points in words.

    >>> span_words((0, 5))
    '0-5'
    """
    return f"{span[0]}-{span[1]}"


def member_words(member: Member) -> str:
    """Return a component with its place and its options, those that are off or empty left out."""
    where = "" if member.place == "model" else f" ({member.place})"
    options = [f"{name}={_option(value)}" for name, value in member.options if not _is_off(value)]
    return " ".join([f"{one_line(member.type) or member.place}{where if member.type else ''}", *options])


def _option(value: Any) -> str:
    """Return the value of an option as JSON; a template with its tokens and types, a long text by its size."""
    if isinstance(value, str) and len(value) > LONGEST_OPTION:
        return f"({counted(len(value), 'character')})"
    parts = [_template_part(each) for each in value] if isinstance(value, list) else [None]
    if parts and None not in parts:
        return "[" + " ".join(filter(None, parts)) + "]"
    return cut(one_line(json.dumps(value, ensure_ascii=False), 400), LONGEST_OPTION)


def _template_part(part: Any) -> str | None:
    """Return a part of a template as its short form has it, ``$A:0``; ``None`` for anything else.

    >>> _template_part({"SpecialToken": {"id": "[CLS]", "type_id": 0}}), _template_part("a")
    ('[CLS]:0', None)
    """
    match part:
        case {"SpecialToken": {"id": id_, "type_id": type_id}}:
            return f"{visible(str(id_))}:{type_id}"
        case {"Sequence": {"id": id_, "type_id": type_id}}:
            return f"${one_line(str(id_))}:{type_id}"
        case _:
            return None


def _is_off(value: Any) -> bool:
    return value is None or value in ("", [], {})


def joined(texts: Iterable[str], width: int, indent: int) -> list[str]:
    """Return ``texts`` one behind the other, two spaces between them, in lines of ``width`` cells."""
    line = " " * indent + "  ".join(texts)
    return wrapped(line, width, indent)


def shortened(entries: Sequence[str], most: int | None, what: str) -> list[str]:
    """Return the first of ``entries``; where these are not all, the last line says how many more there are.

    >>> shortened(["a", "b", "c"], 2, "words")
    ['a', 'b', '… and 1 more of 3 words (--all shows them)']
    """
    if most is None or len(entries) <= most:
        return list(entries)
    return [*entries[:most], f"… and {len(entries) - most:,} more of {len(entries):,} {what} {MORE}"]


def tokens_words(tokens: Iterable[str]) -> str:
    """Return tokens one behind the other, each made visible; the empty one too."""
    return " ".join(visible(token) or '""' for token in tokens)
