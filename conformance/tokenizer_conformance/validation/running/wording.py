"""The words in which terminal and Markdown reports tell the results of a run: matrix, blame, findings, summary.

All text that comes from tokenizers, inputs and implementations is escaped here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import DifferenceKind, Party, compared_fields
from tokenizer_conformance.comparison.verdicts import SEVERITY, Verdict
from tokenizer_conformance.comparison.wording import VERDICT_WORDS, error_in_words, example_headline
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted, together
from tokenizer_conformance.results.records.run import LOST_EXTRAS
from tokenizer_conformance.validation.running.vocabularies import found_in_vocabularies

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tokenizer_adapters.contract import Field
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.comparison.findings import Example, Finding
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.run import FooterShare, Result, ResultStage, Share, Shortfall
    from tokenizer_conformance.validation.running.events import RunFinished, RunStarted, TokenizerFinished

# The matrix ----------------------------------------------------------------------------------------------------------


def matrix_results(finished: TokenizerFinished) -> list[Result]:
    """Return the rows of the matrix: of implementations that have loaded the tokenizer, as the baseline has."""
    if finished.baseline_load_error is not None:
        return []
    return [result for result in finished.results if result.load_error is None]


def cell(result: Result, stage: Stage) -> list[str]:
    """Return the lines of one matrix cell: inputs by verdict, the gravest first, then the number of values compared."""
    count = result.stages[stage]
    lines = [f"{VERDICT_WORDS[verdict]} {count.inputs[verdict]:,}" for verdict in SEVERITY if count.inputs.get(verdict)]
    if not lines:
        return ["not compared"]
    return [*lines, f"({counted(count.compared, 'value')})"] if count.compared else lines


def overview_cell(result: Result, *, baseline_loaded: bool = True) -> list[str]:
    """Return the lines of an overview cell, one tokenizer in short: stages by their gravest verdict, gravest first."""
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


class LoadErrors:
    """Says who could not load a tokenizer, a line for each reason; one that was told before is told in short."""

    def __init__(self, baseline: str) -> None:
        self._baseline = baseline
        self._told: dict[str, str] = {}

    def lines(self, finished: TokenizerFinished) -> list[str]:
        """Return the lines about ``finished``, none where everybody has loaded the tokenizer."""
        who: dict[str, list[str]] = {}
        if finished.baseline_load_error is not None:
            label = f"{one_line(self._baseline)} (the baseline, so nothing was compared)"
            who[load_reason(finished.baseline_load_error, finished.tokenizer)] = [label]
        for result in finished.results:
            if result.load_error is not None:
                names = who.setdefault(load_reason(result.load_error, finished.tokenizer), [])
                names.append(one_line(result.implementation))
        return [f"not loaded: {', '.join(names)}: {self._told_once(reason, finished)}" for reason, names in who.items()]

    def _told_once(self, reason: str, finished: TokenizerFinished) -> str:
        first = self._told.setdefault(reason, finished.tokenizer)
        if first == finished.tokenizer or len(reason) <= LONGEST_REASON_AGAIN:
            return reason
        return f"{reason[:LONGEST_REASON_AGAIN]}… (in full at {one_line(first)})"


LISTED_PARTS = 8
"""How many scripts and sources are listed with an impact; the record has all."""

LONGEST_REASON_AGAIN = 60
"""How much is shown of a reason that was told in full before."""


def load_reason(message: str, tokenizer: str) -> str:
    """Return why a tokenizer is not loaded: ``message`` without what stands beside it, who cannot load which file.

    >>> load_reason("tiktoken cannot load mini (mini/tokenizer.json): it reads byte-level BPE", "mini")
    'it reads byte-level BPE'
    """
    _, found, reason = message.partition(f" cannot load {tokenizer}")
    return one_line(re.sub(r"^(?: \(.*?\))?: ", "", reason) if found else message)


NO_ID_DECODED = "no id was decoded alone, which --every-id asks for: no implementation shows a vocabulary that has one"


def missing_ids(run: RunStarted, finished: TokenizerFinished) -> str | None:
    """Say that every id was to be decoded alone and none was, ``None`` where that is not so."""
    wanted = run.every_id and Stage.DECODE in run.stages
    if not wanted or finished.ids or not finished.complete or not matrix_results(finished):
        return None
    return NO_ID_DECODED


def given_files(result: Result) -> str | None:
    """Say which files an implementation was given in place of the ``tokenizer.json``, ``None`` for none."""
    if not result.files:
        return None
    return f"{one_line(result.implementation)}: was given {', '.join(map(one_line, result.files))}"


def hidden_fields(result: Result) -> str | None:
    """Say which fields were missing in answers at stages of which others were compared, ``None`` where none was."""
    by_fields: dict[str, list[Stage]] = {}
    for stage, count in result.stages.items():
        if count.compared and count.unsupported_fields:
            by_fields.setdefault(_fields_in_words(stage, count.unsupported_fields), []).append(stage)
    if not by_fields:
        return None
    parts = "; ".join(f"{fields} ({', '.join(stages)})" for fields, stages in by_fields.items())
    return f"{one_line(result.implementation)}: missing in some answers or in all, and not compared there: {parts}"


def finer_offsets(result: Result) -> str | None:
    """Say how many answers have finer offsets than the baseline's, ``None`` where none has."""
    parts = [f"{stage} {count.finer:,}" for stage, count in result.stages.items() if count.finer]
    if not parts:
        return None
    return (
        f"{one_line(result.implementation)}: finer offsets, which begin or end inside characters that tokens share, "
        f"and agree where they are rounded outward: {', '.join(parts)}"
    )


