"""A search asks about the tokenizer with another truncation and padding, too, whatever its file has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planted.fakes import Faulty, in_file

from tokenizer_adapters.contract import Encode, EncodeBatch
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.comparison.question_options import numbered_variants
from tokenizer_conformance.inputs.bundled import FIRST, bundled_file
from tokenizer_conformance.inputs.text_generators.generator import Material
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.validation.search.asking import CaseAsker, questions_about, results_of
from tokenizer_conformance.validation.search.cases import Case
from tokenizer_conformance.validation.search.dealing import Dealer
from tokenizer_conformance.validation.search.generators import VARIED_TEXTS
from tokenizer_conformance.validation.search.sides import Sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Implementation

NONE_KNOWN = KnownOnes("any", TokenizersImplementation().info, TokenizersImplementation().info)

COUNT = 48
"""As many cases as there are variants, and some more."""


def no_stride() -> Implementation:
    """Return what reads every truncation as if its parts had nothing in common."""

    def change(document: dict[str, Any]) -> None:
        if document.get("truncation"):
            document["truncation"]["stride"] = 0

    return Faulty("no-stride", in_file(change))


def cases(name: str) -> list[Case]:
    document = json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))
    dealer = Dealer((VARIED_TEXTS,), Material(document), cases=COUNT)
    dealt: list[Case] = []
    while (batch := dealer.next()) is not None:
        dealt += batch.cases
        dealer.took(batch, len(batch.cases), 0, 0)
    return [case for case in dealt if case.variant is not None]


@pytest.fixture
def sides(request: pytest.FixtureRequest) -> Iterator[Sides]:
    implementation, name = request.param
    with Bench(TokenizersImplementation(), implementation()) as bench:
        yield Sides(bench, find_tokenizer(name))


def differing(sides: Sides, name: str) -> int:
    results = results_of(sides, NONE_KNOWN, cases(name))
    assert len(results) == len(cases(name)) > 40
    assert sum(result.values for result in results) > 1000
    return sum(bool(result.mismatches) for result in results)


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "sides",
    [pytest.param((no_stride, name), id=name) for name in ("gpt2-mini", "bert-mini", "xlnet-mini")],
    indirect=True,
)
def test_a_stride_that_is_overlooked_is_seen_where_the_file_has_no_truncation(
    sides: Sides, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id
    assert json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))["truncation"] is None
    assert differing(sides, name) >= 3


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "sides", [pytest.param((ReferenceImplementation, name), id=name) for name in FIRST], indirect=True
)
def test_the_reference_truncates_and_pads_as_tokenizers(sides: Sides, request: pytest.FixtureRequest) -> None:
    assert not differing(sides, request.node.callspec.id)


def test_a_variant_is_asked_for_encodings_alone() -> None:
    case = Case(0, "a b", other="c", variant=3)
    questions = list(questions_about(case, TokenizersImplementation().load(find_tokenizer("gpt2-mini")).observe))
    assert {type(each) for each in questions} == {Encode, EncodeBatch}
    assert any(isinstance(each, Encode) and each.pair for each in questions)


def test_variants_are_numbered_in_one_order_and_small() -> None:
    with Bench(TokenizersImplementation(), TokenizersImplementation()) as bench:
        sides = Sides(bench, find_tokenizer("xlnet-mini"))
        trials = [sides.trial_for(number) for number in range(8)]
        again = [sides.trial_for(number) for number in range(8)]
    documents: list[Any] = [trial.read() for trial in trials if trial is not None]
    assert documents == [trial.read() for trial in again if trial is not None]
    assert len({json.dumps([each["truncation"], each["padding"]]) for each in documents}) == 8
    whole = sides.trial.read()["model"]["vocab"]
    assert all(len(each["model"]["vocab"]) < len(whole) / 2 for each in documents)
    assert numbered_variants(whole_document := {"model": {}}) == numbered_variants(whole_document)


def test_what_the_baseline_refuses_of_a_variant_is_no_finding() -> None:
    with Bench(TokenizersImplementation(), no_stride()) as bench:
        sides = Sides(bench, find_tokenizer("gpt2-mini"))
        truncation = {"direction": "Right", "max_length": 3, "strategy": "OnlyFirst", "stride": 2}
        trial = bench.trial_of(find_tokenizer("gpt2-mini"), {**sides.trial.read(), "truncation": truncation})
        assert trial is not None
        assert trial.compared(Encode("a b c d", "e f")).differences, "the baseline panics, and the other does not"
        result = CaseAsker(trial, NONE_KNOWN).result(Case(0, "a b c d", "e f", variant=0))
    assert not [each for each in result.mismatches if isinstance(each, Encode) and each.pair == "e f"]


def test_a_variant_is_dealt_with_each_text_of_its_generator() -> None:
    numbers = [case.variant for case in cases("gpt2-mini")]
    assert len(set(numbers)) == len(numbers)
    texts = VARIED_TEXTS.make(Material({}))
    assert texts.text(5) == VARIED_TEXTS.make(Material({})).text(5)
