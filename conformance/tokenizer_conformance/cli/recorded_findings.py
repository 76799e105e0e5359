"""The findings of a run, found again in its record by the numbers that ``tokconf run`` prints, with what they need."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.contract import Field, TokenizerSource
from tokenizer_conformance.cli.run import run_command
from tokenizer_conformance.comparing.record_forms import may_be_cut
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer
from tokenizer_conformance.run.record_reader import read_record
from tokenizer_conformance.run.wording import own_groups
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.standard_streams import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tokenizer_conformance.run.record_reader import Record
    from tokenizer_conformance.run.wording import FindingGroup

Json = dict[str, Any]

SIDES = 2
"""How many implementations the command that repeats a finding has."""


@dataclass(frozen=True, slots=True)
class RecordedFinding:
    """One finding of a record.

    ``tokenizer`` and ``sha256`` are of the tokenizer, ``word`` is what named it. ``words`` name the baseline and the
    implementation on a command line, ``names`` are their own; ``versions`` are those of all, by name. ``fields`` were
    compared. ``options`` are those of the run, by the names of parameters.
    """

    number: int
    group: FindingGroup
    tokenizer: str
    sha256: str
    word: str
    words: tuple[str, str]
    names: tuple[str, str]
    versions: Mapping[str, str]
    fields: frozenset[Field]
    options: Mapping[str, Any]


def recorded_finding(path: Path, number: int, tokenizer: str | None) -> RecordedFinding:
    """Return the finding ``number`` of the record at ``path``, as ``tokconf run`` numbers those of each tokenizer.

    ``tokenizer`` is the name of the one that is meant; it may be left out where only one has findings. Raises
    :class:`BadInput`.
    """
    record = _read(path)
    finished = {**record.resumption.begun, **record.resumption.finished}
    if tokenizer is not None and tokenizer not in finished:
        raise BadInput(f"{str(path)!r} has no tokenizer {one_line(tokenizer)!r}; it has {_listed(finished)}")
    wanted = finished.values() if tokenizer is None else (finished[tokenizer],)
    groups = {each.tokenizer: own_groups(each) for each in wanted}
    with_findings = {name: found for name, found in groups.items() if found}
    if not with_findings:
        raise BadInput(f"{str(path)!r} has no findings{'' if tokenizer is None else f' of {one_line(tokenizer)!r}'}")
    if len(with_findings) > 1:
        raise BadInput(
            f"{str(path)!r} has findings of several tokenizers, numbered for each; say which with --tokenizer: "
            f"{_listed(with_findings)}"
        )
    ((name, found),) = with_findings.items()
    if not 1 <= number <= len(found):
        last = "1" if len(found) == 1 else f"1 to {len(found)}"
        raise BadInput(f"{str(path)!r} has no finding {number} of {one_line(name)!r}; its findings are {last}")
    return _described(path, record, number, found[number - 1], name)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(one_line, names)) or "none"


def _read(path: Path) -> Record:
    try:
        record = read_record(path, ())
    except OSError as error:
        raise BadInput(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except BadInputError as error:
        raise BadInput(str(error)) from error
    if record is None:
        raise BadInput(f"{str(path)!r} is empty: the record of a run that was killed before it began, or none")
    return record


def _described(path: Path, record: Record, number: int, group: FindingGroup, name: str) -> RecordedFinding:
    try:
        header = record.header
        words = shlex.split(group.shown.repeat)
        options = _options(words)
        sides = tuple(options["wanted"])
        sha256 = next(str(each["sha256"]) for each in header["tokenizers"] if each["name"] == name)
        versions = {str(each["name"]): str(each["version"]) for each in header["implementations"]}
        fields = frozenset(map(Field, header["fields"]))
        (word,) = options["tokenizers"]
        if len(sides) != SIDES:
            raise ValueError(f"two implementations are expected, not {len(sides)}")  # noqa: TRY301 - said below
    except (KeyError, TypeError, ValueError, StopIteration, click.ClickException) as error:
        reason = error.format_message() if isinstance(error, click.ClickException) else str(error)
        raise BadInput(f"{str(path)!r}: the command that repeats finding {number} cannot be read: {reason}") from error
    implementation = group.shown.signature.implementation
    return RecordedFinding(
        number,
        group,
        name,
        sha256,
        word,
        (sides[0], sides[1]),
        (str(header["baseline"]), implementation),
        versions,
        fields,
        options,
    )


def _options(words: list[str]) -> Mapping[str, Any]:
    """Return the parameters of the ``tokconf run`` that ``words`` call."""
    if words[:2] != ["tokconf", "run"]:
        raise ValueError("it does not begin with 'tokconf run'")
    with run_command.make_context("run", words[2:]) as context:
        return dict(context.params)


def found_tokenizer(finding: RecordedFinding, elsewhere: str | None) -> TokenizerSource:
    """Return the tokenizer of ``finding``, which must be the one of the run; ``elsewhere`` is where it is now.

    Raises :class:`BadInput`.
    """
    word = finding.word if elsewhere is None else elsewhere
    try:
        found = locate(word)
        file = read_tokenizer(found.source, found.snapshot)
    except BadInputError as error:
        hint = "; --from TOKENIZER says where it is now" if elsewhere is None else ""
        raise BadInput(f"{error}{hint}") from error
    if file.sha256 != finding.sha256:
        raise BadInput(
            f"{word!r} is not the tokenizer of the record: its file has the SHA-256 {file.sha256[:16]}…, that of "
            f"{one_line(finding.tokenizer)!r} had {finding.sha256[:16]}…"
        )
    return replace(found.source, name=finding.tokenizer)


def refuse_cut_questions(path: Path, finding: RecordedFinding) -> None:
    """Raise :class:`BadInput` where the record has only the beginning of what was asked."""
    if may_be_cut(finding.group.example.question):
        raise BadInput(
            f"{str(path)!r} has only the beginning of the long text of finding {finding.number}; run it again alone: "
            f"{finding.group.shown.repeat}"
        )
