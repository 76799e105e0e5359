"""Records of ``tokconf run``, and of diffs of snapshots: findings, causes, inputs, loading, what was compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.page import minimizing
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
    recorded_cause,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.results.records.lines import Ending, Opening, read_lines
from tokenizer_conformance.results.records.node import ShapeError
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.record_reader import recorded_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.diff.records.matching import Matching, Party
    from tokenizer_conformance.results.records.node import Node
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
    unsupported: dict[str, int]
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
    """What an implementation came to on a tokenizer; ``refused`` says why nothing was compared.

    ``unstable`` are findings and inputs of which answers differed, and were others when asked again. ``capped``: inputs
    may differ that are not named.
    """

    is_complete: bool
    inputs: int
    ids: int
    refused: str
    stages: dict[str, StageCounts]
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


def parties(header: Node) -> list[Party]:
    """Return who was asked."""
    return parties_in(header, "implementations", header.text("baseline"))


def remarks(then: Node, now: Node, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if matching.name(then.text("baseline")) != now.text("baseline"):
        found.append(
            f"another baseline: {shown(then.text('baseline'))} then, {shown(now.text('baseline'))} now; no answer is "
            "compared"
        )
    found += _input_remarks(then, now)
    olds, news = (_tokenizers(each) for each in (then, now))
    found += [f"tokenizer {one_line(name)} was not asked about now" for name in olds if name not in news]
    found += [f"tokenizer {one_line(name)} was not asked about then" for name in news if name not in olds]
    found += [
        f"tokenizer {one_line(name)}: its tokenizer.json is another one now"
        for name, sha256 in olds.items()
        if news.get(name, sha256) != sha256
    ]
    ledgers = (
        [(each.text("name"), each.text("sha256")) for each in side.nodes("ledgers")] for side in _later(then, now)
    )
    first, second = ledgers
    if first != second:
        names = (shown([name for name, _ in side]) for side in (first, second))
        found.append(
            "other ledgers: {} then, {} now".format(*names)
            if dict(first).keys() != dict(second).keys()
            else f"ledgers with other entries: {shown([name for name, _ in second])}"
        )
    found += value_remarks(then, now, OPTIONS)
    for when, side in (("then", then), ("now", now)):
        if side.holds("shard"):
            found.append(f"a part of a run {when} (--shard {shown(side.value['shard'])})")
    return found


def _input_remarks(then: Node, now: Node) -> list[str]:
    was, is_ = (_inputs(each) for each in (then, now))
    if was.sha256 == is_.sha256:
        return []
    if was.are(is_):
        return ["the same inputs, whose sources were given in another order"]
    counts = [each.node("inputs").count("count") for each in (then, now)]
    return [
        "other inputs: {:,} then, {:,} now; what only one of the records has is neither new nor fixed".format(*counts)
    ]


def _inputs(header: Node) -> RecordedInputs:
    found = header.node("inputs")
    return RecordedInputs(found.text("sha256"), found.texts("sources") if found.has("sources") else ())


def _later(*headers: Node) -> list[Node]:
    """Return ``headers`` with what earlier releases left out."""
    return [replace(each, value={"ledgers": [], **each.value}) for each in headers]


def _tokenizers(header: Node) -> dict[str, str]:
    return {each.text("name"): each.text("sha256") for each in header.nodes("tokenizers")}


# Reading --------------------------------------------------------------------------------------------------------------


def read(opening: Opening, ending: Ending, matching: Matching) -> RunSide:
    """Read the record. Raises :class:`BadInputError`."""
    header = opening.header
    side = RunSide(
        baseline=matching.name(header.text("baseline")),
        names={each.name: matching.name(each.name) for each in parties(header)},
        tokenizers=_tokenizers(header),
        inputs=_inputs(header),
        stages=frozenset(header.texts("stages")),
        fields=frozenset(header.texts("fields")),
        shard=header.value.get("shard"),
        ending=ending,
    )
    reading = _Reading(side, str(opening.path), header.text("baseline"))
    read_lines(opening, ending, reading.take)
    reading.end()
    return side


class _Reading:
    """The lines of a record being taken in. The last word on a tokenizer counts."""

    def __init__(self, side: RunSide, path: str, baseline: str) -> None:
        self.side = side
        self._path = path
        self.baseline = baseline
        self._begun: dict[str, Node] = {}
        self._of: dict[str, tuple[dict[Key, Outcome], dict[Figure, float]]] = {}
        self._rows: dict[str, dict[str, Row]] = {}
        self._causes: dict[str, list[Node]] = {}
        self._finished: dict[str, TokenizerFinished] = {}

    def take(self, kind: str, line: Node) -> None:
        match kind:
            case "checkpoint":
                self._begun[line.text("tokenizer")] = line
            case "tokenizer":
                self._begun.pop(line.text("tokenizer"), None)
                self._tokenizer(line)
            case "causes":
                self._sought(line)
            case "load_failed":
                self._loading(line.text("tokenizer"), line.text("implementation"), line.text("reason"))
            case "loaded":
                line.number("seconds")
                self._loading(line.text("tokenizer"), line.text("implementation"), "")
            case "refused" | "implementation_missing":
                name = line.text("name")
                self.side.refused[self.side.names.get(name, name)] = line.text("reason")
            case "loading_change":
                self._loading_change(line)
            case "footer":
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

    def _loading_change(self, line: Node) -> None:
        tokenizer, what, path = line.text("tokenizer"), line.text("what"), line.text("path")
        old, new = line.text("old"), line.text("new")
        others = [name for name in self.side.names.values() if name != self.side.baseline]
        key = Key(Aspect.LOADING, others[0] if others else "", tokenizer, (what, path))
        self.side.outcomes[key] = Outcome(
            key,
            State.KNOWN if line.holds("known") else State.FAILS,
            f"{one_line(tokenizer)}: {one_line(what)} {one_line(path)}".rstrip(),
            "changed",
            manner=new,
            lines=(f"{one_line(old, 160)} -> {one_line(new, 160)}",),
        )

    def _tokenizer(self, line: Node) -> None:
        tokenizer = line.text("tokenizer")
        outcomes: dict[Key, Outcome] = {}
        figures: dict[Figure, float] = {Figure("", tokenizer, "seconds"): line.number("seconds")}
        rows: dict[str, Row] = {}
        findings = [_Found(self, tokenizer, each) for each in line.nodes("findings")]
        known = [_Found(self, tokenizer, each) for each in (line.nodes("known") if line.has("known") else [])]
        unstable = [_Found(self, tokenizer, each) for each in line.nodes("unstable")]
        for found in (*findings, *known):
            outcomes[found.key] = found.joined(outcomes.get(found.key), is_known=found.node.holds("known"))
        for found in (*findings, *known):
            for outcome in found.inputs():
                was = outcomes.get(outcome.key, outcome)
                places = tuple(dict.fromkeys((*was.places, *outcome.places)))
                outcomes[outcome.key] = replace(was, places=places)
        for result in line.nodes("results"):
            name = self.name(result.text("implementation"))
            own = [each for each in (*findings, *known) if each.key.implementation == name]
            rows[name] = self._row(line, result, own, [each for each in unstable if each.key.implementation == name])
            for stage, counts in rows[name].stages.items():
                outcome = _stage_outcome(name, tokenizer, stage, counts, self.side.baseline)
                outcomes[outcome.key] = outcome
            figures |= _figures(name, tokenizer, result)
        self._causes.setdefault(tokenizer, [])
        self._causes[tokenizer] += line.nodes("causes") if line.has("causes") else []
        self._finished[tokenizer] = recorded_tokenizer(line.value, {})
        self._of[tokenizer] = (outcomes, figures)
        self._rows[tokenizer] = rows

    def _row(self, line: Node, result: Node, findings: list[_Found], unstable: list[_Found]) -> Row:
        by_baseline, refused = line.text_or_none("baseline_load_error"), result.text_or_none("load_error")
        if by_baseline is not None:
            self._loading(line.text("tokenizer"), self.baseline, by_baseline)
        if refused is not None:
            self._loading(line.text("tokenizer"), result.text("implementation"), refused)
        stages = {
            name: StageCounts(
                Counter({Verdict(verdict): count for verdict, count in counts.counts("values").items()}),
                counts.counts("unsupported_fields"),
                counts.count("questions"),
                counts.count("known_without_value") if counts.has("known_without_value") else 0,
            )
            for name, counts in result.node("stages").members()
        }
        return Row(
            line.flag("complete"),
            line.count("inputs"),
            line.count("ids"),
            by_baseline or refused or "",
            stages,
            line.count("uncounted") if line.has("uncounted") else 0,
            frozenset(key for each in unstable for key in (each.key, *(outcome.key for outcome in each.inputs()))),
            any(each.is_capped or not each.node.has("own_inputs") for each in (*findings, *unstable)),
        )

    # Causes and the end

    def _sought(self, line: Node) -> None:
        tokenizer, uncounted = line.text("tokenizer"), line.count("uncounted")
        self._causes[tokenizer] = line.nodes("causes")
        rows = self._rows.get(tokenizer, {})
        self._rows[tokenizer] = {name: replace(row, uncounted=uncounted) for name, row in rows.items()}

    def _take_causes(self, causes: list[Node], *, is_numbered: bool = True) -> None:
        self.side.causes_sought = self.side.causes_sought or bool(causes)
        numbers = self._numbers(causes) if is_numbered else [None] * len(causes)
        for number, node in zip(numbers, causes, strict=True):
            outcome = self._cause(node, number)
            was = self.side.outcomes.get(outcome.key)
            if was is not None:
                counts = {name: count + was.counts[name] for name, count in outcome.counts.items()}
                outcome = replace(was, counts=counts)
            self.side.outcomes[outcome.key] = outcome

    def _numbers(self, nodes: list[Node]) -> list[int | None]:
        """Return the number of the problem that each cause is told at."""
        causes = [recorded_cause(node) for node in nodes]
        numbers = {id(each.cause): each.number for each in problems_of(self._finished.values(), causes)}
        return [numbers.get(id(cause)) for cause in causes]

    def _cause(self, node: Node, number: int | None) -> Outcome:
        cause = recorded_cause(node)
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

    def _footer(self, line: Node) -> None:
        self.side.figures[Figure("", "", "seconds")] = line.number("seconds")
        for name in ("compared", "differences", "known"):
            if line.has(name):
                self.side.figures[Figure("", "", name)] = line.count(name)
        self._take_causes(line.nodes("causes") if line.has("causes") else [])
        for short in line.nodes("shortfalls") if line.has("shortfalls") else []:
            name, stage, what = self.name(short.text("implementation")), short.text("stage"), short.text("field")
            key = Key(Aspect.SHORTFALL, name, short.text("tokenizer"), (stage, what), self.side.baseline)
            answered, asked = short.count("answered"), short.count("asked")
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

    def __init__(self, reading: _Reading, tokenizer: str, node: Node) -> None:
        self.node = node
        self._reading = reading
        name, baseline = reading.name(node.text("implementation")), reading.side.baseline
        self.stage, self.field = node.text("stage"), node.text_or_none("field")
        self.verdict = node.text("verdict")
        manner = (self.verdict, node.text("kind"), node.text_or_none("party") or "", node.text("detail"))
        self.key = Key(Aspect.FINDING, name, tokenizer, (self.stage, self.field or "", *manner), baseline)
        self.own_inputs = node.texts("own_inputs") if node.has("own_inputs") else ()

    @property
    def is_capped(self) -> bool:
        """Whether more inputs may show it than are named."""
        return len(self.own_inputs) >= MOST_IDS

    def joined(self, other: Outcome | None, *, is_known: bool) -> Outcome:
        """Return the outcome, with that of the same signature that the ledger knows, or does not."""
        own = self._outcome(is_known=is_known)
        if other is None:
            return own
        shown_one = own if own.state is State.FAILS else other
        counts = {name: own.counts[name] + other.counts[name] for name in own.counts}
        return replace(shown_one, counts=counts)

    def _outcome(self, *, is_known: bool) -> Outcome:
        node = self.node
        inputs, differences = node.count("inputs"), node.count("differences")
        node.count("consequences")
        counts = {"inputs": 0, "differences": 0, "known inputs": 0, "known differences": 0}
        which = "known " if is_known else ""
        counts |= {f"{which}inputs": inputs, f"{which}differences": differences}
        example = node.node("smallest")
        reading = self._reading
        sides = (reading.baseline, self.key.implementation)
        where = example.node("input")
        shown_lines = question_lines(example.node("question"), example.node("difference"), sides)
        lines = [
            f"{one_line(where.text('id'))} ({one_line(where.text('category'))}), {shown_lines[0]}",
            *shown_lines[1:],
        ]
        if is_known:
            lines.append(f"known: {one_line(node.node('known').text('reason'))}")
        return Outcome(
            self.key,
            State.KNOWN if is_known else State.FAILS,
            self.title,
            self.verdict,
            counts,
            lines=tuple(lines),
            repeat=one_line(node.text_or_none("repeat") or "", 2000),
            places=((self.stage, self.field),),
        )

    @property
    def title(self) -> str:
        """What it is about, on one line."""
        node = self.node
        what = f"{one_line(self.field)}: " if self.field else ""
        party = f" ({one_line(node.text('party'))})" if node.holds("party") else ""
        detail = f" ({one_line(node.text('detail'), 60)})" if node.text("detail") else ""
        return (
            f"{one_line(self.key.implementation)} on {one_line(self.key.subject)} at {one_line(self.stage)}: {what}"
            f"{one_line(node.text('kind'))}{party}{detail}"
        )

    def inputs(self) -> Iterator[Outcome]:
        """Yield an outcome for each input that shows it for itself."""
        state = State.KNOWN if self.node.holds("known") else State.FAILS
        for each in self.own_inputs:
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


def _figures(implementation: str, tokenizer: str, result: Node) -> Iterator[tuple[Figure, float]]:
    def figure(name: str) -> Figure:
        return Figure(implementation, tokenizer, name)

    yield figure("failing inputs"), result.count("failing_inputs")
    yield figure("seconds of the implementation"), result.number("seconds")
    for stage, counts in result.node("stages").members():
        for verdict, count in counts.counts("inputs").items():
            yield figure(f"{stage}: inputs {Verdict(verdict).value}"), count
    if not result.holds("impact"):
        return
    impact = result.node("impact")
    yield figure("impact: inputs with other ids"), impact.node("documents").count("changed")
    if impact.holds("words"):
        yield figure("impact: words with other ids"), impact.node("words").count("changed")
    yield figure("impact: tokens of these, baseline"), impact.count("tokens_before")
    yield figure("impact: tokens of these"), impact.count("tokens")


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


RUNS: Kind[RunSide] = Kind("run", FORMAT, parties, remarks, read, lacks)
