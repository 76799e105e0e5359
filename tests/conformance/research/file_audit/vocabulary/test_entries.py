"""What entries are there for, which texts are tried for them, and what is proven and told of a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.file_audit.audited import AuditedFile, JsonText
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import CHARACTER_OF_BYTE
from tokenizer_conformance.research.file_audit.vocabulary.checks import find_unreachable
from tokenizer_conformance.research.file_audit.vocabulary.entries import Purpose, entries_of, purposes
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Proofs, Reason
from tokenizer_conformance.research.file_audit.vocabulary.witnesses import UNKNOWN, TextMaker

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.loaded_documents import Documents

Document = dict[str, Any]


def of_merges(tokens: list[str], merges: list[list[str]], unknown: str | None = None, **parts: Any) -> Document:
    vocabulary = {token: number for number, token in enumerate(tokens)}
    return {"model": {"type": "BPE", "unk_token": unknown, "vocab": vocabulary, "merges": merges}, **parts}


def of_words(tokens: list[str], **parts: Any) -> Document:
    sections = ("truncation", "padding", "normalizer", "post_processor", "decoder")
    model = {"type": "WordLevel", "unk_token": tokens[0], "vocab": {token: id for id, token in enumerate(tokens)}}
    cutter = {"type": "WhitespaceSplit"}
    return {
        "version": "1.0",
        "added_tokens": [],
        **dict.fromkeys(sections),
        "pre_tokenizer": cutter,
        "model": model,
    } | parts


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def test_the_purposes_of_entries() -> None:
    tokens = ["oov", "a", "[unused1]", "[CLS]", "<0x0A>", "Ġ", "added"]
    document = of_merges(tokens, [], "oov", added_tokens=[{"id": 6, "content": "added"}])
    found = {
        "oov": Purpose.UNKNOWN,
        "[unused1]": Purpose.RESERVED,
        "[CLS]": Purpose.CONTROL,
        "<0x0A>": Purpose.BYTE,
        "added": Purpose.CONTROL,
    }
    assert purposes(DocumentParts(document)) == found
    of_bytes = DocumentParts(document | {"pre_tokenizer": BYTE_LEVEL})
    assert purposes(of_bytes) == found | {"a": Purpose.BYTE, "Ġ": Purpose.BYTE}


def test_texts_of_unknown_characters_are_tried_first_and_once(documents: Documents) -> None:
    parts = DocumentParts(of_merges(["oov", "a"], [], "oov"))
    maker, (unknown, letter) = TextMaker(parts, Proofs(parts, documents)), entries_of(parts)
    assert [list(maker.first_texts(unknown, number)) for number in (0, 1)] == [["oov", *UNKNOWN], [" oov"]]
    assert [list(maker.first_texts(letter, number)) for number in (0, 1, 2)] == [["a"], [" a"], ["aa"]]


EVERY_BYTE = list(CHARACTER_OF_BYTE.values())


@pytest.mark.parametrize(
    ("alphabet", "reason"), [(EVERY_BYTE[:200], None), (EVERY_BYTE, Reason.NOTHING_UNKNOWN)], ids=["some", "all"]
)
def test_an_unknown_token_is_never_given_where_every_byte_has_an_entry(
    documents: Documents, alphabet: list[str], reason: Reason | None
) -> None:
    parts = DocumentParts(of_merges(["oov", *alphabet], [], "oov", pre_tokenizer=BYTE_LEVEL))
    found = Proofs(parts, documents).of(entries_of(parts)[0])
    assert (found.reason if found else None) is reason


@pytest.mark.parametrize(("added", "reason"), [("é", Reason.ADDED_TOKEN), ("Ã", None), ("x", Reason.ADDED_TOKEN)])
def test_what_is_cut_out_of_texts_is_looked_for_in_characters_and_not_in_their_bytes(
    documents: Documents, added: str, reason: Reason | None
) -> None:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    merges = [["x", "Ã"], ["xÃ", "©"]]
    document = of_merges(["x", "Ã", "©", "xÃ", "xÃ©"], merges, pre_tokenizer=BYTE_LEVEL)
    parts = DocumentParts(document | {"added_tokens": [{"id": 5, "content": added, **flags}]})
    found = Proofs(parts, documents).of(entries_of(parts)[-1])
    assert (found.reason if found else None) is reason


def replacing(text: str, content: str) -> Document:
    return {"type": "Replace", "pattern": {"String": text}, "content": content}


@pytest.mark.parametrize(
    ("tokens", "decoder", "expected"),
    [
        (["oov", "a", "b"], replacing("b", "c"), []),
        (["oov", "a", "b"], replacing("b", "a"), [("entries-of-one-text", "$.model.vocab.a")]),
        (["oov", "a", "<s>"], replacing("<s>", "a"), []),  # a control token may be left out
        (["oov", "a", "b c"], replacing("b c", "a"), [("unreachable-by-pre-tokenizer", '$.model.vocab["b c"]')]),
    ],
)
def test_entries_that_texts_give_are_told_if_they_decode_to_one_text(
    documents: Documents, tokens: list[str], decoder: Document, expected: list[tuple[str, str]]
) -> None:
    document = of_words(tokens, decoder=decoder)
    tokenizer = TokenizerFile(TokenizerSource("small", "tokenizer.json"), "")
    asked = documents.loaded(document, "small")
    found = find_unreachable(AuditedFile(tokenizer, JsonText("{}"), document, asked, None, documents))
    assert [(each.defect.id, path_text(each.path)) for each in found] == expected