def unanswered_extras(result: Result) -> str | None:
    """Say which questions had no answer that need none, ``None`` where all had one."""
    parts = [
        f"{stage} {count.extra_unanswered:,} of {count.extra_answerable:,}"
        for stage, count in result.stages.items()
        if count.extra_unanswered
    ]
    if not parts:
        return None
    about = "words, batches, streams, changes and answers to continue"
    return f"{one_line(result.implementation)}: no answer about {about}: {', '.join(parts)}"


def _fields_in_words(stage: Stage, hidden: Collection[Field]) -> str:
    """Name the ``hidden`` fields of ``stage``, or the others where these are fewer."""
    others = [field for field in compared_fields(stage) if field not in hidden]
    if not others:
        return "all"
    return f"all but {', '.join(others)}" if len(others) < len(hidden) else ", ".join(sorted(hidden))


def blame(result: Result) -> str | None:
    """Say at which stages the failing inputs differ first, ``None`` where no input fails."""
    if not result.failing_inputs:
        return None
    stages = [stage for stage in STAGE_ORDER if result.blamed.get(stage)]
    unseen = unseen_stages(result)
    notes = f" ({', '.join(unseen)} not shown)" if unseen else ""
    in_pairs = result.failing_inputs - sum(result.blamed.values())
    if in_pairs:
        notes += f"; {in_pairs:,} only in the pair with a text that differs"
    differ = f"{counted(result.failing_inputs, 'input')} {'differs' if result.failing_inputs == 1 else 'differ'}"
    first = ", ".join(f"{stage} {result.blamed[stage]:,}" for stage in stages)
    return f"{one_line(result.implementation)}: {differ}{f', first at {first}' if first else ''}{notes}"


def impact_lines(result: Result) -> list[str]:
    """Say how much of what people have the differences touch, nothing where no ids are others."""
    impact = result.impact
    if impact is None or not impact.documents.changed:
        return []
    words = "" if impact.words is None else f" and {_share(impact.words)} words"
    special = " with special tokens" if impact.special_tokens else ""
    line = (
        f"{one_line(result.implementation)}: other ids{special} for {_share(impact.documents)} inputs{words}; their "
        f"tokens: {impact.tokens_before:,} before, {impact.tokens:,} now "
        f"({impact.tokens - impact.tokens_before:+,}), more in {impact.longer:,}, fewer in {impact.shorter:,}"
    )
    scripts = [f"{one_line(script)} {count:,}" for script, count in impact.scripts.items()]
    changed = [(source, share) for source, share in impact.sources.items() if share.changed]
    changed.sort(key=lambda entry: -entry[1].changed)
    sources = [f"{one_line(source)} {share.changed:,} of {share.total:,}" for source, share in changed]
    return [line, *_some("changed words by script", scripts), *_some("inputs by source", sources)]


def _share(share: Share) -> str:
    percent = 100 * share.changed / share.total if share.total else 0.0
    return f"{share.changed:,} of {share.total:,} ({percent:.2f} %)"


