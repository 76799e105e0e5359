"""What an audit of offsets comes to: one of several implementations or tokenizers decides, and the checks say so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tokenizer_adapters.contract import Encode
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.offsets_audit.checks import Subjects, checks_of
from tokenizer_conformance.research.offsets_audit.engine import conclusion_of
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.ci_results.rules import NO_ANSWER, TOO_LITTLE
from tokenizer_conformance.results.records.headers import NamedEntry
from tokenizer_conformance.results.records.offsets_audit import SPANS, Audited, AuditedInvariant, Finding

if TYPE_CHECKING:
    from tokenizer_conformance.results.ci_results.check import Rule

FOUND = {
    "invariant": SPANS,
    "manner": "outside the text",
    "answers": 1,
    "places": 1,
    "setting": "as it is",
    "question": question_record(Encode("a")),
    "detail": "",
    "input": "a",
    "reduced_from": None,
    "repeat": "",
    "known": None,
}
NEW = msgspec.convert(FOUND, Finding)
KNOWN = msgspec.structs.replace(NEW, known=NamedEntry(entry="ledger.toml 1", reason="it is so"))


def audited(things: int = 1, *findings: Finding, name: str = "a", lost: int = 0, other: int = 0) -> Audited:
    counts: dict[str, Any] = {"answers": 1, "violated": 0, "unchecked": ()}
    return Audited(
        tokenizer="t",
        implementation=name,
        implementation_version="1",
        finished=True,
        inputs=1,
        answers=1,
        unsupported=0,
        failed=0,
        lost=lost,
        trouble=(),
        left_out=(),
        invariants=(
            AuditedInvariant(id="ids.one-token", things=other, **counts),
            AuditedInvariant(id=SPANS, things=things, **counts),
        ),
        findings=findings,
    )


@pytest.mark.parametrize(
    ("done", "conclusion", "of_a_part"),
    [
        ([audited(), audited()], Conclusion.CONFORM, Conclusion.CONFORM),
        ([], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([audited(0), audited(0)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([audited(0, other=9)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([audited(), audited(0)], Conclusion.TOO_LITTLE, Conclusion.CONFORM),
        ([audited(0), audited()], Conclusion.TOO_LITTLE, Conclusion.CONFORM),
        ([audited(), audited(0, name="optional")], Conclusion.CONFORM, Conclusion.CONFORM),
        ([audited(), audited(1, NEW)], Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        ([audited(1, KNOWN, NEW), audited()], Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        ([audited(), audited(1, KNOWN)], Conclusion.CONFORM, Conclusion.CONFORM),
        ([audited(1, NEW), audited(lost=1)], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
        ([audited(lost=1), audited()], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
    ],
)
def test_one_of_several_decides(done: list[Audited], conclusion: Conclusion, of_a_part: Conclusion) -> None:
    assert conclusion_of(done, {"optional"}, is_whole=True) is conclusion
    assert conclusion_of(done, {"optional"}, is_whole=False) is of_a_part


@pytest.mark.parametrize(
    ("things", "lost", "finished", "is_optional", "outcome", "rule"),
    [
        (1, 0, True, False, CheckOutcome.PASSED, None),
        (1, 0, False, False, CheckOutcome.PASSED, None),
        (1, 2, True, False, CheckOutcome.ERROR, NO_ANSWER),
        (0, 0, True, False, CheckOutcome.ERROR, TOO_LITTLE),
        (0, 0, True, True, CheckOutcome.SKIPPED, None),
        (0, 0, False, False, CheckOutcome.SKIPPED, None),
    ],
)
def test_who_shows_no_spans_has_to_show_them(
    things: int, lost: int, finished: bool, is_optional: bool, outcome: CheckOutcome, rule: Rule | None
) -> None:
    file = read_tokenizer(find_tokenizer("bert-mini"))
    info = replace(TokenizersImplementation().info, name="a")
    line = msgspec.structs.replace(audited(things, lost=lost), tokenizer="bert-mini", finished=finished)
    subjects = Subjects((file,), (info,), frozenset({"a"} if is_optional else ()))
    _, answers, *_ = checks_of(subjects, {}, [line])
    assert (answers.name, answers.outcome) == ("answers", outcome)
    assert [problem.rule for problem in answers.problems] == ([] if rule is None else [rule])
