"""An audit of files from beginning to end: one file after the other, one check after the other.

The events are the lines of the record, as far as these say all that is to be known.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.comparison.loaded_documents import Documents, written
from tokenizer_conformance.defaults import FILE_AUDIT_SECONDS
from tokenizer_conformance.research.file_audit.audited import AuditedFile
from tokenizer_conformance.research.file_audit.checks_table import OF_FILES, ON_READING, READING, Audit
from tokenizer_conformance.research.file_audit.finding import FoundDefect, Severity
from tokenizer_conformance.research.file_audit.fixing import fix
from tokenizer_conformance.research.file_audit.reading import read, refusals
from tokenizer_conformance.results.records import file_audit as lines
from tokenizer_conformance.results.records.making import LastLine, header_of, implementation_of, last_line, made

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.file_audit.audited import JsonText
    from tokenizer_conformance.research.file_audit.finding import Defect, FileCheck, Witness

LONGEST_TEXT = 2000
"""Texts of witnesses are cut at so many code points."""

FileAuditEvent = lines.Header | InputRefused | lines.File | lines.Finding | lines.Audited | lines.Fixed | LastLine


@dataclass(frozen=True, slots=True)
class Selection:
    """Which defects are wanted: those ``selected`` (all, where empty) that are not ``ignored`` and not too slight.

    Words are ids of defects, or beginnings of some that end with ``-``. ``least`` is the slightest severity that is
    shown, ``fails`` the slightest for which the command fails; ``None``: it fails for none.
    """

    selected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    least: Severity = Severity.NOTE
    fails: Severity | None = Severity.ERROR

    def wants(self, defect: Defect) -> bool:
        """Return whether ``defect`` is wanted."""
        is_selected = not self.selected or _is_among(defect.id, self.selected)
        return is_selected and not _is_among(defect.id, self.ignored) and defect.severity.reaches(self.least)

    def fails_for(self, defect: Defect) -> bool:
        """Return whether the command fails where there is ``defect``."""
        return self.fails is not None and defect.severity.reaches(self.fails)


def _is_among(id: str, words: tuple[str, ...]) -> bool:
    return any(id == word or (word.endswith("-") and id.startswith(word)) for word in words)


@dataclass(frozen=True, slots=True)
class FileAuditPlan:
    """The files of ``tokenizers`` are looked into as ``audit`` says, and ``baseline`` is asked about them.

    ``measured`` starts it in a process of its own, which may take its time. The audit takes ``seconds`` at most; each
    file has an equal share of what is left. ``fix_to`` is where the mended file is to be written, of which there is
    one. ``refusals`` were given and cannot be used; ``command`` is the command line.
    """

    tokenizers: tuple[TokenizerFile, ...]
    baseline: Implementation
    measured: Callable[[], Implementation] | None = None
    selection: Selection = field(default_factory=Selection)
    seconds: float = FILE_AUDIT_SECONDS
    fix_to: Path | None = None
    refusals: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    audit: Audit = OF_FILES


def audit_files(plan: FileAuditPlan) -> Generator[FileAuditEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early; after an error that nobody expected it ends in the same way.
    """
    return _FileAudit(plan).events()


class _FileAudit:
    def __init__(self, plan: FileAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._audited = self._failing = self._in_part = 0
        self._lacks = False
        self._counts: Counter[str] = Counter()

    def events(self) -> Generator[FileAuditEvent | InternalError]:
        stop = Stop()
        yield _header(self._plan)
        yield from stop.guard(self._work())
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(),
            time.monotonic() - self._began,
            finished=stop.conclusion is None,
            audited=self._audited,
            failing=self._failing,
            in_part=self._in_part,
            counts=_counts(self._counts),
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
            for number, tokenizer in enumerate(plan.tokenizers):
                now = time.monotonic()
                left = self._began + plan.seconds - now
                until = now + left / (len(plan.tokenizers) - number)
                yield from self._of_tokenizer(_AtWork(plan, tokenizer, documents, slow, until))

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.INCOMPLETE: self._lacks,
                Conclusion.NOTHING_COMPARED: not self._audited,
                Conclusion.DIFFERENCES: self._failing,
            }
        )

    def _of_tokenizer(self, at_work: _AtWork) -> Iterator[FileAuditEvent]:
        began, source = time.monotonic(), at_work.tokenizer.source
        yield lines.File(tokenizer=source.name, file=source.file, sha256=at_work.tokenizer.sha256)
        counts: Counter[str] = Counter()
        for line in at_work.findings():
            counts[line.severity] += 1
            self._counts[line.severity] += 1
            yield line
        self._audited += 1
        self._failing += at_work.fails
        self._in_part += bool(at_work.unfinished)
        self._lacks = self._lacks or at_work.lacks
        audited = at_work.audited
        yield lines.Audited(
            tokenizer=source.name,
            loaded=audited is not None and audited.asked is not None,
            checks=at_work.checks,
            counts=_counts(counts),
            cut_short=() if audited is None else tuple(each.words for each in audited.cut_short if not each.why),
            unfinished=at_work.unfinished,
            not_done=at_work.not_done,
            vocabulary=lines.Vocabulary(**audited.decided) if audited is not None and audited.decided else None,
            seconds=rounded(time.monotonic() - began),
        )
        target = self._plan.fix_to
        if target is not None and audited is not None:
            STATUS.begin(source.name, "mending the file, and comparing the answers of both")
            yield fix(audited, at_work.found, target)


