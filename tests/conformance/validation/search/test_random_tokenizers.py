"""Comparing on random tokenizers: the reference agrees, planted faults are found, and no refusal hides one."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import fake_implementations as fakes
import planted_faults
import pytest
from searching import fuzz_plan, fuzzed, loading

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Decode,
    DecodeStream,
    Encode,
    Failed,
    Normalize,
    PreTokenize,
    Text,
)
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.comparison.no_value import Refusal, manner
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.random_tokenizers import random_document
from tokenizer_conformance.validation.search.random_results import (
    LOADING,
    AnswerDifference,
    FuzzResult,
    LoadDifference,
    VocabularyDifference,
    signature_of,
)
from tokenizer_conformance.validation.search.random_search import fuzz
from tokenizer_conformance.validation.search.random_tokenizers import (
    TokenizerAsker,
    find_difference,
    generate,
    load_here,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.no_value import NoValue
    from tokenizer_conformance.validation.search.plan import FuzzPlan
    from tokenizer_conformance.validation.search.random_tokenizers import Load

TOKENIZERS = 80
FAULTY_TOKENIZERS = 30
SLOW_TOKENIZERS = 3000


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Loads `tokenizers` and the reference, and by their names the planted faults."""
    return loading(tmp_path_factory.mktemp("fuzzing"), *planted_faults.ALL)


def plan_of(implementation: str, tokenizers: int = TOKENIZERS, seed: int = 7) -> FuzzPlan:
    return fuzz_plan(implementation, seed, tokenizers)


# The reference -------------------------------------------------------------------------------------------------------

REFUSALS: tuple[tuple[str, str], ...] = (
    # What `tokenizers` does, what the reference does.
    (
        r"raises Exception: (?P<why>Encountered an unknown token but … is missing)",
        r"raises ModelError: (?P<why>Encountered an unknown token but … is missing)",
    ),
    (
        r"raises Exception: (?P<why>Unk token … not found in the vocabulary)",
        r"raises ModelError: (?P<why>Unk token … not found in the vocabulary)",
    ),
    (
        r"raises Exception: (?P<why>Word(Level|Piece) error: Missing \[UNK\] token from the vocabulary)",
        r"raises ModelError: (?P<why>Word(Level|Piece) error: Missing \[UNK\] token from the vocabulary)",
    ),
    (
        r"raises Exception: Truncation error: (?P<why>Second sequence not provided|Sequence to truncate too short)",
        r"raises TruncationError: (?P<why>Second sequence not provided|Sequence to truncate too short)",
    ),
    (
        r"raises Exception: Invalid prefix encountered while decoding stream",
        r"raises DecodeStreamError: Invalid prefix encountered while decoding stream",
    ),
    (r"raises Exception: tokenizers cannot load: ", r"raises TokenizerFileError: reference cannot load: "),
    (
        r"crashes|gives no answer in time|raises CannotLoadError: tokenizers panics",
        r"raises Upstream(File)?PanicError: ",
    ),
)
"""The refusals that belong together. Where only one side panics, or the two do not speak of the same, there is none."""


def is_explained(no_value: NoValue) -> bool:
    for baseline, implementation in REFUSALS:
        found = [re.match(*each) for each in ((baseline, no_value.baseline), (implementation, no_value.implementation))]
        if all(found):
            reasons = {match.groupdict().get("why") for match in found if match}
            return len(reasons) == 1
    return False


def assert_conforms(result: FuzzResult) -> None:
    assert result.differences == []
    assert [no_value for no_value in result.no_value if not is_explained(no_value)] == []
    assert {verdict for _, verdict in result.answers} <= {Verdict.AGREE, Verdict.BOTH_ERROR}
    assert all(result.answers[stage, Verdict.AGREE] for stage in PIPELINE_STAGES)
    assert result.given_up <= result.tokenizers / 500
    # What is refused or left out is a small part.
    refused = sum(count for (_, verdict), count in result.answers.items() if verdict is Verdict.BOTH_ERROR)
    assert refused < result.answers.total() / 5
    assert result.ambiguous + sum(row.where == LOADING for row in result.no_value.elements()) < result.tokenizers / 12


@pytest.mark.long
def test_the_reference_is_no_other_than_the_target(load: Load) -> None:
    result = fuzzed(plan_of("reference"), load)
    assert_conforms(result)
    assert result.tokenizers == TOKENIZERS
    assert result.cases > 0.9 * 10 * TOKENIZERS
    assert result.values > 30 * result.cases


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_the_reference_is_no_other_than_the_target_on_many(seed: int) -> None:
    """In processes of its own: over a few of these the target fills the memory."""
    result = FuzzResult()
    for one in fuzz(plan_of("reference", SLOW_TOKENIZERS, seed)):
        result.add(one)
    assert_conforms(result)


