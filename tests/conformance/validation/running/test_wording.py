"""The last word on a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance import Conclusion
from tokenizer_conformance.validation.running.vocabularies import found_in_vocabularies
from tokenizer_conformance.validation.running.wording import summary

COUNTS = "2 tokenizers, 1,200 inputs, 1 value compared, 0 differences"


@pytest.mark.parametrize(
    ("conclusion", "reason", "said"),
    [
        (Conclusion.INTERRUPTED, "interrupted", f"not finished (interrupted); {COUNTS}"),
        (Conclusion.CONFORM, None, f"{Conclusion.CONFORM}; {COUNTS}"),
        (Conclusion.DIFFERENCES, None, f"{Conclusion.DIFFERENCES}; {COUNTS}"),
        (Conclusion.DIFFERENCES, "enough", f"not finished (enough): {Conclusion.DIFFERENCES}; {COUNTS}"),
    ],
)
def test_the_last_word_says_whether_it_is_finished_and_what_was_found(
    conclusion: Conclusion, reason: str | None, said: str
) -> None:
    ended: Any = SimpleNamespace(
        conclusion=conclusion,
        reason=reason,
        finished=reason is None,
        tokenizers=2,
        inputs=1200,
        compared=1,
        further=(),
    )
    assert summary(ended, []) == said


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([], []),
        ([0, 0], []),
        ([1], ["1 vocabulary differs (1 entry)"]),
        ([0, 2], ["1 vocabulary differs (2 entries)"]),
        ([1200, 0, 34], ["2 vocabularies differ (1,234 entries)"]),
    ],
)
def test_vocabularies_are_told_where_any_differs(entries: list[int], said: list[str]) -> None:
    tokenizer: Any = SimpleNamespace(results=[SimpleNamespace(other_entries=count) for count in entries])
    assert list(found_in_vocabularies([tokenizer])) == said
