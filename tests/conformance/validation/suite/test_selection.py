"""What -k, --features and --importance leave."""

from __future__ import annotations

import pytest
from small_suites import toy_suite

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.suite.requirement import Feature, Importance
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases, matches

ALL = ["TOY-LOWERCASE/1", "TOY-LOWERCASE/2", "TOY-OTHER-LETTERS/1", "TOY-MERGES/1", "TOY-SPECIAL/1"]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("", True),
        ("   ", True),
        ("BERT", True),
        ("b or x and y", True),  # and binds closer than or
        ("(b or x) and y", False),
        ("not x and b", True),  # not binds closer than and
        ("not (x and b)", True),
        ("not not b", True),
        ("not b or b", True),
        ("b and b and x", False),
        ("((bert-accents))", True),
    ],
)
def test_expressions(expression: str, found: bool) -> None:
    assert matches(expression, "BERT-ACCENTS") is found


@pytest.mark.parametrize("expression", ["a b", "and", "a and", "not", "(a", "a)", "()", "a or or b", "a not b"])
def test_what_is_no_expression_is_refused_whatever_it_is_asked_of(expression: str) -> None:
    for text in ("a b", "nothing"):
        with pytest.raises(BadInputError, match="write words joined by and, or, not and brackets"):
            matches(expression, text)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (Wanted(), ALL),
        (Wanted("models.toy and not special"), ["TOY-MERGES/1"]),
        (
            Wanted("title"),
            ["TOY-LOWERCASE/1", "TOY-LOWERCASE/2", "TOY-OTHER-LETTERS/1", "TOY-MERGES/1", "TOY-SPECIAL/1"],
        ),
        (Wanted(importances=frozenset({Importance.EDGE})), ["TOY-OTHER-LETTERS/1"]),
        (Wanted(features=frozenset({Feature.PAIR})), ["TOY-OTHER-LETTERS/1", "TOY-MERGES/1", "TOY-SPECIAL/1"]),
    ],
)
def test_the_cases_that_are_left(wanted: Wanted, ids: list[str]) -> None:
    assert [case.id for case in chosen_cases(toy_suite(), wanted)] == ids


def test_to_leave_nothing_is_refused() -> None:
    with pytest.raises(BadInputError, match="no requirement with cases is left"):
        chosen_cases(toy_suite(), Wanted("nosuch"))
