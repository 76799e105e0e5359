"""What comes of questions is counted: answers, and what came in their place, each as what it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Crashed, Encode, Failed, TimedOut, Unsupported
from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.research.offsets_audit.case import Violation
from tokenizer_conformance.research.offsets_audit.gathered import Gathered
from tokenizer_conformance.research.offsets_audit.judge import Asking
from tokenizer_conformance.research.offsets_audit.loading import BARE
from tokenizer_conformance.research.offsets_audit.table import Verdict, invariant_called

if TYPE_CHECKING:
    from collections.abc import Mapping

IN_TEXT = invariant_called("spans.in-text")


def violated(places: int) -> Verdict:
    return Verdict(IN_TEXT, 5, tuple(Violation("outside the text", f"place {at}") for at in range(places)))


def gathered(outcomes: Mapping[str, Any]) -> Gathered:
    """Return what came of questions about texts, each an input of its own, with these ``outcomes``."""
    prepared: list[Any] = []
    judge: Any = SimpleNamespace(
        prepare=prepared.append,
        questions=lambda each: [Asking(BARE, Encode(each.input.text))],
        judged=lambda asking: outcomes[asking.question.text],
    )
    inputs = [Input(f"text {number}", "", text) for number, text in enumerate(outcomes)]
    batch = [PairedInput(each, each) for each in inputs]
    found = Gathered()
    found.take(batch, judge)
    assert prepared == [batch]
    return found


OUTCOMES = {
    "answered": [Verdict(IN_TEXT, 2)],
    "unsupported": Unsupported("no"),
    "failed": Failed("ValueError", "bad text"),
    "crashed": Crashed("killed by a signal"),
    "late": TimedOut(3.0),
}


def counts(of: Gathered) -> tuple[int, ...]:
    return of.inputs, of.answers, of.unsupported, of.failed, of.lost


def test_each_outcome_is_counted_as_what_it_is() -> None:
    found = gathered(OUTCOMES)
    assert counts(found) == (5, 1, 1, 1, 2)
    assert found.trouble == ("ValueError: bad text", "killed by a signal", "it gave no answer within 3 s")
    found.add(gathered({"late": TimedOut(3.0), "another": Failed("KeyError", "x"), "answered": [Verdict(IN_TEXT, 3)]}))
    assert counts(found) == (8, 2, 1, 2, 3)
    assert found.trouble == ("ValueError: bad text", "killed by a signal", "it gave no answer within 3 s")
    tally = found.collector.tallies["spans.in-text"]
    assert (tally.answers, tally.things, tally.violated) == (2, 5, 0)


def test_violations_in_one_manner_are_one_finding_with_the_smallest_example() -> None:
    found = gathered({"four": [violated(2)], "six th": [violated(1)], "two": [violated(3)]})
    found.add(gathered({"later": [violated(4)], "one": [violated(1)]}))
    (group,) = found.collector.findings()
    assert (group.answers, group.places) == (5, 11)
    assert (group.asking.question, group.input, group.detail) == (Encode("two"), "text 2", "place 0")
    assert found.collector.tallies["spans.in-text"].violated == 5
