"""An audit from beginning to end: one loader after the other, on one tokenizer after the other."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, LoaderDefaults, LoaderSubject, Unsupported
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.loaded_documents import Documents
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    about,
    header_line,
)
from tokenizer_conformance.releases.loader_audit.known import KnownDifferences, compared_in
from tokenizer_conformance.releases.loader_audit.loader_audit import LoaderAudit
from tokenizer_conformance.releases.loader_audit.witness import NoWitness
from tokenizer_conformance.results.records import loader_audit as lines
from tokenizer_conformance.results.records.making import made

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent
    from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan


OF_THE_FORMAT = Place("", 0)
"""What a conversion cannot say stands in no ledger."""

MOST_EXAMPLES, LONGEST_EXAMPLE = 10, 200
"""Of the texts that two files encode differently so many are told, and so many characters of each."""


def audit(plan: LoaderAuditPlan) -> Generator[LoaderAuditEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early; after an error that nobody expected it ends in the same way.
    """
    return _Audit(plan).events()


class _Audit:
    def __init__(self, plan: LoaderAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._known = KnownDifferences(plan.ledger, plan.baseline.info)
        self._audited = self._differing = self._differences = self._witnessed = self._known_ones = self._failed = 0

    def events(self) -> Generator[LoaderAuditEvent | InternalError]:
        stop = Stop()
        yield header_line(self._plan)
        yield from stop.guard(self._work())
        stale = () if stop.conclusion else self._known.stale()
        yield LoaderAuditFinished(
            finished=stop.conclusion is None,
            conclusion=stop.conclusion or self._conclusion(is_stale=bool(stale)),
            audited=self._audited,
            differing=self._differing,
            differences=self._differences,
            witnessed=self._witnessed,
            known=self._known_ones,
            stale=stale,
            seconds=time.monotonic() - self._began,
        )

    def _work(self) -> Iterator[LoaderAuditEvent]:
        plan = self._plan
        yield from map(InputRefused, plan.refusals)
        yield from map(ImplementationMissing, plan.unavailable)
        for tokenizer in plan.tokenizers:
            yield from self._of_tokenizer(tokenizer)

    def _conclusion(self, *, is_stale: bool) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.IMPLEMENTATION_FAILED: self._failed or self._plan.unavailable,
                Conclusion.NOTHING_COMPARED: not self._audited,
                Conclusion.DIFFERENCES: self._differing,
                Conclusion.STALE: is_stale,
            }
        )

    def _of_tokenizer(self, tokenizer: TokenizerFile) -> Iterator[LoaderAuditEvent]:
        name, baseline = tokenizer.source.name, self._plan.baseline
        STATUS.begin(name, f"loading into {baseline.info.name}")
        try:
            file = loaded(baseline, tokenizer.source)
        except CannotLoadError as error:
            self._failed += 1
            yield lines.NotLoaded(**about(name, baseline.info), reason=why_not_loaded(error), unsupported=False)
            return
        with Documents(baseline) as documents:
            for loader in self._plan.loaders:
                STATUS.begin(name, f"loading into {loader.info.name}")
                try:
                    asked = loaded(loader, (self._plan.new or tokenizer).source)
                except CannotLoadError as error:
                    self._failed += not error.unsupported
                    yield lines.NotLoaded(
                        **about(name, loader.info), reason=why_not_loaded(error), unsupported=error.unsupported
                    )
                    continue
                work = LoaderAudit(name, self._plan, file, asked, documents)
                yield from self._of_loader(name, loader.info, work, asked)

    def _loss(self, info: ImplementationInfo, judged: DifferenceJudged) -> Entry | None:
        """Return a difference that no file of the format of a conversion is free of, as the entry of a ledger."""
        conversion = self._plan.conversion
        reason = None if conversion is None else conversion.losses.get(judged.difference.name)
        return None if reason is None else Entry(implementation=info.name, reason=reason, place=OF_THE_FORMAT)

    def _of_loader(
        self, name: str, info: ImplementationInfo, work: LoaderAudit, asked: Asked
    ) -> Iterator[LoaderAuditEvent]:
        defaults = _defaults(asked)
        yield made(lines.Loaded, work, **about(name, info), files=asked.files, defaults=defaults)
        differs = False
        for judged in work.differences():
            entry = self._known.of_replacement(name, info, judged.difference) or self._loss(info, judged)
            self._differences += 1
            self._witnessed += not isinstance(judged.witness, NoWitness)
            self._known_ones += entry is not None
            differs = differs or entry is None
            yield replace(judged, known=entry)
        STATUS.begin(name, f"comparing the answers of {info.name}")
        behaviour = work.behaviour()
        entries = tuple(self._known.of_finding(name, info, each) for each in behaviour.findings)
        compared = compared_in(
            has_structure=not work.no_structure, has_defaults=defaults is not None, has_answers=bool(behaviour.values)
        )
        self._known.audited(name, info, compared)
        self._audited += 1
        self._differing += differs or None in entries
        if not behaviour.values:
            self._failed += 1
        yield LoaderAudited(name, info, behaviour, entries)
        if self._plan.new is not None and self._plan.conversion is None:
            STATUS.begin(name, "exchanging parts of the two files")
            encoded, exchanged = work.texts(behaviour)
            examples = tuple(text[:LONGEST_EXAMPLE] for text in encoded[:MOST_EXAMPLES])
            yield lines.Texts(
                tokenizer=name, loader=info.name, encoded=len(encoded), examples=examples, exchanged=exchanged
            )


def _defaults(asked: Asked) -> LoaderDefaults | None:
    found = asked.subject.defaults() if isinstance(asked.subject, LoaderSubject) else Unsupported("")
    return found if isinstance(found, LoaderDefaults) else None
