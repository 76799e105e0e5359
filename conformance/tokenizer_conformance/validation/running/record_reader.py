"""Reading the record of an earlier run back: what a run that resumes it goes on from."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage
from tokenizer_conformance.causes.record_forms import cause_of, signature_of_record
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.record import BEGINNING, is_record
from tokenizer_conformance.comparison.findings import Example, Finding, Near
from tokenizer_conformance.comparison.impact import Impact, Share
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.comparison.record_forms import (
    difference_of,
    question_of,
    question_record,
)
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.comparison.whole_answers import answers_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running.events import CausesSought, LoadFailed, TokenizerFinished
from tokenizer_conformance.validation.running.record import record_of
from tokenizer_conformance.validation.running.record_changes import changes
from tokenizer_conformance.validation.running.results import ImplementationResult, StageCount, Unexamined, WhyNot
from tokenizer_conformance.validation.running.resumption import Resumption

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome, Shows
    from tokenizer_conformance.command_io.sinks import GrowingFile
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.validation.running.events import RunStarted

Json = dict[str, Any]

_Entries = dict[tuple[int, int], "Entry"]
"""The entries of the ledgers, by the number of the ledger and their own."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was left: ``size`` is that of its whole lines in bytes; half a line may follow."""

    header: Json
    resumption: Resumption
    size: int


def read_record(path: Path, inputs: Iterable[PairedInput], ledger: Ledger | None = None) -> Record | None:
    """Read the record at ``path``; ``None`` where its run was killed before the first line was whole.

    Texts of examples that it has only in part are taken from ``inputs``, entries that it names from ``ledger``; what
    names another entry is left out, for a run with another ledger does not go on with this one. Raises
    :class:`BadInputError` with the line that is at fault, and ``OSError``.
    """
    content = path.read_bytes()
    size = content.rfind(b"\n") + 1
    if size == 0 and is_record(content):
        return None
    lines = [_line(path, number, line) for number, line in enumerate(content[:size].splitlines(), 1)]
    if not lines or lines[0].get("type") != "header" or lines[0].get("schema") != FORMAT.name:
        raise BadInputError(
            f"{str(path)!r} is no record of a run: it does not begin with the header of a {FORMAT.name}"
        )
    version = str(lines[0].get("version"))
    if version.split(".", maxsplit=1)[0] != FORMAT.version.split(".")[0]:
        raise BadInputError(
            f"{str(path)!r} is a record of version {version}; this release reads version {FORMAT.version}"
        )
    by_id = _Inputs(inputs)
    entries = {} if ledger is None else {(each.place.ledger, each.place.number): each for each in ledger.entries}
    finished: dict[str, TokenizerFinished] = {}
    begun: dict[str, TokenizerFinished] = {}
    failures = []
    failing: dict[str, set[str]] = {}
    for number, line in _counting(lines):
        try:
            match line["type"]:
                case "checkpoint" | "tokenizer":
                    result = _tokenizer(line, by_id, entries)
                    (finished if result.complete else begun)[result.tokenizer] = result
                case "causes":
                    finished[line["tokenizer"]] = recorded_causes(line).of(finished[line["tokenizer"]])
                case "failing":
                    failing.setdefault(line["tokenizer"], set()).update(spelled_out(line["inputs"]))
                case "load_failed":
                    failures.append(LoadFailed(line["tokenizer"], line["implementation"], line["reason"]))
                case _:
                    pass
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInputError(f"{str(path)!r} line {number} is not that of a record: {error!r}") from error
    return Record(lines[0], Resumption(finished, begun, tuple(failures), failing), size)


def refuse_another_run(path: Path, record: Record, started: RunStarted) -> None:
    """Raise :class:`BadInputError` where ``record`` is that of another run than the one that ``started`` begins."""
    header = json.loads(json.dumps(record_of(started)))
    try:
        changed = changes(record.header, header)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInputError(f"{str(path)!r} line 1 is not that of a record: {error!r}") from error
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
    *_, last, rest = (b"", b"", *record.tail().split(b"\n"))
    try:
        footer = json.loads(last)
    except ValueError:  # the last line is longer than any footer
        return True
    is_footer = not rest and isinstance(footer, dict) and footer.get("type") == "footer"
    return not is_footer or footer.get("conclusion") == Conclusion.INTERRUPTED


def _counting(lines: list[Json]) -> Iterator[tuple[int, Json]]:
    """Yield the lines and their numbers, of the checkpoints of a tokenizer the last: it says all that others said."""
    last = {str(line.get("tokenizer")): at for at, line in enumerate(lines) if line.get("type") == "checkpoint"}
    for at, line in enumerate(lines):
        if line.get("type") != "checkpoint" or last[str(line.get("tokenizer"))] == at:
            yield at + 1, line


