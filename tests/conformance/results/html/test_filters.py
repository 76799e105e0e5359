"""What templates of pages write of values."""

from __future__ import annotations

import pytest

from tokenizer_conformance.results.html.writing import environment
from tokenizer_conformance.results.page import Subject


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        (Subject("ids", ids=(3, 1, 2), length=3), "3, 1, 2"),
        (Subject("ids", ids=tuple(range(20)), length=20), ", ".join(map(str, range(20)))),
        (Subject("ids", ids=tuple(range(21)), length=21), ", ".join(map(str, range(20))) + ", …"),
        (Subject("ids", ids=tuple(range(20)), length=900), ", ".join(map(str, range(20))) + ", …"),
        (Subject("text", "a b", length=3), '"a b"'),
    ],
)
def test_a_subject_is_its_text_or_its_first_ids(subject: Subject, shown: str) -> None:
    assert environment().filters["subject"](subject) == shown
