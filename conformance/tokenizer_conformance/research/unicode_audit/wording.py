"""What checks say of an audit of Unicode behaviour."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.unicode_audit.code_point_sets import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
    from tokenizer_conformance.research.unicode_audit.events import (
        BehaviourDiffers,
        BehaviourExplained,
        UnicodeAuditFinished,
    )

MOST_RANGES: Final = 8
MOST_EXAMPLES: Final = 4


def ranges_line(found: CodePoints) -> str:
    """Return the first ranges of a set, and how many more there are."""
    ranges = found.ranges()
    more = f" and {counted(len(ranges) - MOST_RANGES, 'range')} more" if len(ranges) > MOST_RANGES else ""
    return f"{written(ranges[:MOST_RANGES])}{more}"


def called(info: ImplementationInfo) -> str:
    """Return an implementation with its version, where its name does not say that already."""
    return info.name if info.name.endswith(f"=={info.version}") else f"{info.name} {info.version}"


def version_cell(event: BehaviourExplained) -> str:
    """Return the version that explains a behaviour; where none does, the nearest."""
    explanation = event.explanation
    if not event.has_effect:
        return "no effect"
    words = explanation.version_words
    return words if explanation.is_exact else f"nearest {words}"


def residual_lines(event: BehaviourExplained) -> Iterator[str]:
    """Yield what the rule leaves unexplained, and what else is to be known."""
    residual = event.explanation.residual
    if not event.has_effect:
        yield "it is loaded, and has no effect on any character"
    if residual.more:
        yield f"{counted(len(residual.more), 'character')} beyond the rule: {ranges_line(residual.more)}"
    if residual.fewer:
        yield f"{counted(len(residual.fewer), 'character')} of the rule missing: {ranges_line(residual.fewer)}"
    if residual.other:
        yield f"{counted(len(residual.other), 'character')} otherwise: {ranges_line(residual.other)}"
    if residual.texts:
        yield f"{counted(len(residual.texts), 'text')} otherwise"
    for example in residual.examples[:MOST_EXAMPLES]:
        points = " ".join(f"U+{ord(char):04X}" for char in example.text)
        yield f"  {points}: {quoted(example.seen)}, by the rule {quoted(example.expected)}"
    if event.unanswered:
        yield f"no answer over {counted(len(event.unanswered), 'character')}: {ranges_line(event.unanswered)}"
    if event.contradicted:
        yield (
            f"alone, {counted(len(event.contradicted), 'character')} of {event.alone:,} treated otherwise than among "
            f"others: {ranges_line(event.contradicted)}"
        )


def difference_line(event: BehaviourDiffers) -> str:
    """Return on what two implementations differ."""
    if event.texts:
        shown = ", ".join(map(quoted, islice(event.texts, MOST_EXAMPLES)))
        more = " …" if event.count > MOST_EXAMPLES else ""
        return f"{event.behaviour.name}: {counted(event.count, 'text')}: {shown}{more}"
    return f"{event.behaviour.name}: {counted(event.count, 'character')}: {ranges_line(event.code_points)}"


def ending(event: UnicodeAuditFinished) -> str:
    """Return the result of an audit, in a line."""
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
