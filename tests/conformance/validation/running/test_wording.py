"""The last word on a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_adapters.contract import Stage
from tokenizer_conformance import Conclusion
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.validation.running.vocabularies import found_in_vocabularies
from tokenizer_conformance.validation.running.wording import cell, overview_cell, summary

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


@pytest.mark.parametrize(
    ("inputs", "compared", "lines"),
    [
        ({}, 0, ["not compared"]),
        ({Verdict.AGREE: 0}, 5, ["not compared"]),
        ({Verdict.AGREE: 1_200}, 0, ["agree 1,200"]),
        ({Verdict.AGREE: 3}, 1, ["agree 3", "(1 value)"]),
        ({Verdict.AGREE: 3, Verdict.DIFFER: 2}, 1_200, ["DIFFER 2", "agree 3", "(1,200 values)"]),
    ],
)
def test_a_cell_counts_inputs_the_gravest_first_and_values(
    inputs: dict[Verdict, int], compared: int, lines: list[str]
) -> None:
    result: Any = SimpleNamespace(stages={Stage.MODEL: SimpleNamespace(inputs=inputs, compared=compared)})
    assert cell(result, Stage.MODEL) == lines


def test_an_overview_names_stages_by_their_gravest_verdict() -> None:
    def overview(*inputs: dict[Verdict, int], error: str | None = None, is_loaded: bool = True) -> list[str]:
        stages = {stage: SimpleNamespace(inputs=each) for stage, each in zip(PIPELINE, inputs, strict=False)}
        result: Any = SimpleNamespace(stages=stages, load_error=error)
        return overview_cell(result, baseline_loaded=is_loaded)

    agree, both = {Verdict.AGREE: 2}, {Verdict.AGREE: 2, Verdict.DIFFER: 1}
    assert overview(agree, agree) == ["agree at all stages"]
    assert overview(agree, both, agree) == ["DIFFER pre_tokenize", "agree normalize, model"]
    assert overview({}, {}) == ["not compared"]
    assert overview(agree, error="no") == overview(agree, is_loaded=False) == ["not loaded"]


PIPELINE = (Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.MODEL)
