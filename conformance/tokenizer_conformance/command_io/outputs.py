"""The files that reports go to: checked and opened before anything runs, so that nothing of the user's is lost.

A report never replaces what the command reads, by whatever name or link. Of other files that are there already it
replaces empty ones and earlier reports, known by how they begin; anything else only where the user says so. Links are
followed: the file at the end is written, and the link stays. Devices, pipes and what is open already (``-``,
``/dev/stdout``, ``/dev/fd/3``) are written to, and never replaced or made shorter.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.command_io.output import BadInput, Report, ReportLost
from tokenizer_conformance.command_io.record import is_record
from tokenizer_conformance.command_io.sinks import END, GrowingFile, LockedError, Sink, Stream, WholeFile
from tokenizer_conformance.command_io.standard_streams import (
    STANDARD_OUTPUT,
    is_standard_output_of_the_system,
    reason_of,
    standard_output_alone,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_conformance.command_io.output import Consumer

E = TypeVar("E")

DASH = "-"
"""The name of standard output."""

JSON = "--json"
MARKDOWN = "--markdown"
JUNIT = "--junit"
SARIF = "--sarif"
HTML = "--html"
CSV = "--csv"
PARQUET = "--parquet"
LATEX = "--latex"
TABLES = (CSV, PARQUET, LATEX)
"""The options of reports that are tables for other programs."""

JUNIT_BEGINNING = re.compile(rb"<\?xml [^>]*\?>\s*<testsuites name=\"tokconf ")
SARIF_BEGINNING = re.compile(
    rb'\{\s*"\$schema": "[^"]*sarif[^"]*",\s*"version": "2\.1\.0",\s*"runs": \[\s*\{\s*"tool": \{\s*"driver": \{\s*'
    rb'"name": "tokconf"'
)
"""How every JUnit file and every SARIF file of ours begins."""

HTML_BEGINNING = re.compile(
    rb"<!DOCTYPE html>\s*<html[^>]*>\s*<head>\s*<meta charset=\"utf-8\">\s*<meta name=\"generator\" content=\"tokconf "
)
"""How every page of ours begins."""

CSV_BEGINNINGS = (b"tokenizer,implementation,", b"finding,list,")
LATEX_BEGINNING = b"% tokconf "
PARQUET_BEGINNING, PARQUET_KEY = b"PAR1", b"tokenizer-conformance-"
"""How our tables begin. What Parquet says of a file stands at its end: one of ours is known where it is small."""

KINDS: dict[str, tuple[str, Callable[[bytes], bool]]] = {
    JSON: ("record", is_record),
    MARKDOWN: ("Markdown report", is_report),
    JUNIT: ("JUnit file", lambda head: JUNIT_BEGINNING.match(head) is not None),
    SARIF: ("SARIF file", lambda head: SARIF_BEGINNING.match(head) is not None),
    HTML: ("HTML report", lambda head: HTML_BEGINNING.match(head) is not None),
    CSV: ("table", lambda head: head.startswith(CSV_BEGINNINGS)),
    PARQUET: ("table", lambda head: head.startswith(PARQUET_BEGINNING) and PARQUET_KEY in head),
    LATEX: ("table", lambda head: head.startswith(LATEX_BEGINNING)),
}
"""What the report of each option is called, and whether a file that begins so is an earlier one."""

DESCRIPTOR_FOLDER = re.compile(r"/proc/[^/]+(/task/\d+)?/fd|/dev/fd")
"""The folders whose files are what a process has open."""

REFUSED_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "Is a directory"),
    (stat.S_ISBLK, "is a disk"),
    (stat.S_ISSOCK, "is a socket"),
)
"""What no report is written to, by the mode of the file."""

MAXIMUM_LINKS = 40
"""How many links are followed one after the other, as many as the system follows."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The reports that were asked for: the names of files as they were given, ``None`` where a report is not wanted.

    ``github`` wants annotations and a summary for GitHub. ``force`` allows that a file is replaced that is no report;
    with ``resume`` the record is gone on with. ``tables`` are further reports, the options of :data:`TABLES` with the
    names that they were given.
    """

    json: str | None = None
    markdown: str | None = None
    force: bool = False
    resume: bool = False
    junit: str | None = None
    sarif: str | None = None
    github: bool = False
    tables: tuple[tuple[str, str], ...] = ()
    html: str | None = None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that the command reads: ``what`` it is to it, and its ``path``.

    ``may_be_report`` says that it was not given itself, but is beside a file that was: an earlier report there is not
    read.
    """

    what: str
    path: Path
    may_be_report: bool = False


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the report of ``option`` goes, as ``name`` says: the file at ``path``, or what is open as ``descriptor``.

    ``path`` leads over no link any more. ``status`` is that of the file, ``None`` where there is none yet.
    """

    option: str
    name: str
    path: Path
    descriptor: int | None
    status: os.stat_result | None

    @property
    def is_standard_output(self) -> bool:
        """Whether it is standard output, by whatever name."""
        return self.descriptor == 1

    @property
    def is_regular(self) -> bool:
        """Whether it is a regular file, there or to be made, that is opened for the report."""
        return self.descriptor is None and (self.status is None or stat.S_ISREG(self.status.st_mode))

    @property
    def shown(self) -> str:
        """How a message calls it."""
        return STANDARD_OUTPUT if self.name == DASH else repr(self.name)

    def refusal(self, reason: str) -> BadInput:
        """Return the error that says that nothing can be written there."""
        return BadInput(f"cannot write {self.shown}: {reason}")


@dataclass(frozen=True, slots=True)
class OpenReport:
    """A place for a report, open to be written."""

    destination: Destination
    sink: Sink

    def report(self, make: Callable[[Sink], Consumer[E]]) -> Report[E]:
        """Return the report that ``make`` makes of this place."""
        stream = sys.stdout if self.destination.is_standard_output else None
        return Report(self.destination.shown, make(self.sink), stream=stream)


@dataclass(frozen=True, slots=True)
class OpenReports:
    """The places for the reports of a command, open to be written; ``None`` where one was not asked for.

    ``github``: GitHub is to be told, too. ``tables`` are those that were asked for, by their options. ``known_as`` is
    what the record is called.
    """

    json: OpenReport | None
    markdown: OpenReport | None
    junit: OpenReport | None = None
    sarif: OpenReport | None = None
    github: bool = False
    tables: Mapping[str, OpenReport] = field(default_factory=dict)
    html: OpenReport | None = None
    known_as: str = ""

    def reports(
        self,
        json: Callable[[Sink], Consumer[E]],
        markdown: Callable[[Sink], Consumer[E]],
        html: Callable[[Sink, str], Consumer[E]],
    ) -> list[Report[E]]:
        """Return the reports that were asked for, each made by its function; a page is told the record's name."""
        pairs = ((self.markdown, markdown), (self.json, json), (self.html, lambda sink: html(sink, self.known_as)))
        return [opened.report(make) for opened, make in pairs if opened is not None]

    @property
    def _opened(self) -> Iterator[OpenReport]:
        yield from filter(None, (self.json, self.markdown, self.junit, self.sarif, self.html, *self.tables.values()))

    @property
    def takes_standard_output(self) -> bool:
        """Whether one of them is written to standard output, which then holds nothing else."""
        return any(each.destination.is_standard_output for each in self._opened)

    def refuse_what_is_read(self, read: Iterable[ReadFile]) -> None:
        """Raise :class:`BadInput` where one of them would replace a file that is ``read``.

        For what a command knows to read only after its reports are open: a file names others.
        """
        given = list(read)
        for opened in self._opened:
            refuse_what_is_read(opened.destination, given)

    @property
    def record(self) -> GrowingFile | None:
        """The file of the record, ``None`` where it goes elsewhere or is not wanted."""
        sink = None if self.json is None else self.json.sink
        return sink if isinstance(sink, GrowingFile) else None


