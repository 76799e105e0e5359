"""What is said of an audit of Unicode behaviour, for the terminal, Markdown and checks alike."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.unicode_audit.code_point_sets import written
from tokenizer_conformance.research.unicode_audit.properties import TRIED, category_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
    from tokenizer_conformance.research.unicode_audit.disagreements import Disagreement
    from tokenizer_conformance.research.unicode_audit.events import (
        BehaviourDiffers,
        BehaviourExplained,
        UnicodeAuditFinished,
    )

MOST_RANGES: Final = 8
MOST_EXAMPLES: Final = 4
NEWEST: Final = TRIED[-1]


def ranges_line(found: CodePoints, most: int = MOST_RANGES) -> str:
    """Return the first ranges of a set, and how many more there are."""
    ranges = found.ranges()
    more = f" and {counted(len(ranges) - most, 'range')} more" if len(ranges) > most else ""
    return f"{written(ranges[:most])}{more}"


def called(info: ImplementationInfo) -> str:
    """Return an implementation with its version, where its name does not say that already."""
    return info.name if info.name.endswith(f"=={info.version}") else f"{info.name} {info.version}"


def named_point(at: int) -> str:
    """Return a code point with its category in the newest version."""
    return f"U+{at:04X} ({category_of(at, NEWEST)})"


def version_cell(event: BehaviourExplained) -> str:
    """Return the version that explains a behaviour; where none does, the nearest."""
    explanation = event.explanation
    if not event.has_effect:
        return "no effect"
    words = explanation.version_words
    return words if explanation.is_exact else f"nearest {words}"


def residual_lines(event: BehaviourExplained, most: int = MOST_RANGES) -> Iterator[str]:
    """Yield what the rule leaves unexplained, and what else is to be known."""
    residual = event.explanation.residual
    if not event.has_effect:
        yield "it is loaded, and has no effect on any character"
    if residual.more:
        yield f"{counted(len(residual.more), 'character')} beyond the rule: {ranges_line(residual.more, most)}"
    if residual.fewer:
        yield f"{counted(len(residual.fewer), 'character')} of the rule missing: {ranges_line(residual.fewer, most)}"
    if residual.other:
        yield f"{counted(len(residual.other), 'character')} otherwise: {ranges_line(residual.other, most)}"
    if residual.texts:
        yield f"{counted(len(residual.texts), 'text')} otherwise"
    for example in residual.examples[:MOST_EXAMPLES]:
        points = " ".join(f"U+{ord(char):04X}" for char in example.text)
        yield f"  {points}: {quoted(example.seen)}, by the rule {quoted(example.expected)}"
    if event.unanswered:
        yield f"no answer over {counted(len(event.unanswered), 'character')}: {ranges_line(event.unanswered, most)}"
    if event.contradicted:
        yield (
            f"alone, {counted(len(event.contradicted), 'character')} of {event.alone:,} treated otherwise than among "
            f"others: {ranges_line(event.contradicted, most)}"
        )


def disagreement_lines(found: Disagreement, most: int = MOST_RANGES) -> Iterator[str]:
    """Yield on what two parts of an implementation disagree."""
    yield (
        f"{found.question}: {found.one} and {found.other} disagree on {counted(len(found.code_points), 'character')}: "
        f"{ranges_line(found.code_points, most)}"
    )
    told = f"{found.one}: {found.told[0]}; {found.other}: {found.told[1]}"
    yield f"  in {quoted(found.example)}, {named_point(ord(found.example[1]))}: {told}"


def difference_line(event: BehaviourDiffers, most: int = MOST_RANGES) -> str:
    """Return on what two implementations differ."""
    if event.texts:
        shown = ", ".join(map(quoted, islice(event.texts, MOST_EXAMPLES)))
        more = " …" if event.count > MOST_EXAMPLES else ""
        return f"{event.behaviour.name}: {counted(event.count, 'text')}: {shown}{more}"
    return f"{event.behaviour.name}: {counted(event.count, 'character')}: {ranges_line(event.code_points, most)}"


def ending(event: UnicodeAuditFinished) -> str:
    """Return what an audit came to, in a line."""
    told = [
        f"{counted(event.explained, 'behaviour')} explained exactly",
        f"{event.unexplained:,} that no version explains",
    ]
    if event.not_asked:
        told.append(f"{event.not_asked:,} that cannot be asked")
    if event.disagreeing:
        told.append(f"{counted(event.disagreeing, 'disagreement')} within implementations")
    if event.differing:
        told.append(f"{event.differing:,} that implementations do differently")
    return f"{event.conclusion}; {', '.join(told)}"
