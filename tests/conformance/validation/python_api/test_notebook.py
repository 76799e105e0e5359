"""A report in a notebook: everything is there, and nothing of it is markup but ours."""

from __future__ import annotations

from typing import Any

import lxml.html
import tokenizers

from tokenizer_conformance import check
from tokenizer_conformance.inputs.bundled import bundled_file

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(1)> {{ 7*7 }} \u202e ]]> &amp;"

OURS = {"html", "body", "div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}


class Faulty:
    """Gives another id for one text, and an error for another."""

    def __init__(self) -> None:
        self._right = tokenizers.Tokenizer.from_file(str(bundled_file("bert-mini")))

    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> dict[str, Any]:
        if "café" in text:
            raise ValueError(HOSTILE)
        ids = self._right.encode(text, pair, add_special_tokens=add_special_tokens).ids
        return {"ids": [each + 1 for each in ids] if "script" in text else ids}


def shown(texts: list[str], **options: Any) -> Any:
    report = check(Faulty(), tokenizer="bert-mini", texts=texts, suite=False, **options)
    return report, report._repr_html_(), lxml.html.document_fromstring(report._repr_html_())


def test_every_finding_stands_there_with_its_example() -> None:
    report, _, tree = shown(["Hello", HOSTILE, "café"])
    assert report.findings
    assert "differences" in tree.text_content()
    summaries = [each.text_content() for each in tree.iter("summary")]
    assert any(
        "mine at model: other length of ids" in each or "mine at model: other values of ids" in each
        for each in summaries
    )
    assert any("raised an error" in each for each in summaries)
    assert "tokenizers" in tree.findtext(".//pre")


def test_hostile_text_is_text() -> None:
    _, markup, tree = shown([HOSTILE, f"café {HOSTILE}"])
    assert {each.tag for each in tree.iter() if isinstance(each.tag, str)} <= OURS
    assert {name for each in tree.iter() for name in each.attrib} <= {"scope", "open"}
    assert "<script>alert(1)</script>" in tree.text_content()
    assert "\u202e" not in markup
    assert "\\u202e" in markup


def test_what_conforms_says_so() -> None:
    right = tokenizers.Tokenizer.from_file(str(bundled_file("bert-mini")))
    report = check(right, tokenizer="bert-mini", texts=["Hello"], suite=False)
    tree = lxml.html.document_fromstring(report._repr_html_())
    assert report.conforms
    assert "✓ conform" in tree.text_content()
    assert tree.find(".//details") is None
