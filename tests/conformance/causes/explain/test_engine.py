"""The place to blame: planted faults, found by leaving things out of the file, and the merge at which two part."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from planted.fakes import Faulty, in_file
from planted_faults import Sound
from port_faults import OVERLOOKED, Overlooked, Overlooking

from tokenizer_adapters.contract import Encode, Implementation, Subject, TokenizerSource
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Trial
from tokenizer_conformance.causes.explain.engine import asked_about, explain
from tokenizer_conformance.causes.explain.events import (
    Blame,
    ExplanationFinished,
    ImplementationAnswered,
    TextTraced,
)
from tokenizer_conformance.causes.explain.plan import ExplanationPlan
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE = ReferenceImplementation()

Json = dict[str, Any]


class Port(Overlooking):
    """Takes the file for another one wherever it has what is overlooked, also where the file is a changed one."""

    def load(self, source: TokenizerSource) -> Subject:
        try:
            return super().load(source)
        except (LookupError, TypeError, ValueError):
            return Sound().load(source)


def rewriting(change: Callable[[Json], None]) -> Implementation:
    """Return what takes every document for another one."""
    return Faulty("rewriting", in_file(change))


def bundled(name: str) -> TokenizerSource:
    return TokenizerSource(name, str(bundled_file(name)))


def events_of(source: TokenizerSource, question: Encode, *others: Implementation) -> list[Any]:
    return list(explain(ExplanationPlan(source, question, REFERENCE, others)))


def blamed(source: TokenizerSource, question: Encode, other: Implementation) -> Blame | None:
    events = events_of(source, question, other)
    (answered,) = [event for event in events if isinstance(event, ImplementationAnswered)]
    assert isinstance(events[-1], ExplanationFinished)
    assert (events[-1].conclusion is Conclusion.DIFFERENCES) is (answered.blame is not None)
    return answered.blame


WRONG = frozenset({"llama-mini: model.ignore_merges"})
"""Without added tokens the word is another one, and alone it shows nothing: these are blamed."""


SOUND = lru_cache(lambda name: loaded(REFERENCE, bundled(name)))


def question_that_shows(fault: Overlooked, port: Port) -> Encode:
    """Return a built-in text that shows the fault, half of them as pairs."""
    source = bundled(fault.tokenizer)
    trial = Trial(source, None, SOUND(fault.tokenizer), loaded(port, source), None)
    texts = [each.text for each in builtin_inputs() if len(each.text) < 300]
    for number, text in enumerate(texts):
        question = Encode(text, texts[number - 1] if number % 2 else None)
        if any(trial.differs(each) for each in asked_about(question, trial.baseline)):
            return question
    raise AssertionError("no built-in text shows the fault")


@pytest.mark.long_but(8)
@pytest.mark.parametrize("fault", OVERLOOKED, ids=lambda fault: fault.name)
def test_what_a_port_overlooks_is_blamed(fault: Overlooked) -> None:
    port = Port(fault)
    found = blamed(bundled(fault.tokenizer), question_that_shows(fault, port), port)
    assert found is not None
    assert found.witness.stage is fault.stage
    assert found.place is not None
    if not any(fault.name.startswith(wrong) for wrong in WRONG):
        component, *inner = fault.path.split(".")
        assert found.place.startswith(component)
        if inner and inner[0] in ("normalizers", "pretokenizers", "decoders"):
            assert found.place.startswith(f"{component}.{inner[0]}[{inner[1]}]")


# Merges --------------------------------------------------------------------------------------------------------------


def pairs(document: Json) -> list[tuple[str, ...]]:
    return [tuple(pair if isinstance(pair, list) else pair.split(" ")) for pair in document["model"]["merges"]]


def test_the_first_merge_at_which_two_part() -> None:
    source = bundled("gpt2-mini")
    merges = pairs(json.loads(Path(source.file).read_text(encoding="utf-8")))
    rank = merges.index(("t", "h"))

    def without(document: Json) -> None:
        kept = [pair for pair in pairs(document) if pair != ("t", "h")]
        inside = {left + right for left, right in kept}
        document["model"]["merges"] = [
            list(pair) for pair in kept if all(len(part) == 1 or part in inside for part in pair)
        ]

    found = blamed(source, Encode("a xth"), rewriting(without))
    assert found is not None
    assert found.merge is not None
    assert (found.merge.rank, found.merge.pair, found.merge.total) == (rank, ("t", "h"), len(merges))
    assert "th" in found.merge.expected
    assert "th" not in found.merge.actual
    assert found.word is not None
    assert found.word.text == "Ġxth"


def test_what_differs_without_any_merge_is_not_laid_to_one() -> None:
    def swapped(document: Json) -> None:
        vocab = document["model"]["vocab"]
        vocab["a"], vocab["b"] = vocab["b"], vocab["a"]

    found = blamed(bundled("gpt2-mini"), Encode("xa"), rewriting(swapped))
    assert found is not None
    assert found.merge is not None
    assert found.merge.rank is None


def test_the_score_of_a_piece_is_laid_to_the_model() -> None:
    def lower(document: Json) -> None:
        for piece in document["model"]["vocab"]:
            piece[1] -= 20 * (len(piece[0]) > 2)

    found = blamed(bundled("t5-mini"), Encode("the whole thing"), rewriting(lower))
    assert found is not None
    assert (found.place, found.merge) == ("model: Unigram", None)


# All else ------------------------------------------------------------------------------------------------------------


def test_where_all_agree_nobody_is_blamed() -> None:
    events = events_of(bundled("roberta-mini"), Encode("a <mask> b", "c"), TokenizersImplementation())
    (traced,) = [event for event in events if isinstance(event, TextTraced)]
    assert (traced.focus, traced.in_pair) == (0, False)
    (answered,) = [event for event in events if isinstance(event, ImplementationAnswered)]
    assert answered.blame is None
    assert events[-1].conclusion is Conclusion.CONFORM


def test_one_who_cannot_load_costs_the_others_nothing() -> None:
    events = events_of(bundled("bert-mini"), Encode("a"), fakes.CannotLoad(), TokenizersImplementation())
    refused, answered = [event for event in events if isinstance(event, ImplementationAnswered)]
    assert refused.refusal
    assert answered.refusal is None
    assert events[-1].conclusion is Conclusion.IMPLEMENTATION_FAILED
    assert any(isinstance(event, TextTraced) for event in events)


def test_a_tokenizer_that_cannot_be_loaded_is_told() -> None:
    events = events_of(TokenizerSource("none", "/nowhere/tokenizer.json"), Encode("a"))
    assert events[-1].conclusion is Conclusion.IMPLEMENTATION_FAILED
    assert "cannot load none" in events[-1].reason


def test_the_focus_is_the_place_of_the_difference() -> None:
    def unknown(document: Json) -> None:
        document["model"]["vocab"]["z"], document["model"]["vocab"]["q"] = (
            document["model"]["vocab"]["q"],
            document["model"]["vocab"]["z"],
        )

    text = "a b " * 300 + "xz" + " c" * 300
    (traced,) = [
        event
        for event in events_of(bundled("gpt2-mini"), Encode(text), rewriting(unknown))
        if isinstance(event, TextTraced)
    ]
    assert abs(traced.focus - text.index("z")) <= 1
