"""What happens in a comparison of releases, and the lines of its record.

What needs no live object happens as the line itself: the header, refusals, boundaries, sections, speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import Finished
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.releases.snapshot.events import PartMade
from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
from tokenizer_conformance.releases.versions.sections.table import TITLES
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.releases.versions.truncated import TRUNCATION, original
from tokenizer_conformance.results.records import run
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.results.records.headers import Inputs, NamedFile
from tokenizer_conformance.results.records.making import footer_of, header_of, made
from tokenizer_conformance.results.records.value import Line
from tokenizer_conformance.validation.running.events import InputCompared
from tokenizer_conformance.validation.running.record import entry_reference, tokenizer_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.diff.events import LoadingChanged
    from tokenizer_conformance.releases.versions.plan import VersionsPlan
    from tokenizer_conformance.results.records.run import AskedAgain
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished
    from tokenizer_conformance.validation.running.seen import DifferencesSeen


@dataclass(frozen=True, slots=True)
class StepFinished:
    """What changed from a release to the next one, ``old`` to ``new``.

    ``loading`` are changes in how tokenizers are loaded; ``tokenizers`` have findings and causes, each of a tokenizer
    on which inputs differ, and ``causes`` are those of all. ``inputs`` counts the inputs that differ, summed over the
    tokenizers, and ``unconfirmed`` those of them that were not looked into. ``unstable`` counts others, which differed
    only until a release was asked again: they are no change. ``asked_again`` says which release does not repeat its
    answers, or was not asked all of them again. ``run`` says who was compared, and ``infos`` describe the two releases
    under names that differ. ``without_cause`` counts the inputs that were not asked about again for a cause, and
    ``not_shown`` is what else is known to have changed. ``seen`` is what a ledger is to know.
    """

    old: str
    new: str
    inputs: int
    loading: tuple[LoadingChanged, ...]
    tokenizers: tuple[TokenizerFinished, ...]
    causes: tuple[Cause, ...]
    uncounted: int
    run: RunStarted | None
    infos: tuple[ImplementationInfo, ImplementationInfo]
    seconds: float
    unstable: int = 0
    unconfirmed: int = 0
    asked_again: tuple[AskedAgain, ...] = ()
    without_cause: int = 0
    not_shown: tuple[lines.NotShown, ...] = ()
    seen: tuple[DifferencesSeen, ...] = ()

    @property
    def is_unstable(self) -> bool:
        """Whether a release gave answers that it did not repeat."""
        return any(each.unstable for each in self.tokenizers)

    @property
    def is_new(self) -> bool:
        """Whether anything changed that no ledger knows."""
        findings = any(each.findings for each in self.tokenizers)
        return findings or any(each.entry is None for each in self.loading)


@dataclass(frozen=True, slots=True)
class VersionsFinished(Finished):
    """The comparison is over. ``finished`` is false where it was stopped early, for a ``reason``.

    ``stale`` are entries of the ledger that nothing has matched, although all that they are about was compared.
    """

    reason: str | None
    releases: int
    tokenizers: int
    steps: Sequence[StepFinished]
    stale: tuple[Entry, ...] = ()


Event = (
    lines.Header
    | lines.Refused
    | PartMade
    | SnapshotReady
    | InputCompared
    | TokenizerMatrix
    | StepFinished
    | lines.Bisected
    | lines.Section
    | lines.Speed
    | VersionsFinished
)


def lines_of(event: Event) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one."""
    match event:
        case Line():
            yield event
        case SnapshotReady():
            seconds = {"seconds": rounded(event.seconds), "asking": rounded(event.asking)}
            yield made(lines.Release, event, kept=event.is_kept, **seconds)
        case TokenizerMatrix():
            yield _matrix(event)
        case StepFinished():
            yield _step(event)
        case VersionsFinished():
            yield made(lines.Footer, event, **footer_of(event), stale=list(map(entry_reference, event.stale)))
        case _:
            return


def header_line(plan: VersionsPlan) -> lines.Header:
    """Return the header of the record of ``plan``, which is carried out now."""
    sections = tuple(section.name for section in plan.sections)
    return lines.Header(
        **header_of(lines.FORMAT, current_environment(plan.command)),
        releases=tuple(lines.NamedRelease(word=each.word, version=each.version) for each in plan.releases),
        tokenizers=tuple(NamedFile(name=each.source.name, sha256=each.sha256) for each in plan.tokenizers),
        inputs=Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256),
        sections=lines.Sections(compared=sections, left_out=tuple(name for name in TITLES if name not in sections)),
        ledgers=tuple(NamedFile(name=Path(file.name).name, sha256=file.sha256) for file in plan.ledger.files),
        sources=tuple(
            lines.Source(name=str(getattr(source, "name", "")), inputs=sum(1 for _ in inputs))
            for source, inputs in zip(plan.corpus.sources, plan.corpus.by_source(), strict=True)
        ),
        truncated=tuple(
            lines.Truncated(
                name=each.source.name,
                sha256=each.sha256,
                of=original(each),
                max_length=TRUNCATION["max_length"],
                stride=TRUNCATION["stride"],
            )
            for each in plan.truncated
        ),
    )


def _matrix(matrix: TokenizerMatrix) -> lines.Matrix:
    return made(
        lines.Matrix,
        matrix,
        differing=[
            {
                "releases": pair,
                "inputs": count,
                "stages": {
                    stage: matrix.differing[pair, stage] for stage in Stage if (pair, stage) in matrix.differing
                },
                "sources": _by_source(matrix.changed.get(pair, {})),
            }
            for pair, count in matrix.inputs.items()
        ],
    )


def _by_source(changed: Mapping[tuple[int, lines.Changed], int]) -> list[lines.DifferingSource]:
    return [
        lines.DifferingSource(
            source=source, changed={what: changed[source, what] for what in lines.Changed if (source, what) in changed}
        )
        for source in sorted({source for source, _ in changed})
    ]


def _step(step: StepFinished) -> lines.Step:
    return made(
        lines.Step,
        step,
        loading=[
            made(
                run.Loading,
                each.change,
                known=None if each.entry is None else entry_reference(each.entry),
                explained_by=each.explained_by,
                faults=each.faults,
            )
            for each in step.loading
        ],
        tokenizers=list(map(tokenizer_record, step.tokenizers)),
        causes=list(map(cause_record, step.causes)),
        seconds=rounded(step.seconds),
    )