@dataclass(slots=True)
class _AtWork:
    """A file that is looked into: what was ``found`` so far, which ``checks`` were done, and which are ``unfinished``.

    Both have the defects that were looked for, or were not for lack of time. ``not_done`` says why a check was not done
    where that is not it. What ``lacks`` may be a failure.
    """

    plan: FileAuditPlan
    tokenizer: TokenizerFile
    documents: Documents
    measured: Documents | None
    until: float
    audited: AuditedFile | None = None
    found: list[FoundDefect] = field(default_factory=list)
    checks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unfinished: dict[str, tuple[str, ...]] = field(default_factory=dict)
    not_done: dict[str, str] = field(default_factory=dict)
    lacks: bool = False
    fails: bool = False

    def findings(self) -> Iterator[lines.Finding]:
        """Yield the findings that are wanted."""
        plan, name = self.plan, self.tokenizer.source.name
        STATUS.begin(name, "reading")
        self.checks[READING] = self._wanted(ON_READING)
        content = read(self.tokenizer)
        if isinstance(content, FoundDefect):
            yield from self._lines(content, None)
            return
        STATUS.begin(name, f"loading into {plan.baseline.info.name}")
        asked: Asked | None = None
        saved: Json | None = None
        try:
            asked = loaded(plan.baseline, self.tokenizer.source)
            saved = _saved(asked)
        except CannotLoadError as error:
            for finding in refusals(content.document, error, self.tokenizer.source, self.documents):
                yield from self._lines(finding, content.text)
        self.audited = AuditedFile(
            self.tokenizer, content.text, content.document, asked, saved, self.documents, self.until, self.measured
        )
        for check in plan.audit.checks:
            if self._wanted(check.defects):
                yield from self._checked(check, self.audited, content.text if check.in_file else None)

    def _checked(self, check: FileCheck, audited: AuditedFile, text: JsonText | None) -> Iterator[lines.Finding]:
        """Yield what ``check`` finds, and note for which defects there was time."""
        before = len(audited.cut_short)
        if not audited.is_over(check.name):
            STATUS.begin(self.tokenizer.source.name, check.name)
            for finding in check.find(audited):
                yield from self._lines(finding, text)
        short = audited.cut_short[before:]
        left = [defect for defect in check.defects if any(defect.id in (each.defects or {defect.id}) for each in short)]
        if done := self._wanted(tuple(each for each in check.defects if each not in left)):
            self.checks[check.name] = done
        lacking = self._wanted(tuple(left))
        why = next((each.why for each in short if each.why), "")
        may_fail = any(each.id in lacking and self.plan.selection.fails_for(each) for each in left)
        if lacking and why:
            self.not_done[check.name] = why
            self.lacks = self.lacks or not self.found
        elif lacking:
            self.unfinished[check.name] = lacking
            self.lacks = self.lacks or may_fail

    def _wanted(self, defects: tuple[Defect, ...]) -> tuple[str, ...]:
        return tuple(defect.id for defect in defects if self.plan.selection.wants(defect))

    def _lines(self, finding: FoundDefect, text: JsonText | None) -> Iterator[lines.Finding]:
        selection, defect = self.plan.selection, finding.defect
        if selection.wants(defect):
            self.found.append(finding)
            self.fails = self.fails or selection.fails_for(defect)
            line = finding.line if finding.line is not None or text is None else text.line_of(finding.path)
            yield made(
                lines.Finding,
                finding,
                tokenizer=self.tokenizer.source.name,
                defect=defect.id,
                severity=defect.severity,
                path=path_text(finding.path),
                keys=finding.path,
                line=line,
                witness=None if finding.witness is None else _witness(finding.witness),
                remedy=finding.to_do or defect.remedy,
                examples=[{"path": path_text(each.path), "message": each.message} for each in finding.examples],
                fails=selection.fails_for(defect),
            )


def _saved(asked: Asked) -> Json | None:
    """Return the document that ``asked`` writes, ``None`` where it writes none."""
    try:
        return written(asked)
    except (CannotLoadError, json.JSONDecodeError):
        return None


# Lines ---------------------------------------------------------------------------------------------------------------


def _header(plan: FileAuditPlan) -> lines.Header:
    fails = plan.selection.fails
    return lines.Header(
        **header_of(lines.FORMAT, current_environment(plan.command)),
        baseline=implementation_of(plan.baseline.info),
        tokenizers=tuple(each.source.name for each in plan.tokenizers),
        defects=tuple(made(lines.Defect, each) for each in filter(plan.selection.wants, plan.audit.defects)),
        fail_on=None if fails is None else fails.value,
        seconds=plan.seconds,
    )


def _witness(witness: Witness) -> lines.Witness:
    text = witness.text
    return lines.Witness(
        text=None if text is None else text[:LONGEST_TEXT],
        length=None if text is None else len(text),
        ids=witness.ids,
        result=witness.result,
        conversation=witness.conversation,
    )


def _counts(counts: Counter[str]) -> lines.Counts:
    return lines.Counts(**{severity.value: counts[severity] for severity in Severity})
