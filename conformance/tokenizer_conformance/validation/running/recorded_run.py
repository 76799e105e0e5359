"""The record of a run, or of a part of one, read back: its lines, the results that they tell, and what failed."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage, TokenizerSource
from tokenizer_conformance.causes.record_forms import cause_of, signature_of_record
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.record import BEGINNING, is_record
from tokenizer_conformance.command_io.recorded_header import environment_of, info_of
from tokenizer_conformance.command_io.recorded_lines import parsed_line
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.findings import Example, Finding, Near, RecordedExample
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.comparison.record_forms import difference_of, question_of, question_record
from tokenizer_conformance.comparison.whole_answers import answers_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.hub import HubSnapshot
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.ledger.matching import LedgerFile
from tokenizer_conformance.ledger.record_forms import entries_in_play_of
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import Refused
from tokenizer_conformance.results.records.lines import MALFORMED, is_later_minor, wrong_line
from tokenizer_conformance.results.records.run import (
    FORMAT,
    Causes,
    Checkpoint,
    Difference,
    Failing,
    Footer,
    ImplementationMissing,
    LedgerEntries,
    LoadFailed,
    Result,
    Sides,
    Tokenizer,
    TokenizerResult,
)
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    EntriesInPlay,
    Resumption,
    RunFinished,
    RunStarted,
    TokenizerFinished,
    Unexamined,
    WhyNot,
)
from tokenizer_conformance.validation.running.plan import EVERY_ID, VOCABULARY_INPUT, LastFailed, Requirement
from tokenizer_conformance.validation.running.record import record_of
from tokenizer_conformance.validation.running.record_changes import changes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.command_io.sinks import GrowingFile
    from tokenizer_conformance.inputs.corpus import Inputs, PairedInput
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.results.records.causes import Unexamined as LineOfUnexamined
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.running.events import Event

Json = dict[str, Any]

RESULTS = frozenset({"checkpoint", "tokenizer", "causes"})
"""The types of the lines that have to be read, whatever version wrote them."""

Entries = dict[tuple[int, int], "Entry"]
"""The entries of ledgers, by the number of the ledger and their own."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What a record says: how the run ``started``, and the ``lines`` after that, as they stand there.

    ``finished`` has the last that is said of each tokenizer, be it at a checkpoint.
    """

    read: RecordedLines
    started: RunStarted
    lines: tuple[Value, ...]
    finished: dict[str, TokenizerFinished]

    @property
    def footer(self) -> Footer | None:
        """The last line of a run that ended in any way."""
        last = self.lines[-1] if self.lines else None
        return last if isinstance(last, Footer) else None

    @property
    def is_diff(self) -> bool:
        """Whether it is the record of a diff of two sides, which is one of a run and of more."""
        return any(isinstance(line, Sides) for line in self.lines)

    @property
    def in_play(self) -> EntriesInPlay | None:
        """The entries of ledgers that are about the implementations of the run, in the record of a part."""
        line = next((line for line in self.lines if isinstance(line, LedgerEntries)), None)
        return None if line is None else EntriesInPlay(*entries_in_play_of(line.entries))


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was left: ``size`` is that of its whole lines in bytes; half a line may follow."""

    header: Json
    resumption: Resumption
    size: int


def run_of(read: RecordedLines) -> RecordedRun:
    """Return the run of which the lines were ``read``. Raises :class:`BadInputError`, with the line at fault."""
    _refuse_other_formats(read.path, read.header)
    try:
        started = started_of(read.header)
    except MALFORMED as error:
        raise wrong_line(read.path, 1, error) from error
    reading = _Reading()
    reading.take_all(read.path, read.lines)
    return RecordedRun(read, started, tuple(reading.lines), reading.finished)


def read_record(
    path: Path, inputs: Iterable[PairedInput], ledger: Ledger | None = None, content: bytes | None = None
) -> Record | None:
    """Read the record at ``path``; ``None`` where its run was killed before the first line was whole.

    ``content`` is what stands there where that was read already. Texts of examples that it has only in part are taken
    from ``inputs``, entries that it names from ``ledger``; what names another entry is left out, for a run with another
    ledger does not go on with this one. Raises :class:`BadInputError` with the line that is at fault, and ``OSError``.
    """
    content = path.read_bytes() if content is None else content
    size = content.rfind(b"\n") + 1
    if size == 0 and is_record(content):
        return None
    lines = [parsed_line(path, number, line) for number, line in enumerate(content[:size].splitlines(), 1)]
    _refuse_other_formats(path, lines[0] if lines else {})
    reading = _Reading(_Inputs(inputs), () if ledger is None else ledger.entries)
    reading.take_all(path, lines)
    return Record(lines[0], reading.resumption(), size)