@contextmanager
def open_reports(options: ReportOptions, read: Iterable[ReadFile]) -> Iterator[OpenReports]:
    """Open the reports that were asked for, each at its place, before anything runs; close them at the end.

    Missing folders are made; where nothing is written in the end, they are removed again. ``read`` are the files that
    the command reads. Raises :class:`BadInput` where a report cannot be written, or would replace what it must not.
    """
    names = {JSON: options.json, MARKDOWN: options.markdown, JUNIT: options.junit, SARIF: options.sarif}
    names |= {HTML: options.html, **dict(options.tables)}
    destinations = {option: found(option, name) for option, name in names.items() if name is not None}
    for first, second in combinations(destinations.values(), 2):
        _refuse_one_for_two(first, second)
    given = list(read)
    for destination in destinations.values():
        _refuse_kind(destination)
        refuse_what_is_read(destination, given)
    json = destinations.get(JSON)
    if options.resume and json is not None and not json.is_regular:
        raise BadInput(f"--resume cannot read {json.shown} back; give a file to --json")
    with contextlib.ExitStack() as stack:
        opened = {option: _open(stack, destination, options) for option, destination in destinations.items()}
        yield OpenReports(
            json=opened.get(JSON),
            markdown=opened.get(MARKDOWN),
            junit=opened.get(JUNIT),
            sarif=opened.get(SARIF),
            github=options.github,
            tables={option: opened[option] for option, _ in options.tables},
            html=opened.get(HTML),
            known_as=NOT_KEPT if json is None or not json.is_regular else Path(json.name).name,
        )


