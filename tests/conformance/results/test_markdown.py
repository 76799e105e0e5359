"""A page in Markdown, line by line."""

from __future__ import annotations

from dataclasses import replace

from report_pages import finding_of, page_of

from tokenizer_conformance.results.markdown import markdown_of
from tokenizer_conformance.results.page import Compared, Fact


def test_what_was_compared_is_a_line_each() -> None:
    compared = (
        Compared("base", "1.0", "baseline", "Rust"),
        Compared("alpha", "2.0", "implementation"),
        Compared("toy", role="tokenizer"),
    )
    lines = markdown_of(replace(page_of(), compared=compared)).splitlines()
    assert [line for line in lines if line.startswith("- ") and ": " in line][-3:] == [
        "- baseline: base 1.0 (Rust)",
        "- implementation: alpha 2.0",
        "- tokenizer: toy",
    ]


def test_only_documents_are_there_to_be_copied() -> None:
    facts = (
        Fact("seed", "7"),
        Fact("of little use", "8", is_detail=True),
        Fact("tokenizer.json", '{"a": 1}', is_document=True),
    )
    page = page_of(replace(finding_of("a text"), facts=facts, repeat="tokconf run"))
    lines = markdown_of(page).splitlines()
    assert lines.count('    tokenizer.json: {"a": 1}') + lines.count('tokenizer.json: {"a": 1}') == 1
    assert [line.strip() for line in lines if "seed" in line] == ["seed: 7"]
    assert not [line for line in lines if "of little use" in line]


def test_of_very_many_findings_all_are_named_and_the_first_are_told_in_full() -> None:
    findings = [replace(finding_of("a text"), id=f"finding-{number}", repeat="tokconf run") for number in range(103)]
    long = replace(findings[-1], headline="long " * 100)
    text = markdown_of(page_of(*findings[:-1], long))
    assert text.count("repeat: tokconf run") == 100
    assert "\n\n3 more, of which the page in HTML has all that is known:\n\n101. " in text
    (last,) = (line for line in text.splitlines() if line.startswith("103. "))
    assert last.endswith("…")
    assert len(last) < 200
    assert "## How it was made" in text
    assert " more, of which" not in markdown_of(page_of(*findings[:100]))


def test_of_thousands_of_findings_those_beyond_a_thousand_are_counted() -> None:
    page = page_of(*(replace(finding_of("a text"), id=f"finding-{number}") for number in range(1003)))
    text = markdown_of(page)
    assert "\n1000. " in text
    assert "\n1001. " not in text
    assert "\n\n3 are not named here.\n" in text
    assert "not named here" not in markdown_of(replace(page, findings=page.findings[:1000]))
