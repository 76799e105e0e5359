"""The words in which terminal and Markdown reports tell the results of a run: matrix, blame, findings, summary.

All text that comes from tokenizers, inputs and implementations is escaped here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.comparing.comparison import Party, compared_fields
from tokenizer_conformance.comparing.verdicts import SEVERITY, Verdict
from tokenizer_conformance.comparing.wording import VERDICT_WORDS, counted, example_headline
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.session.conclusion import Conclusion

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tokenizer_adapters.contract import (
        Field,
        Stage,
    )
    from tokenizer_conformance.comparing.findings import Example, Finding
    from tokenizer_conformance.run.coverage import Shortfall
    from tokenizer_conformance.run.events import RunFinished, TokenizerFinished
    from tokenizer_conformance.run.results import ImplementationResult, StageCount

# The matrix ----------------------------------------------------------------------------------------------------------


def cell(result: ImplementationResult, stage: Stage, *, baseline_loaded: bool = True) -> list[str]:
    """Return the lines of one matrix cell: inputs by verdict, the gravest first, then the number of values compared."""
    if result.load_error is not None or not baseline_loaded:
        return ["not loaded"]
    count = result.stages[stage]
    lines = [f"{VERDICT_WORDS[verdict]} {count.inputs[verdict]:,}" for verdict in SEVERITY if count.inputs.get(verdict)]
    if not lines:
        return ["not compared"]
    return [*lines, f"({counted(count.compared, 'value')})"] if count.compared else lines


def overview_cell(result: ImplementationResult, *, baseline_loaded: bool = True) -> list[str]:
    """Return the lines of an overview cell, one tokenizer in short: stages by the gravest verdict at each, gravest first."""
    if result.load_error is not None or not baseline_loaded:
        return ["not loaded"]
    by_verdict: dict[Verdict, list[Stage]] = {verdict: [] for verdict in SEVERITY}
    for stage, count in result.stages.items():
        gravest = next((verdict for verdict in SEVERITY if count.inputs.get(verdict)), None)
        if gravest is not None:
            by_verdict[gravest].append(stage)
    everywhere = len(result.stages)
    lines = [
        f"{VERDICT_WORDS[verdict]} {'at all stages' if len(stages) == everywhere else ', '.join(stages)}"
        for verdict, stages in by_verdict.items()
        if stages
    ]
    return lines or ["not compared"]


def given_files(result: ImplementationResult) -> str | None:
    """Say which files an implementation was given in place of the ``tokenizer.json``, ``None`` for none."""
    if not result.files:
        return None
    return f"{one_line(result.implementation)}: was given {', '.join(map(one_line, result.files))}"


def hidden_fields(result: ImplementationResult) -> str | None:
    """Say which fields were missing in answers at stages of which others were compared, ``None`` where none was."""
    by_fields: dict[str, list[Stage]] = {}
    for stage, count in result.stages.items():
        if count.compared and count.unsupported_fields:
            by_fields.setdefault(_fields_in_words(stage, count.unsupported_fields), []).append(stage)
    if not by_fields:
        return None
    parts = "; ".join(f"{fields} ({', '.join(stages)})" for fields, stages in by_fields.items())
    return f"{one_line(result.implementation)}: not shown, or not in every answer, and then not compared: {parts}"


def _fields_in_words(stage: Stage, hidden: Collection[Field]) -> str:
    """Name the ``hidden`` fields of ``stage``, or the others where these are fewer."""
    others = [field for field in compared_fields(stage) if field not in hidden]
    if not others:
        return "all"
    return f"all but {', '.join(others)}" if len(others) < len(hidden) else ", ".join(sorted(hidden))


def blame(result: ImplementationResult) -> str | None:
    """Say at which stages the failing inputs differ first, ``None`` where no input fails."""
    if not result.failing_inputs:
        return None
    parts = ", ".join(f"{stage} {result.blamed[stage]:,}" for stage in STAGE_ORDER if result.blamed.get(stage))
    unseen = unseen_stages(result)
    notes = f" ({', '.join(unseen)} not shown)" if unseen else ""
    in_pairs = result.failing_inputs - sum(result.blamed.values())
    if in_pairs:
        notes += f"; {in_pairs:,} only in the pair with a text that parts"
    part = f"{counted(result.failing_inputs, 'input')} {'parts' if result.failing_inputs == 1 else 'part'}"
    return f"{one_line(result.implementation)}: {part}, first at {parts}{notes}"


def unseen_stages(result: ImplementationResult) -> list[Stage]:
    """Return the stages at which nothing could be compared, so that no blame can fall on them."""
    return [stage for stage, count in result.stages.items() if not _is_seen(count)]


def _is_seen(count: StageCount) -> bool:
    return any(verdict is not Verdict.UNSUPPORTED for verdict in count.inputs)


# Findings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one implementation at one stage that share their smallest example: fields that change together."""

    findings: tuple[Finding, ...]

    @property
    def example(self) -> Example:
        """The smallest example."""
        return self.findings[0].smallest

    @property
    def headline(self) -> str:
        """What it is about, on one line: fields that differ in the same way in as many inputs stand together."""
        by_manner: dict[str, list[str]] = {}
        for finding in self.findings:
            field = finding.signature.field
            by_manner.setdefault(_manner(finding), []).extend([] if field is None else [field])
        parts = (f"{', '.join(fields)}: {manner}" if fields else manner for manner, fields in by_manner.items())
        signature = self.findings[0].signature
        return f"{one_line(signature.implementation)} at {signature.stage}: {'; '.join(parts)}"