NOT_KEPT = "not kept: --json FILE keeps it"
"""What the record of a page is called that was not written."""


# Where a name leads --------------------------------------------------------------------------------------------------


def found(option: str, name: str) -> Destination:
    """Return where the ``name`` that was given to ``option`` leads. Raises :class:`BadInput`."""
    if not name:
        raise BadInput(f"{option} names no file: its value is empty")
    if name == DASH:
        return _descriptor(option, name, 1)
    try:
        number = _number_of_descriptor(Path(name))
        if number is not None:
            return _descriptor(option, name, number)
        status, path = _status(name), Path(os.path.realpath(name))
    except OSError as error:
        raise BadInput(f"cannot write {name!r}: {reason_of(error)}") from error
    if status is None and name.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise BadInput(f"cannot write {name!r}: it names a folder")
    return Destination(option, name, path, None, status)


def _status(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)  # noqa: PTH116 - a Path has lost how the name ended
    except (FileNotFoundError, NotADirectoryError):
        return None


def _number_of_descriptor(path: Path) -> int | None:
    """Return the number that ``path`` stands for, of something this process has open already; ``None`` for a file."""
    for _ in range(MAXIMUM_LINKS):
        folder = os.path.realpath(path.parent)
        if DESCRIPTOR_FOLDER.fullmatch(folder) and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = Path(folder) / path.readlink()
    return None


def _descriptor(option: str, name: str, number: int) -> Destination:
    shown = STANDARD_OUTPUT if name == DASH else repr(name)
    if number == 1 and sys.stdout is None:
        raise BadInput(f"cannot write {shown}: it is closed")
    try:
        status = None if number == 1 and not is_standard_output_of_the_system() else os.fstat(number)
    except OSError as error:
        raise BadInput(f"cannot write {shown}: {reason_of(error)}") from error
    return Destination(option, name, Path(name), number, status)


# What is refused -----------------------------------------------------------------------------------------------------


def _refuse_one_for_two(first: Destination, second: Destination) -> None:
    null = _status(os.devnull)
    if first.status is not None and null is not None and os.path.samestat(first.status, null):
        return
    if _is_one(first, second.path, second.status) or (first.is_standard_output and second.is_standard_output):
        names = first.shown if first.name == second.name else f"one file, {first.shown} and {second.shown}"
        raise BadInput(f"{first.option} and {second.option} both name {names}; give each its own")


def _is_one(destination: Destination, path: Path, status: os.stat_result | None) -> bool:
    """Return whether ``destination`` is the file at ``path``, which leads over no link and has that ``status``."""
    if destination.status is not None and status is not None:
        return os.path.samestat(destination.status, status)
    return destination.descriptor is None and os.path.normcase(destination.path) == os.path.normcase(path)


def _refuse_kind(destination: Destination) -> None:
    for is_kind, reason in REFUSED_KINDS:
        if destination.descriptor is None and destination.status is not None and is_kind(destination.status.st_mode):
            raise destination.refusal(reason)


