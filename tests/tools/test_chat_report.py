"""The page on chat templates is made of the record of a run: what agrees, what is explained, and what is not."""

from __future__ import annotations

import re
from typing import Any

import chat_report
import pytest

PROOF = [
    "The baseline answers x, the implementation y.",
    "Two other conversations show the same, and none speaks against it.",
    "So it would be if it sorts; nothing here tells them apart.",
]

SURE = {"name": "r", "parameter": "it sorts all", "proof": PROOF[:2]}


def rendered(text: str, ids: list[int] | None = None) -> dict[str, Any]:
    return {"outcome": "Rendered", "answer": {"text": text, "ids": ids}}


def cause(inputs: int, *, proven: bool = True, field: str | None = "text", position: int = 4, **told: Any) -> Any:
    return {
        "implementation": "other",
        "tokenizer": "one",
        "question": {
            "messages": '[{"role": "user", "content": "```\\n"}]',
            "tools": None,
            "add_generation_prompt": True,
            "continue_final_message": False,
        },
        "difference": {"field": field, "position": position},
        "answers": {"baseline": rendered("<a>\n1"), "implementation": rendered("<a>\n```\n2")},
        "reason": {"name": "r", "parameter": "it sorts all" if proven else "", "proof": PROOF if proven else []},
        "inputs": inputs,
        "tokenizers": {"one": inputs},
        **told,
    }


def record(*causes: Any, finished: bool = True, **verdicts: int) -> list[dict[str, Any]]:
    names = ("reference", "same@2", "other", "silent")
    counts = {"same@2": {"agree": 8, "both_error": 2}, "other": verdicts, "silent": {"unsupported": 10}}
    results = [{"implementation": name, "stages": {"chat": {"inputs": each}}} for name, each in counts.items()]
    versions = [{"name": name, "version": "2", "language": "C"} for name in names]
    return [
        {"type": "header", "baseline": "reference", "implementations": versions},
        {"type": "tokenizer", "tokenizer": "one", "inputs": 10, "results": results},
        {"type": "footer", "finished": finished, "causes": list(causes)},
    ]


def test_each_renderer_has_its_counts_and_each_reason_its_example() -> None:
    page = chat_report.page(record(cause(3, reason=SURE), agree=6, both_error=1, differ=2, error=1))
    assert page.startswith("# Chat templates through 4 renderers\n")
    assert "**All differences of same@2, other are explained.**" in page
    assert "| same@2     | C          | 10 of 10" in page
    assert "| other 2    | C          | 7 of 10                    | 3        | 3" in page
    assert "| one           | all 10   | 7 of 10, 2 differ, 1 alone | not asked |" in page
    assert "cannot: silent about one." in page
    assert "**It sorts all.** 3 conversations: one. Two other conversations show the same" in page
    assert "The baseline answers x" not in page
    assert "Not explained" not in page


def test_what_several_reasons_fit_is_not_explained() -> None:
    page = chat_report.page(record(cause(2), cause(1, reason=SURE), agree=6, differ=4))
    assert "**All differences of same@2 are explained; of other 1 of 4 (for 2, several reasons fit).**" in page
    assert re.search(r"\| other 2 .* 6 of 10 +\| 4 +\| 1 +\| 2 +\|\n", page)
    assert "it sorts; nothing here tells them apart." in page
    assert "**Not explained: 1 conversation.**" in page


def test_what_is_shown_stays_in_its_block() -> None:
    page = chat_report.page(record(cause(1), agree=9, differ=1))
    block = page.split("```text\n")[1].split("\n```\n")[0]
    assert block.splitlines() == [
        'one        [{"role": "user", "content": "```\\n"}], add_generation_prompt',
        "reference  <a>\\n1",
        "other      <a>\\n```\\n2",
    ]


def test_ids_are_shown_where_they_differ_and_refusals_with_their_words() -> None:
    refused = {"outcome": "Failed", "answer": {"kind": "E", "message": "no\nroles"}}
    answers = {"baseline": rendered("", list(range(20, 40))), "implementation": refused}
    page = chat_report.page(record(cause(1, field="ids", position=9, answers=answers), agree=9, error=1))
    assert "reference  ids … 26 27 28 29 30 31 32 33 …" in page
    assert "other      refuses it: no\\nroles" in page


def test_what_is_not_explained_is_counted_whether_it_has_a_cause_or_not() -> None:
    others = [cause(1, proven=False) for _ in range(7)]
    page = chat_report.page(record(cause(2, reason=SURE), *others, agree=1, differ=9))
    assert "**All differences of same@2 are explained; of other 2 of 9.**" in page
    assert "**Not explained: 7 conversations.** Of 7 kinds the most frequent:" in page
    assert page.count("```text") == 1 + chat_report.MOST_UNEXPLAINED
    crashed = chat_report.page(record(agree=0, crash=10))
    assert "**Not explained: 10 conversations.**" in crashed


def test_the_record_of_a_run_that_was_ended_is_refused() -> None:
    with pytest.raises(LookupError, match="not that of a finished command"):
        chat_report.page(record(finished=False))