def _manner(finding: Finding) -> str:
    """Say how the two sides of ``finding`` differ, and how often."""
    signature = finding.signature
    what = signature.kind.value
    if signature.party is not None:
        what = f"{_PARTY_WORDS[signature.party]} {what}" if signature.field is None else f"{what} ({signature.party})"
    if signature.detail:
        what += f" ({one_line(signature.detail, 60)})"
    counts = counted(finding.inputs, "input")
    if finding.differences != finding.inputs:
        counts += f", {counted(finding.differences, 'difference')}"
    if finding.consequences:
        counts += f", {finding.consequences:,} of them consequences"
    return f"{what} ({counts})"


_PARTY_WORDS: dict[Party, str] = {
    Party.BASELINE: "only the baseline",
    Party.IMPLEMENTATION: "only the implementation",
    Party.BOTH: "both sides",
}


def own_groups(finished: TokenizerFinished) -> list[FindingGroup]:
    """Return the findings that no earlier stage explains, grouped."""
    groups: dict[object, list[Finding]] = {}
    for finding in finished.findings:
        if not finding.is_consequence:
            signature, example = finding.signature, finding.smallest
            # A text kind of its own, such as an error, stands alone.
            key = (signature.implementation, signature.stage, signature.party, example.input.id, example.question)
            groups.setdefault(key, []).append(finding)
    return [FindingGroup(tuple(findings)) for findings in groups.values()]


def consequences(finished: TokenizerFinished) -> list[str]:
    """Return a line per implementation about the findings that an earlier stage explains: stages, and fields in each."""
    fields: dict[tuple[str, Stage], dict[str, None]] = {}
    for finding in finished.findings:
        if finding.is_consequence:
            signature = finding.signature
            what = signature.field or signature.kind
            fields.setdefault((signature.implementation, signature.stage), {})[what] = None
    lines: dict[str, list[str]] = {}
    for (implementation, stage), names in fields.items():
        lines.setdefault(implementation, []).append(f"{stage} ({', '.join(names)})")
    return [f"{one_line(name)}: consequences of earlier stages: {'; '.join(parts)}" for name, parts in lines.items()]


# The end -------------------------------------------------------------------------------------------------------------


def summary(finished: RunFinished) -> str:
    """Return the last word on a run, without its duration."""
    counts = (
        f"{counted(finished.tokenizers, 'tokenizer')}, {counted(finished.inputs, 'input')}, "
        f"{counted(finished.compared, 'value')} compared, {counted(finished.differences, 'difference')}"
    )
    if finished.conclusion is Conclusion.INTERRUPTED:
        return f"not finished ({finished.reason}); {counts}"
    state = "" if finished.finished else f"not finished ({finished.reason}): "
    return f"{state}{finished.conclusion.value}; {counts}"


def coverage(finished: RunFinished) -> list[str]:
    """Say which share of the values was compared at each stage, and what was not answered often enough."""
    parts = ", ".join(f"{stage} {percent(compared, of)}" for stage, (compared, of) in finished.shares.items())
    lines = [f"of all values were compared: {parts}"] if parts else []
    groups: dict[object, list[Shortfall]] = {}
    for each in finished.shortfalls:
        key = (each.tokenizer, each.implementation, each.stage, each.answered, each.asked, each.required)
        groups.setdefault(key, []).append(each)
    return [*lines, *map(_shortfall_line, groups.values())]


def percent(part: int, whole: int) -> str:
    """Return ``part`` of ``whole`` in per cent, rounded down, so that "100 %" means all.

    >>> percent(999, 1000), percent(7, 7), percent(0, 0)
    ('99.9 %', '100 %', 'none')
    """
    if not whole:
        return "none"
    tenths = part * 1000 // whole
    return f"{tenths / 10:g} %"


def _shortfall_line(alike: Sequence[Shortfall]) -> str:
    """Tell shortfalls that differ in nothing but the field."""
    shortfall = alike[0]
    fields = ", ".join(each.field for each in alike)
    why = "which --require asks for" if shortfall.required else "which it says it shows"
    return (
        f"{one_line(shortfall.tokenizer)}: {one_line(shortfall.implementation)} answered "
        f"{percent(shortfall.answered, shortfall.asked)} of {counted(shortfall.asked, 'question')} about "
        f"{fields} at {shortfall.stage}, {why} (99 % are needed)"
    )


def unstable_lines(finished: TokenizerFinished) -> list[str]:
    """Say what was answered in one way, and in another when it was asked again."""
    return [
        f"unstable: {one_line(finding.signature.implementation)} at {finding.signature.stage}, "
        f"{finding.signature.field or 'error'}: {counted(finding.inputs, 'input')} answered in another way when asked again; "
        f"first {example_headline(finding.first)}"
        for finding in finished.unstable
    ]