def _some(label: str, parts: Sequence[str]) -> list[str]:
    if not parts:
        return []
    left = len(parts) - LISTED_PARTS
    return [f"{label}: {', '.join(parts[:LISTED_PARTS])}{f', and {left:,} more' if left > 0 else ''}"]


def unseen_stages(result: Result) -> list[Stage]:
    """Return the stages at which nothing could be compared, so that no blame can fall on them."""
    return [stage for stage, count in result.stages.items() if not _is_seen(count)]


def _is_seen(count: ResultStage) -> bool:
    return any(verdict is not Verdict.UNSUPPORTED for verdict in count.inputs)


# Findings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one implementation that are one to a reader.

    That is fields that change together, at one stage with one smallest example; or an error, a crash or a missing
    answer of one kind, at all stages where it shows.
    """

    findings: tuple[Finding, ...]

    @property
    def shown(self) -> Finding:
        """The finding whose example is shown: the first that no earlier stage explains."""
        return next(finding for finding in self.findings if not finding.is_consequence)

    @property
    def example(self) -> Example:
        """The smallest example."""
        return self.shown.smallest

    @property
    def differences(self) -> int:
        """How many differences there are, of fields of answers."""
        return sum(finding.differences for finding in self.findings)

    @property
    def headline(self) -> str:
        """What it is about, on one line: fields that differ in the same way stand together."""
        signature = self.findings[0].signature
        stages = list(dict.fromkeys(finding.signature.stage for finding in self.findings))
        what = self._fields() if signature.field is not None or len(stages) == 1 else _kind(self.findings[0])
        return f"{one_line(signature.implementation)} at {', '.join(stages)}: {what}"

    @property
    def counts(self) -> str:
        """How often it was found: in how many inputs and differences, and how many of these are consequences."""
        inputs = max(finding.inputs for finding in self.findings)
        is_one_each = self.counts_of_differences == counted(inputs, "difference")
        return counted(inputs, "input") + ("" if is_one_each else f", {self.counts_of_differences}")

    @property
    def counts_of_differences(self) -> str:
        """How many differences there are, and how many of fields are consequences: an error at later stages is one."""
        consequences = sum(finding.consequences for finding in self.findings if finding.signature.field is not None)
        also = f", {consequences:,} of them consequences" if consequences else ""
        return f"{counted(self.differences, 'difference')}{also}"

    @property
    def counts_by_part(self) -> str:
        """In how many inputs each field differs, or a stage has no answer; empty where it is in as many."""
        parts = (f"{each.signature.field or each.signature.stage} {each.inputs:,}" for each in self.findings)
        return ", ".join(parts) if len({each.inputs for each in self.findings}) > 1 else ""

    def _fields(self) -> str:
        by_manner: dict[tuple[str, bool], list[str]] = {}
        for finding in self.findings:
            field = finding.signature.field
            manner = (_kind(finding), finding.signature.kind in (DifferenceKind.LENGTH, DifferenceKind.VALUES))
            by_manner.setdefault(manner, []).extend([] if field is None else [field])
        return "; ".join(_manner(*manner, fields) for manner, fields in by_manner.items())


def _manner(kind: str, is_of_fields: bool, fields: Sequence[str]) -> str:
    """Say how ``fields`` differ; without any, what there was in the place of an answer."""
    if not fields:
        return kind
    return f"{kind} of {together(fields)}" if is_of_fields else f"{together(fields)}: {kind}"


def _kind(finding: Finding) -> str:
    """Say how the two sides of ``finding`` differ."""
    signature = finding.signature
    what = signature.kind.value
    if signature.party is not None:
        what = f"{_PARTY_WORDS[signature.party]} {what}" if signature.field is None else f"{what} ({signature.party})"
    if not signature.detail:
        return what
    return f"{what} ({error_in_words(finding.smallest.difference) or one_line(signature.detail, 60)})"


_PARTY_WORDS: dict[Party, str] = {
    Party.BASELINE: "only the baseline",
    Party.IMPLEMENTATION: "only the implementation",
    Party.BOTH: "both sides",
}


def own_groups(finished: TokenizerFinished) -> list[FindingGroup]:
    """Return the findings that no earlier stage explains, grouped.

    Where an error is a finding of its own at one stage, it is no other one at the stages after that.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in finished.findings:
        if not finding.is_consequence:
            groups.setdefault(_group_key(finding), []).append(finding)
    for finding in finished.findings:
        if finding.is_consequence and finding.signature.field is None and _group_key(finding) in groups:
            groups[_group_key(finding)].append(finding)
    return [FindingGroup(_by_stage(findings)) for findings in groups.values()]


