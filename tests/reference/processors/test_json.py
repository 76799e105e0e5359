"""Reading and writing: which class a post-processor becomes is told from its fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from both_sides import written_by_target
from in_one_test import in_one_test

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.processors.base import POST_PROCESSOR

BERT = {"sep": ["s", 1], "cls": ["c", 2]}
ROBERTA = {**BERT, "trim_offsets": True, "add_prefix_space": False}
BYTE_LEVEL = {"add_prefix_space": True, "trim_offsets": False}
A = {"Sequence": {"id": "A", "type_id": 0}}
TEMPLATE: dict[str, Any] = {"single": [A], "pair": [], "special_tokens": {}}
X = {"id": "x", "ids": [1], "tokens": ["t"]}
SEQUENCE: dict[str, Any] = {"type": "Sequence", "processors": []}

READ = [
    # Bert, Roberta and Template do not look at the type.
    (BERT, "BertProcessing"),
    (ROBERTA, "RobertaProcessing"),
    (TEMPLATE, "TemplateProcessing"),
    ({"type": "BertProcessing", **BERT}, "BertProcessing"),
    ({"type": "RobertaProcessing", **ROBERTA}, "RobertaProcessing"),
    ({"type": "BertProcessing", **ROBERTA}, "RobertaProcessing"),
    ({"type": "RobertaProcessing", **BERT}, "BertProcessing"),
    ({"type": "ByteLevel", **ROBERTA}, "RobertaProcessing"),
    ({"type": "BertProcessing", **TEMPLATE}, "TemplateProcessing"),
    ({"type": "Foo", **TEMPLATE}, "TemplateProcessing"),
    ({"type": 3, **BERT}, "BertProcessing"),
    ({"type": None, **BERT}, "BertProcessing"),
    # The first whose fields fit is taken.
    ({**BERT, **TEMPLATE}, "BertProcessing"),
    ({"type": "ByteLevel", **BYTE_LEVEL, **BERT}, "RobertaProcessing"),
    ({"type": "ByteLevel", **BYTE_LEVEL, **TEMPLATE}, "ByteLevel"),
    ({**SEQUENCE, **TEMPLATE}, "TemplateProcessing"),
    ({**SEQUENCE, **BYTE_LEVEL}, "Sequence"),
    ({**ROBERTA, "trim_offsets": None}, "BertProcessing"),
    # ByteLevel and Sequence do.
    ({"type": "ByteLevel", **BYTE_LEVEL}, "ByteLevel"),
    ({"type": "ByteLevel", **BYTE_LEVEL, "use_regex": False}, "ByteLevel"),
    (SEQUENCE, "Sequence"),
    ({**SEQUENCE, "processors": [{"type": "ByteLevel", **BYTE_LEVEL}, TEMPLATE]}, "Sequence"),
    ({**SEQUENCE, "processors": [SEQUENCE]}, "Sequence"),
    # An array of the fields, in order.
    ([["s", 1], ["c", 2]], "BertProcessing"),
    ([["s", 1], ["c", 2], True, True], "RobertaProcessing"),
    ([[A], [], {}], "TemplateProcessing"),
    # Templates are not checked.
    ({**TEMPLATE, "single": [{"SpecialToken": {"id": "x", "type_id": 0}}]}, "TemplateProcessing"),
    ({**TEMPLATE, "single": [{"Sequence": {"id": "B", "type_id": 3}}]}, "TemplateProcessing"),
    ({**TEMPLATE, "single": [{"Sequence": ["A", 3]}]}, "TemplateProcessing"),
    ({**TEMPLATE, "single": [{"Sequence": {"id": {"A": None}, "type_id": 3}}]}, "TemplateProcessing"),
    ({**TEMPLATE, "special_tokens": {"y": X}}, "TemplateProcessing"),
    ({**TEMPLATE, "special_tokens": {"x": {**X, "ids": [1, 2]}}}, "TemplateProcessing"),
    ({**TEMPLATE, "special_tokens": {"x": ["x", [1], ["t"]]}}, "TemplateProcessing"),
    ({**TEMPLATE, "special_tokens": {"é": X, "z": X, "B": {**X, "unknown": 1}}}, "TemplateProcessing"),
]


@pytest.mark.parametrize(("document", "name"), READ)
def test_a_processor_is_told_from_its_fields(document: Any, name: str) -> None:
    written = POST_PROCESSOR.read(JsonValue(document))._to_json()
    assert written["type"] == name
    assert json.dumps(written) == json.dumps(written_by_target("post_processor", document))
    assert POST_PROCESSOR.read(JsonValue(written))._to_json() == written


NOT_READ = [
    {},
    [],
    3,
    "BertProcessing",
    BYTE_LEVEL,
    {"type": "Foo", **BYTE_LEVEL},
    {"processors": []},
    {"type": "Sequence"},
    {"type": "Sequence", "processors": None},
    {"type": "Sequence", "processors": {}},
    {"type": "Sequence", "processors": [BYTE_LEVEL]},
    {"type": "ByteLevel", "trim_offsets": True},
    {"type": "ByteLevel", "add_prefix_space": None, "trim_offsets": True},
    {"type": "ByteLevel", **BYTE_LEVEL, "use_regex": None},
    ["ByteLevel", True, True, True],
    ["Sequence", []],
    {"sep": ["s", 1]},
    {**BERT, "sep": ["s"]},
    {**BERT, "sep": ["s", 1, 2]},
    {**BERT, "sep": ["s", -1]},
    {**BERT, "sep": ["s", 1.0]},
    {**BERT, "sep": ["s", 2**32]},
    {**BERT, "sep": None},
    [["s", 1], ["c", 2], True],
    {**TEMPLATE, "single": ["$A"]},
    {**TEMPLATE, "single": "$A"},
    {**TEMPLATE, "single": [{"Sequence": {"id": "C", "type_id": 0}}]},
    {**TEMPLATE, "single": [{"Sequence": {"id": "A"}}]},
    {**TEMPLATE, "single": [{**A, "x": 1}]},
    {**TEMPLATE, "single": [{"sequence": {"id": "A", "type_id": 0}}]},
    {**TEMPLATE, "pair": None},
    {"single": [], "pair": []},
    {**TEMPLATE, "special_tokens": []},
    {**TEMPLATE, "special_tokens": None},
    {**TEMPLATE, "special_tokens": {"x": {"id": "x", "ids": [1]}}},
]


@in_one_test("document", NOT_READ)
def test_what_fits_no_class_is_refused_with_its_path(document: Any) -> None:
    with pytest.raises(TokenizerFileError, match=r"\$\.post_processor"):
        POST_PROCESSOR.read(JsonValue(document, "$.post_processor"))
    with pytest.raises(Exception, match="data did not match any variant of untagged enum PostProcessorWrapper"):
        written_by_target("post_processor", document)