def _refuse_other_formats(path: Path, header: Json) -> None:
    if header.get("type") != "header" or header.get("schema") != FORMAT.name:
        raise BadInputError(f"{str(path)!r} is no record of a run, which begins with the header of a {FORMAT.name}")
    version = str(header.get("version"))
    if version.partition(".")[0] != FORMAT.major:
        raise BadInputError(
            f"{str(path)!r} is a record of version {version}; this release reads version {FORMAT.version}"
        )


def refuse_another_run(path: Path, record: Record, started: RunStarted) -> None:
    """Raise :class:`BadInputError` where ``record`` is that of another run than the one that ``started`` begins."""
    header = json.loads(json.dumps(record_of(started)))
    try:
        changed = changes(record.header, header)
    except MALFORMED as error:
        raise wrong_line(path, 1, error) from error
    if changed:
        raise BadInputError(
            f"{str(path)!r} is the record of another run ({'; '.join(changed)}); give what was given then, "
            "or another file"
        )


def is_interrupted_run(record: GrowingFile) -> bool:
    """Return whether ``record`` is that of a run that was killed or interrupted, with which a run could go on."""
    beginning = BEGINNING + FORMAT.name.removeprefix("tokenizer-conformance-").encode("ascii") + b'"'
    if not record.head().startswith(beginning):
        return False
    last = record.last_line()
    try:
        footer = json.loads(last)
    except ValueError:  # the line is cut off
        return True
    is_footer = last.endswith(b"\n") and isinstance(footer, dict) and footer.get("type") == "footer"
    return not is_footer or footer.get("conclusion") == Conclusion.INTERRUPTED


class _Reading:
    """Takes in the lines of a record; of the checkpoints of a tokenizer the last says all that others said."""

    def __init__(self, inputs: _Inputs | None = None, entries: Iterable[Entry] = ()) -> None:
        self._inputs = inputs
        self._entries = _by_place(entries)
        self.lines: list[Value] = []
        self.finished: dict[str, TokenizerFinished] = {}

    def take_all(self, path: Path, lines: Sequence[Json]) -> None:
        """Take in all ``lines`` of the record at ``path``. Raises :class:`BadInputError`, with the line at fault.

        Where a later minor version wrote them, what is not known here is left out, but for results.
        """
        is_later = is_later_minor(str(lines[0].get("version")), FORMAT)
        last = {str(line.get("tokenizer")): at for at, line in enumerate(lines) if line.get("type") == "checkpoint"}
        for at, line in enumerate(lines):
            if line.get("type") != "checkpoint" or last[str(line.get("tokenizer"))] == at:
                try:
                    self._take(FORMAT.read(line), line)
                except MALFORMED as error:
                    if not is_later or line.get("type") in RESULTS:
                        raise wrong_line(path, at + 1, error) from error

    def _take(self, line: Value, told: Json) -> None:
        self.lines.append(line)
        match line:
            case LedgerEntries():
                self._entries |= _by_place(entries_in_play_of(line.entries)[0])
            case Checkpoint() | Tokenizer():
                self.finished[line.tokenizer] = tokenizer_of(line, told, self._entries, self._inputs)
            case Causes():
                self.finished[line.tokenizer] = causes_of(line, told).of(self.finished[line.tokenizer])

    def resumption(self) -> Resumption:
        """Return what a run goes on from."""
        failing: dict[str, set[str]] = {}
        for line in self.lines:
            if isinstance(line, Failing):
                failing.setdefault(line.tokenizer, set()).update(spelled_out(line.inputs))
        return Resumption(
            {name: each for name, each in self.finished.items() if each.complete},
            {name: each for name, each in self.finished.items() if not each.complete},
            tuple(line for line in self.lines if isinstance(line, LoadFailed)),
            failing,
        )


class _Inputs:
    """The inputs by id; they are read when the first is asked for."""

    def __init__(self, inputs: Iterable[PairedInput]) -> None:
        self._inputs = inputs
        self._by_id: dict[str, PairedInput] | None = None

    def named(self, name: str) -> PairedInput | None:
        """Return the input called ``name``, ``None`` where there is none (an id decoded alone)."""
        if self._by_id is None:
            self._by_id = {each.input.id: each for each in self._inputs}
        return self._by_id.get(name)


def _by_place(entries: Iterable[Entry]) -> Entries:
    return {(each.place.ledger, each.place.number): each for each in entries}