def _group_key(finding: Finding) -> object:
    """Return what the findings of one group have in common."""
    signature = finding.signature
    if signature.field is None:
        return (signature.implementation, signature.verdict, signature.kind, signature.party, signature.detail)
    example = finding.smallest
    return (signature.implementation, signature.stage, signature.party, example.input.id, example.question)


def _by_stage(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: STAGE_ORDER.index(finding.signature.stage)))


def consequences(finished: TokenizerFinished) -> list[str]:
    """Return a line per implementation on the findings that an earlier stage explains: stages, and fields in each."""
    shown = {finding.signature for group in own_groups(finished) for finding in group.findings}
    fields: dict[tuple[str, Stage], dict[str, None]] = {}
    for finding in finished.findings:
        if finding.signature not in shown:
            signature = finding.signature
            what = signature.field or signature.kind
            fields.setdefault((signature.implementation, signature.stage), {})[what] = None
    lines: dict[str, list[str]] = {}
    for (implementation, stage), names in fields.items():
        lines.setdefault(implementation, []).append(f"{stage} ({', '.join(names)})")
    return [f"{one_line(name)}: consequences of earlier stages: {'; '.join(parts)}" for name, parts in lines.items()]


# The end -------------------------------------------------------------------------------------------------------------


def summary(finished: RunFinished, tokenizers: Sequence[TokenizerFinished]) -> str:
    """Return the last word on a run, without its duration; ``tokenizers`` are those that it has come to an end with."""
    counts = (
        f"{counted(finished.tokenizers, 'tokenizer')}, {counted(finished.inputs, 'input')}, "
        f"{counted(finished.compared, 'value')} compared, {found_words(tokenizers, finished.further)}"
    )
    if finished.conclusion is Conclusion.INTERRUPTED:
        return f"not finished ({finished.reason}); {counts}"
    state = "" if finished.finished else f"not finished ({finished.reason}): "
    return f"{state}{finished.conclusion.value}; {counts}"


def found_words(tokenizers: Collection[TokenizerFinished], further: Sequence[str]) -> str:
    """Count what was found as a reader does: an error that one input brings out in all questions is one finding.

    ``further`` are differences of other kinds than those of answers, in words.
    """
    further = (*found_in_vocabularies(tokenizers), *further)
    findings = sum(len(own_groups(each)) for each in tokenizers)
    expected = sum(len(each.known) for each in tokenizers)
    reasons = counted(sum(len(known_groups(each.known)) for each in tokenizers), "reason")
    known = "".join((f", {expected:,} known for {reasons}" if expected else "", *(f", {each}" for each in further)))
    if not findings:
        return f"0 {'new ' if expected else ''}differences{' of answers' if further else ''}{known}"
    rows = [result for each in tokenizers for result in each.results if result.failing_inputs]
    failing = sum(result.failing_inputs for result in rows)
    for_each = ", counted for each implementation" if len({each.implementation for each in rows}) > 1 else ""
    return f"{counted(findings, 'finding')}, {counted(failing, 'failing input')}{for_each}{known}"


def coverage(finished: RunFinished) -> list[str]:
    """Say which share of the values was compared at each stage, and what was not answered often enough."""
    return coverage_lines(finished.shares, finished.shortfalls)


def coverage_lines(shares: Mapping[Stage, FooterShare], shortfalls: Iterable[Shortfall]) -> list[str]:
    """Say which share of the values was compared at each stage, and which ``shortfalls`` there are."""
    parts = ", ".join(f"{stage} {percent(share.compared, share.of)}" for stage, share in shares.items())
    lines = [f"compared, of all values: {parts}"] if parts else []
    groups: dict[object, list[Shortfall]] = {}
    for each in shortfalls:
        key = (each.tokenizer, each.implementation, each.stage, each.answered, each.asked, each.required, each.lost)
        groups.setdefault(key, []).append(each)
    return [*lines, *map(shortfall_line, groups.values())]


