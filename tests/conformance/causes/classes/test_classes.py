"""The table of classes has all that is ever given for a reason."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.causes import classes
from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.classes import answer_changes, question_changes
from tokenizer_conformance.causes.classes.document_changes import changes_of
from tokenizer_conformance.causes.classes.table import CLASSES, CLASSES_BY_NAME
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

PROMISED = (
    *("score-tie", "finer-offsets", "unicode-version", "unknown-token-policy", "prefix-space-policy"),
    *("normalization-form", "offset-unit", "offset-convention", "added-token-flags", "special-token-handling"),
    *("merge-order", "greedy-against-ranked", "byte-fallback", "case-folding", "final-sigma"),
    *("grapheme-against-code-point", "regex-class-approximation", "pipeline-rebuilt-by-loader", "decode-clean-up"),
    *("text-ends-at-nul", "byte-order-mark", "length-limit"),
)

OF_ANSWERS_AND_QUESTIONS = (
    *answer_changes.ENCODING_CHANGES,
    *answer_changes.LATE_ENCODING_CHANGES,
    *answer_changes.TEXT_CHANGES,
    *answer_changes.LATE_TEXT_CHANGES,
    *(as_asked for as_asked, _ in (*question_changes.OPTION_CHANGES, *question_changes.CHANGES_OF_TEXTS)),
)


def test_names_are_in_kebab_case_and_each_stands_once() -> None:
    names = [each.name for each in CLASSES]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert UNEXPLAINED not in names


@in_one_test("file", sorted(Path(classes.__file__).parent.glob("*.py")))
def test_every_name_that_an_experiment_gives_is_in_the_table(file: Path) -> None:
    strings = {
        node.value
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    names = {each for each in strings if re.fullmatch(r"[a-z]{2,}(-[a-z]+)+", each)}
    assert names <= CLASSES_BY_NAME.keys()


@in_one_test("name", PROMISED)
def test_a_promised_class_is_there(name: str) -> None:
    assert name in CLASSES_BY_NAME


def test_only_what_has_two_right_answers_is_acceptable() -> None:
    assert {each.name for each in CLASSES if each.is_acceptable} == {"score-tie", "finer-offsets"}


def test_changes_of_answers_and_questions_are_of_classes_and_differ() -> None:
    assert {each.name for each in OF_ANSWERS_AND_QUESTIONS} <= CLASSES_BY_NAME.keys()
    keys = [(each.name, each.parameter) for each in OF_ANSWERS_AND_QUESTIONS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", bundled_names())
def test_changes_of_documents_are_of_classes_and_change_something(name: str) -> None:
    document = json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))
    changes = list(changes_of(document))
    assert {change.name for change in changes} <= CLASSES_BY_NAME.keys()
    for change in changes:
        assert any(document.get(key) != value for key, value in change.members.items()), change.key