def _line(path: Path, number: int, line: bytes) -> Json:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise BadInputError(f"{str(path)!r} line {number} is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise BadInputError(f"{str(path)!r} line {number} is not that of a record: an object is expected")
    return parsed


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


def recorded_tokenizer(line: Json, entries: Mapping[tuple[int, int], Entry]) -> TokenizerFinished:
    """Return what ``line`` says of a tokenizer; of long texts of examples there is the beginning only.

    ``entries`` are those of the ledgers, by the number of the ledger and their own. Raises ``KeyError``, ``TypeError``,
    ``ValueError`` or ``AttributeError`` where it is no such line.
    """
    return _tokenizer(line, _Inputs(()), dict(entries))


def recorded_causes(line: Json) -> CausesSought:
    """Return what ``line`` says of the causes on a tokenizer. Raises as :func:`recorded_tokenizer` does."""
    return CausesSought(line["tokenizer"], tuple(map(cause_of, line["causes"])), _unexamined(line))


def _unexamined(line: Json) -> tuple[Unexamined, ...]:
    return tuple(
        Unexamined(signature_of_record(each), each["differences"], WhyNot(each["why"]))
        for each in line.get("unexamined", ())
    )


def recorded_example(record: Json) -> Example:
    """Return an example as it stands in a record. Raises what :func:`recorded_tokenizer` does."""
    return _example(record, _Inputs(()))


# Results -------------------------------------------------------------------------------------------------------------


def _tokenizer(line: Json, inputs: _Inputs, entries: _Entries) -> TokenizerFinished:
    return TokenizerFinished(
        tokenizer=line["tokenizer"],
        results=tuple(_result(result) for result in line["results"]),
        findings=tuple(_finding(line["tokenizer"], finding, inputs) for finding in line["findings"]),
        inputs=line["inputs"],
        ids=line["ids"],
        baseline_seconds=line["baseline_seconds"],
        seconds=line["seconds"],
        complete=line["complete"],
        baseline_load_error=line["baseline_load_error"],
        unstable=tuple(_finding(line["tokenizer"], finding, inputs) for finding in line["unstable"]),
        known=tuple(
            _finding(line["tokenizer"], finding, inputs, entries.get(_reference(finding["known"])))
            for finding in line.get("known", ())
        ),
        causes=tuple(map(cause_of, line.get("causes", ()))),
        uncounted=line.get("uncounted", 0),
        unexamined=_unexamined(line),
        matched=tuple(entries[_reference(each)] for each in line.get("matched", ()) if _reference(each) in entries),
    )


def _reference(named: Json) -> tuple[int, int]:
    """Return which entry is ``named``: the number of its ledger, and its own."""
    return named["ledger"], named["entry"]


def _result(result: Json) -> ImplementationResult:
    return ImplementationResult(
        implementation=result["implementation"],
        stages={
            Stage(stage): StageCount(
                _verdicts(count["inputs"]),
                _verdicts(count["values"]),
                _fields(count["unsupported_fields"]),
                count["questions"],
                count["answerable"],
                _fields(count["unanswered_fields"]),
                count.get("known_without_value", 0),
                count.get("extra_answerable", 0),
                count.get("extra_unanswered", 0),
                count.get("finer", 0),
                _fields(count.get("differing_fields", {})),
                _fields(count.get("differing_pairs", {})),
            )
            for stage, count in result["stages"].items()
        },
        blamed={Stage(stage): number for stage, number in result["blamed"].items()},
        failing_inputs=result["failing_inputs"],
        seconds=result["seconds"],
        load_error=result["load_error"],
        files=tuple(result["files"]),
        shows=_shows(result.get("shows")),
        impact=_impact(result.get("impact")),
    )


def _impact(impact: Json | None) -> Impact | None:
    if impact is None:
        return None
    return Impact(
        documents=Share(**impact["documents"]),
        words=None if impact["words"] is None else Share(**impact["words"]),
        tokens_before=impact["tokens_before"],
        tokens=impact["tokens"],
        longer=impact["longer"],
        shorter=impact["shorter"],
        scripts=impact["scripts"],
        sources={source: Share(**share) for source, share in impact["sources"].items()},
    )


def _verdicts(counts: dict[str, int]) -> dict[Verdict, int]:
    return {Verdict(verdict): number for verdict, number in counts.items()}


def _fields(counts: dict[str, int]) -> dict[Field, int]:
    return {Field(name): number for name, number in counts.items()}


def _shows(shows: dict[str, list[str]] | None) -> Shows | None:
    return None if shows is None else {Stage(stage): frozenset(map(Field, names)) for stage, names in shows.items()}


def _finding(tokenizer: str, finding: Json, inputs: _Inputs, entry: Entry | None = None) -> Finding:
    return Finding(
        signature=replace(signature_of_record({**finding, "tokenizer": tokenizer}), entry=entry),
        differences=finding["differences"],
        inputs=finding["inputs"],
        consequences=finding["consequences"],
        first=_example(finding["first"], inputs),
        smallest=_example(finding["smallest"], inputs),
        repeat=finding["repeat"],
        own_inputs=tuple(finding.get("own_inputs", ())),
    )


# Examples ------------------------------------------------------------------------------------------------------------


def _example(example: Json, inputs: _Inputs) -> Example:
    name = example["input"]["id"]
    each = inputs.named(name)
    return Example(
        input=Input(name, example["input"]["category"], "" if each is None else each.input.text),
        question=_question(example, each),
        difference=difference_of(example["difference"]),
        differs_at=Stage(example["differs_at"]),
        consequence_of=None if example["consequence_of"] is None else Stage(example["consequence_of"]),
        near=None if example["near"] is None else Near(**example["near"]),
        reduced_from=example["reduced_from"],
        answers=answers_of(example),
    )


def _encodes(_question: Observation) -> Outcome:
    """Stand for a baseline that encodes whatever it is asked about, so that no question is left out."""
    return Encoded(())


def _question(example: Json, each: PairedInput | None) -> Observation:
    """Return what was asked, whole: of a long text the record has the beginning, and the input all of it.

    What is asked about the baseline's answers stays as it was recorded; :class:`TokenizerRun` has these answers.
    """
    recorded = example["question"]
    if each is not None and example["reduced_from"] is None:
        text = each.input.text
        for question in (*about_text(text), *about_pair(text, each.following.text, baseline=_encodes)):
            if question_record(question) == recorded:
                return question
    return question_of(recorded)
