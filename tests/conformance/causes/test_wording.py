"""Causes in words: exact lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tokenizer_adapters.contract import Decode, Encode, Failed, Field, Normalize, Stage, Text, TokenizerSource
from tokenizer_conformance.causes.cause import NO_REASON, Cause, CauseSignature, ExplainedBy, Reason
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.causes.wording import (
    cause_headline,
    cause_lines,
    causes_title,
    changed_file_lines,
    earlier_lines,
    explained_in_short,
    explained_lines,
    reason_in_words,
    what_differs,
)
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.verdicts import Verdict

SIDES = Excerpt(0, 1, ("a",), is_text=True), Excerpt(0, 1, ("b",), is_text=True)
TEXT = Difference(Verdict.DIFFER, DifferenceKind.VALUES, Field.TEXT, *SIDES, 0)
ERROR = Difference(
    Verdict.ERROR, DifferenceKind.RAISED, None, SIDES[0], Failed("ValueError", "no\n"), None, None, "ValueError"
)
REASON = Reason("a-class", "of it", ("First.", "Second\n.", "Third."))
KNOWN = ExplainedBy("KC1", "1.0", "A title\n")


def cause_of(difference: Difference = TEXT, reason: Reason = REASON, **options: Any) -> Cause:
    document = options.pop("document", None)
    witness = Witness(
        TokenizerSource("t", "t.json"), document, Normalize("a"), Stage.NORMALIZE, difference, Text("a"), Text("b")
    )
    signature = CauseSignature(witness.manner, "normalizer: NFC", "letters", "a text")
    told: dict[str, Any] = {"differences": 3, "inputs": 2, "tokenizers": {"one": 1, "two": 5}} | options
    return Cause("port\n", signature, witness, reason, **told)


def test_the_title_counts() -> None:
    causes = [cause_of(), cause_of(reason=NO_REASON, differences=1)]
    assert causes_title(causes) == "2 causes of 4 differences, 3 of them (75 %) with a proven reason"
    assert causes_title(causes, 2) == "2 causes of 6 differences, 3 of them (50 %) with a proven reason; 2 not analysed"
    assert causes_title([]) == "0 causes of 0 differences, 0 of them (0 %) with a proven reason"


def test_a_headline_is_one_line() -> None:
    assert cause_headline(cause_of()) == (
        "port at normalize, normalizer: NFC: text differs for letters in a text (2 inputs of two, one): a-class, of it"
    )
    four = cause_of(tokenizers={"a": 1, "b": 2, "c": 3, "d": 4})
    assert "(2 inputs of d, c, b and 1 more)" in cause_headline(four)
    three = cause_of(tokenizers={"a": 1, "b": 2, "c": 3})
    assert "(2 inputs of c, b, a)" in cause_headline(three)


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (TEXT, "text differs for letters in a text"),
        (replace(TEXT, field=Field.IDS), "ids differ for letters in a text"),
        (ERROR, "raised an error (ValueError: no) for letters in a text"),
        (replace(ERROR, kind=DifferenceKind.CRASHED, implementation=SIDES[1]), "crashed for letters in a text"),
    ],
)
def test_what_differs_is_a_field_or_an_error(difference: Difference, words: str) -> None:
    assert what_differs(cause_of(difference)) == words


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (cause_of(), "a-class, of it"),
        (cause_of(reason=Reason("a-class")), "a-class"),
        (cause_of(reason=NO_REASON), "unexplained"),
        (cause_of(reason=Reason("unexplained", "either one; or other")), "unexplained: either one; or other"),
        (cause_of(reason=NO_REASON, explained_by=()), "unexplained"),
        (cause_of(reason=NO_REASON, explained_by=(KNOWN,)), "explained by KC1"),
        (cause_of(explained_by=(KNOWN,)), "a-class, of it"),
    ],
)
def test_the_reason_is_a_class_or_a_known_change(cause: Cause, words: str) -> None:
    assert reason_in_words(cause) == words


def test_lines_have_the_question_both_answers_and_the_proof() -> None:
    lines = cause_lines(cause_of(explained_by=(KNOWN,), document={}), "base")
    assert lines[0].split(None, 1) == ["text", '"a"']
    assert [line.split()[:2] for line in lines[1:3]] == [["base", '"a"'], ["port", '"b"']]
    assert lines[3:] == [
        "of a tokenizer.json made smaller, with ids of its own: it is in the record (--json)",
        "proof: First.",
        "proof: Second .",
        "explained by KC1, since 1.0: A title",
    ]
    own = replace(cause_of(), own=cause_of(document={}).witness)
    assert cause_lines(own, "base")[3].startswith("of a tokenizer.json made smaller")


def test_known_changes_are_named() -> None:
    assert [explained_in_short(each) for each in (None, (), (KNOWN, KNOWN))] == [
        "",
        "new: no known change explains it",
        "explained by KC1, KC1",
    ]
    undone = replace(KNOWN, undone="until 2.0")
    assert [explained_lines(each) for each in (None, (), (KNOWN, undone))] == [
        [],
        ["new: no known change explains it"],
        ["explained by KC1, since 1.0: A title", "explained by KC1, until 2.0: A title"],
    ]


def test_what_is_asked_first_and_of_which_file() -> None:
    assert earlier_lines([]) == []
    first, second = earlier_lines([Encode("a", "b"), Decode((1, 2))])
    assert first.startswith("first ")
    assert first.endswith('text "a", pair "b"')
    assert second.endswith(": ids 1, 2")
    assert changed_file_lines(None) == ()
    assert len(changed_file_lines({})) == 1
