"""Records of ``tokconf run``, and of diffs of snapshots: findings, causes, inputs, loading, what was compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, ClassVar

from msgspec import UNSET

from tokenizer_conformance.causes.page import minimizing
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.comparison.findings import MOST_IDS
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.releases.diff.records.changes import Aspect, Key, Outcome, State
from tokenizer_conformance.releases.diff.records.read_record import (
    ReadRecord,
    digests,
    parties_in,
    shard_remarks,
    shown,
    tokenizer_remarks,
)
from tokenizer_conformance.results.records import headers, run
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.recorded_run import tokenizer_of
from tokenizer_conformance.validation.running.vocabularies import entry_words, vocabulary_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.releases.diff.records.matching import Party
    from tokenizer_conformance.results.records.causes import Cause
    from tokenizer_conformance.results.records.value import Value

NO_VALUE = frozenset(
    {Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ERROR, Verdict.BOTH_ERROR, Verdict.UNSTABLE}
)
"""The verdicts of answers that have no value to be compared."""


@dataclass(frozen=True, slots=True)
class Row:
    """The ``result`` of an implementation on the tokenizer of a ``line``.

    ``unstable`` are findings and inputs on it of which answers differed, and were others when asked again. ``capped``:
    inputs may differ that are not named.
    """

    line: run.TokenizerResult
    result: run.Result
    unstable: frozenset[Key]
    capped: bool

    @property
    def refused(self) -> str:
        """Why nothing was compared."""
        return self.line.baseline_load_error or self.result.load_error or ""

    @property
    def stages(self) -> dict[str, run.ResultStage]:
        """What was compared at each stage."""
        return {str(stage): counts for stage, counts in self.result.stages.items()}

    @property
    def known(self) -> int:
        """How many values differ as a ledger says, or follow from that."""
        return sum(counts.values.get(Verdict.KNOWN, 0) for counts in self.result.stages.values())


class ReadRun(ReadRecord[run.Header]):
    """A record of a run. The last word on a tokenizer counts."""

    noun = "run"
    format = run.FORMAT
    options: ClassVar = {
        "stages": "stages",
        "fields": "fields",
        "every_id": "--every-id",
        "seed": "seed",
        "required": "--require",
    }
    other_baseline = "; no answer is compared"

    def _begin(self) -> None:
        self._tokenizers = digests(self.header.tokenizers)
        self.rows: dict[tuple[str, str], Row] = {}
        self._lines: dict[str, run.TokenizerResult] = {}
        self._found: dict[str, list[tuple[Outcome, run.Finding]]] = {}
        self._sought: dict[str, run.TokenizerResult | run.Causes] = {}
        self._has_causes = False

    @staticmethod
    def parties(header: run.Header) -> list[Party]:
        """Return who was asked."""
        return parties_in(header.implementations, header.baseline)

    # The header

    def remarks(self, then: ReadRun) -> Iterator[str]:
        """Say what the two do not have in common."""
        yield from super().remarks(then)
        yield from shard_remarks(then.header.shard, self.header.shard, "a run")

    def _further_remarks(self, then: ReadRun) -> Iterator[str]:
        was, is_ = then.header.inputs, self.header.inputs
        if was.sha256 != is_.sha256 and self._has_inputs_of(then):
            yield "the same inputs, whose sources were given in another order"
        elif was.sha256 != is_.sha256:
            counts = f"{was.count:,} then, {is_.count:,} now"
            yield f"other inputs: {counts}; what only one of the records has is neither new nor fixed"
        yield from tokenizer_remarks(then._tokenizers, self._tokenizers, "asked about")
        olds, news = ([(each.name, each.sha256) for each in side.header.ledgers] for side in (then, self))
        if olds != news:
            names = [shown([name for name, _ in side]) for side in (olds, news)]
            are_others = dict(olds).keys() != dict(news).keys()
            told = f"other ledgers: {names[0]} then, {names[1]} now" if are_others else ""
            yield told or f"ledgers with other entries: {names[1]}"

    def _has_inputs_of(self, other: ReadRun) -> bool:
        """Return whether the inputs are those of ``other``, in whatever order their sources were given.

        A text is paired with those of its own source alone, so that nothing that is asked depends on that order.
        """
        own, others = self.header.inputs, other.header.inputs
        is_known = bool(own.sources)
        return own.sha256 == others.sha256 or (is_known and sorted(own.sources) == sorted(others.sources))

    # Lines

    def _take(self, line: Value) -> None:
        match line:
            case run.Checkpoint() | run.Tokenizer():
                self._tokenizer(line)
            case run.Causes():
                self._sought[line.tokenizer] = line
            case run.LoadFailed():
                self._loading(line.tokenizer, line.implementation, line.reason)
            case run.Loaded():
                self._loading(line.tokenizer, line.implementation)
            case headers.Refused() | run.ImplementationMissing():
                self.refuse(line.name, line.reason)
            case run.LoadingChange():
                self._loading_change(line)
            case run.Footer():
                self._footer(line)

    def _tokenizer(self, line: run.TokenizerResult) -> None:
        """Take in the last word on a tokenizer so far."""
        self._lines[line.tokenizer] = self._sought[line.tokenizer] = line
        findings = (*line.findings, *line.known, *line.unstable)
        self._found[line.tokenizer] = [(self._finding(line.tokenizer, each), each) for each in findings]
        for result in line.results:
            self.name(result.implementation)

    def _end(self) -> None:
        for line in self._lines.values():
            self._last_word(line)
        if self.ending.footer is None:
            causes = [cause for line in self._sought.values() for cause in line.causes]
            self._take_causes(causes, repeat(None))

    def _loading(self, tokenizer: str, implementation: str, reason: str = "") -> None:
        name = self.name(implementation)
        key = Key(Aspect.LOADING, name, tokenizer)
        self.outcomes[key] = Outcome(
            key,
            State.FAILS if reason else State.SOUND,
            f"{one_line(name)} {'cannot load' if reason else 'loads'} {one_line(tokenizer)}",
            "refused" if reason else "loaded",
            manner=reason,
            lines=(one_line(reason),) if reason else (),
        )

    def _vocabulary(self, tokenizer: str, name: str, result: run.Result) -> None:
        found = result.vocabulary
        if found is None or not found.is_told:
            return
        key = Key(Aspect.LOADING, name, tokenizer, (VOCABULARY,), self.baseline)
        self.outcomes[key] = Outcome(
            key,
            State.FAILS if found.new else State.KNOWN if found.known else State.SOUND,
            f"{one_line(name)} on {one_line(tokenizer)}: its vocabulary",
            "differ" if found.differing else "agree",
            {"entries": found.new, "known entries": found.known},
            manner=found.name or "\n".join(entry_words(found.entries)),
            lines=(vocabulary_line(result, found),) if found.differing else (),
            repeat=one_line(found.repeat, 2000),
        )

    def _loading_change(self, line: run.LoadingChange) -> None:
        name = next((name for name in self.names.values() if name != self.baseline), "")
        key = Key(Aspect.LOADING, name, line.tokenizer, (line.what, line.path))
        self.outcomes[key] = Outcome(
            key,
            State.FAILS if line.known is None else State.KNOWN,
            f"{one_line(line.tokenizer)}: {one_line(line.what)} {one_line(line.path)}".rstrip(),
            "changed",
            manner=line.new,
            lines=(f"{one_line(line.old, 160)} -> {one_line(line.new, 160)}",),
        )

    def _footer(self, line: run.Footer) -> None:
        for name in ("seconds", "compared", "differences", "known"):
            self.figure(name, getattr(line, name))
        self._take_causes(line.causes, self._numbers(line.causes))
        for short in line.shortfalls:
            name, stage, what = self.name(short.implementation), short.stage, short.field
            key = Key(Aspect.SHORTFALL, name, short.tokenizer, (stage, what), self.baseline)
            self.outcomes[key] = Outcome(
                key,
                State.FAILS,
                f"{one_line(name)} on {one_line(short.tokenizer)}: {one_line(stage)} has too few {one_line(what)}",
                "too little",
                {"unanswered": max(0, short.asked - short.answered)},
                lines=(f"{short.answered:,} of {short.asked:,} questions answered",),
                places=((stage, None),),
            )

    def _numbers(self, recorded: Sequence[Cause]) -> list[int | None]:
        """Return the number of the problem that each cause is told at, as the page has it."""
        causes = [cause_of(json_of(each)) for each in recorded]
        lines = [self._lines[name] for name in self._tokenizers if name in self._lines]
        problems = problems_of([tokenizer_of(line) for line in lines], causes)
        numbers = {id(each.cause): each.number for each in problems}
        return [numbers.get(id(cause)) for cause in causes]

    def _take_causes(self, causes: Sequence[Cause], numbers: Iterable[int | None]) -> None:
        self._has_causes = self._has_causes or bool(causes)
        for cause, number in zip(causes, numbers, strict=False):
            again = "" if number is None else minimizing(self.path, number)
            self.join(self.cause(cause, ("inputs", "differences"), again))

    # A tokenizer

    def _last_word(self, line: run.TokenizerResult) -> None:
        self.figure("seconds", line.seconds, subject=line.tokenizer)
        count = len(line.findings) + len(line.known)
        found, unstable = self._found[line.tokenizer][:count], self._found[line.tokenizer][count:]
        for outcome, _ in found:
            self.join(outcome)
        for outcome, finding in found:
            for each in _inputs(outcome, finding):
                was = self.outcomes.get(each.key, each)
                places = tuple(dict.fromkeys((*was.places, *each.places)))
                self.outcomes[each.key] = replace(was, places=places)
        gone = frozenset(each.key for outcome, finding in unstable for each in (outcome, *_inputs(outcome, finding)))
        capped = {outcome.key.implementation for outcome, finding in self._found[line.tokenizer] if _is_capped(finding)}
        for result in line.results:
            name = self.name(result.implementation)
            self.rows[line.tokenizer, name] = Row(line, result, gone, name in capped)
            self._result(line, result, name)

    def _result(self, line: run.TokenizerResult, result: run.Result, name: str) -> None:
        errors = {self.own_baseline: line.baseline_load_error, result.implementation: result.load_error}
        for who, error in errors.items():
            if error is not None:
                self._loading(line.tokenizer, who, error)
        for stage, counts in result.stages.items():
            outcome = _stage_outcome(Key(Aspect.STAGE, name, line.tokenizer, (stage,), self.baseline), counts)
            self.outcomes[outcome.key] = outcome
        self._vocabulary(line.tokenizer, name, result)
        for what, value in _figures(result):
            self.figure(what, value, name, line.tokenizer)

    def _finding(self, tokenizer: str, finding: run.Finding) -> Outcome:
        name, stage, what = self.name(finding.implementation), finding.stage, finding.field
        manner = (finding.verdict, finding.kind, finding.party or "", finding.detail)
        is_known = finding.known is not UNSET
        counts = {"inputs": 0, "differences": 0, "known inputs": 0, "known differences": 0}
        which = "known " if is_known else ""
        counts |= {f"{which}inputs": finding.inputs, f"{which}differences": finding.differences}
        party = f" ({finding.party})" if finding.party is not None else ""
        detail = f" ({one_line(finding.detail, 60)})" if finding.detail else ""
        kind = f"{what}: {finding.kind}" if what else finding.kind
        return Outcome(
            Key(Aspect.FINDING, name, tokenizer, (stage, what or "", *manner), self.baseline),
            State.KNOWN if is_known else State.FAILS,
            f"{one_line(name)} on {one_line(tokenizer)} at {stage}: {kind}{party}{detail}",
            finding.verdict,
            counts,
            lines=tuple(self._example_lines(finding, name)),
            repeat=one_line(finding.repeat, 2000),
            places=((stage, what),),
        )

    def _example_lines(self, finding: run.Finding, name: str) -> Iterator[str]:
        example = finding.smallest
        asked, *answers = self.question_lines(example.question, example.difference, name)
        yield f"{one_line(example.input.id)} ({one_line(example.input.category)}), {asked}"
        yield from answers
        if finding.known is not UNSET:
            yield f"known: {one_line(finding.known.reason)}"

    # What was not compared

    def refusal(self, name: str) -> str:
        """Say why what is called ``name`` was refused."""
        return f"{one_line(name)} could not be used: {one_line(self.refused[name], 160)}"

    def _lacks(self, other: ReadRun, outcome: Outcome) -> str:
        if self.baseline != other.baseline:
            return "the baseline is another one"
        if outcome.key.aspect is not Aspect.CAUSE:
            return self._lacks_on(other, outcome, outcome.key.subject)
        name = outcome.key.implementation
        if not self._has_causes and any(
            key.aspect is Aspect.FINDING and key.implementation == name for key in self.outcomes
        ):
            return "no causes were looked for"
        reasons = (
            self._lacks_on(other, outcome, each) or self._lacks_cause(other, name, each) for each in outcome.tokenizers
        )
        return next(filter(None, reasons), "")

    def _lacks_cause(self, other: ReadRun, name: str, tokenizer: str) -> str:
        """Say why not all causes of differences of the implementation on ``tokenizer`` are told."""
        row, others = (each.rows.get((tokenizer, name)) for each in (self, other))
        if row is not None and self._sought[tokenizer].uncounted:
            return f"the time to look for causes was spent on {one_line(tokenizer)}"
        if row is not None and others is not None and row.known > others.known:
            return f"a ledger knows more differences on {one_line(tokenizer)}, of which no causes are told"
        return ""

    def _lacks_on(self, other: ReadRun, outcome: Outcome, tokenizer: str) -> str:
        """Say why this side could not have found ``outcome`` on ``tokenizer``."""
        key = outcome.key
        why = self._lacks_tokenizer(other, tokenizer)
        if why or key.aspect is Aspect.LOADING:
            return why or self._lacks_loading(key)
        row, others = (each.rows.get((tokenizer, key.implementation)) for each in (self, other))
        if row is None:
            return f"the run did not reach {one_line(tokenizer)}"
        why = self._lacks_inputs(other, key, row)
        if why or key.aspect is Aspect.SHORTFALL:
            return why or self._lacks_end(key)
        reasons = (
            self._lacks_stage(key, row, place) or _lacks_values(key, row, others, place) for place in outcome.places
        )
        return next(filter(None, reasons), "")

    def _lacks_tokenizer(self, other: ReadRun, tokenizer: str) -> str:
        """Say why the tokenizer is not the one that it is on the other side."""
        if tokenizer in self.refused:
            return self.refusal(tokenizer)
        sha256 = self._tokenizers.get(tokenizer)
        if sha256 is None:
            return f"{one_line(tokenizer)} was not asked about"
        is_other = sha256 != other._tokenizers.get(tokenizer, sha256)
        return f"the tokenizer.json of {one_line(tokenizer)} is another one" if is_other else ""

    def _lacks_loading(self, key: Key) -> str:
        row = self.rows.get((key.subject, key.implementation))
        if key.parts == (VOCABULARY,) and row is not None:
            return "" if row.result.vocabulary and row.result.vocabulary.is_told else "its vocabulary was not compared"
        is_told = replace(key, parts=()) in self.outcomes or (key.subject, key.implementation) in self.rows
        if is_told or (key.implementation == self.baseline and key.subject in self._lines):
            return ""
        return f"the run did not reach {one_line(key.subject)}"

    def _lacks_inputs(self, other: ReadRun, key: Key, row: Row) -> str:
        """Say why not all inputs of the other side were compared, or not so that it would be known."""
        name = one_line(row.line.tokenizer)
        own, others = self.header, other.header
        if row.refused:
            return f"{name} was not loaded: {one_line(row.refused, 160)}"
        if not self._has_inputs_of(other):
            return "the inputs are others"
        if own.shard != others.shard or (own.shard is not None and own.inputs != others.inputs):
            return "other parts of the inputs were asked about (--shard)"
        if not row.line.complete:
            return f"the run was cut short on {name}, after {row.line.inputs:,} inputs"
        if key in row.unstable:
            return "it was unstable: asked again, the answer was another one"
        is_unknown = key.aspect is Aspect.INPUT and row.capped
        return f"only the first {MOST_IDS} inputs of a finding are recorded" if is_unknown else ""

    def _lacks_end(self, key: Key) -> str:
        """Say why it cannot be told whether too little was answered."""
        if not self.ending.is_whole:
            return "the run did not finish"
        stage, what = key.parts
        is_left_out = stage not in self.header.stages or what not in self.header.fields
        return f"{one_line(what)} at {one_line(stage)} was left out (--stage or --field)" if is_left_out else ""

    def _lacks_stage(self, key: Key, row: Row, place: tuple[str, str | None]) -> str:
        stage, what = place
        if what is not None and what not in self.header.fields:
            return f"{one_line(what)} was left out (--field)"
        counts = row.stages.get(stage)
        if stage not in self.header.stages or counts is None:
            return f"{one_line(stage)} was left out (--stage or --field)"
        is_unseen = key.aspect is Aspect.STAGE and not _answered(counts)
        return f"{one_line(stage)} was not shown (unsupported)" if is_unseen else ""


def _inputs(outcome: Outcome, finding: run.Finding) -> Iterator[Outcome]:
    """Yield an outcome for each input that shows the ``finding`` for itself."""
    for each in finding.own_inputs:
        key = replace(outcome.key, aspect=Aspect.INPUT, parts=(each,))
        yield Outcome(key, outcome.state, one_line(each), places=outcome.places)


def _is_capped(finding: run.Finding) -> bool:
    """Return whether more inputs may show it than are named; before version 1.3 none were."""
    has_own = finding.differences > finding.consequences
    return len(finding.own_inputs) >= MOST_IDS or (has_own and not finding.own_inputs)


def _stage_outcome(key: Key, counts: run.ResultStage) -> Outcome:
    (stage,) = key.parts
    title = f"{one_line(key.implementation)} on {one_line(key.subject)} at {one_line(stage)}"
    values = _answered(counts)
    if not values:
        return Outcome(key, State.NOT_COMPARED, title, why="it was not shown (unsupported)", places=((stage, None),))
    return Outcome(key, State.SOUND, f"{title}: {values:,} values", places=((stage, None),))


def _figures(result: run.Result) -> Iterator[tuple[str, float]]:
    yield "failing inputs", result.failing_inputs
    yield "seconds of the implementation", result.seconds
    for stage, counts in result.stages.items():
        for verdict, count in counts.inputs.items():
            yield f"{stage}: inputs {verdict}", count
    impact = result.impact
    if impact is None:
        return
    yield "impact: inputs with other ids", impact.documents.changed
    if impact.words is not None:
        yield "impact: words with other ids", impact.words.changed
    yield "impact: tokens of these, baseline", impact.tokens_before
    yield "impact: tokens of these", impact.tokens


def _without_value(counts: run.ResultStage) -> int:
    return sum(counts.values.get(verdict, 0) for verdict in NO_VALUE)


def _answered(counts: run.ResultStage) -> int:
    """Return how many values stood side by side; where none did, how many errors and missing answers there were."""
    known = counts.values.get(Verdict.KNOWN, 0) - counts.known_without_value
    compared = sum(count for verdict, count in counts.values.items() if verdict.is_compared) + known
    return compared or _without_value(counts)


def _unseen(counts: run.ResultStage, what: str | None) -> int:
    """Return how many values of the field called so were not to be seen, ``None``: of any."""
    if what is None:
        return counts.values.get(Verdict.UNSUPPORTED, 0)
    unsupported = {str(name): count for name, count in counts.unsupported_fields.items()}
    return unsupported.get(what, 0) + _without_value(counts) + counts.known_without_value


def _lacks_values(key: Key, row: Row, others: Row | None, place: tuple[str, str | None]) -> str:
    """Say by how much less was compared than on the other side, where ``others`` is its row."""
    stage, what = place
    here, there = (None if each is None else each.stages.get(stage) for each in (row, others))
    if here is None or others is None or there is None or key.aspect is Aspect.STAGE:
        return ""
    if here.questions < there.questions or row.line.ids < others.line.ids:
        return f"fewer questions were asked at {one_line(stage)}"
    fewer = _unseen(here, what) - _unseen(there, what)
    words = f"{fewer:,} more answers at {one_line(stage)} had no {one_line(what or 'value')} to compare"
    return f"{words} (not shown, an error, or none at all)" if fewer > 0 else ""
