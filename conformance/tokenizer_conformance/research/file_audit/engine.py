"""An audit of files from beginning to end: one file after the other, one check after the other."""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.loaded_documents import Documents, written
from tokenizer_conformance.research.file_audit.audited import AuditedFile
from tokenizer_conformance.research.file_audit.checks_table import ALL_DEFECTS, CHECKS, ON_READING
from tokenizer_conformance.research.file_audit.events import (
    FileAudited,
    FileAuditFinished,
    FileAuditStarted,
    FileBegun,
    FileFixed,
    FindingMade,
)
from tokenizer_conformance.research.file_audit.finding import Finding
from tokenizer_conformance.research.file_audit.fixing import fix
from tokenizer_conformance.research.file_audit.reading import read, refusal

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.events import FileAuditEvent
    from tokenizer_conformance.research.file_audit.finding import Severity
    from tokenizer_conformance.research.file_audit.json_text import JsonText
    from tokenizer_conformance.research.file_audit.plan import FileAuditPlan

READING = "reading"
"""The check that a file is a tokenizer, which comes before all others."""


def audit_files(plan: FileAuditPlan) -> Generator[FileAuditEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early; after an error that nobody expected it ends in the same way.
    """
    return _FileAudit(plan).events()


class _FileAudit:
    def __init__(self, plan: FileAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._audited = self._failing = 0
        self._counts: Counter[Severity] = Counter()

    def events(self) -> Generator[FileAuditEvent | InternalError]:
        plan, stop = self._plan, Stop()
        yield FileAuditStarted(
            environment=current_environment(plan.command),
            baseline=plan.baseline.info,
            tokenizers=plan.tokenizers,
            selection=plan.selection,
            defects=sum(map(plan.selection.wants, ALL_DEFECTS)),
            seconds=plan.seconds,
        )
        yield from stop.guard(self._work())
        yield FileAuditFinished(
            finished=stop.conclusion is None,
            conclusion=stop.conclusion or self._conclusion(),
            audited=self._audited,
            failing=self._failing,
            counts=dict(self._counts),
            seconds=time.monotonic() - self._began,
        )

    def _work(self) -> Iterator[FileAuditEvent]:
        plan = self._plan
        yield from map(InputRefused, plan.refusals)
        with ExitStack() as stack:
            documents = stack.enter_context(Documents(plan.baseline))
            measured = None if plan.measured is None else plan.measured()
            if isinstance(measured, ProcessImplementation):
                stack.callback(measured.close)
            slow = None if measured is None else stack.enter_context(Documents(measured))
            for tokenizer in plan.tokenizers:
                yield from self._of_tokenizer(tokenizer, documents, slow)

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.NOTHING_COMPARED: not self._audited,
                Conclusion.DIFFERENCES: self._failing,
            }
        )

    def _of_tokenizer(
        self, tokenizer: TokenizerFile, documents: Documents, measured: Documents | None
    ) -> Iterator[FileAuditEvent]:
        began = time.monotonic()
        yield FileBegun(tokenizer)
        counts: Counter[Severity] = Counter()
        checks: dict[str, tuple[str, ...]] = {}
        audited: AuditedFile | None = None
        findings: list[Finding] = []
        fails = False
        for event in self._findings(tokenizer, documents, measured, checks):
            if isinstance(event, AuditedFile):
                audited = event
                continue
            findings.append(event.finding)
            counts[event.finding.defect.severity] += 1
            self._counts[event.finding.defect.severity] += 1
            fails = fails or event.fails
            yield event
        self._audited += 1
        self._failing += fails
        is_loaded = audited is not None and audited.asked is not None
        cut_short = () if audited is None else tuple(audited.cut_short)
        yield FileAudited(tokenizer, checks, dict(counts), is_loaded, time.monotonic() - began, cut_short)
        target = self._plan.fix_to
        if target is not None and audited is not None:
            STATUS.begin(tokenizer.source.name, "mending the file, and comparing the answers of both")
            mended = fix(audited, findings)
            if mended.text:
                write_atomically(target, mended.text.encode("utf-8", "surrogatepass"))
            yield FileFixed(tokenizer, mended, str(target) if mended.text else None)

    def _findings(
        self,
        tokenizer: TokenizerFile,
        documents: Documents,
        measured: Documents | None,
        checks: dict[str, tuple[str, ...]],
    ) -> Iterator[FindingMade | AuditedFile]:
        """Yield the findings that are wanted, and once what is looked into; enter in ``checks`` what was done."""
        wants, name = self._plan.selection.wants, tokenizer.source.name
        STATUS.begin(name, "reading")
        checks[READING] = tuple(defect.id for defect in ON_READING if wants(defect))
        content = read(tokenizer)
        if isinstance(content, Finding):
            yield from self._made(tokenizer, content, None)
            return
        STATUS.begin(name, f"loading into {self._plan.baseline.info.name}")
        asked: Asked | None = None
        saved: Json | None = None
        try:
            asked = loaded(self._plan.baseline, tokenizer.source)
            saved = _saved(asked)
        except CannotLoadError as error:
            yield from self._made(tokenizer, refusal(content.document, str(error), documents), content.text)
        audited = AuditedFile(
            tokenizer, content.text, content.document, asked, saved, documents, self._plan.seconds, measured
        )
        yield audited
        for check in CHECKS:
            wanted = tuple(defect.id for defect in check.defects if wants(defect))
            if wanted:
                STATUS.begin(name, check.name)
                for finding in check.find(audited):
                    yield from self._made(tokenizer, finding, content.text)
                checks[check.name] = wanted

    def _made(self, tokenizer: TokenizerFile, finding: Finding, text: JsonText | None) -> Iterator[FindingMade]:
        if self._plan.selection.wants(finding.defect):
            line = finding.line
            if line is None and text is not None:
                line = text.line_of(finding.path)
            yield FindingMade(tokenizer, finding, line, self._plan.selection.fails_for(finding.defect))


def _saved(asked: Asked) -> Json | None:
    """Return the document that ``asked`` writes, ``None`` where it writes none."""
    try:
        return written(asked)
    except (CannotLoadError, json.JSONDecodeError):
        return None