# Planted faults ------------------------------------------------------------------------------------------------------

FAULTS = {
    "keeps-accent": ("Normalize", "text", "differ", "other values"),
    "late-pieces": ("PreTokenize", "offsets", "differ", "other values"),
    "wrong-type": ("Encode", "type_ids", "differ", "other values"),
    "no-overflow": ("Encode", "overflowing", "differ", "other length"),
    "short-decode": ("Decode", "text", "differ", "other values"),
    "forgetful": ("vocabulary",),
    "picky": ("load", "implementation"),
    "lenient": ("Decode", "crash", "crashed", "baseline"),
    "internal-error": ("Encode", "error", "raised an error", "implementation", "KeyError"),
}


@pytest.fixture(scope="module", params=FAULTS)
def planted(request: pytest.FixtureRequest, load: Load) -> tuple[FuzzPlan, FuzzResult]:
    """Each fault in turn, with what is found of it."""
    plan = plan_of(request.param, FAULTY_TOKENIZERS)
    return plan, fuzzed(plan, load)


@pytest.mark.long_but(1)
def test_a_planted_fault_is_found_and_nothing_else(planted: tuple[FuzzPlan, FuzzResult]) -> None:
    plan, result = planted
    assert {difference.signature for difference in result.differences} == {FAULTS[plan.implementation]}
    assert len({difference.number for difference in result.differences}) == len(result.differences)


@pytest.mark.long_but(2)
def test_the_case_of_a_difference_shows_it_again(planted: tuple[FuzzPlan, FuzzResult], load: Load) -> None:
    plan, result = planted
    difference = result.differences[0]
    assert find_difference(plan, difference.case, load) == difference.found
    assert find_difference(plan_of("sound"), difference.case, load) is None


def test_without_a_fault_there_is_no_difference(load: Load) -> None:
    result = fuzzed(plan_of("sound", FAULTY_TOKENIZERS), load)
    assert result.differences == []
    assert result.values


# What is generated and asked -----------------------------------------------------------------------------------------


def test_a_tokenizer_is_named_by_seed_and_number() -> None:
    document, texts, rng = generate(5, 17, 4)
    again, same_texts, same_rng = generate(5, 17, 4)
    assert (document, texts, rng.random()) == (again, same_texts, same_rng.random())
    assert len(texts) == 4
    assert generate(5, 18)[0] != document
    assert generate(6, 17)[0] != document


def asked(number: int, load: Load) -> Iterator[Observation]:
    document, texts, rng = generate(3, number, 5)
    side = load("tokenizers", json.dumps(document.json))
    if isinstance(side, Refusal):
        return
    vocabulary = side.vocabulary()
    assert isinstance(vocabulary, dict)
    for text, other in pairwise(texts):
        yield from drawn_questions(text, other, sorted(vocabulary.values()), side.ask, rng)


@pytest.fixture(scope="module")
def all_asked(load: Load) -> list[Observation]:
    return [question for number in range(40) for question in asked(number, load)]


