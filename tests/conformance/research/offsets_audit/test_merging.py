"""What two parts say of one implementation on one tokenizer, together: sums, and what each of them tells, once."""

from __future__ import annotations

from tokenizer_conformance.research.offsets_audit.merging import joined
from tokenizer_conformance.results.records.offsets_audit import Audited, AuditedInvariant, Out, Unchecked


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
