"""The page of an audit of streams: how many give the text of decoding at once, and why the others do not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import DecodeStream
from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.comparison.wording import describe
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.results.answers import subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Cell,
    Compared,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Table,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    environment_facts,
    outcome_of,
    page_state,
)
from tokenizer_conformance.results.records import streams_audit as lines
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

Place = tuple[str, str]
"""A tokenizer, and an implementation."""

STREAMS = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: (
            "gives another text than decoding at once on {}",
            "give another text than decoding at once on {}",
        ),
        Result.NOT_SHOWN: ("cannot be asked for streams on {}", "cannot be asked for streams on {}"),
        Result.CONFORMS: (
            "gives, as far as that can be, the text of decoding at once on {}",
            "give, as far as that can be, the text of decoding at once on {}",
        ),
    },
)
"""What is said of implementations whose streams are judged."""

CELL_WORDS = {
    State.AGREE: ("", "all streams give the text of decoding at once"),
    State.ACCEPTABLE: ("", "all do but those that are limited: the decoder takes back what was given out"),
    State.DIFFER: ("", "some streams are wrong"),
}
"""What the signs mean; the cells say how many streams."""

ABOUT = (
    (
        "What was shown of the prompt and the texts of all steps, joined, should be the text of all ids decoded at "
        "once. Each implementation is judged by its own decoding."
    ),
    (
        "Where a decoder sets a limit, that is no fault of the stream: what is given out as it comes cannot be right "
        "where the decoder later says otherwise. Each limit is proven by the reference, with a component of the "
        "decoder made harmless."
    ),
)


class StreamsAuditReader(PageReader[lines.Header]):
    """Reads the record of an audit of streams."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._reasons = {each.name: each for each in header.reasons}
        self._implementations = [each.name for each in header.implementations]
        self._tokenizers = [each.name for each in header.tokenizers]
        self._not_loaded: dict[Place, lines.NotLoaded] = {}
        self._audited: dict[Place, lines.Audited] = {}
        self._found: dict[tuple[str, str], list[tuple[lines.Audited, lines.Finding]]] = {}
        self._missing: list[str] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case Refused():
                self.complaints.append(line.reason)
            case lines.NotLoaded():
                self._not_loaded[line.tokenizer, line.implementation] = line
            case lines.Audited():
                self._take_audited(line)
            case lines.Footer():
                self._footer = line

    def _take_audited(self, line: lines.Audited) -> None:
        self._audited[line.tokenizer, line.implementation] = line
        for each in line.findings:
            self._found.setdefault((line.implementation, each.reason), []).append((line, each))
        self.complaints += [f"{line.tokenizer}, by {line.implementation}: it said: {each}" for each in line.trouble]

    def _findings(self) -> Iterator[ShownFinding]:
        """Yield what was found of each implementation, for each reason once, with the smallest example."""
        for number, ((implementation, name), found) in enumerate(self._found.items(), 1):
            reason = self._reasons[name]
            line, smallest = min(found, key=lambda each: len(each[1].question.ids) + len(each[1].question.prompt))
            question, streams = asked_in(smallest), sum(each.streams for _, each in found)
            yield ShownFinding(
                id=f"stream-{number}",
                group="limits" if reason.limit else "faults",
                headline=headline(reason),
                implementation=implementation,
                tokenizer=line.tokenizer,
                reason=name,
                standing=Novelty.ACCEPTABLE if reason.limit else Novelty.NEW,
                count=streams,
                impact=f"{streams:,} of {counted(sum(each.judged for each, _ in found), 'stream')}",
                subjects=subjects_of(question),
                lines=tuple(example(smallest)),
                explanation=reason.sentence,
                proof=smallest.proof,
                repeat=smallest.repeat,
                facts=(
                    Fact("question", describe(question)),
                    Fact("seen on", ", ".join(f"{each.tokenizer} ({one.streams:,})" for each, one in found)),
                ),
            )

    def page(self, ended: Ended) -> Page:
        """Return the page of the audit."""
        header = self._header
        outcomes = Outcomes(tuple(self._outcomes()), STREAMS)
        findings = tuple(sorted(self._findings(), key=lambda each: each.group == "limits"))
        return Page(
            name=self._name,
            kind="audit of streams",
            title=f"Streams of {few(self._implementations, 'implementation')} on {few(self._tokenizers, 'tokenizer')}",
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=tuple(self._sentences()),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(
                Compared(each.name, each.version, "audited", each.language) for each in header.implementations
            ),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="streams",
            sections=tuple(self._sections()),
        )

    def _outcomes(self) -> Iterator[Outcome]:
        for name in self._implementations:
            for each in self._tokenizers:
                yield outcome_of(name, each, [self._cell((each, name))])
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sentences(self) -> Iterator[Sentence]:
        for (tokenizer, implementation), refused in self._not_loaded.items():
            text = f"{tokenizer}, by {implementation}: not loaded: {refused.reason}"
            yield Sentence(text, (tokenizer, implementation))
        for name in self._implementations:
            told = [line for (_, implementation), line in self._audited.items() if implementation == name]
            if told:
                yield Sentence(_sentence(name, told), (name,))

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        yield Fact("streams", f"{header.cases:,} for each implementation and tokenizer, seed {header.seed}")
        yield Fact("texts", f"{header.inputs.count:,} (SHA-256 {header.inputs.sha256[:16]}…)")
        for each in header.tokenizers:
            yield Fact("file", f"{each.name}: {each.file} (SHA-256 {each.sha256[:16]}…)", is_detail=True)

    def _matrices(self) -> Iterator[Matrix]:
        rows = tuple(
            (tokenizer, tuple(self._cell((tokenizer, name)) for name in self._implementations))
            for tokenizer in self._tokenizers
        )
        columns = tuple(self._implementations)
        yield Matrix("Streams that give the text of decoding at once", "tokenizer", columns, rows, words=CELL_WORDS)

    def _cell(self, place: Place) -> Cell:
        refused, line = self._not_loaded.get(place), self._audited.get(place)
        if refused is not None:
            state = State.UNSUPPORTED if refused.unsupported else State.ERROR
            return Cell(state, "not loaded", refused.reason)
        if line is None:
            return Cell(State.NOT_COMPARED, "not reached")
        of = {"implementation": place[1]}  # a finding is of all tokenizers
        if line.lost:
            return Cell(State.ERROR, f"{line.lost:,} without any answer", "", of)
        if not line.judged:
            return Cell(State.UNSUPPORTED, "no streams", "; ".join(line.trouble))
        told = f"{line.held:,} of {line.judged:,}"
        parts = [f"{line.limited:,} limited"] if line.limited else []
        parts += [f"{line.broken:,} wrong"] if line.broken else []
        state = State.DIFFER if line.broken else State.ACCEPTABLE if line.limited else State.AGREE
        return Cell(state, ", ".join([told, *parts]), "", of if parts else {})

    def _sections(self) -> Iterator[Section]:
        streams, places = Counter[str](), Counter[str]()
        for line in self._audited.values():
            for found in line.findings:
                streams[found.reason] += found.streams
                places[found.reason] += 1
        rows = tuple(
            (each.name, "limit" if each.limit else "fault", each.sentence, streams[each.name], places[each.name])
            for each in self._header.reasons
            if streams[each.name]
        )
        columns = ("reason", "kind", "what it says", "streams", "implementations on tokenizers")
        yield Section("Reasons", ABOUT, tables=(Table("Why they give another text", columns, rows),))
        yield Section("Kinds of ids", tables=(self._kinds(),), is_detail=True)

    def _kinds(self) -> Table:
        rows = tuple(
            (name, kind, *(sum(getattr(each, what) for each in found) for what in ("judged", "held", "limited")))
            for name in self._implementations
            for kind in dict.fromkeys(each.name for line in self._audited.values() for each in line.kinds)
            if (found := [each for line in self._of(name) for each in line.kinds if each.name == kind])
        )
        columns = ("implementation", "ids of", "streams judged", "the same text", "no stream can give it")
        return Table("Of which ids", columns, rows)

    def _of(self, name: str) -> list[lines.Audited]:
        return [line for (_, implementation), line in self._audited.items() if implementation == name]