def percent(part: int, whole: int) -> str:
    """Return ``part`` of ``whole`` in per cent, rounded down, so that "100 %" means all.

    >>> percent(999, 1000), percent(7, 7), percent(0, 0)
    ('99.9 %', '100 %', 'none')
    """
    if not whole:
        return "none"
    tenths = part * 1000 // whole
    return f"{tenths / 10:g} %"


def shortfall_line(alike: Sequence[Shortfall]) -> str:
    """Tell shortfalls that differ in nothing but the field, in one line."""
    shortfall = alike[0]
    fields = ", ".join(each.field for each in alike)
    if shortfall.lost:
        beside = " (words, batches, ids one by one)" if shortfall.lost == LOST_EXTRAS else ""
        return (
            f"{one_line(shortfall.tokenizer)}: {one_line(shortfall.implementation)} does not show any more what it "
            f"showed: {shortfall.asked - shortfall.answered:,} of {counted(shortfall.asked, 'question')}{beside} about "
            f"{fields} at {shortfall.stage} have no answer now"
        )
    why = "which --require asks for" if shortfall.required else "which it says it shows"
    return (
        f"{one_line(shortfall.tokenizer)}: {one_line(shortfall.implementation)} answered "
        f"{percent(shortfall.answered, shortfall.asked)} of {counted(shortfall.asked, 'question')} about "
        f"{fields} at {shortfall.stage}, {why} (99 % are needed)"
    )


def known_groups(known: Iterable[Finding]) -> dict[tuple[str, Entry | None], list[Finding]]:
    """Return the ``known`` differences by implementation and entry."""
    groups: dict[tuple[str, Entry | None], list[Finding]] = {}
    for finding in known:
        groups.setdefault((finding.signature.implementation, finding.signature.entry), []).append(finding)
    return groups


def known_lines(known: Iterable[Finding]) -> list[str]:
    """Say which differences are ``known``, why, and by which entry of which ledger."""
    return [
        f"known: {one_line(implementation)} at {_by_stages(findings)}"
        + ("" if entry is None else f": {one_line(entry.reason)} [{_origin(entry)}]")
        for (implementation, entry), findings in known_groups(known).items()
    ]


def _by_stages(findings: Sequence[Finding]) -> str:
    """Say at which stages, in which fields and on how many inputs there are differences of one entry."""
    own: dict[Stage, list[Finding]] = {}
    follow: dict[Stage, list[Finding]] = {}
    for finding in findings:
        by_stage = follow if finding.is_consequence else own
        by_stage.setdefault(finding.signature.stage, []).append(finding)
    parts = ", ".join(_at_stage(stage, own[stage]) for stage in STAGE_ORDER if stage in own)
    following = ", ".join(_at_stage(stage, follow[stage]) for stage in STAGE_ORDER if stage in follow)
    return parts + (f"; consequences at {following}" if following else "")


def _at_stage(stage: Stage, findings: Sequence[Finding]) -> str:
    kinds = ", ".join(dict.fromkeys(finding.signature.kind for finding in findings))
    return f"{stage} ({kinds}; {counted(max(finding.inputs for finding in findings), 'input')})"


def _origin(entry: Entry) -> str:
    return "; ".join(one_line(each) for each in (str(entry.place), entry.link, entry.finding) if each is not None)


def stale_line(entry: Entry) -> str:
    """Say that ``entry`` is stale, and what to do."""
    return (
        f"{one_line(str(entry.place))}: {one_line(entry.implementation)} does not differ"
        f"{' at ' + ', '.join(entry.stages) if entry.stages else ''} in this way, and all that the entry is about was "
        "compared; take it out, or narrow its `version` to what it was true of"
    )


def unstable_line(finding: Finding) -> str:
    """Say that the answers of ``finding`` were others when they were asked for again."""
    return (
        f"{one_line(finding.signature.implementation)} at {finding.signature.stage}, "
        f"{finding.signature.field or 'error'}: {counted(finding.inputs, 'input')} "
        "answered in another way when asked again; "
        f"first {example_headline(finding.first)}"
    )


def part_line(shard: Shard) -> str:
    """Say which part of a run this is, and what its result does not say."""
    return (
        f"{shard.part} of {shard.of}; whether enough was compared, and which entries of ledgers are stale, is for "
        '"tokconf merge" to say'
    )
