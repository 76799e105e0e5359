"""Which templates are BERT's but for their ids, so that a peer that joins texts as BERT does can be asked."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_adapters.peers.model_files import bert_ends_of

Template = dict[str, Any]


def part(name: str, type_id: int) -> dict[str, Any]:
    """A text, which "A" and "B" stand for, or a special token."""
    return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": type_id}}


def template(single: str, pair: str, types: str) -> Template:
    """A template of these parts, the first ones of the type 0 for a single text."""
    return {
        "type": "TemplateProcessing",
        "single": [part(name, int(type_id)) for name, type_id in zip(single.split(), types, strict=False)],
        "pair": [part(name, int(type_id)) for name, type_id in zip(pair.split(), types, strict=True)],
        "special_tokens": {name: {"id": name, "ids": [id_], "tokens": [name]} for name, id_ in (("[", 7), ("]", 8))},
    }


BERT = template("[ A ]", "[ A ] B ]", "00011")


@pytest.mark.parametrize("processor", [BERT, {"type": "BertProcessing", "cls": ["[", 7], "sep": ["]", 8]}])
def test_bert_s_template_by_either_name(processor: Template) -> None:
    assert bert_ends_of({"post_processor": processor}) == (7, 8)


@pytest.mark.parametrize(
    "processor",
    [
        None,
        {"type": "Sequence", "processors": []},
        {"type": "RobertaProcessing", "cls": ["[", 7], "sep": ["]", 8]},
        template("A ]", "A ] B ]", "0011"),
        template("[ A", "[ A B", "001"),
        template("[ A ]", "[ A ] B ]", "00000"),
        template("[ A ]", "[ A ] B ]", "10011"),
        template("[ A ]", "[ A ] B ]", "00010"),
        template("[ A ]", "[ A ] ] B ]", "000011"),
        template("[ A ]", "[ B ] A ]", "00011"),
        template("[ A ]", "[ A ] B [", "00011"),
    ],
)
def test_other_templates_are_none(processor: Template | None) -> None:
    assert bert_ends_of({"post_processor": processor}) is None
