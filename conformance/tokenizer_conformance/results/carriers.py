"""Which parts of two tokenizer.json carry their difference: the record of it, and the sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.wrapping import cut
from tokenizer_conformance.comparison.component_differences import ABSENT
from tokenizer_conformance.comparison.exchange import place_of
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.records import exchange as lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.exchange import Exchanged, Part

MOST_ENTRIES = 32
"""Of longer lists and objects only the number of entries is kept."""

LONGEST_VALUE = 400
"""How many characters of a value are kept."""

MOST_CARRIERS = 5
"""How many sets are told."""


def exchanged_line(outcome: Exchanged, differing: int) -> lines.Exchanged:
    """Return ``outcome`` as it stands in records; so many texts are ``differing``, of which some were asked about."""
    return lines.Exchanged(
        differing=differing,
        texts=outcome.texts,
        controls=outcome.controls,
        parts=outcome.parts,
        carriers=tuple(
            lines.Carrier(parts=tuple(map(_part, each.parts)), texts=each.texts, back=each.back)
            for each in outcome.carriers[:MOST_CARRIERS]
        ),
        is_all=outcome.is_all,
        reason=outcome.reason,
    )


def _part(part: Part) -> lines.ExchangedPart:
    return lines.ExchangedPart(
        name=part.name, path=place_of(part), first=_value(part.first), second=_value(part.second)
    )


def _value(value: Any) -> str | None:
    if value is ABSENT:
        return None
    if isinstance(value, list | dict) and len(value) > MOST_ENTRIES:
        return f"{len(value):,} entries"
    if isinstance(value, dict) and isinstance(value.get("vocab"), list | dict):
        return f"{value.get('type')} of {len(value['vocab']):,} entries"
    return json.dumps(value, ensure_ascii=False)[:LONGEST_VALUE]


def carrier_lines(line: lines.Exchanged, first: str, second: str) -> Iterator[str]:
    """Yield sentences that say which parts of the two tokenizers carry their difference, and what stands there."""
    first, second = one_line(first), one_line(second)
    if not line.carriers:
        yield f"which part carries the difference is not known: {line.reason}; {counted(line.parts, 'part')} differ"
        return
    if not line.is_all:
        yield f"no part alone carries the difference: {line.reason}; {counted(line.parts, 'part')} differ"
    for each in line.carriers:
        yield _carrier(line, each, first, second)
        for part in each.parts:
            yield f"{one_line(part.path)}: {_shown(part.first)} in {first}, {_shown(part.second)} in {second}"


def _carrier(line: lines.Exchanged, each: lines.Carrier, first: str, second: str) -> str:
    names = [one_line(part.name) for part in each.parts]
    together = len(names) > 1
    who = f"{', '.join(names[:-1])} and {names[-1]} together carry" if together else f"{names[0]} carries"
    amount = _amount(each.texts, line)
    back = f", and {second} with {first}'s gives {first}'s" if each.back == each.texts else ""
    stay = f"; {counted(line.controls, 'text')} that both cut alike stay{'s' if line.controls == 1 else ''} so"
    less = ", and none of them can be left out" if together else ""
    stay = stay if line.controls else ""
    return f"{who} {amount}{less}: with {second}'s, {first} gives {second}'s answers{back}{stay}"


def _amount(texts: int, line: lines.Exchanged) -> str:
    if texts == line.differing == 1:
        return "the difference"
    which = f"texts tried of {line.differing:,} that differ" if line.texts < line.differing else "texts that differ"
    return f"all {texts:,} {which}" if texts == line.texts else f"{texts:,} of {line.texts:,} {which}"


def _shown(value: str | None) -> str:
    return "nothing" if value is None else cut(one_line(value), 160)
