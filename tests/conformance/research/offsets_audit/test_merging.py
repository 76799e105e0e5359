"""What two parts say of one implementation on one tokenizer, together: sums, and what each of them tells, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tokenizer_adapters.contract import Encode
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.research.offsets_audit.merging import audit_of, joined, merged_audit
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused
from tokenizer_conformance.results.records.offsets_audit import (
    Audited,
    AuditedInvariant,
    Finding,
    NotLoaded,
    Out,
    Unchecked,
)

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf
    from tokenizer_conformance.research.offsets_audit.merging import RecordedAudit


def part(number: int, *trouble: str, left_out: tuple[Out, ...] = ()) -> Audited:
    unchecked = (Unchecked(reason="no offsets", answers=number),)
    tally = AuditedInvariant(id="spans.in-text", answers=number, things=2 * number, violated=0, unchecked=unchecked)
    return Audited(
        tokenizer="a",
        implementation="b",
        implementation_version="1",
        finished=True,
        inputs=number,
        answers=10 * number,
        unsupported=2,
        failed=number,
        lost=0,
        trouble=trouble,
        left_out=left_out,
        invariants=(tally,),
        findings=(),
    )


def test_parts_are_added_and_what_they_tell_is_told_once() -> None:
    one, other = Out(setting="padded", reason="no padding"), Out(setting="cut", reason="no truncation")
    first = part(1, "no a", left_out=(one,))
    whole = joined([first, part(2, "no b", "no a", left_out=(one, other)), part(3)], finished=True)
    assert (whole.inputs, whole.answers, whole.unsupported, whole.failed) == (6, 60, 6, 6)
    assert whole.trouble == ("no a", "no b")
    assert whole.left_out == (one, other)
    (tally,) = whole.invariants
    assert (tally.answers, tally.things) == (6, 12)
    assert tally.unchecked == (Unchecked(reason="no offsets", answers=6),)
    assert whole.finished
    assert not joined([first, part(2)], finished=False).finished


def test_violations_and_other_answers_are_added() -> None:
    first = part(1)
    second = msgspec.structs.replace(
        part(2),
        lost=3,
        invariants=(msgspec.structs.replace(part(2).invariants[0], violated=4, unchecked=()),),
    )
    whole = joined([first, second, second], finished=True)
    assert (whole.lost, whole.invariants[0].violated) == (6, 8)
    assert whole.invariants[0].unchecked == (Unchecked(reason="no offsets", answers=1),)


@pytest.mark.parametrize(
    ("finished", "parts", "whole"),
    [(True, (True, True), True), (True, (False, True), False), (True, (True, False), False), (False, (True,), False)],
)
def test_all_parts_have_to_be_finished(finished: bool, parts: tuple[bool, ...], whole: bool) -> None:
    given = [msgspec.structs.replace(part(1), finished=each) for each in parts]
    assert joined(given, finished=finished).finished is whole


def found(length: int, answers: int, *, invariant: str = "spans.in-text", **given: Any) -> Finding:
    values = {
        "invariant": invariant,
        "manner": "outside the text",
        "answers": answers,
        "places": 10 * answers,
        "setting": "as it is",
        "input": f"text {length}",
        "question": question_record(Encode("a" * length)),
        "detail": f"of {length}",
        "reduced_from": None,
        "repeat": "",
        "known": None,
    }
    return msgspec.convert(values | given, Finding)


def findings(*of_parts: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return joined([msgspec.structs.replace(part(1), findings=each) for each in of_parts], finished=True).findings


def test_violations_in_one_manner_are_one_finding_with_the_smallest_example() -> None:
    (one,) = findings((found(5, 1),), (found(3, 2),), (found(4, 4),))
    assert (one.answers, one.places, len(one.question.text.value)) == (7, 70, 3)
    (one,) = findings((found(3, 1, reduced_from=9),), (found(5, 1),))
    assert len(one.question.text.value) == 5, "it was longer before it was made smaller"
    (one,) = findings((found(5, 1),), (found(5, 1, repeat="again"),))
    assert one.repeat == "", "of two as small the first"


def test_findings_come_in_the_order_of_the_invariants_and_manners() -> None:
    last, first = found(5, 1, invariant="spans.overlap"), found(5, 1)
    other = msgspec.structs.replace(first, manner="it ends before it begins")
    told = findings((last, first), (other, last))
    assert [(each.invariant, each.manner, each.answers) for each in told] == [
        ("spans.in-text", "it ends before it begins", 1),
        ("spans.in-text", "outside the text", 1),
        ("spans.overlap", "outside the text", 2),
    ]


# Records -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def parts(cli: Tokconf, tmp_path: Path) -> list[RecordedAudit]:
    """The records of two parts of an audit in which nothing is wrong."""
    (tmp_path / "texts.txt").write_text("one text\nanother\n")
    options = ("bert-mini", "-i", "tokenizers", "--inputs", "texts.txt", "--no-builtin")
    for number in (1, 2):
        done = cli("audit", "offsets", *options, "--shard", f"{number}/2", "--json", f"{number}.jsonl")
        assert done.exit_code == 0, done.output
    return [audit_of(read_lines(tmp_path / f"{number}.jsonl")) for number in (1, 2)]


def not_loaded(*, unsupported: bool) -> NotLoaded:
    return NotLoaded(
        tokenizer="another", implementation="a", implementation_version="1", reason="no", unsupported=unsupported
    )


MISSING = ImplementationMissing(name="absent", reason="it is not there")
REFUSED = Refused(what="tokenizer", name="another", reason="it is not JSON")


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    ("added", "optional", "conclusion"),
    [
        ((), (), Conclusion.CONFORM),
        ((not_loaded(unsupported=False),), (), Conclusion.IMPLEMENTATION_FAILED),
        ((not_loaded(unsupported=True),), (), Conclusion.CONFORM),
        ((not_loaded(unsupported=True), not_loaded(unsupported=False)), (), Conclusion.IMPLEMENTATION_FAILED),
        ((MISSING,), (), Conclusion.IMPLEMENTATION_FAILED),
        ((MISSING,), ("absent",), Conclusion.CONFORM),
        ((MISSING, msgspec.structs.replace(MISSING, name="other")), ("absent",), Conclusion.IMPLEMENTATION_FAILED),
        ((REFUSED, MISSING), (), Conclusion.BAD_INPUT),
    ],
)
def test_what_one_part_says_decides_the_whole(
    parts: list[RecordedAudit], number: int, added: tuple[Any, ...], optional: tuple[str, ...], conclusion: Conclusion
) -> None:
    given = [replace(each, header=msgspec.structs.replace(each.header, optional=optional)) for each in parts]
    given[number] = replace(given[number], lines=(*added, *given[number].lines))
    *_, end = merged_audit(given, partial=False)
    assert end.conclusion is conclusion


@pytest.mark.parametrize("number", [0, 1])
def test_one_that_a_part_says_nothing_of_is_not_finished(parts: list[RecordedAudit], number: int) -> None:
    (whole,) = (each for each in merged_audit(parts, partial=False) if isinstance(each, Audited))
    assert (whole.finished, whole.inputs) == (True, 2)
    parts[number] = replace(
        parts[number], lines=tuple(each for each in parts[number].lines if not isinstance(each, Audited))
    )
    (part,) = (each for each in merged_audit(parts, partial=False) if isinstance(each, Audited))
    assert (part.finished, part.inputs) == (False, 1)
