"""What a tokenizer.json says of its encodings is read from the file alone."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.research.offsets_audit.tokenizer_rules import BYTE_ALPHABET, Layout, LayoutPart, rules_of

Json = dict[str, Any]

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 2}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [7, 8], "tokens": ["[CLS]", "x"]}},
}


def document(**members: Any) -> Json:
    return {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}, **members}


@pytest.mark.parametrize(
    ("model", "token", "contents"),
    [
        ({"type": "WordPiece", "vocab": {}, "continuing_subword_prefix": "##"}, "##a", (b"a", b"##a")),
        ({"type": "WordPiece", "vocab": {}}, "a", (b"a",)),
        ({"type": "BPE", "vocab": {}, "merges": [], "end_of_word_suffix": "</w>"}, "a</w>", (b"a", b"a</w>")),
        ({"type": "Unigram", "vocab": [], "byte_fallback": True}, "<0xC3>", (b"\xc3", b"<0xC3>")),
        ({"type": "Unigram", "vocab": []}, "<0xC3>", (b"<0xC3>",)),
    ],
)
def test_what_a_token_stands_for(model: Json, token: str, contents: tuple[bytes, ...]) -> None:
    assert rules_of({"model": model}).contents(token) == contents


def test_tokens_of_bytes_stand_for_bytes() -> None:
    assert len(BYTE_ALPHABET) == len(set(BYTE_ALPHABET.values())) == 256
    rules = rules_of(document(pre_tokenizer=BYTE_LEVEL))
    assert rules.contents("ĠÃ©") == (" é".encode(),)
    assert rules.contents("日") == ("日".encode(),)


def test_a_space_is_what_stands_for_it() -> None:
    metaspace = {"type": "Metaspace", "replacement": "_", "prepend_scheme": "always"}
    assert rules_of(document(pre_tokenizer=metaspace)).contents("_a") == (b" a",)
    replaced = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    assert rules_of(document(normalizer=replaced)).contents("▁a") == (b" a",)
    assert rules_of(document()).contents("▁a") == ("▁a".encode(),)


@pytest.mark.parametrize(
    ("pre_tokenizer", "adds_prefix", "cuts_spaces"),
    [
        (None, False, False),
        (BYTE_LEVEL, True, False),
        ({**BYTE_LEVEL, "add_prefix_space": False}, False, False),
        ({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}, False, False),
        ({"type": "Metaspace", "replacement": "▁"}, True, False),
        ({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, BYTE_LEVEL]}, True, True),
    ],
)
def test_where_a_space_may_be_put_before(pre_tokenizer: Json | None, adds_prefix: bool, cuts_spaces: bool) -> None:
    rules = rules_of(document(pre_tokenizer=pre_tokenizer))
    assert (rules.adds_prefix, rules.cuts_spaces) == (adds_prefix, cuts_spaces)


@pytest.mark.parametrize(
    ("processor", "layout"),
    [
        (None, Layout((LayoutPart(0, (), 0),), (LayoutPart(0, (), 0), LayoutPart(1, (), 1)))),
        (
            TEMPLATE,
            Layout((LayoutPart(None, (7, 8), 0), LayoutPart(0, (), 2)), (LayoutPart(0, (), 0), LayoutPart(1, (), 1))),
        ),
        ({"type": "Sequence", "processors": [TEMPLATE, TEMPLATE]}, None),
        ({"type": "Unheard"}, None),
        ({**TEMPLATE, "special_tokens": {}}, None),
    ],
)
def test_the_layout_of_special_tokens(processor: Json | None, layout: Layout | None) -> None:
    assert rules_of(document(post_processor=processor)).layout == layout


def test_processors_that_have_layouts_of_their_own() -> None:
    ends = {"sep": ["</s>", 2], "cls": ["<s>", 1]}
    roberta = rules_of(document(post_processor={"type": "RobertaProcessing", **ends})).layout
    bert = rules_of(document(post_processor={"type": "BertProcessing", **ends})).layout
    assert roberta is not None
    assert bert is not None
    assert [part.type_id for part in bert.pair] == [0, 0, 0, 1, 1]
    assert [part.ids for part in roberta.pair] == [(1,), (), (2,), (2,), (), (2,)]
    assert (bert.added, roberta.added) == (2, 2)
    assert [sum(len(part.ids) for part in each.pair) for each in (bert, roberta)] == [3, 4]


def test_the_unknown_token() -> None:
    assert rules_of({"model": {"type": "Unigram", "vocab": [["<unk>", 0.0]], "unk_id": 0}}).unknown_id == 0
    assert rules_of({"model": {"type": "WordPiece", "vocab": {"[UNK]": 3}, "unk_token": "[UNK]"}}).unknown_id == 3
    added = [{"id": 9, "content": "<u>"}]
    assert rules_of(document(added_tokens=added) | {"model": {"type": "BPE", "unk_token": "<u>"}}).unknown_id == 9
    assert rules_of(document()).unknown_id is None
