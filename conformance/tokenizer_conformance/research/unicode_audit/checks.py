"""An audit as checks: of each implementation every behaviour, and every pair of implementations that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.page import NO_EFFECT, called, points, versions_of
from tokenizer_conformance.results.ci_results.check import Check, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.records import unicode_audit as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_RANGES: Final = 8
MOST_EXAMPLES: Final = 4

UNEXPLAINED = plain_rule(
    "unicode-unexplained",
    "No version of Unicode explains what an implementation does with some characters",
    "The nearest rule and version are named, with the characters that are treated otherwise.",
)
DIFFERS = plain_rule(
    "unicode-differs",
    "Two implementations treat characters differently",
    "An implementation, or a release, is held against the one that was given before it.",
)


TITLE = "tokconf audit unicode"


def checks_of(told: Sequence[object]) -> Iterator[Check]:
    """Yield the checks of which the lines of the record have ``told``."""
    for line in told:
        match line:
            case lines.Behaviour():
                yield _explained(line)
            case lines.NotAsked():
                group, outcome = called(line), CheckOutcome.SKIPPED
                yield Check(group=group, name=line.behaviour, outcome=outcome, message=line.reason)
            case lines.Difference():
                yield _differs(line)


def _explained(line: lines.Behaviour) -> Check:
    residual = tuple(_residual(line))
    versions = _versions(line)
    told = f"{line.rule}, Unicode {versions}"
    problem = Problem(rule=UNEXPLAINED, message=f"{line.behaviour}: {told}", details=residual)
    return Check(
        group=called(line),
        name=line.behaviour,
        outcome=CheckOutcome.FAILED if residual else CheckOutcome.PASSED,
        message="" if residual else told,
        problems=(problem,) if residual else (),
        properties={"rule": line.rule, "unicode": versions},
        seconds=line.seconds,
    )


def _versions(line: lines.Behaviour) -> str:
    """Return the version that explains a behaviour; where none does, the nearest."""
    if not line.members:
        return "no effect"
    return versions_of(line) if line.exact else f"nearest {versions_of(line)}"


def _residual(line: lines.Behaviour) -> Iterator[str]:
    """Yield what the rule leaves unexplained, and what else is to be known."""
    residual = line.residual
    if not line.members:
        yield NO_EFFECT
    for found, words in (
        (residual.more, "beyond the rule"),
        (residual.fewer, "of the rule missing"),
        (residual.other, "otherwise"),
    ):
        if found:
            yield f"{_counted(found)} {words}: {_ranges(found)}"
    if residual.texts:
        yield f"{counted(residual.count, 'text')} otherwise"
    for example in residual.examples[:MOST_EXAMPLES]:
        yield f"  {points(example.text)}: {quoted(example.seen)}, by the rule {quoted(example.expected)}"
    if line.unanswered:
        yield f"no answer over {_counted(line.unanswered)}: {_ranges(line.unanswered)}"
    if line.contradicted:
        yield (
            f"alone, {_counted(line.contradicted)} of {line.alone:,} treated otherwise than among "
            f"others: {_ranges(line.contradicted)}"
        )


def _counted(code_points: str) -> str:
    return counted(len(CodePoints.written_as(code_points)), "character")


def _ranges(code_points: str) -> str:
    """Return the first ranges of a set, and how many more there are."""
    ranges = code_points.split()
    more = f" and {counted(len(ranges) - MOST_RANGES, 'range')} more" if len(ranges) > MOST_RANGES else ""
    return " ".join(ranges[:MOST_RANGES]) + more


def _differs(line: lines.Difference) -> Check:
    if line.texts:
        shown = ", ".join(map(quoted, line.texts[:MOST_EXAMPLES])) + (" …" if line.count > MOST_EXAMPLES else "")
        told = f"{counted(line.count, 'text')}: {shown}"
    else:
        told = f"{counted(line.count, 'character')}: {_ranges(line.code_points)}"
    return Check(
        group=f"{called(line.other)} against {called(line.one)}",
        name=line.behaviour,
        outcome=CheckOutcome.FAILED,
        problems=(Problem(rule=DIFFERS, message=f"{line.behaviour}: {told}"),),
    )


def ending(footer: lines.Footer) -> str:
    """Return the result of an audit, in a line."""
    told = [
        f"{counted(footer.explained, 'behaviour')} explained exactly",
        f"{footer.unexplained:,} that no version explains",
    ]
    if footer.not_asked:
        told.append(f"{footer.not_asked:,} that cannot be asked")
    if footer.disagreeing:
        told.append(f"{counted(footer.disagreeing, 'disagreement')} within implementations")
    if footer.differing:
        told.append(f"{footer.differing:,} that implementations do differently")
    return f"{footer.conclusion}; {', '.join(told)}"