def replayed(recorded: RecordedRun) -> Iterator[Event]:
    """Yield what the run told that is ``recorded``: who and what could not be used, each tokenizer, and its end.

    Which entries of ledgers are stale is in its conclusion alone: a whole run does not record entries.
    """
    yield recorded.started
    yield from (line for line in recorded.lines if isinstance(line, Refused | ImplementationMissing))
    yield from recorded.finished.values()
    footer = recorded.footer
    yield RunFinished(
        finished=footer is not None and footer.finished,
        conclusion=Conclusion.INTERRUPTED if footer is None else footer.conclusion,
        seconds=0.0 if footer is None else footer.seconds,
        reason="the record has no footer" if footer is None else footer.reason,
        tokenizers=len(recorded.finished),
        inputs=sum(each.inputs for each in recorded.finished.values()),
        compared=sum(row.compared for each in recorded.finished.values() for row in each.results),
        differences=sum(finding.differences for each in recorded.finished.values() for finding in each.findings),
        shares={} if footer is None else footer.shares,
        shortfalls=() if footer is None else footer.shortfalls,
    )


# The header ----------------------------------------------------------------------------------------------------------


def started_of(header: Json) -> RunStarted:
    """Return how the run with this ``header`` began. Raises one of ``MALFORMED``."""
    return RunStarted(
        environment=environment_of(header["environment"]),
        baseline=header["baseline"],
        implementations=tuple(map(info_of, header["implementations"])),
        tokenizers=tuple(map(_tokenizer_file, header["tokenizers"])),
        inputs=header["inputs"]["count"],
        inputs_sha256=header["inputs"]["sha256"],
        stages=tuple(map(Stage, header["stages"])),
        fields=tuple(map(Field, header["fields"])),
        every_id=header["every_id"],
        seed=header["seed"],
        required=tuple(map(_requirement, header["required"])),
        ledgers=tuple(LedgerFile(each["name"], each["sha256"]) for each in header.get("ledgers", ())),
        optional=frozenset(header.get("optional", ())),
        options=dict(header.get("options", {})),
        shard=Shard(**header["shard"]) if header.get("shard") else None,
        repeats=LastFailed(**header["repeats"]) if header.get("repeats") else None,
        sources_sha256=tuple(header["inputs"].get("sources", ())),
    )


def _tokenizer_file(record: Json) -> TokenizerFile:
    snapshot = None
    if "repository" in record:
        snapshot = HubSnapshot(record["repository"], record["commit"], Path())
    return TokenizerFile(TokenizerSource(record["name"], record["name"]), record["sha256"], snapshot=snapshot)


def _requirement(word: str) -> Requirement:
    stage, _, field = word.partition(":")
    return Requirement(Stage(stage), Field(field) if field else None)


# Results -------------------------------------------------------------------------------------------------------------


def tokenizer_of(
    line: TokenizerResult,
    told: Json | None = None,
    entries: Mapping[tuple[int, int], Entry] | None = None,
    inputs: _Inputs | None = None,
) -> TokenizerFinished:
    """Return what ``line`` says of a tokenizer, which stands in the record as ``told``.

    ``entries`` are those of the ledgers. Examples have whole texts where these are among ``inputs``; without any, of
    long texts the beginning only.
    """
    told = json_of(line) if told is None else told
    by_place = entries or {}

    def findings(member: str) -> tuple[Finding, ...]:
        return tuple(_finding(line.tokenizer, each, inputs, by_place) for each in told.get(member, ()))

    return TokenizerFinished(
        tokenizer=line.tokenizer,
        results=line.results,
        findings=findings("findings"),
        inputs=line.inputs,
        ids=line.ids,
        baseline_seconds=line.baseline_seconds,
        seconds=line.seconds,
        complete=line.complete,
        baseline_load_error=line.baseline_load_error,
        unstable=findings("unstable"),
        known=findings("known"),
        matched=tuple(
            by_place[each.ledger, each.entry] for each in line.matched if (each.ledger, each.entry) in by_place
        ),
        causes=tuple(map(cause_of, told.get("causes", ()))),
        uncounted=line.uncounted,
        unexamined=_unexamined(line.unexamined),
    )


def causes_of(line: Causes, told: Json) -> CausesSought:
    """Return what ``line``, which stands in the record as ``told``, says of the causes on a tokenizer."""
    return CausesSought(line.tokenizer, tuple(map(cause_of, told["causes"])), _unexamined(line.unexamined))


def _unexamined(lines: Iterable[LineOfUnexamined]) -> tuple[Unexamined, ...]:
    return tuple(Unexamined(signature_of_record(json_of(each)), each.differences, WhyNot(each.why)) for each in lines)


def _finding(tokenizer: str, told: Json, inputs: _Inputs | None, entries: Mapping[tuple[int, int], Entry]) -> Finding:
    known = told.get("known")
    entry = None if known is None else entries.get((known["ledger"], known["entry"]))
    return Finding(
        signature=replace(signature_of_record({**told, "tokenizer": tokenizer}), entry=entry),
        differences=told["differences"],
        inputs=told["inputs"],
        consequences=told["consequences"],
        first=_example(told["first"], inputs),
        smallest=_example(told["smallest"], inputs),
        repeat=told["repeat"],
        own_inputs=tuple(told.get("own_inputs", ())),
    )