SHAPES = {
    "normalize": lambda question: isinstance(question, Normalize),
    "pre-tokenize": lambda question: isinstance(question, PreTokenize),
    "encode": lambda question: question == Encode(question.text, None, True),
    "encode, no special tokens": lambda question: question == Encode(question.text, None, False),
    "a pair": lambda question: isinstance(question.pair, str) and question.add_special_tokens,
    "a pair, no special tokens": lambda question: isinstance(question.pair, str) and not question.add_special_tokens,
    "words": lambda question: question.is_pretokenized and question.pair is None,
    "a pair of words": lambda question: question.is_pretokenized and question.pair is not None,
    "no words": lambda question: question.text == (),
    "an empty word": lambda question: question.is_pretokenized and "" in question.text,
    "words that hold spaces": lambda question: question.is_pretokenized and any(" " in word for word in question.text),
    "an empty text": lambda question: question.text == "",
    "decode": lambda question: question.ids and question.skip_special_tokens,
    "decode, keeping special tokens": lambda question: question.ids and not question.skip_special_tokens,
    "a batch": lambda question: len(question.inputs) > 1 and question.inputs[-1].pair is not None,
    "ids one by one": lambda question: isinstance(question, DecodeStream) and question.skip_special_tokens,
    "no ids": lambda question: question.ids == (),
    "unknown ids": lambda question: any(id_ > 1000 for id_ in question.ids),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_questions_of_every_shape_are_asked(all_asked: list[Observation], shape: str) -> None:
    def is_of_shape(question: Observation) -> bool:
        try:
            return bool(SHAPES[shape](question))
        except AttributeError:
            return False

    assert any(map(is_of_shape, all_asked))


def test_every_stage_is_asked_about_for_each_text(load: Load) -> None:
    kinds = [type(question) for question in asked(1, load)]
    assert {kind: kinds.count(kind) // 4 for kind in (Normalize, Encode, Decode)} == {
        Normalize: 1,
        Encode: 5,
        Decode: 4,
    }


# Loading -------------------------------------------------------------------------------------------------------------


def test_a_tokenizer_that_both_refuse_is_counted(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    document = random_document(Random(0))
    document.json["model"] = {"type": "Nonsense"}
    monkeypatch.setattr("tokenizer_conformance.validation.search.random_tokenizers.random_document", lambda _: document)
    result = fuzzed(plan_of("reference", 1), load)
    ((no_value, count),) = result.no_value.items()
    assert (no_value.where, count, result.cases, result.differences) == (LOADING, 1, 0, [])
    assert no_value.implementation.startswith("raises UnsupportedComponentError: reference cannot load: ")


@pytest.mark.parametrize(
    ("refusals", "refused_by"),
    [
        ({"tokenizers": Failed("Exception", "no")}, "baseline"),
        ({"sound": Failed("ValueError", "no")}, "implementation"),
        ({"tokenizers": Failed("Exception", "no"), "sound": Failed("IndexError", "oh")}, "both"),
    ],
)
def test_a_tokenizer_that_one_side_refuses_is_a_difference(
    load: Load, refusals: dict[str, Refusal], refused_by: str
) -> None:
    result = fuzzed(plan_of("sound", 1), lambda name, document: refusals.get(name) or load(name, document))
    (difference,) = result.differences
    assert difference.found == LoadDifference(difference.found.refused_by, manner([*refusals.values()][-1]))  # type: ignore[union-attr]
    assert difference.signature == ("load", refused_by)


def test_two_added_tokens_of_one_normalized_form_are_left_out(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    document = random_document(Random(0))
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    document.json["normalizer"] = {"type": "Lowercase"}
    document.json["added_tokens"] = [
        {"id": index, "content": content, "normalized": True, **flags} for index, content in enumerate(("ab", "AB"))
    ]
    monkeypatch.setattr("tokenizer_conformance.validation.search.random_tokenizers.random_document", lambda _: document)
    result = fuzzed(plan_of("reference", 1), load)
    assert (result.ambiguous, result.cases, result.values) == (1, 0, 0)
    assert find_difference(plan_of("reference"), Case(document.json, Encode("ab")), load) is None


def test_kinds_tell_apart_what_was_asked_and_how_the_sides_part() -> None:
    assert signature_of(VocabularyDifference("a", 1, None)) == signature_of(VocabularyDifference("b", None, 3))
    assert {signature_of(LoadDifference(party, "")) for party in ("baseline", "implementation")} == {  # type: ignore[arg-type]
        ("load", "baseline"),
        ("load", "implementation"),
    }


def test_results_add_up(load: Load) -> None:
    plan = plan_of("late-pieces", 12)
    whole = fuzzed(plan, load)
    parts = FuzzResult()
    for start, count in ((0, 5), (5, 7)):
        parts.add(fuzzed(fuzz_plan("late-pieces", 7, count, start=start), load))
    assert parts == whole


def test_the_first_difference_of_a_tokenizer_is_kept(load: Load) -> None:
    difference = fuzzed(plan_of("no-overflow", FAULTY_TOKENIZERS), load).differences[0]
    assert isinstance(difference.found, AnswerDifference)
    assert difference.case.question == difference.found.question
    assert difference.case.document == generate(7, difference.number)[0].json


def test_implementations_are_loaded_by_name(tmp_path: Path) -> None:
    side = load_here(str(tmp_path), "tokenizers", json.dumps(random_document(Random(0)).json))
    assert not isinstance(side, Failed)
    assert side.info == load_implementation("tokenizers").info
    refusal = load_here(str(tmp_path), "reference", "{}")
    assert isinstance(refusal, Failed)
    assert refusal.kind == "TokenizerFileError"
    assert str(tmp_path) not in refusal.message


def test_an_answer_that_is_not_given_again_is_unstable_and_no_difference() -> None:
    class Answering:
        info = fakes.Toy().info

        def __init__(self, *answers: Text) -> None:
            self._answers = list(answers)

        def ask(self, _question: Observation) -> Text:
            return self._answers.pop(0)

        def vocabulary(self) -> dict[str, int]:
            return {}

    for again, unstable in (("b", 0), ("a", 1), ("c", 1)):
        result = FuzzResult()
        sides = (Answering(Text("a"), Text("a")), Answering(Text("b"), Text(again)))
        known = KnownOnes("fuzz", *(side.info for side in sides))
        found = TokenizerAsker({}, sides, known, result).answer_difference(Normalize("x"))
        assert (found is None, result.unstable) == (bool(unstable), unstable)
