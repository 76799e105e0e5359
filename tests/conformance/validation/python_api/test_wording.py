"""What is said of a check: the conclusion that decides, and a line that sums it up."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance import Conclusion
from tokenizer_conformance.validation.python_api.results import Results
from tokenizer_conformance.validation.python_api.wording import conclusion_of, summary_of


def results(**changes: Any) -> Results:
    usual: dict[str, Any] = {
        "implementation": "mi\x1bne",
        "against": "tokenizers",
        "tokenizer": "bert-mini",
        "conclusion": Conclusion.CONFORM,
        "findings": (),
        "known": (),
        "unstable": (),
        "requirements": (),
        "suite_conclusion": None,
        "not_asked": "",
        "texts": 1200,
        "compared": 1,
        "problems": (),
        "stale": (),
    }
    return Results(**(usual | changes))


@pytest.mark.parametrize(
    ("of_texts", "of_suite", "decides"),
    [
        (Conclusion.CONFORM, None, Conclusion.CONFORM),
        (Conclusion.CONFORM, Conclusion.CONFORM, Conclusion.CONFORM),
        (Conclusion.CONFORM, Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        (Conclusion.DIFFERENCES, Conclusion.CONFORM, Conclusion.DIFFERENCES),
        (Conclusion.NOTHING_COMPARED, Conclusion.DIFFERENCES, Conclusion.NOTHING_COMPARED),
        (Conclusion.STALE, None, Conclusion.STALE),
    ],
)
def test_the_suite_decides_where_the_texts_conform(
    of_texts: Conclusion, of_suite: Conclusion | None, decides: Conclusion
) -> None:
    report = results(conclusion=of_texts, suite_conclusion=of_suite)
    assert conclusion_of(report) is decides
    sides = r"mi\x1bne against tokenizers on bert-mini"
    assert summary_of(report) == f"{sides}: {decides}; 1,200 texts, 1 value compared, 0 findings"
