"""Findings found again in a record by the numbers that ``run`` and ``fuzz`` print, with what they need."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.contract import Field, TokenizerSource
from tokenizer_adapters.selection import name_in
from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.witness import Manner
from tokenizer_conformance.causes.wording import cause_headline
from tokenizer_conformance.cli.choosing import is_implementation
from tokenizer_conformance.cli.commands.fuzz import fuzz_command
from tokenizer_conformance.cli.commands.run import run_command
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.recorded_lines import parsed_line, record_content
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.record_forms import may_be_cut
from tokenizer_conformance.errors import BadInputError, form_words
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer
from tokenizer_conformance.results.records.search import FORMAT
from tokenizer_conformance.validation.running.earlier_questions import NAME as EARLIER
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.recorded_run import read_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.validation.running.events import TokenizerFinished
    from tokenizer_conformance.validation.running.problems import Problem
    from tokenizer_conformance.validation.running.recorded_run import Record
    from tokenizer_conformance.validation.running.wording import FindingGroup

Json = dict[str, Any]

SIDES = 2
"""How many implementations the command that repeats a finding has."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Who was compared on which tokenizer, and how that is found again.

    ``tokenizer`` and ``sha256`` are of the tokenizer, ``word`` is what named it. ``words`` name the baseline and the
    implementation on a command line, ``names`` are their own; ``versions`` are those of all, by name. ``fields`` were
    compared. ``options`` are those of the command, by the names of parameters.
    """

    tokenizer: str
    sha256: str
    word: str
    words: tuple[str, str]
    names: tuple[str, str]
    versions: Mapping[str, str]
    fields: frozenset[Field]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedFinding:
    """One finding of a record.

    ``title`` says on one line which it is. ``question`` shows it with ``document`` in the place of the tokenizer.json,
    with that itself where it is ``None``; ``manners`` are those in which the answers differed, ``length`` is the length
    of what was asked at first. ``repeat`` is the command that shows it, empty where there is none. ``cause`` is what is
    known of the cause, and ``environment`` where the command ran; ``notes`` say what else is to be known.
    """

    number: int
    title: str
    question: Observation
    document: Json | None
    manners: tuple[Manner, ...]
    length: int
    repeat: str
    sides: Sides
    cause: Cause | None
    environment: Json
    notes: tuple[str, ...] = ()


KILLED = "The command that wrote the record was stopped before its end; causes are those that it knew by then."


def recorded_finding(path: Path, number: int) -> RecordedFinding:
    """Return the problem ``number`` of the record at ``path``: its cause, where one is told there, or its finding.

    Raises :class:`BadInput`.
    """
    if _is_search(path):
        return _found_by_search(path, number)
    record = _read(path)
    by_name = {**record.resumption.begun, **record.resumption.finished}
    finished = [by_name[each["name"]] for each in record.header["tokenizers"] if each["name"] in by_name]
    causes, notes = _causes(path, finished)
    problems = problems_of(finished, causes)
    _check_number(path, number, len(problems))
    problem = problems[number - 1]
    if problem.cause is not None:
        return _of_cause(path, record, finished, number, problem.cause, notes)
    assert problem.finding is not None  # noqa: S101 - it is one or the other
    return _of_finding(path, record, problem, problem.finding)


def _check_number(path: Path, number: int, last: int) -> None:
    if not last:
        raise BadInput(f"{str(path)!r} has no findings")
    if not 1 <= number <= last:
        there = "1" if last == 1 else f"1 to {last}"
        raise BadInput(f"{str(path)!r} has no finding {number}; its findings are {there}")


# Findings and causes of a run ----------------------------------------------------------------------------------------


def _of_finding(path: Path, record: Record, problem: Problem, group: FindingGroup) -> RecordedFinding:
    """Return a finding of which no cause is told: its own smallest example shows it."""
    number, name = problem.number, problem.tokenizer
    example, signatures = group.example, [each.signature for each in group.findings]
    return RecordedFinding(
        number,
        f"finding {number}: {problem.line}",
        example.question,
        None,
        tuple(Manner(each.stage, each.field, each.verdict, each.kind, each.party, each.detail) for each in signatures),
        example.length_at_first,
        group.shown.repeat,
        _sides(path, record, group.shown.repeat, name, signatures[0].implementation),
        None,
        record.header.get("environment") or {},
    )


def _causes(path: Path, finished: Iterable[TokenizerFinished]) -> tuple[tuple[Cause, ...], tuple[str, ...]]:
    """Return the causes in the order of their numbers, and what is to be said of them."""
    try:
        last = json.loads(record_content(path).splitlines()[-1])
        if isinstance(last, dict) and last.get("type") == "footer":
            return tuple(map(cause_of, last.get("causes", ()))), ()
    except (ValueError, KeyError, TypeError, IndexError):
        pass  # the last line is half a line
    return merged(cause for each in finished for cause in each.causes), (KILLED,)


def _of_cause(
    path: Path, record: Record, finished: Iterable[TokenizerFinished], number: int, cause: Cause, notes: tuple[str, ...]
) -> RecordedFinding:
    name = cause.witness.source.name
    of_tokenizer = [each for one in finished if one.tokenizer == name for each in (*one.findings, *one.unstable)]
    alike = [each for each in of_tokenizer if each.signature.implementation == cause.implementation]
    if not alike:
        raise BadInput(
            f"{str(path)!r} does not say how {one_line(cause.implementation)} was asked about finding {number}"
        )
    here = [each for each in alike if each.signature.stage == cause.witness.stage]
    sides = _sides(path, record, (here or alike)[0].repeat, name, cause.implementation)
    return _with_cause(number, cause, sides, record.header.get("environment") or {}, (here or alike)[0].repeat, notes)


def _with_cause(
    number: int, cause: Cause, sides: Sides, environment: Json, repeat: str, notes: tuple[str, ...]
) -> RecordedFinding:
    witness = cause.witness
    return RecordedFinding(
        number,
        f"finding {number}: {cause_headline(cause)}",
        witness.question,
        witness.document,
        (witness.manner,),
        length_of(witness.question),
        repeat,
        sides,
        cause,
        environment,
        notes,
    )


# Causes of a search --------------------------------------------------------------------------------------------------


def _is_search(path: Path) -> bool:
    try:
        return is_record_of(record_content(path).partition(b"\n")[0], FORMAT.name)
    except BadInputError as error:
        raise BadInput(str(error)) from error


def is_record_of(line: bytes, schema: str) -> bool:
    """Return whether ``line`` is the header of a record of ``schema``."""
    try:
        header = json.loads(line)
    except ValueError:
        return False
    return isinstance(header, dict) and header.get("schema") == schema


def _found_by_search(path: Path, number: int) -> RecordedFinding:
    try:
        lines = _whole_lines(path)
        header = lines[0]
        numbered = {each["number"]: each for each in lines if each.get("type") == "finding"}
        ended = {each["number"]: each for each in lines if each.get("type") == "cause"}
        is_whole = lines[-1].get("type") == "footer"
        found = ended if is_whole else numbered
        if not found:
            raise BadInput(f"{str(path)!r} has no findings")
        if number not in found:
            raise BadInput(f"{str(path)!r} has no finding {number}; it has {', '.join(map(str, sorted(found)))}")
        cause = cause_of(found[number])
        sides = _sides_of_search(header, cause)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BadInput(f"{str(path)!r} is no whole record of a search: {form_words(error)}") from error
    except BadInputError as error:
        raise BadInput(str(error)) from error
    return _with_cause(number, cause, sides, header["environment"], "", () if is_whole else (KILLED,))


def _whole_lines(path: Path) -> list[Json]:
    content = record_content(path)
    whole = content[: content.rfind(b"\n") + 1].splitlines()
    return [parsed_line(path, number, line) for number, line in enumerate(whole, 1)]


def _sides_of_search(header: Json, cause: Cause) -> Sides:
    command = header["environment"]["command"]
    try:
        with fuzz_command.make_context("fuzz", list(command[2:])) as context:
            options = dict(context.params)
    except click.ClickException as error:
        raise ValueError(f"its command cannot be read: {error.format_message()}") from error
    baseline, name = str(header["baseline"]["name"]), cause.witness.source.name
    asked = (*options["wanted"], options["baseline"])
    implementations = [header["baseline"], *header["implementations"]]
    sha256 = next((str(each["sha256"]) for each in header["tokenizers"] if each["name"] == name), "")
    return Sides(
        name,
        sha256,
        _word_of_tokenizer(options["given"], name, sha256),
        (_word_of(baseline, asked), _word_of(cause.implementation, asked)),
        (baseline, cause.implementation),
        {str(each["name"]): str(each["version"]) for each in implementations},
        frozenset(Field),
        options,
    )


def _word_of(name: str, words: tuple[str, ...]) -> str:
    """Return which of ``words`` selects the implementation called ``name``; the name where none says so."""
    named = [word for word in words if name_in(word) == name]
    unnamed = [word for word in words if name_in(word) is None]
    is_its_own = len(unnamed) == 1 and not is_implementation(name)
    return named[0] if named else unnamed[0] if is_its_own else name


def _word_of_tokenizer(words: Iterable[str], name: str, sha256: str) -> str:
    """Return which of ``words`` names the tokenizer of that digest; its name where none does any more."""
    for word in words:
        try:
            found = locate(word)
            if read_tokenizer(found.source, found.snapshot).sha256 == sha256:
                return word
        except BadInputError:
            continue
    return name


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(one_line, names)) or "none"


def _read(path: Path) -> Record:
    try:
        record = read_record(path, (), content=record_content(path))
    except BadInputError as error:
        raise BadInput(str(error)) from error
    if record is None:
        raise BadInput(f"{str(path)!r} is empty: the record of a run that was killed before it began, or none")
    return record


def _sides(path: Path, record: Record, repeat: str, name: str, implementation: str) -> Sides:
    if repeat.startswith("tokconf diff "):
        raise BadInput(
            f"{str(path)!r} is the record of a diff, whose old side may be a file, which cannot be asked anew: compare "
            "both versions with 'tokconf run', and give its record"
        )
    try:
        header = record.header
        options = _options(shlex.split(repeat))
        words = tuple(options["wanted"])
        sha256 = next(str(each["sha256"]) for each in header["tokenizers"] if each["name"] == name)
        versions = {str(each["name"]): str(each["version"]) for each in header["implementations"]}
        fields = frozenset(map(Field, header["fields"]))
        (word,) = options["tokenizers"]
        if len(words) != SIDES:
            raise ValueError(f"two implementations are expected, not {len(words)}")  # noqa: TRY301 - said below
    except (KeyError, TypeError, ValueError, StopIteration, click.ClickException) as error:
        reason = error.format_message() if isinstance(error, click.ClickException) else form_words(error)
        raise BadInput(f"{str(path)!r}: the command that repeats the finding cannot be read: {reason}") from error
    names = (str(header["baseline"]), implementation)
    return Sides(name, sha256, word, (words[0], words[1]), names, versions, fields, options)


def _options(words: list[str]) -> Mapping[str, Any]:
    """Return the parameters of the ``tokconf run`` that ``words`` call."""
    if words[:2] != ["tokconf", "run"]:
        raise ValueError("it does not begin with 'tokconf run'")
    with run_command.make_context("run", words[2:]) as context:
        return dict(context.params)


def found_tokenizer(sides: Sides, elsewhere: str | None) -> TokenizerSource:
    """Return the tokenizer of ``sides``, which must be the one of the run; ``elsewhere`` is where it is now.

    Raises :class:`BadInput`.
    """
    word = sides.word if elsewhere is None else elsewhere
    try:
        found = locate(word)
        file = read_tokenizer(found.source, found.snapshot)
    except BadInputError as error:
        hint = "; --from TOKENIZER says where it is now" if elsewhere is None else ""
        raise BadInput(f"{error}{hint}") from error
    if file.sha256 != sides.sha256:
        raise BadInput(
            f"{word!r} is not the tokenizer of the record: its file has the SHA-256 {file.sha256[:16]}…, that of "
            f"{one_line(sides.tokenizer)!r} had {sides.sha256[:16]}…"
        )
    return replace(found.source, name=sides.tokenizer)


def refuse_cut_questions(path: Path, finding: RecordedFinding) -> None:
    """Raise :class:`BadInput` where the record has only the beginning of what was asked."""
    if may_be_cut(finding.question):
        raise BadInput(
            f"{str(path)!r} has only the beginning of the long text of finding {finding.number}"
            f"{f'; run it again alone: {finding.repeat}' if finding.repeat else ''}"
        )


def refuse_earlier_questions(path: Path, finding: RecordedFinding) -> None:
    """Raise :class:`BadInput` where the finding does not show alone, which is how it would be asked about."""
    if finding.cause is not None and finding.cause.reason.name == EARLIER:
        repeat = finding.cause.repeat or finding.repeat
        raise BadInput(
            f"{str(path)!r}: finding {finding.number} shows only after other questions, and not where it is asked "
            f"alone; this command shows it: {repeat}"
        )
