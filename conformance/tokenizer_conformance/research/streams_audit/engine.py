"""An audit of streams from beginning to end: one implementation after the other, on one tokenizer after the other.

It yields the lines of its record, and how far it has come.
"""

from __future__ import annotations

import json
import shlex
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    CannotLoadError,
    Chunks,
    Crashed,
    DecodeStream,
    Encode,
    Encoded,
    Failed,
    Unsupported,
)
from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.causes.classes.stream_rules import NoTextError
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS, Place, Reached
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.streams_audit.drawing import KINDS, Case, case_of, material_of
from tokenizer_conformance.research.streams_audit.law import Texts, first_break, held_back, keeps, questions_about
from tokenizer_conformance.research.streams_audit.reasons import BY_NO_RULE, CLASSES, Found, reasons_of, speaks_for
from tokenizer_conformance.results.records import answers
from tokenizer_conformance.results.records import streams_audit as lines
from tokenizer_conformance.results.records.headers import Inputs
from tokenizer_conformance.results.records.making import (
    LastLine,
    header_of,
    implementation_of,
    last_line,
    made,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation, Observation, Outcome
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.corpus import Inputs as Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.streams_audit.drawing import Ids, Material

BATCH = 64
"""How many streams are asked at once."""

MOST_TEXTS = 400
"""How many texts are encoded for their ids."""

MOST_CHARACTERS = 400

MOST_TROUBLE = 3
"""How many messages of questions without a value are told of one implementation on one tokenizer."""

MOST_CHECKS = 200
"""How many smaller examples of a finding are tried."""


@dataclass(frozen=True, slots=True)
class Call:
    """How an audit was called: names lead to the words of a command line; ``options`` say what is drawn."""

    tokenizers: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def repeat(self, tokenizer: str, implementation: str, number: int) -> str:
        """Return the command line that audits ``implementation`` on stream ``number`` alone."""
        words = ["tokconf", "audit", "streams", self.tokenizers.get(tokenizer, tokenizer)]
        words += ["-i", self.implementations.get(implementation, implementation)]
        return shlex.join([*words, *self.options, "--start", str(number), "--cases", "1"])


@dataclass(frozen=True, slots=True)
class StreamsAuditPlan:
    """Each of ``implementations`` is asked the streams of these ``numbers`` with each of ``tokenizers``.

    ``corpus`` are the texts whose ids are streamed. ``optional`` are the names of those that were not asked for one by
    one: they need not answer streams. ``refusals``, ``unavailable`` and ``absent`` were asked for and cannot be used;
    ``command`` is the command line.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    corpus: Corpus
    numbers: range = range(1000)
    seed: int = 0
    call: Call = field(default_factory=Call)
    optional: frozenset[str] = frozenset()
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    absent: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()


StreamsAuditEvent = (
    lines.Header | lines.NotLoaded | lines.Audited | InputRefused | ImplementationMissing | Reached | LastLine
)


def audit(plan: StreamsAuditPlan) -> Generator[StreamsAuditEvent | InternalError]:
    """Carry out ``plan`` and yield the lines of its record, and how far it has come.

    A ``KeyboardInterrupt`` ends it early, and what was found until then is told; after an error that nobody expected it
    ends in the same way.
    """
    return _Audit(plan).events()


class _Audit:
    def __init__(self, plan: StreamsAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._refused = bool(plan.refusals)
        self._failed = bool(plan.unavailable)
        self._done: list[lines.Audited] = []

    def events(self) -> Generator[StreamsAuditEvent | InternalError]:
        plan, stop = self._plan, Stop()
        yield lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementations=tuple(implementation_of(each.info) for each in plan.implementations),
            tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
            inputs=Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256),
            cases=len(plan.numbers),
            seed=plan.seed,
            reasons=tuple(made(lines.Reason, each, limit=each.is_limit) for each in CLASSES.values()),
        )
        yield from stop.guard(self._work())
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(),
            time.monotonic() - self._began,
            finished=stop.conclusion is None,
            judged=sum(each.judged for each in self._done),
            held=sum(each.held for each in self._done),
            limited=sum(each.limited for each in self._done),
            findings=sum(len(each.findings) for each in self._done),
        )

    def _work(self) -> Iterator[StreamsAuditEvent]:
        plan = self._plan
        yield from map(InputRefused, plan.refusals)
        yield from map(ImplementationMissing, plan.unavailable)
        yield from (ImplementationMissing(refusal, asked=False) for refusal in plan.absent)
        for tokenizer in plan.tokenizers:
            yield from self._of_tokenizer(tokenizer)

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: self._failed or any(each.lost for each in self._done),
                Conclusion.NOTHING_COMPARED: not any(each.judged for each in self._done),
                Conclusion.TOO_LITTLE: any(
                    not each.judged and each.implementation not in self._plan.optional for each in self._done
                ),
                Conclusion.DIFFERENCES: any(each.broken for each in self._done),
            }
        )

    def _of_tokenizer(self, tokenizer: TokenizerFile) -> Iterator[StreamsAuditEvent]:
        name = tokenizer.source.name
        STATUS.begin(name, "encoding texts")
        try:
            streams = _Streams(self._plan, tokenizer)
        except CannotLoadError as error:
            self._refused = True
            yield InputRefused(Rejected("tokenizer", name, why_not_loaded(error, tokenizer.source)))
            return
        for implementation in self._plan.implementations:
            info = implementation.info
            STATUS.begin(name, f"loading into {info.name}")
            try:
                asked = loaded(implementation, tokenizer.source)
            except CannotLoadError as error:
                self._failed = self._failed or not error.unsupported
                yield lines.NotLoaded(
                    tokenizer=name,
                    implementation=info.name,
                    implementation_version=info.version,
                    reason=why_not_loaded(error, tokenizer.source),
                    unsupported=error.unsupported,
                )
            else:
                yield from self._of_implementation(_Pairing(self._plan, streams, asked))

    def _of_implementation(self, pairing: _Pairing) -> Iterator[StreamsAuditEvent]:
        try:
            yield from pairing.judge_all()
        except KeyboardInterrupt:
            yield self._taken(pairing)
            raise
        yield self._taken(pairing)

    def _taken(self, pairing: _Pairing) -> lines.Audited:
        self._done.append(pairing.audited())
        return self._done[-1]


class _Streams:
    """What is asked about one tokenizer. Raises :class:`CannotLoadError` where the reference does not load it."""

    def __init__(self, plan: StreamsAuditPlan, tokenizer: TokenizerFile) -> None:
        self._plan = plan
        self.name = tokenizer.source.name
        self.document: dict[str, Any] = json.loads(Path(tokenizer.source.file).read_text(encoding="utf-8"))
        reference = loaded(load_implementation("reference"), tokenizer.source)
        vocabulary = reference.vocabulary()
        self.vocabulary = {} if isinstance(vocabulary, Unsupported) else vocabulary
        self.names = {id_: token for token, id_ in self.vocabulary.items()}
        special = [each["content"] for each in self.document.get("added_tokens") or () if each.get("special")]
        self._material: Material = material_of(self.vocabulary, special, tuple(_ids_of_texts(reference, plan)))

    def cases(self) -> Iterator[Case]:
        """Yield the streams."""
        return map(self._case, self._plan.numbers)

    def controls(self) -> Iterator[DecodeStream]:
        """Yield other streams, to which a reason is held where few are judged."""
        few = len(self._plan.numbers) < MOST_HELD
        return (self._case(number).question for number in range(MOST_HELD if few else 0))

    def _case(self, number: int) -> Case:
        return case_of(self._material, self.name, self._plan.seed, number)


def _ids_of_texts(reference: Asked, plan: StreamsAuditPlan) -> Iterator[Ids]:
    for each in islice(plan.corpus, MOST_TEXTS):
        encoded = reference.ask(Encode(each.input.text[:MOST_CHARACTERS]))
        if isinstance(encoded, Encoded):
            yield encoded.ids


Wrong = tuple[Case, tuple[Found, ...]]
"""A stream of which the law does not hold, and what may be the reason."""

MOST_HELD = 100
"""To how many streams of which the law holds a reason is held, and to how many others."""


class _Pairing:
    """One implementation on one tokenizer."""

    def __init__(self, plan: StreamsAuditPlan, streams: _Streams, asked: Asked) -> None:
        self._plan = plan
        self._streams = streams
        self._asked = asked
        self._judged, self._limited = Counter[str](), Counter[str]()
        self._held: dict[str, list[DecodeStream]] = {kind: [] for kind in KINDS}
        self._wrong: list[Wrong] = []
        self._findings: tuple[lines.Finding, ...] | None = None
        self._unsupported = self._failed = self._lost = 0
        self._trouble: dict[str, str] = {}
        self._finished = False

    def judge_all(self) -> Iterator[Reached]:
        """Judge all streams, and look for smaller examples of what was found."""
        info, total = self._asked.info, len(self._plan.numbers)
        title, done = f"{self._streams.name} by {info.name}", 0
        cases = self._streams.cases()
        while batch := list(islice(cases, BATCH)):
            STATUS.at("asking", info.name)
            self._asked.ask_ahead(each for case in batch for each in questions_about(case.question))
            STATUS.at("judging", info.name)
            for case in batch:
                self._judge(case)
            self._asked.forget()
            done += len(batch)
            yield Reached(Place(title, done, total))
        STATUS.begin(title, "looking for smaller examples")
        self._findings = tuple(
            self._finding(name, found, *self._reduced(name, *_smallest(found, name))) for name, found in self._groups()
        )
        self._finished = True

    def _judge(self, case: Case) -> None:
        question = case.question
        outcome = self._asked.ask(question)
        match outcome:
            case Unsupported():
                self._unsupported += 1
            case Chunks() | Failed():
                try:
                    found = self._why_not(question, outcome)
                except NoTextError:
                    self._failed += 1
                    self._tell(outcome)
                else:
                    self._count(case, found)
            case _:
                self._lost += 1
                self._tell(outcome)

    def _why_not(self, question: DecodeStream, outcome: Outcome) -> tuple[Found, ...]:
        """Return why the law does not hold, nothing where it does. Raises :class:`NoTextError`."""
        if keeps(question, outcome, self._texts(question)):
            return ()
        streams = self._streams
        return reasons_of(question, outcome, self._asked.ask, streams.document, streams.names)

    def _texts(self, question: DecodeStream) -> Texts:
        return Texts(self._asked.ask, question.skip_special_tokens)

    def _count(self, case: Case, found: tuple[Found, ...]) -> None:
        self._judged[case.kind] += 1
        if not found:
            self._held[case.kind].append(case.question)
            return
        self._limited[case.kind] += CLASSES[found[0].name].is_limit
        self._wrong.append((case, found))

    def _groups(self) -> Iterator[tuple[str, list[Wrong]]]:
        """Yield reasons with the streams that they explain, most first; each stream has one."""
        left = self._wrong
        while left:
            counts = Counter(each.name for _, found in left for each in found)
            order = sorted(counts, key=lambda name: (name in BY_NO_RULE, -counts[name]))
            name = next(each for each in order if each in BY_NO_RULE or not self._is_refuted(each))
            yield name, [each for each in left if name in _names(each)]
            left = [each for each in left if name not in _names(each)]

    def _is_refuted(self, name: str) -> bool:
        """Return whether the fault called ``name`` would show where the law holds, or is seldom what is wrong.

        Seldom: it would show on wrong streams that are otherwise more often than on those that it explains, which
        then are so by chance.
        """
        if CLASSES[name].is_limit:
            return False
        more_held, more_faults = self._controls
        held = [each for questions in self._held.values() for each in questions[: MOST_HELD // len(KINDS)]]
        if False in self._said(name, (*held, *more_held)):
            return True
        faults = [case.question for case, found in self._wrong if not CLASSES[found[0].name].is_limit]
        said = Counter(self._said(name, (*faults[:MOST_HELD], *more_faults)))
        return said[False] > said[True]

    @cached_property
    def _controls(self) -> tuple[list[DecodeStream], list[DecodeStream]]:
        """Return streams that were not judged: those of which the law holds, and those that are wrong."""
        held, faults = list[DecodeStream](), list[DecodeStream]()
        for question in self._streams.controls():
            outcome, text_of = self._asked.ask(question), self._texts(question)
            try:
                if keeps(question, outcome, text_of):
                    held.append(question)
                elif first_break(question, text_of) is None and held_back(question, outcome, text_of) is None:
                    faults.append(question)
            except NoTextError:
                continue
        return held, faults

    def _said(self, name: str, questions: Iterable[DecodeStream]) -> Iterator[bool | None]:
        """Yield what each of these streams says of the fault called ``name``."""
        return (speaks_for(name, each, self._asked.ask(each), self._asked.ask) for each in questions)

    def _tell(self, outcome: Outcome) -> None:
        if isinstance(outcome, Failed):
            told = f"{outcome.kind}: {outcome.message}"
        else:
            told = outcome.detail if isinstance(outcome, Crashed) else in_words(outcome)
        if len(self._trouble) < MOST_TROUBLE:
            self._trouble.setdefault(told[:40], told)

    def _reduced(self, name: str, case: Case, found: Found) -> tuple[DecodeStream, Found]:
        """Return a smaller stream than that of ``case`` of which the law does not hold for the same reason."""
        smallest = case.question, found

        def shows(question: Observation) -> bool:
            nonlocal smallest
            same = next((each for each in self._found_of(question) if each.name == name), None)
            if same is None or not isinstance(question, DecodeStream):
                return False
            smallest = question, same
            return True

        question = reduced_question(case.question, shows, MOST_CHECKS)
        return smallest if smallest[0] == question else (case.question, found)

    def _found_of(self, question: Observation) -> tuple[Found, ...]:
        if not isinstance(question, DecodeStream) or not question.ids:
            return ()
        outcome = self._asked.ask(question)
        try:
            return self._why_not(question, outcome) if isinstance(outcome, Chunks | Failed) else ()
        except NoTextError:
            return ()

    def audited(self) -> lines.Audited:
        """Return what was found."""
        info = self._asked.info
        return lines.Audited(
            tokenizer=self._streams.name,
            implementation=info.name,
            implementation_version=info.version,
            finished=self._finished,
            kinds=tuple(
                lines.Kind(name=kind, judged=count, held=len(self._held[kind]), limited=self._limited[kind])
                for kind in KINDS
                if (count := self._judged[kind])
            ),
            unsupported=self._unsupported,
            failed=self._failed,
            lost=self._lost,
            trouble=tuple(self._trouble.values()),
            findings=tuple(self._as_found()) if self._findings is None else self._findings,
        )

    def _as_found(self) -> Iterator[lines.Finding]:
        """Yield the findings without smaller examples."""
        for name, streams in self._groups():
            case, found = _smallest(streams, name)
            yield self._finding(name, streams, case.question, found)

    def _finding(self, name: str, streams: list[Wrong], question: DecodeStream, found: Found) -> lines.Finding:
        outcome, text_of = self._asked.ask(question), self._texts(question)
        number = _smallest(streams, name)[0].number
        record = {key: value for key, value in question_record(question).items() if key != "ask"}
        return lines.Finding(
            reason=name,
            streams=len(streams),
            question=made(answers.DecodeStream, None, **record),
            whole=text_of(question.all_ids),
            before=text_of(question.prompt),
            given=outcome.chunks if isinstance(outcome, Chunks) else None,
            error=f"{outcome.kind}: {outcome.message}" if isinstance(outcome, Failed) else "",
            proof=found.proof,
            repeat=self._plan.call.repeat(self._streams.name, self._asked.info.name, number),
        )


def _names(wrong: Wrong) -> set[str]:
    return {each.name for each in wrong[1]}


def _smallest(streams: list[Wrong], name: str) -> tuple[Case, Found]:
    """Return the stream with the fewest ids, if there is one of which nothing else may be the reason, of these."""
    case, found = min(streams, key=lambda wrong: (len(wrong[1]), len(wrong[0].question.all_ids)))
    return case, next(each for each in found if each.name == name)
