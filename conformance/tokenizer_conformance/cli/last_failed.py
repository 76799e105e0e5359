"""The option ``--last-failed``: what failed in the record of an earlier run, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.lazy import lazy
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.plan import VOCABULARY_INPUT, LastFailed, Portion, portions_of_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from tokenizer_conformance.command_io.outputs import ReadFile
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace

read_lines = lazy("tokenizer_conformance.command_io.recorded_lines:read_lines")
run_of = lazy("tokenizer_conformance.validation.running.recorded_run:run_of")
failed_in = lazy("tokenizer_conformance.validation.running.recorded_run:failed_in")
ids_not_there = lazy("tokenizer_conformance.validation.running.recorded_run:ids_not_there")
is_of_vocabulary = lazy("tokenizer_conformance.validation.running.recorded_run:is_of_vocabulary")
names_all = lazy("tokenizer_conformance.validation.running.recorded_run:names_all")
failed_requirements = lazy("tokenizer_conformance.validation.suite.recorded_suite:failed_requirements")

NAMES_SHOWN = 20
"""How many of the inputs that are no longer there are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class LastFailedOptions:
    """The ``record`` of which only what failed is repeated; all where there is none, and where nothing failed in it."""

    record: Path | None = None

    def read_files(self) -> Iterator[ReadFile]:
        """Yield the record: no report may replace it."""
        return given_files("the record of --last-failed", [] if self.record is None else [self.record])

    def portions(
        self, tokenizers: Sequence[str], corpus: Inputs, implementations: Collection[str], *, with_ids: bool
    ) -> tuple[dict[str, Portion], LastFailed | None]:
        """Return what to compare on each of ``tokenizers``, and the record that says so; nothing of both for all.

        Says what failed and is not there any more. Raises :class:`BadInput` where the record cannot be read, or nothing
        that failed is there.
        """
        if self.record is None:
            return {}, None
        STATUS.begin("reading the record", str(self.record))
        try:
            return self._portions(self.record, tokenizers, corpus, implementations, with_ids=with_ids)
        except BadInputError as error:
            raise BadInput(str(error)) from error

    def _portions(
        self,
        path: Path,
        tokenizers: Sequence[str],
        corpus: Inputs,
        implementations: Collection[str],
        *,
        with_ids: bool,
    ) -> tuple[dict[str, Portion], LastFailed | None]:
        recorded = run_of(read_lines(path))
        _say_what_is_not_known(recorded.read)
        if not names_all(recorded):
            complain(f"{str(path)!r} was made by an earlier release: only the failed inputs that it names are repeated")
        failed = failed_in(recorded, implementations)
        repeats = LastFailed(path.name, recorded.read.sha256)
        nothing: dict[str, Portion] = {name: Portion(0, names=frozenset()) for name in tokenizers}
        if not failed:
            _say_that_nothing_failed(path)
            return {}, None
        _say_absent("tokenizer", [name for name in failed if name not in tokenizers])
        failed = {name: ids for name, ids in failed.items() if name in tokenizers}
        _say_absent("input", ids_not_there(failed, corpus, with_ids=with_ids))
        there = portions_of_names(failed, corpus)
        if not any(_has_any(portion, with_ids=with_ids) for portion in there.values()):
            raise BadInputError(f"nothing that failed in {str(path)!r} is there any more: there is nothing to repeat")
        return {**nothing, **there}, repeats

    def cases(
        self, cases: Sequence[CaseInPlace], implementations: Collection[str]
    ) -> tuple[tuple[CaseInPlace, ...], bool]:
        """Return those of ``cases`` whose requirements failed, and whether these are fewer than all.

        Raises :class:`BadInput` where the record cannot be read, or nothing that failed is there.
        """
        if self.record is None:
            return tuple(cases), False
        try:
            read = read_lines(self.record)
            failed = failed_requirements(read, implementations)
        except BadInputError as error:
            raise BadInput(str(error)) from error
        _say_what_is_not_known(read)
        if not failed:
            _say_that_nothing_failed(self.record)
            return tuple(cases), False
        there = {case.requirement.id for case in cases}
        _say_absent("requirement", [name for name in failed if name not in there])
        chosen = tuple(case for case in cases if case.requirement.id in failed)
        if not chosen:
            raise BadInput(
                f"nothing that failed in {str(self.record)!r} is among what is asked: there is nothing to repeat"
            )
        return chosen, True


def _say_that_nothing_failed(path: Path) -> None:
    complain(f"nothing failed in {str(path)!r}: everything is compared")


def _has_any(portion: Portion, *, with_ids: bool) -> bool:
    names = portion.names or ()
    return bool(portion.count) or VOCABULARY_INPUT in names or (with_ids and any(map(is_of_vocabulary, names)))


def _say_what_is_not_known(read: RecordedLines) -> None:
    footer = read.footer
    if footer is None or not footer.get("finished"):
        complain(
            f"{str(read.path)!r} is the record of a run that was cut short: what it did not compare is not repeated"
        )


def _say_absent(what: str, names: Sequence[str]) -> None:
    if names:
        shown = ", ".join(map(one_line, names[:NAMES_SHOWN]))
        more = f" and {len(names) - NAMES_SHOWN:,} more" if len(names) > NAMES_SHOWN else ""
        are = "is" if len(names) == 1 else "are"
        complain(f"{counted(len(names), what)} that failed {are} not there any more, or not selected: {shown}{more}")