def refuse_what_is_read(destination: Destination, read: Iterable[ReadFile]) -> None:
    """Raise :class:`BadInput` where ``destination`` is one of the files that are ``read``."""
    for file in read:
        try:
            status = _status(str(file.path))
        except OSError:
            continue  # what cannot be found cannot be read
        # What a device gives is not lost by writing to it; a terminal is both.
        is_kept = status is None or stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)
        if not is_kept or not _is_one(destination, Path(os.path.realpath(file.path)), status):
            continue
        if not (file.may_be_report and _is_replaceable(destination)):
            same = "" if destination.name == str(file.path) else f" ({str(file.path)!r})"
            raise BadInput(
                f"{destination.option} {destination.shown} is {file.what}{same}; give another file for the report"
            )


def _is_replaceable(destination: Destination) -> bool:
    """Return whether the file is empty or an earlier report of the kind that ``destination`` is."""
    try:
        with destination.path.open("rb") as file:
            return _is_own(destination, file.read(END))
    except OSError:
        return False


def _is_own(destination: Destination, head: bytes) -> bool:
    return not head or KINDS[destination.option][1](head)


# Opening -------------------------------------------------------------------------------------------------------------


def _open(stack: contextlib.ExitStack, destination: Destination, options: ReportOptions) -> OpenReport:
    if destination.is_regular:
        stack.enter_context(_folders(destination))
    try:
        sink = _sink(stack, destination)
    except LockedError as error:
        raise BadInput(
            f"another run is writing to {destination.shown}; wait for its end, or give another file"
        ) from error
    except OSError as error:
        raise destination.refusal(reason_of(error)) from error
    stack.callback(_close, destination, sink)
    # What is resumed is read as a record next, and refused if it is none.
    is_resumed = options.resume and destination.option == JSON
    if isinstance(sink, GrowingFile | WholeFile) and not options.force and not is_resumed:
        _refuse_other_files(destination, sink)
    return OpenReport(destination, sink)


def _close(destination: Destination, sink: Sink) -> None:
    """Close ``sink``; some file systems say only then that there was no space."""
    try:
        sink.close()
    except OSError as error:
        raise ReportLost(f"cannot write {destination.shown}: {reason_of(error)}") from error


def _sink(stack: contextlib.ExitStack, destination: Destination) -> Sink:
    if destination.is_regular:
        return GrowingFile(destination.path) if destination.option == JSON else WholeFile(destination.path)
    if destination.is_standard_output and is_standard_output_of_the_system():
        own = stack.enter_context(standard_output_alone())
        return Stream(os.fdopen(own, "wb", buffering=0, closefd=False), closes=False)
    if destination.is_standard_output:
        return Stream(sys.stdout.buffer, closes=False)
    if destination.descriptor is None:
        # Neither made nor made shorter; a terminal does not become that of this process.
        number = os.open(destination.path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0))
    else:
        number = os.dup(destination.descriptor)
    stream = Stream(os.fdopen(number, "wb", buffering=0))
    try:
        os.write(number, b"")
    except OSError as error:
        # What is full or has lost its reader is told when the report is written, and costs the other reports nothing.
        if error.errno == errno.EBADF:  # open for reading only
            stream.close()
            raise
    return stream


def _refuse_other_files(destination: Destination, sink: GrowingFile | WholeFile) -> None:
    try:
        is_own = _is_own(destination, sink.head())
    except OSError as error:
        raise destination.refusal(reason_of(error)) from error
    if not is_own:
        kind = KINDS[destination.option][0]
        raise BadInput(
            f"{destination.option} {destination.shown} is there already and is no {kind} of tokconf; give another "
            "file, or --force to replace it"
        )


@contextmanager
def _folders(destination: Destination) -> Iterator[None]:
    """Make the folders of the file that are missing; remove them at the end where nothing was put into them."""
    made: list[Path] = []
    try:
        for folder in reversed((destination.path.parent, *destination.path.parent.parents)):
            if not folder.exists():
                folder.mkdir(exist_ok=True)
                made.append(folder)
    except OSError as error:
        raise BadInput(f"cannot write {error.filename!r}: {reason_of(error)}") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            for folder in reversed(made):
                folder.rmdir()
