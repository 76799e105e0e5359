"""What two parts say of one implementation on one tokenizer, together: sums, and what each of them tells, once."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tokenizer_adapters.contract import Encode
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.recorded_lines import RecordedLines, read_lines
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.record_forms import entry_record
from tokenizer_conformance.research.offsets_audit.merging import audit_of, joined, merged_audit
from tokenizer_conformance.results.records.headers import ImplementationMissing, LedgerEntries, NamedEntry, Refused
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
    (tally,) = part(3).invariants
    last = msgspec.structs.replace(
        part(3),
        tokenizer="c",
        implementation="d",
        implementation_version="2",
        invariants=(msgspec.structs.replace(tally, id="spans.overlap"),),
    )
    whole = joined([first, part(2, "no b", "no a", left_out=(one, other)), last], finished=True)
    assert (whole.tokenizer, whole.implementation, whole.implementation_version) == ("a", "b", "1")
    assert (whole.inputs, whole.answers, whole.unsupported, whole.failed) == (6, 60, 6, 6)
    assert whole.trouble == ("no a", "no b")
    assert whole.left_out == (one, other)
    (tally,) = whole.invariants
    assert (tally.id, tally.answers, tally.things) == ("spans.in-text", 6, 12)
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
    (many,) = (each for each in merged_audit(parts * 150, partial=False) if isinstance(each, Audited))
    assert (many.finished, many.inputs) == (True, 300)
    parts[number] = replace(
        parts[number], lines=tuple(each for each in parts[number].lines if not isinstance(each, Audited))
    )
    (part,) = (each for each in merged_audit(parts, partial=False) if isinstance(each, Audited))
    assert (part.finished, part.inputs) == (False, 1)


def test_the_header_is_that_of_the_first_part(parts: list[RecordedAudit], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tokconf", "merge", "1.jsonl"])
    (there,) = parts[1].header.tokenizers
    moved = msgspec.structs.replace(
        parts[1].header, tokenizers=(msgspec.structs.replace(there, file="elsewhere/tokenizer.json"),)
    )
    header, *_ = merged_audit([parts[0], replace(parts[1], header=moved)], partial=False)
    assert header.tokenizers == parts[0].header.tokenizers
    assert (header.shard, [each.shard.part for each in header.merged]) == (None, [1, 2])
    assert header.environment.command == ("tokconf", "merge", "1.jsonl")


@pytest.mark.parametrize(("partial", "conclusion"), [(False, Conclusion.INCOMPLETE), (True, Conclusion.CONFORM)])
@pytest.mark.parametrize("is_empty", [False, True])
def test_where_parts_are_missing_nobody_says_that_nothing_was_looked_at(
    parts: list[RecordedAudit], is_empty: bool, partial: bool, conclusion: Conclusion
) -> None:
    if is_empty:
        parts = [replace(each, lines=()) for each in parts]
    *_, end = merged_audit(parts[:1], partial=partial)
    assert (end.conclusion, end.finished) == (conclusion, False)
    *_, end = merged_audit(parts, partial=partial)
    assert (end.conclusion, end.finished) == (Conclusion.NOTHING_COMPARED if is_empty else Conclusion.CONFORM, True)


@pytest.mark.parametrize("number", [0, 1])
def test_how_one_part_ended_is_not_lost(parts: list[RecordedAudit], number: int) -> None:
    read = parts[number].read
    footers = [part.read.footer for part in parts]
    for given, conclusion in (
        ({"conclusion": "internal error", "finished": False}, Conclusion.INTERNAL_ERROR),
        ({"finished": False, "conclusion": "too little was answered"}, Conclusion.CONFORM),
    ):
        ended = replace(read, lines=(*read.lines[:-1], {**read.lines[-1], **given}))
        parts[number] = replace(parts[number], read=ended)
        *_, end = merged_audit(parts, partial=False)
        assert (end.conclusion, end.finished) == (conclusion, False)
        assert end.seconds == pytest.approx(sum(footer["seconds"] for footer in footers if footer))
    parts[number] = replace(parts[number], read=RecordedLines(read.path, read.lines[:-1], "line 2", ""))
    *_, end = merged_audit(parts, partial=True)
    assert (end.conclusion, end.finished) == (Conclusion.CONFORM, False)


def test_what_several_parts_say_is_told_once(parts: list[RecordedAudit]) -> None:
    info = next(each for each in parts[0].lines if isinstance(each, Audited))
    refusing = NotLoaded(
        tokenizer=info.tokenizer,
        implementation=info.implementation,
        implementation_version="1",
        reason="no",
        unsupported=True,
    )
    given = [replace(each, lines=(REFUSED, MISSING, refusing)) for each in parts]
    assert list(merged_audit(given, partial=False))[1:-1] == [REFUSED, MISSING, refusing]


def test_an_entry_is_stale_where_all_parts_are_there_and_none_has_met_it(parts: list[RecordedAudit]) -> None:
    entry = Entry(
        implementation="tokenizers",
        reason="it was so",
        place=Place("ledger.toml", 1),
        tokenizers=("bert-mini",),
        inputs=("spans.in-text: outside the text",),
    )
    entries = LedgerEntries(entries=({"called": "ledger.toml 1", **entry_record(entry)},))
    given = [replace(each, lines=(entries, *each.lines)) for each in parts]
    *_, end = merged_audit(given, partial=False)
    stale = (NamedEntry(entry="ledger.toml 1", reason="it was so"),)
    assert (end.conclusion, end.line.stale) == (Conclusion.STALE, stale)
    *_, end = merged_audit(given[:1], partial=True)
    assert end.line.stale == ()
    *before, audited, footer = given[1].lines
    for changed in ({"findings": (found(3, 1),)}, {"finished": False}):
        given[1] = replace(given[1], lines=(*before, msgspec.structs.replace(audited, **changed), footer))
        *_, end = merged_audit(given, partial=False)
        assert end.line.stale == ()


def test_a_line_of_another_form_is_named(parts: list[RecordedAudit]) -> None:
    read = parts[0].read
    with pytest.raises(BadInputError, match="line 2"):
        audit_of(replace(read, lines=(read.header, {"type": "audited"})))
