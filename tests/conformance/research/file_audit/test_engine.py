"""An audit that is cut short: what was found until then is told, and what was not done is said."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.research.file_audit import engine
from tokenizer_conformance.research.file_audit.audited import CutShort
from tokenizer_conformance.research.file_audit.checks import checks_of, ending
from tokenizer_conformance.research.file_audit.checks_table import OF_FILES, Audit
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.finding import FileCheck, Severity
from tokenizer_conformance.research.file_audit.model import OF_OPTIONS, RESULT_MISSING, check_merges, check_options
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.ci_results.reports import ChecksOf
from tokenizer_conformance.results.records import file_audit as lines
from tokenizer_conformance.results.records.making import LastLine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import FoundDefect
    from tokenizer_conformance.results.ci_results.check import CheckedRun

TOKENIZERS = select("tokenizers", Isolation()).build()

FILE = described(locate("options-mini"))


def events_with(error: BaseException) -> list[Any]:
    def stop(_audited: AuditedFile) -> Iterator[FoundDefect]:
        raise error
        yield

    checks = (FileCheck("options of the model", OF_OPTIONS, check_options), FileCheck("ids", OF_OPTIONS, stop))
    return list(audit_files(FileAuditPlan((FILE,), TOKENIZERS, audit=Audit("an audit", checks))))


@pytest.mark.parametrize(
    ("error", "conclusion"),
    [(KeyboardInterrupt(), Conclusion.INTERRUPTED), (ValueError("a bug"), Conclusion.INTERNAL_ERROR)],
    ids=["interrupted", "bug"],
)
def test_what_was_found_is_kept(error: BaseException, conclusion: Conclusion) -> None:
    events = events_with(error)
    assert [each.defect for each in events if isinstance(each, lines.Finding)] == ["long-words-unknown"]
    finished = events[-1]
    assert (finished.finished, finished.conclusion, finished.line.audited) == (False, conclusion, 0)
    assert finished.line.counts == lines.Counts(error=0, warning=0, note=1)
    assert ending(finished.line).startswith(f"{conclusion}; ")
    told: list[CheckedRun] = []
    report = ChecksOf(OF_FILES.title, partial(checks_of, OF_FILES, (FILE,)), ending)(told.append)
    for event in events:
        if not isinstance(event, InternalError):
            report.handle(event)
    outcomes = {check.name: check.outcome for check in told[0].checks}
    assert set(outcomes.values()) == {CheckOutcome.SKIPPED}
    assert [check.remarks[0].rule.id for check in told[0].checks if check.remarks] == ["long-words-unknown"]


def test_nothing_selected_is_nothing_checked() -> None:
    *_, finished = audit_files(FileAuditPlan((), TOKENIZERS, audit=Audit("an audit", ())))
    assert isinstance(finished, LastLine)
    assert finished.conclusion is Conclusion.NOTHING_COMPARED


def test_each_file_says_what_there_was_no_time_for() -> None:
    plan = FileAuditPlan((FILE, described(locate("bert-mini"))), TOKENIZERS, seconds=0.0)
    audited = [line for line in audit_files(plan) if isinstance(line, lines.Audited)]
    assert [list(line.checks) for line in audited] == [["reading"], ["reading"]]
    assert [line.cut_short for line in audited] == [tuple(check.name for check in OF_FILES.checks)] * 2


@pytest.mark.parametrize(
    ("selection", "conclusion"),
    [
        (engine.Selection(), Conclusion.INCOMPLETE),
        (engine.Selection(fails=None), Conclusion.CONFORM),
        (engine.Selection(selected=("characters-unknown",)), Conclusion.CONFORM),
        (engine.Selection(selected=("characters-unknown",), fails=Severity.NOTE), Conclusion.INCOMPLETE),
    ],
)
def test_what_it_fails_for_has_to_be_looked_for(selection: engine.Selection, conclusion: Conclusion) -> None:
    *told, finished = audit_files(FileAuditPlan((FILE,), TOKENIZERS, selection=selection, seconds=0.0))
    assert isinstance(finished, LastLine)
    assert (finished.conclusion, finished.line.in_part) == (conclusion, 1)
    left = [line.unfinished for line in told if isinstance(line, lines.Audited)]
    assert "characters-unknown" in left[0]["characters without an entry"]


def test_a_check_that_was_not_done_to_its_end_has_not_passed() -> None:
    unfinished, *others = OF_OPTIONS

    def find(audited: AuditedFile) -> Iterator[FoundDefect]:
        audited.cut_short.append(CutShort("the rest", (unfinished.id,)))
        yield from ()

    audit = Audit("an audit", (FileCheck("options of the model", OF_OPTIONS, find),))
    told: list[CheckedRun] = []
    report = ChecksOf(OF_FILES.title, partial(checks_of, OF_FILES, (FILE,)), ending)(told.append)
    events = list(audit_files(FileAuditPlan((FILE,), TOKENIZERS, audit=audit)))
    for event in events:
        report.handle(event)
    (audited,) = (line for line in events if isinstance(line, lines.Audited))
    assert audited.unfinished == {"options of the model": (unfinished.id,)}
    assert audited.checks["options of the model"] == tuple(each.id for each in others)
    check = next(each for each in told[0].checks if each.name == "options of the model")
    assert check.outcome is CheckOutcome.SKIPPED
    assert check.message == "not looked at, or not to the end, within --time"


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", ["bert-mini", "gpt2-mini", "llama-mini", "t5-mini", "xlnet-mini"])
def test_a_sound_file_has_no_error(name: str) -> None:
    told = list(audit_files(FileAuditPlan((described(locate(name)),), TOKENIZERS)))
    findings = [line for line in told if isinstance(line, lines.Finding)]
    assert [each.defect for each in findings if each.severity == "error"] == []
    assert isinstance(told[-1], LastLine)
    assert told[-1].conclusion is Conclusion.CONFORM


OTHER = described(locate("bert-mini"))


@pytest.mark.parametrize(
    ("files", "conclusion"),
    [
        ((FILE, OTHER), Conclusion.DIFFERENCES),
        ((OTHER, FILE), Conclusion.DIFFERENCES),
        ((OTHER,), Conclusion.CONFORM),
        ((), Conclusion.NOTHING_COMPARED),
    ],
)
def test_one_of_several_files_decides(files: tuple[Any, ...], conclusion: Conclusion) -> None:
    checks = Audit("an audit", (FileCheck("options of the model", OF_OPTIONS, check_options),))
    selection = Selection(fails=Severity.NOTE)
    *_, end = audit_files(FileAuditPlan(files, TOKENIZERS, audit=checks, selection=selection))
    assert end.conclusion is conclusion


@pytest.mark.parametrize("number", [0, 1, None])
def test_one_of_several_that_was_not_looked_through_decides(number: int | None) -> None:
    def look(audited: AuditedFile) -> Iterator[FoundDefect]:
        if number is not None and audited.tokenizer.source.name == (FILE, OTHER)[number].source.name:
            audited.cut_short.append(CutShort("it is too long", why="it is too long"))
        return iter(())

    checks = Audit("an audit", (FileCheck("options of the model", OF_OPTIONS, look),))
    *_, end = audit_files(FileAuditPlan((FILE, OTHER), TOKENIZERS, audit=checks))
    assert end.conclusion is (Conclusion.CONFORM if number is None else Conclusion.INCOMPLETE)


PARTS = ["a", "b", "c", "##b", "##c", "xxb"]


@pytest.mark.parametrize(
    ("prefix", "merges", "results", "missing"),
    [
        (None, ["a b"], ["ab"], None),
        ("##", ["a ##b"], ["ab"], None),
        ("##", ["a ##b"], ["a##b"], "ab"),
        ("##", ["##b ##c"], ["##bc"], None),
        ("##", ["##b ##c"], ["bc", "##b##c"], "##bc"),
        ("##", ["a xxb"], ["ab"], None),  # so much is cut, whatever it is
        ("##", ["a xxb"], ["axxb"], "ab"),
        ("##", ["a ##b", "ab ##c"], ["ab"], "abc"),
    ],
)
def test_what_a_merge_gives_is_looked_for_as_the_target_does(
    tmp_path: Path, prefix: str | None, merges: list[str], results: list[str], missing: str | None
) -> None:
    vocabulary = {token: number for number, token in enumerate([*PARTS, *results])}
    model = {"type": "BPE", "vocab": vocabulary, "merges": merges, "continuing_subword_prefix": prefix}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))
    checks = Audit("an audit", (FileCheck("merges", (RESULT_MISSING,), check_merges),))
    events = list(audit_files(FileAuditPlan((described(locate(str(file))),), TOKENIZERS, audit=checks)))
    told = [each.message for each in events if isinstance(each, lines.Finding) and each.defect == RESULT_MISSING.id]
    assert len(told) == (missing is not None)
    assert missing is None or f'"{missing}" is not in the vocabulary' in told[0]
    if missing is None:
        Tokenizer.from_file(str(file))
    else:
        with pytest.raises(Exception, match=f"Token `{missing}` out of vocabulary"):
            Tokenizer.from_file(str(file))
