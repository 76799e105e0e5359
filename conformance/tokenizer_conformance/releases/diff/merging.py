"""Merging the records of the parts of one diff into the whole diff: the run of both sides is merged as any run is.

Each part says how the tokenizers of which it has any input are loaded. What all of them show comes to the same end as
in a diff of one machine.
"""

from __future__ import annotations

from dataclasses import asdict as fields_of
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import asdict

from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.comparison.asking import AgainCounts
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.concluding import DiffCourse, concluded
from tokenizer_conformance.releases.diff.events import LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.loading_changes import LoadingChange
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.results.records.run import AskedAgain, Sides
from tokenizer_conformance.validation.running.events import CausesSought, RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.merging import merged_run

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.diff.events import Event
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

V = TypeVar("V")


def is_of_diff(read: RecordedLines) -> bool:
    """Return whether the record of a run that was ``read`` is that of a diff; it says its sides after its header."""
    return len(read.lines) > 1 and read.lines[1].get("type") == "sides"


def merged_diff(parts: Sequence[RecordedRun], *, partial: bool) -> Generator[Event]:
    """Yield what the whole diff of the ``parts``, in their order, would have told; ``partial`` as in a run.

    Raises :class:`BadInputError`, at once, where they have compared other sides.
    """
    return _Merging(parts, partial=partial).events()


class _Merging:
    def __init__(self, parts: Sequence[RecordedRun], *, partial: bool) -> None:
        self._parts = parts
        self._partial = partial
        self._sides = _sides_of_all(parts)
        entries = {entry: None for part in parts if part.in_play for entry in part.in_play.entries}
        self._entries = tuple(entries)
        self._changes = tuple(self._loading_changes())
        self._compared = tuple(self._loading_compared())

    def events(self) -> Generator[Event]:
        yield self._sides
        for tokenizer in self._parts[0].started.tokenizers:
            yield from (change for change in self._changes if change.change.tokenizer == tokenizer.source.name)
            yield from (compared for compared in self._compared if compared.tokenizer == tokenizer)
        finished: dict[str, TokenizerFinished] = {}
        for event in merged_run(self._parts, partial=self._partial):
            match event:
                case RunStarted():
                    started = event
                    yield replace(started, tokenizers=tuple(self._on_both_sides(started)))
                case TokenizerFinished():
                    finished[event.tokenizer] = event
                case CausesSought():  # a diff tells them with the tokenizer
                    finished[event.tokenizer] = event.of(finished[event.tokenizer])
                case RunFinished():
                    done = tuple(finished.values())
                    yield from self._asked_again(started, done)
                    yield from done
                    yield self._concluded(started, done, event)
                case _:
                    yield event

    def _on_both_sides(self, started: RunStarted) -> Iterator[TokenizerFile]:
        """Yield the tokenizers of a run of the whole: not those of which it is known that a side does not load them."""
        refused = {each.tokenizer.source.name for each in self._compared if not each.loaded}
        return (each for each in started.tokenizers if each.source.name not in refused)

    def _concluded(self, started: RunStarted, done: Sequence[TokenizerFinished], last: RunFinished) -> RunFinished:
        course = DiffCourse(
            old=started.info(started.baseline),
            new=started.info(started.other_than(started.baseline)),
            fields=frozenset(started.fields),
            entries=self._entries,
            done=done,
            changes=self._changes,
            compared=self._compared,
        )
        return concluded(last, course)

    # What parts tell beside a run: of a tokenizer that several parts share, each tells how it is loaded

    def _lines(self, kind: type[V]) -> Iterator[V]:
        return (line for part in self._parts for line in part.lines if isinstance(line, kind))

    def _loading_changes(self) -> Iterator[LoadingChanged]:
        by_place = {(entry.place.ledger, entry.place.number): entry for entry in self._entries}
        for line in dict.fromkeys(self._lines(lines.LoadingChange)):
            explained = line.explained_by
            yield LoadingChanged(
                LoadingChange(line.tokenizer, line.what, line.path, line.old, line.new),
                None if line.known is None else by_place.get((line.known.ledger, line.known.entry)),
                None if explained is None else tuple(ExplainedBy(**asdict(each)) for each in explained),
                line.faults,
            )

    def _loading_compared(self) -> Iterator[LoadingCompared]:
        files = {each.source.name: each for each in self._parts[0].started.tokenizers}
        for line in {line.tokenizer: line for line in self._lines(lines.LoadingCompared)}.values():
            left_out = {str(part): why for part, why in line.left_out.items()}
            yield LoadingCompared(files[line.tokenizer], left_out, line.shown, line.loaded)

    def _asked_again(self, started: RunStarted, done: Sequence[TokenizerFinished]) -> Iterator[AskedAgain]:
        told: dict[tuple[str, str], AgainCounts] = {}
        for line in self._lines(AskedAgain):
            of = line.tokenizer, line.implementation
            told[of] = told.get(of, AgainCounts()) + AgainCounts(line.asked, line.others, line.left, line.reason)
        for of in product((each.tokenizer for each in done), (each.name for each in started.implementations)):
            counts = told.get(of, AgainCounts())
            line = AskedAgain(tokenizer=of[0], implementation=of[1], **fields_of(counts))
            if line.is_told:
                yield line


def _sides_of_all(parts: Sequence[RecordedRun]) -> Sides:
    """Return the sides that all ``parts`` have compared."""
    told = [(part, line) for part in parts for line in part.lines if isinstance(line, Sides)]
    first, sides = told[0]
    for part, other in told:
        if other != sides:
            raise BadInputError(
                f"{str(part.read.path)!r} is a part of another diff than {str(first.read.path)!r} (from {other.old} to "
                f"{other.new} here, from {sides.old} to {sides.new} there); merge the parts of one diff"
            )
    return sides
