"""Documents that hold, taken together, every component: each is about one of them, as its name says."""

from __future__ import annotations

import json

from tokenizers import Tokenizer

from tokenizer_conformance.inputs.random_tokenizers.complete_documents import (
    COMPLETE_DOCUMENTS,
    MODEL,
    NORMALIZERS,
    WHOLE,
    focus,
)


def test_a_document_has_one_component_beside_a_model() -> None:
    beside = {
        name: document.keys() - {"version", "added_tokens", "model"} for name, document in COMPLETE_DOCUMENTS.items()
    }
    alone = {"model", "added_tokens"}
    assert {name: keys for name, keys in beside.items() if keys != {focus(name)} - alone} == {}
    assert {focus(name) for name in COMPLETE_DOCUMENTS} == WHOLE.keys() - {"version"}
    assert [name for name, document in COMPLETE_DOCUMENTS.items() if not document[focus(name)]] == []


def test_each_normalizer_changes_a_text_and_one_side_is_stripped() -> None:
    texts = (" a b\t", "Á", "A\u0301", "ﬁ", "b")
    found = []
    for normalizer in NORMALIZERS:
        tokenizer = Tokenizer.from_str(json.dumps({"version": "1.0", "model": MODEL, "normalizer": normalizer}))
        found.append([tokenizer.normalizer.normalize_str(text) for text in texts])
        assert found[-1] != list(texts), normalizer["type"]
    assert [texts[0] for texts, each in zip(found, NORMALIZERS, strict=True) if each["type"] == "Strip"] == ["a b\t"]


def test_a_padding_is_to_another_length_than_its_multiple() -> None:
    padded = [document for name, document in COMPLETE_DOCUMENTS.items() if focus(name) == "padding"]
    assert [document["padding"]["strategy"] for document in padded] == ["BatchLongest", {"Fixed": 6}]
    lengths = []
    for document in padded:
        tokenizer = Tokenizer.from_str(json.dumps({**document, "pre_tokenizer": {"type": "Whitespace"}}))
        lengths.append([len(tokenizer.encode("a " * words).ids) for words in (1, 6, 9)])
    assert lengths == [[4, 8, 12], [8, 8, 9]]
