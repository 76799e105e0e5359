"""How far the making of a snapshot has come, and what it comes to: one of several tokenizers decides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from snapshots import corpus_of, named

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.status import Place
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, conclusion_of, make_snapshot
from tokenizer_conformance.releases.snapshot.events import PartMade, TokenizerAsked

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


@pytest.mark.parametrize(("fake", "last_input"), [(fakes.Toy, 3), (fakes.CannotLoad, 0)])
def test_it_is_told_how_far_it_has_come(fake: type[fakes.Toy], last_input: int, toy_file: TokenizerFile) -> None:
    plan = SnapshotPlan(
        implementation=fake(),
        word=fake.name,
        tokenizers=(toy_file, replace(toy_file, source=replace(toy_file.source, name="other"))),
        words={"toy-tokenizer": "toy", "other": "other"},
        corpus=corpus_of(named(("abc", "aBc d", "x"))),
    )
    made = [event.place for event in make_snapshot(plan) if isinstance(event, PartMade)]
    ends = [("inputs", 1, 3), ("toy-tokenizer", 0, last_input), ("other", 0, last_input)]
    assert made == [Place(name, done, 3) for name, first, end in ends for done in range(first, end + 1)]


def asked(questions: int = 9, refused: str | None = None, **without_value: int) -> TokenizerAsked:
    return TokenizerAsked("t", refused, 1, questions, without_value, seconds=None)


REFUSED = asked(0, "no")


@pytest.mark.parametrize(
    ("done", "conclusion", "of_a_part"),
    [
        ([asked(), asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        ([asked(), REFUSED], Conclusion.CONFORM, Conclusion.CONFORM),
        ([REFUSED, asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        ([REFUSED, REFUSED], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
        ([asked(9, None, unsupported=9)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([asked(9, None, unsupported=5, error=4)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([asked(9, None, unsupported=5, error=3)], Conclusion.CONFORM, Conclusion.CONFORM),
        ([asked(9, None, unsupported=9), asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        *(
            (done, Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED)
            for kind in ("crash", "timeout", "protocol")
            for done in ([asked(), asked(**{kind: 1})], [asked(**{kind: 1}), asked()])
        ),
    ],
)
def test_one_of_several_decides(done: list[TokenizerAsked], conclusion: Conclusion, of_a_part: Conclusion) -> None:
    assert conclusion_of(done) is conclusion
    assert conclusion_of(done, is_part=True) is of_a_part
