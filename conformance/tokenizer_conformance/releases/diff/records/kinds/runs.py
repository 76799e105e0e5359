"""Records of ``tokconf run``, and of diffs of snapshots: findings, causes, inputs, loading, what was compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.causes.page import minimizing
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import cause_headline, cause_lines
from tokenizer_conformance.comparison.findings import MOST_IDS
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.kinds.kind import (
    Kind,
    cause_key,
    environment_remarks,
    parties_in,
    question_lines,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.results.records import headers, run
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import Opening, ShapeError, read_lines
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.record_reader import recorded_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.causes import cause as found_causes
    from tokenizer_conformance.releases.diff.records.matching import Matching, Party
    from tokenizer_conformance.results.records.causes import Cause
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.running.events import TokenizerFinished

NO_VALUE = frozenset(
    {Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ERROR, Verdict.BOTH_ERROR, Verdict.UNSTABLE}
)
"""The verdicts of answers that have no value to be compared."""

OPTIONS = {
    "stages": "stages",
    "fields": "fields",
    "every_id": "--every-id",
    "seed": "seed",
    "required": "--require",
}
"""What headers may have another value of, with the words for it."""


@dataclass(frozen=True, slots=True)
class StageCounts:
    """What was compared at a stage: ``values`` by verdict, by field those that were not shown, how many questions.

    ``without_value`` are known differences of answers that had no value.
    """

    values: Counter[Verdict]
    unsupported: Mapping[str, int]
    questions: int
    without_value: int

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        known = self.values[Verdict.KNOWN] - self.without_value
        return sum(count for verdict, count in self.values.items() if verdict.is_compared) + known

    @property
    def answered(self) -> int:
        """How many values there were on both sides, errors and missing answers included."""
        return self.compared or sum(self.values[verdict] for verdict in NO_VALUE)

    def unseen(self, name: str | None) -> int:
        """Return how many values of the field called ``name`` were not to be seen, ``None``: of any."""
        if name is None:
            return self.values[Verdict.UNSUPPORTED]
        lost = sum(self.values[verdict] for verdict in NO_VALUE) + self.without_value
        return self.unsupported.get(name, 0) + lost


@dataclass(frozen=True, slots=True)
class Row:
    """The result of an implementation on a tokenizer; ``refused`` says why nothing was compared.

    ``unstable`` are findings and inputs of which answers differed, and were others when asked again. ``capped``: inputs
    may differ that are not named.
    """

    is_complete: bool
    inputs: int
    ids: int
    refused: str
    stages: Mapping[str, StageCounts]
    uncounted: int
    unstable: frozenset[Key]
    capped: bool

    @property
    def known(self) -> int:
        """How many values differ as a ledger says, or follow from that."""
        return sum(counts.values[Verdict.KNOWN] for counts in self.stages.values())


@dataclass(frozen=True, slots=True)
class RecordedInputs:
    """The inputs of a run, by their digest, and by those of their ``sources`` where the record has them."""

    sha256: str
    sources: tuple[str, ...] = ()

    def are(self, others: RecordedInputs) -> bool:
        """Return whether these are ``others``, in whatever order the sources were given.

        A text is paired with those of its own source alone, so that nothing that is asked depends on that order.
        """
        return self.sha256 == others.sha256 or (bool(self.sources) and sorted(self.sources) == sorted(others.sources))


@dataclass(slots=True)
class RunSide:
    """A record of a run, read."""

    baseline: str
    names: dict[str, str]
    tokenizers: dict[str, str]
    inputs: RecordedInputs
    stages: frozenset[str]
    fields: frozenset[str]
    shard: object
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    figures: dict[Figure, float] = field(default_factory=dict)
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    causes_sought: bool = False
    ending: Ending = field(default_factory=Ending)


# The header -----------------------------------------------------------------------------------------------------------


def parties(header: run.Header) -> list[Party]:
    """Return who was asked."""
    return parties_in(header.implementations, header.baseline)


def remarks(then: run.Header, now: run.Header, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if matching.name(then.baseline) != now.baseline:
        found.append(f"another baseline: {shown(then.baseline)} then, {shown(now.baseline)} now; no answer is compared")
    found += _input_remarks(then, now)
    olds, news = (_tokenizers(each) for each in (then, now))
    found += [f"tokenizer {one_line(name)} was not asked about now" for name in olds if name not in news]
    found += [f"tokenizer {one_line(name)} was not asked about then" for name in news if name not in olds]
    found += [
        f"tokenizer {one_line(name)}: its tokenizer.json is another one now"
        for name, sha256 in olds.items()
        if news.get(name, sha256) != sha256
    ]
    first, second = ([(each.name, each.sha256) for each in side.ledgers] for side in (then, now))
    if first != second:
        names = (shown([name for name, _ in side]) for side in (first, second))
        found.append(
            "other ledgers: {} then, {} now".format(*names)
            if dict(first).keys() != dict(second).keys()
            else f"ledgers with other entries: {shown([name for name, _ in second])}"
        )
    found += value_remarks(then, now, OPTIONS)
    for when, side in (("then", then), ("now", now)):
        if side.shard is not None:
            found.append(f"a part of a run {when} (--shard {shown(json_of(side.shard))})")
    return found


def _input_remarks(then: run.Header, now: run.Header) -> list[str]:
    was, is_ = (_inputs(each) for each in (then, now))
    if was.sha256 == is_.sha256:
        return []
    if was.are(is_):
        return ["the same inputs, whose sources were given in another order"]
    counts = f"{then.inputs.count:,} then, {now.inputs.count:,} now"
    return [f"other inputs: {counts}; what only one of the records has is neither new nor fixed"]


def _inputs(header: run.Header) -> RecordedInputs:
    return RecordedInputs(header.inputs.sha256, header.inputs.sources)


def _tokenizers(header: run.Header) -> dict[str, str]:
    return {each.name: each.sha256 for each in header.tokenizers}


# Reading --------------------------------------------------------------------------------------------------------------


def read(opening: Opening, ending: Ending, matching: Matching) -> RunSide:
    """Read the record. Raises :class:`BadInputError`."""
    header: run.Header = opening.header(run.FORMAT)
    side = RunSide(
        baseline=matching.name(header.baseline),
        names={each.name: matching.name(each.name) for each in parties(header)},
        tokenizers=_tokenizers(header),
        inputs=_inputs(header),
        stages=frozenset(header.stages),
        fields=frozenset(header.fields),
        shard=header.shard,
        ending=ending,
    )
    reading = _Reading(side, str(opening.path), header.baseline)
    read_lines(opening, run.FORMAT, ending, reading.take)
    reading.end()
    return side


class _Reading:
    """The lines of a record being taken in. The last word on a tokenizer counts."""

    def __init__(self, side: RunSide, path: str, baseline: str) -> None:
        self.side = side
        self._path = path
        self.baseline = baseline
        self._begun: dict[str, run.Checkpoint] = {}
        self._of: dict[str, tuple[dict[Key, Outcome], dict[Figure, float]]] = {}
        self._rows: dict[str, dict[str, Row]] = {}
        self._causes: dict[str, tuple[Cause, ...]] = {}
        self._finished: dict[str, TokenizerFinished] = {}

    def take(self, line: Value) -> None:
        match line:
            case run.Checkpoint():
                self._begun[line.tokenizer] = line
            case run.Tokenizer():
                self._begun.pop(line.tokenizer, None)
                self._tokenizer(line)
            case run.Causes():
                self._sought(line)
            case run.LoadFailed():
                self._loading(line.tokenizer, line.implementation, line.reason)
            case run.Loaded():
                self._loading(line.tokenizer, line.implementation, "")
            case headers.Refused() | run.ImplementationMissing():
                self.side.refused[self.side.names.get(line.name, line.name)] = line.reason
            case run.LoadingChange():
                self._loading_change(line)
            case run.Footer():
                self._footer(line)

    def end(self) -> None:
        """Take in what was at work when the command was killed."""
        for line in self._begun.values():
            self._tokenizer(line)
        for name, (outcomes, figures) in self._of.items():
            self.side.outcomes |= outcomes
            self.side.figures |= figures
            self.side.rows |= {(name, implementation): row for implementation, row in self._rows[name].items()}
        if self.side.ending.footer is None:
            self._take_causes([cause for causes in self._causes.values() for cause in causes], is_numbered=False)

    def name(self, name: str) -> str:
        """Return the name in the new record. Raises :class:`ShapeError` where the header has none such."""
        if name not in self.side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no implementation of the header")
        return self.side.names[name]

    # Tokenizers

    def _loading(self, tokenizer: str, implementation: str, reason: str) -> None:
        name = self.name(implementation)
        key = Key(Aspect.LOADING, name, tokenizer)
        self.side.outcomes[key] = Outcome(
            key,
            State.FAILS if reason else State.SOUND,
            f"{one_line(name)} {'cannot load' if reason else 'loads'} {one_line(tokenizer)}",
            "refused" if reason else "loaded",
            manner=reason,
            lines=(one_line(reason),) if reason else (),
        )

    def _loading_change(self, line: run.LoadingChange) -> None:
        tokenizer, what, path, old, new = line.tokenizer, line.what, line.path, line.old, line.new
        others = [name for name in self.side.names.values() if name != self.side.baseline]
        key = Key(Aspect.LOADING, others[0] if others else "", tokenizer, (what, path))
        self.side.outcomes[key] = Outcome(
            key,
            State.FAILS if line.known is None else State.KNOWN,
            f"{one_line(tokenizer)}: {one_line(what)} {one_line(path)}".rstrip(),
            "changed",
            manner=new,
            lines=(f"{one_line(old, 160)} -> {one_line(new, 160)}",),
        )

    def _tokenizer(self, line: run.TokenizerResult) -> None:
        tokenizer = line.tokenizer
        outcomes: dict[Key, Outcome] = {}
        figures: dict[Figure, float] = {Figure("", tokenizer, "seconds"): line.seconds}
        rows: dict[str, Row] = {}
        findings, known, unstable = (
            [_Found(self, tokenizer, each) for each in found] for found in (line.findings, line.known, line.unstable)
        )
        for found in (*findings, *known):
            outcomes[found.key] = found.joined(outcomes.get(found.key), is_known=found.is_known)
        for found in (*findings, *known):
            for outcome in found.inputs():
                was = outcomes.get(outcome.key, outcome)
                places = tuple(dict.fromkeys((*was.places, *outcome.places)))
                outcomes[outcome.key] = replace(was, places=places)
        for result in line.results:
            name = self.name(result.implementation)
            own = [each for each in (*findings, *known) if each.key.implementation == name]
            rows[name] = self._row(line, result, own, [each for each in unstable if each.key.implementation == name])
            for stage, counts in rows[name].stages.items():
                outcome = _stage_outcome(name, tokenizer, stage, counts, self.side.baseline)
                outcomes[outcome.key] = outcome
            figures |= _figures(name, tokenizer, result)
        self._causes[tokenizer] = (*self._causes.get(tokenizer, ()), *line.causes)
        self._finished[tokenizer] = recorded_tokenizer(json_of(line), {})
        self._of[tokenizer] = (outcomes, figures)
        self._rows[tokenizer] = rows

    def _row(
        self, line: run.TokenizerResult, result: run.Result, findings: list[_Found], unstable: list[_Found]
    ) -> Row:
        by_baseline, refused = line.baseline_load_error, result.load_error
        if by_baseline is not None:
            self._loading(line.tokenizer, self.baseline, by_baseline)
        if refused is not None:
            self._loading(line.tokenizer, result.implementation, refused)
        stages = {
            str(name): StageCounts(
                Counter(counts.values),
                {str(what): count for what, count in counts.unsupported_fields.items()},
                counts.questions,
                counts.known_without_value,
            )
            for name, counts in result.stages.items()
        }
        return Row(
            line.complete,
            line.inputs,
            line.ids,
            by_baseline or refused or "",
            stages,
            line.uncounted,
            frozenset(key for each in unstable for key in (each.key, *(outcome.key for outcome in each.inputs()))),
            any(each.is_capped for each in (*findings, *unstable)),
        )

    # Causes and the end

    def _sought(self, line: run.Causes) -> None:
        self._causes[line.tokenizer] = line.causes
        rows = self._rows.get(line.tokenizer, {})
        self._rows[line.tokenizer] = {name: replace(row, uncounted=line.uncounted) for name, row in rows.items()}

    def _take_causes(self, recorded: Sequence[Cause], *, is_numbered: bool = True) -> None:
        self.side.causes_sought = self.side.causes_sought or bool(recorded)
        causes = [cause_of(json_of(each)) for each in recorded]
        for number, cause in zip(self._numbers(causes) if is_numbered else repeat(None), causes, strict=False):
            outcome = self._cause(cause, number)
            was = self.side.outcomes.get(outcome.key)
            if was is not None:
                counts = {name: count + was.counts[name] for name, count in outcome.counts.items()}
                outcome = replace(was, counts=counts)
            self.side.outcomes[outcome.key] = outcome

    def _numbers(self, causes: list[found_causes.Cause]) -> list[int | None]:
        """Return the number of the problem that each cause is told at."""
        numbers = {id(each.cause): each.number for each in problems_of(self._finished.values(), causes)}
        return [numbers.get(id(cause)) for cause in causes]

    def _cause(self, cause: found_causes.Cause, number: int | None) -> Outcome:
        implementation = self.name(cause.implementation)
        cause = replace(cause, implementation=implementation)
        manner = cause.signature.manner
        key = cause_key(cause, self.side.baseline)
        repeat = "" if number is None else minimizing(self._path, number)
        return Outcome(
            key,
            State.FAILS,
            cause_headline(cause),
            cause.reason.name,
            {"inputs": cause.inputs, "differences": cause.differences},
            manner="",
            lines=tuple(cause_lines(cause, self.baseline)),
            repeat=repeat,
            places=((manner.stage, manner.field), *((f"\0{name}", None) for name in cause.tokenizers)),
        )

    def _footer(self, line: run.Footer) -> None:
        for name in ("seconds", "compared", "differences", "known"):
            self.side.figures[Figure("", "", name)] = getattr(line, name)
        self._take_causes(line.causes)
        for short in line.shortfalls:
            name, stage, what = self.name(short.implementation), short.stage, short.field
            key = Key(Aspect.SHORTFALL, name, short.tokenizer, (stage, what), self.side.baseline)
            answered, asked = short.answered, short.asked
            self.side.outcomes[key] = Outcome(
                key,
                State.FAILS,
                f"{one_line(name)} on {one_line(key.subject)}: {one_line(stage)} has too few {one_line(what)}",
                "too little",
                {"unanswered": max(0, asked - answered)},
                lines=(f"{answered:,} of {asked:,} questions answered",),
                places=((stage, None),),
            )


class _Found:
    """A finding of a record."""

    def __init__(self, reading: _Reading, tokenizer: str, finding: run.Finding) -> None:
        self._finding = finding
        self._reading = reading
        name, baseline = reading.name(finding.implementation), reading.side.baseline
        self.stage, self.field = finding.stage, finding.field
        manner = (finding.verdict, finding.kind, finding.party or "", finding.detail)
        self.key = Key(Aspect.FINDING, name, tokenizer, (self.stage, self.field or "", *manner), baseline)

    @property
    def is_known(self) -> bool:
        """Whether a ledger knows it."""
        return self._finding.known is not UNSET

    @property
    def is_capped(self) -> bool:
        """Whether more inputs may show it than are named; before version 1.3 none were."""
        finding = self._finding
        has_own = finding.differences > finding.consequences
        return len(finding.own_inputs) >= MOST_IDS or (has_own and not finding.own_inputs)

    def joined(self, other: Outcome | None, *, is_known: bool) -> Outcome:
        """Return the outcome, with that of the same signature that the ledger knows, or does not."""
        own = self._outcome(is_known=is_known)
        if other is None:
            return own
        shown_one = own if own.state is State.FAILS else other
        counts = {name: own.counts[name] + other.counts[name] for name in own.counts}
        return replace(shown_one, counts=counts)

    def _outcome(self, *, is_known: bool) -> Outcome:
        finding = self._finding
        counts = {"inputs": 0, "differences": 0, "known inputs": 0, "known differences": 0}
        which = "known " if is_known else ""
        counts |= {f"{which}inputs": finding.inputs, f"{which}differences": finding.differences}
        example = finding.smallest
        reading = self._reading
        sides = (reading.baseline, self.key.implementation)
        asked = f"{one_line(example.input.id)} ({one_line(example.input.category)})"
        shown_lines = question_lines(example.question, example.difference, sides)
        lines = [f"{asked}, {shown_lines[0]}", *shown_lines[1:]]
        if finding.known is not UNSET:
            lines.append(f"known: {one_line(finding.known.reason)}")
        return Outcome(
            self.key,
            State.KNOWN if is_known else State.FAILS,
            self.title,
            finding.verdict,
            counts,
            lines=tuple(lines),
            repeat=one_line(finding.repeat, 2000),
            places=((self.stage, self.field),),
        )

    @property
    def title(self) -> str:
        """What it is about, on one line."""
        finding = self._finding
        what = f"{self.field}: " if self.field else ""
        party = f" ({finding.party})" if finding.party is not None else ""
        detail = f" ({one_line(finding.detail, 60)})" if finding.detail else ""
        return (
            f"{one_line(self.key.implementation)} on {one_line(self.key.subject)} at {self.stage}: {what}"
            f"{finding.kind}{party}{detail}"
        )

    def inputs(self) -> Iterator[Outcome]:
        """Yield an outcome for each input that shows it for itself."""
        state = State.KNOWN if self.is_known else State.FAILS
        for each in self._finding.own_inputs:
            key = replace(self.key, aspect=Aspect.INPUT, parts=(each,))
            yield Outcome(key, state, one_line(each), places=((self.stage, self.field),))


def _stage_outcome(implementation: str, tokenizer: str, stage: str, counts: StageCounts, baseline: str) -> Outcome:
    key = Key(Aspect.STAGE, implementation, tokenizer, (stage,), baseline)
    title = f"{one_line(implementation)} on {one_line(tokenizer)} at {one_line(stage)}"
    return Outcome(
        key,
        State.SOUND if counts.answered else State.NOT_COMPARED,
        f"{title}: {counts.answered:,} values" if counts.answered else title,
        why="" if counts.answered else "it was not shown (unsupported)",
        places=((stage, None),),
    )


def _figures(implementation: str, tokenizer: str, result: run.Result) -> Iterator[tuple[Figure, float]]:
    def figure(name: str) -> Figure:
        return Figure(implementation, tokenizer, name)

    yield figure("failing inputs"), result.failing_inputs
    yield figure("seconds of the implementation"), result.seconds
    for stage, counts in result.stages.items():
        for verdict, count in counts.inputs.items():
            yield figure(f"{stage}: inputs {verdict}"), count
    impact = result.impact
    if impact is None:
        return
    yield figure("impact: inputs with other ids"), impact.documents.changed
    if impact.words is not None:
        yield figure("impact: words with other ids"), impact.words.changed
    yield figure("impact: tokens of these, baseline"), impact.tokens_before
    yield figure("impact: tokens of these"), impact.tokens


# What was not compared ------------------------------------------------------------------------------------------------


def lacks(side: RunSide, other: RunSide, outcome: Outcome) -> str:
    """Say why ``side`` could not have found ``outcome``, which ``other`` may have; empty where it would have."""
    if outcome.key.aspect is Aspect.CAUSE:
        return _lacks_cause(side, other, outcome)
    return _lacks_of(side, other, outcome, outcome.key.subject)


def _lacks_cause(side: RunSide, other: RunSide, outcome: Outcome) -> str:
    tokenizers = [place.removeprefix("\0") for place, _ in outcome.places if place.startswith("\0")]
    places = tuple(each for each in outcome.places if not each[0].startswith("\0"))
    plain = replace(outcome, places=places)
    if not side.causes_sought and any(
        key.aspect is Aspect.FINDING and key.implementation == outcome.key.implementation for key in side.outcomes
    ):
        return "no causes were looked for"
    for tokenizer in tokenizers:
        why = _lacks_of(side, other, plain, tokenizer)
        if why:
            return why
        row, others = (each.rows.get((tokenizer, outcome.key.implementation)) for each in (side, other))
        if row is not None and row.uncounted:
            return f"the time to look for causes was spent on {one_line(tokenizer)}"
        if row is not None and others is not None and row.known > others.known:
            return f"a ledger knows more differences on {one_line(tokenizer)}, of which no causes are told"
    return ""


def _lacks_of(side: RunSide, other: RunSide, outcome: Outcome, tokenizer: str) -> str:
    """Say why ``side`` could not have found ``outcome`` on ``tokenizer``."""
    key = outcome.key
    why = _lacks_sides(side, other, key, tokenizer)
    if why or key.aspect is Aspect.LOADING:
        return why or _lacks_loading(side, key)
    row = side.rows.get((tokenizer, key.implementation))
    if row is None:
        return f"the run did not reach {one_line(tokenizer)}"
    why = _lacks_inputs(side, other, key, row, tokenizer)
    if why or key.aspect is Aspect.SHORTFALL:
        return why or _lacks_end(side, outcome)
    others = other.rows.get((tokenizer, key.implementation))
    for place in outcome.places:
        why = _lacks_stage(side, key, row, place) or _lacks_values(key, row, others, place)
        if why:
            return why
    return ""


def _lacks_sides(side: RunSide, other: RunSide, key: Key, tokenizer: str) -> str:
    """Say why the implementation, the baseline or the tokenizer is not the one that it is on the other side."""
    name = one_line(tokenizer)
    for each in (key.implementation, tokenizer):
        if each in side.refused:
            return f"{one_line(each)} could not be used: {one_line(side.refused[each], 160)}"
    if key.implementation not in side.names.values():
        return f"{one_line(key.implementation)} was not asked"
    if side.baseline != other.baseline:
        return "the baseline is another one"
    if tokenizer not in side.tokenizers:
        return f"{name} was not asked about"
    is_other = side.tokenizers[tokenizer] != other.tokenizers.get(tokenizer, side.tokenizers[tokenizer])
    return f"the tokenizer.json of {name} is another one" if is_other else ""


def _lacks_loading(side: RunSide, key: Key) -> str:
    plain = Key(Aspect.LOADING, key.implementation, key.subject)
    if plain in side.outcomes or (key.subject, key.implementation) in side.rows:
        return ""
    if key.implementation == side.baseline and any(tokenizer == key.subject for tokenizer, _ in side.rows):
        return ""
    return f"the run did not reach {one_line(key.subject)}"


def _lacks_inputs(side: RunSide, other: RunSide, key: Key, row: Row, tokenizer: str) -> str:
    """Say why not all inputs of the other side were compared, or not so that it would be known."""
    name = one_line(tokenizer)
    if row.refused:
        return f"{name} was not loaded: {one_line(row.refused, 160)}"
    if not side.inputs.are(other.inputs):
        return "the inputs are others"
    if side.shard != other.shard or (side.shard is not None and side.inputs != other.inputs):
        return "other parts of the inputs were asked about (--shard)"
    if not row.is_complete:
        return f"the run was cut short on {name}, after {row.inputs:,} inputs"
    if key in row.unstable:
        return "it was unstable: asked again, the answer was another one"
    is_unknown = key.aspect is Aspect.INPUT and row.capped
    return f"only the first {MOST_IDS} inputs of a finding are recorded" if is_unknown else ""


def _lacks_end(side: RunSide, outcome: Outcome) -> str:
    """Say why it cannot be told whether too little was answered."""
    if not side.ending.is_whole:
        return "the run did not finish"
    stage, what = outcome.key.parts
    is_left_out = stage not in side.stages or what not in side.fields
    return f"{one_line(what)} at {one_line(stage)} was left out (--stage or --field)" if is_left_out else ""


def _lacks_stage(side: RunSide, key: Key, row: Row, place: tuple[str, str | None]) -> str:
    stage, what = place
    if what is not None and what not in side.fields:
        return f"{one_line(what)} was left out (--field)"
    if stage not in side.stages or stage not in row.stages:
        return f"{one_line(stage)} was left out (--stage or --field)"
    is_unseen = key.aspect is Aspect.STAGE and not row.stages[stage].answered
    return f"{one_line(stage)} was not shown (unsupported)" if is_unseen else ""


def _lacks_values(key: Key, row: Row, others: Row | None, place: tuple[str, str | None]) -> str:
    """Say by how much less was compared than on the other side, where ``others`` is its row."""
    stage, what = place
    there = None if others is None else others.stages.get(stage)
    if others is None or there is None or key.aspect is Aspect.STAGE:
        return ""
    here = row.stages[stage]
    if here.questions < there.questions or row.ids < others.ids:
        return f"fewer questions were asked at {one_line(stage)}"
    fewer = here.unseen(what) - there.unseen(what)
    words = f"{fewer:,} more answers at {one_line(stage)} had no {one_line(what or 'value')} to compare"
    return f"{words} (not shown, an error, or none at all)" if fewer > 0 else ""


RUNS: Kind[RunSide] = Kind("run", run.FORMAT, parties, remarks, read, lacks)
