"""Snapshots of fake implementations, and diffs of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from fake_implementations import Toy, ToySubject

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance import Input, RunPlan, read_corpus, run
from tokenizer_conformance.releases.diff.engine import diff
from tokenizer_conformance.releases.diff.preparation import Wanted, diff_plan
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot, read_snapshot
from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation, Stage
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

T = TypeVar("T")


def named(texts: Sequence[str], category: str = "test") -> tuple[Input, ...]:
    """Return ``texts`` as the inputs of one source."""
    return tuple(Input(f"{category} {number}", category, text) for number, text in enumerate(texts))


def corpus_of(*sources: Sequence[Input]) -> Corpus:
    corpus, refusals = read_corpus([(f"source {number}", source) for number, source in enumerate(sources)])
    assert not refusals
    return corpus


@dataclass(frozen=True)
class Making:
    """Makes snapshots in ``folder`` of what implementations answer about the tokenizers of ``files``."""

    folder: Path
    files: tuple[TokenizerFile, ...]

    def snapshot(
        self,
        name: str,
        implementation: Implementation,
        *sources: Sequence[Input],
        stages: tuple[Stage, ...] = PIPELINE_STAGES,
    ) -> Snapshot:
        path = self.folder / name
        plan = SnapshotPlan(
            implementation=implementation,
            word=implementation.info.name,
            tokenizers=self.files,
            words={file.source.name: str(file.source.file) for file in self.files},
            corpus=corpus_of(*sources),
            stages=stages,
        )
        placed = PlacedFile(path)
        report = SnapshotReport(placed)
        for event in make_snapshot(plan):
            report.handle(event)  # type: ignore[arg-type]
        placed.close()
        return read_snapshot(path)

    def compared(
        self, old: Implementation, new: Implementation, *sources: Sequence[Input], **options: Any
    ) -> list[Any]:
        """Return the events of a run of both, under the names that a diff gives them."""
        plan = {
            "tokenizers": self.files,
            "implementations": (old, new),
            "baseline": old.info.name,
            "corpus": corpus_of(*sources),
            "cause_seconds": 0.0,
        }
        return list(run(RunPlan(**(plan | options))))


def diff_of(old: Snapshot, new: Any, live: Any = None, moved: dict[str, str] | None = None, **wanted: Any) -> list[Any]:
    """Return the events of a diff."""
    return list(diff(diff_plan(old, new, live, moved or {}, Wanted(**wanted))))


def of_type(events: Sequence[Any], kind: type[T]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


def last(events: Sequence[Any]) -> RunFinished:
    assert isinstance(events[-1], RunFinished)
    return events[-1]


def outline(events: Sequence[Any]) -> list[Any]:
    """Return what a run or a diff found, without names and times: findings, counts, blame, impact."""
    found = []
    for finished in of_type(events, TokenizerFinished):
        findings = [
            (replace(finding.signature, implementation=""), finding.differences, finding.inputs, finding.consequences)
            for finding in finished.findings
        ]
        firsts = [
            (finding.first.input, finding.first.question, finding.first.differs_at) for finding in finished.findings
        ]
        rows = [
            (row.stages, row.blamed, row.failing_inputs, row.impact, row.load_error, row.shows)
            for row in finished.results
        ]
        found.append((finished.tokenizer, finished.inputs, findings, firsts, rows))
    return found


class Saving(Toy):
    """Saves tokenizers as ``document`` says, and has a vocabulary with one token more where ``is_larger``."""

    name = "saving"

    def __init__(self, document: str, *, is_larger: bool = False) -> None:
        self._document = document
        self._is_larger = is_larger

    def load(self, source: Any) -> ToySubject:
        super().load(source)
        return _Saving(self._document, is_larger=self._is_larger)


class _Saving(ToySubject):
    def __init__(self, document: str, *, is_larger: bool) -> None:
        self._document = document
        self._is_larger = is_larger

    def saved(self) -> str:
        return self._document

    def vocabulary(self) -> Any:
        vocabulary = super().vocabulary()
        assert isinstance(vocabulary, dict)
        return vocabulary | {"more": 1000} if self._is_larger else vocabulary