def _example(told: Json, inputs: _Inputs | None) -> Example:
    """Return an example: whole where its input is known, else as it stands in the record."""
    name = told["input"]["id"]
    each = None if inputs is None else inputs.named(name)
    members: Json = {
        "input": Input(name, told["input"]["category"], "" if each is None else each.input.text),
        "question": _question(told, each),
        "difference": difference_of(told["difference"]),
        "differs_at": Stage(told["differs_at"]),
        "consequence_of": None if told["consequence_of"] is None else Stage(told["consequence_of"]),
        "near": None if told["near"] is None else Near(**told["near"]),
        "reduced_from": told["reduced_from"],
        "answers": answers_of(told),
    }
    return RecordedExample(**members, recorded=told) if inputs is None else Example(**members)


def _encodes(_question: Observation) -> Outcome:
    """Stand for a baseline that encodes whatever it is asked about, so that no question is left out."""
    return Encoded(())


def _question(told: Json, each: PairedInput | None) -> Observation:
    """Return what was asked, whole: of a long text the record has the beginning, and the input all of it.

    What is asked about the baseline's answers stays as it was recorded; :class:`TokenizerRun` has these answers.
    """
    recorded = told["question"]
    if each is not None and told["reduced_from"] is None:
        text = each.input.text
        for question in (*about_text(text), *about_pair(text, each.following.text, baseline=_encodes)):
            if question_record(question) == recorded:
                return question
    return question_of(recorded)


# What failed, to be compared again ------------------------------------------------------------------------------------

NAMES_ALL_SINCE = (1, 9)
"""The version of records since which they name every input that failed, and not examples only."""

Failed = dict[str, "set[str] | None"]
"""The ids of the inputs that failed, by the name of the tokenizer; ``None``: it could not be compared at all."""


def failed_in(recorded: RecordedRun, implementations: Collection[str]) -> Failed:
    """Return what failed in the run that was ``recorded``, for any of the ``implementations``.

    A tokenizer that was refused, or that an implementation did not load which had to, is to be compared whole.
    """
    failed: Failed = {}
    needed = {name for name in implementations if name not in recorded.started.optional}
    for line in recorded.lines:
        match line:
            case Refused(what="tokenizer", name=name):
                failed[name] = None
            case LoadFailed() if line.implementation in needed:
                failed[line.tokenizer] = None
            case Failing() if line.implementation in implementations:
                _add(failed, line.tokenizer, tuple(spelled_out(line.inputs)))
            case Difference() if line.implementation in implementations:
                _add(failed, line.tokenizer, (line.input.id,))
            case TokenizerResult() if any(_has_other_vocabulary(row, implementations) for row in line.results):
                _add(failed, line.tokenizer, (VOCABULARY_INPUT,))
    return failed


def _has_other_vocabulary(row: Result, implementations: Collection[str]) -> bool:
    found = row.vocabulary
    return row.implementation in implementations and found is not None and found.fails


def _add(failed: Failed, tokenizer: str, ids: Collection[str]) -> None:
    there = failed.setdefault(tokenizer, set())
    if there is not None:
        there.update(ids)


def names_all(recorded: RecordedRun) -> bool:
    """Return whether the record names every input that failed, and not only examples of each finding."""
    major, minor = map(int, str(recorded.read.header["version"]).split("."))
    return (major, minor) >= NAMES_ALL_SINCE


def ids_not_there(failed: Mapping[str, set[str] | None], corpus: Inputs, *, with_ids: bool) -> list[str]:
    """Return the ids of inputs that ``failed`` and are not in ``corpus``, in the order in which they stand there.

    ``with_ids`` says that ids of the vocabulary are inputs too. Reads the corpus once.
    """
    wanted = dict.fromkeys(id_ for ids in failed.values() for id_ in sorted(ids or ()))
    for each in corpus:
        wanted.pop(each.input.id, None)
    wanted.pop(VOCABULARY_INPUT, None)
    return [id_ for id_ in wanted if not (with_ids and is_of_vocabulary(id_))]


def is_of_vocabulary(id_: str) -> bool:
    """Return whether ``id_`` is that of an id of the vocabulary that is decoded alone (the category ``EVERY_ID``).

    >>> is_of_vocabulary("id 7"), is_of_vocabulary("ideas.txt:7")
    (True, False)
    """
    word, _, number = id_.partition(" ")
    return word == EVERY_ID.split(" ")[1] and number.isdecimal()