def _sentence(name: str, told: list[lines.Audited]) -> str:
    judged, held, limited, broken = (
        sum(getattr(each, what) for each in told) for what in ("judged", "held", "limited", "broken")
    )
    unsupported = sum(each.unsupported for each in told)
    more = f"; {counted(unsupported, 'stream')} it has no way to answer" if unsupported else ""
    return (
        f"{name}: {held:,} of {counted(judged, 'stream')} on {counted(len(told), 'tokenizer')} give the text of "
        f"decoding at once; {limited:,} cannot, and {broken:,} are wrong{more}."
    )


def headline(reason: lines.Reason) -> str:
    """Return what is found."""
    what = "no stream can be right" if reason.limit else "another text than decoding at once"
    return what if reason.name == UNEXPLAINED else f"{what}: {reason.name}"


def asked_in(found: lines.Finding) -> DecodeStream:
    """Return the question of the example."""
    asked = found.question
    return DecodeStream(asked.ids, asked.skip_special_tokens, asked.prompt, asked.chunks)


def example(found: lines.Finding) -> Iterator[str]:
    """Yield the lines that show what was answered in the example of a finding."""
    question = asked_in(found)
    if question.chunks:
        yield f"in steps of {', '.join(str(len(step)) for step in question.steps)}"
    if question.prompt:
        yield f"prompt decoded   {quoted(found.before)}"
    yield f"all ids decoded  {quoted(found.whole)}"
    if found.given is None:
        yield f"the stream       raises {one_line(found.error)}"
    else:
        yield f"the stream       {', '.join('nothing' if each is None else quoted(each) for each in found.given)}"


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    broken = footer.judged - footer.held - footer.limited
    return (
        f"{counted(footer.judged, 'stream')} judged; {footer.held:,} give the text of decoding at once, "
        f"{footer.limited:,} cannot, {broken:,} are wrong"
    )


STREAMS_AUDITS = RecordedPage("an audit of streams", lines.FORMAT, StreamsAuditReader)
