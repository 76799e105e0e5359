"""The files that peers are given, and what a model file and the tokenizer.json beside it have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Text, TokenizerSource, Unsupported
from tokenizer_adapters.documents import model_kind, special_ids, token_ids, unknown_id
from tokenizer_adapters.peers.files import (
    SENTENCEPIECE_MODELS,
    beside,
    beside_sentencepiece_model,
    document_of,
    json_object,
    sentencepiece_model,
)
from tokenizer_adapters.peers.model_files import Ends, PieceIds, asked_ends, ends_of, piece_ids
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "spm.model", "source.spm")


def source_in(folder: Path) -> TokenizerSource:
    return TokenizerSource("toy", str(folder / "tokenizer.json"), str(folder))


# Looking files up -----------------------------------------------------------------------------------------------------


def test_the_names_of_sentencepiece_models_are_these_in_this_order() -> None:
    assert SENTENCEPIECE_MODELS == NAMES


@pytest.mark.parametrize("place", range(len(NAMES)))
def test_the_first_name_that_is_there_wins(tmp_path: Path, place: int) -> None:
    for name in NAMES[place:]:
        (tmp_path / name).touch()
    assert sentencepiece_model(source_in(tmp_path)) == str(tmp_path / NAMES[place])
    assert beside_sentencepiece_model(source_in(tmp_path)) == tmp_path / NAMES[place]


def test_a_folder_with_the_name_of_a_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "spiece.model").mkdir()
    (tmp_path / "tokenizer.model").touch()
    assert beside_sentencepiece_model(source_in(tmp_path)) == tmp_path / "tokenizer.model"


def test_without_a_model_the_error_names_all_that_were_looked_for(tmp_path: Path) -> None:
    assert beside_sentencepiece_model(source_in(tmp_path)) is None
    with pytest.raises(UnfitTokenizerError) as caught:
        sentencepiece_model(source_in(tmp_path))
    assert str(caught.value) == (
        "it reads SentencePiece models, and none (spiece.model, sentencepiece.bpe.model, tokenizer.model, spm.model, "
        "source.spm) lies beside the tokenizer.json"
    )


def test_nothing_lies_beside_a_lone_file(tmp_path: Path) -> None:
    (tmp_path / "spiece.model").touch()
    lone = TokenizerSource("toy", str(tmp_path / "tokenizer.json"))
    assert beside(lone, ["spiece.model"]) is None
    assert beside(source_in(tmp_path), ["tekken.json", "spiece.model"]) == tmp_path / "spiece.model"
    with pytest.raises(UnfitTokenizerError):
        sentencepiece_model(lone)


# Reading them ---------------------------------------------------------------------------------------------------------


def test_a_file_must_hold_a_json_object(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text('{"model": {"é": 1}}', encoding="utf-8")
    assert document_of(source_in(tmp_path)) == json_object(file) == {"model": {"é": 1}}
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(UnfitTokenizerError, match=r"^tokenizer\.json holds no JSON object$"):
        json_object(file)


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ({"type": "Unigram", "merges": []}, "Unigram"),
        ({"vocab": {"a": 0}, "merges": []}, "BPE"),
        ({"vocab": [["a", 0.0]]}, "Unigram"),
        ({"vocab": {"a": 0}, "continuing_subword_prefix": "##"}, "WordPiece"),
        ({"vocab": {"a": 0}}, "WordLevel"),
        ({}, "WordLevel"),
    ],
)
def test_the_kind_of_a_model_is_told_by_its_type_or_its_parts(model: dict[str, Any], kind: str) -> None:
    assert model_kind({"model": model}) == kind


# Ids ------------------------------------------------------------------------------------------------------------------

ADDED = [
    {"id": 0, "content": "<unk>", "special": True},
    {"id": 7, "content": "<mask>", "special": True},
    {"id": 8, "content": "word", "special": False},
]
AS_LIST = {"model": {"vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0]], "unk_id": 0}, "added_tokens": ADDED}
AS_OBJECT = {"model": {"vocab": {"<unk>": 5, "b": 1, "a": 2}, "unk_token": "<unk>"}, "added_tokens": None}


def test_tokens_have_the_ids_of_the_vocabulary_and_of_added_tokens() -> None:
    assert token_ids(AS_LIST) == {"<unk>": 0, "a": 1, "b": 2, "<mask>": 7, "word": 8}
    assert token_ids(AS_OBJECT) == {"<unk>": 5, "b": 1, "a": 2}
    assert special_ids(AS_LIST) == {0, 7}
    assert special_ids(AS_OBJECT) == frozenset()


@pytest.mark.parametrize(
    ("model", "id_"),
    [
        ({"vocab": [["a", 0.0], ["<unk>", 0.0]], "unk_id": 1}, 1),
        ({"vocab": [["a", 0.0]], "unk_id": 0}, 0),
        ({"vocab": [["a", 0.0]], "unk_id": None}, None),
        ({"vocab": {"a": 0, "?": 4}, "unk_token": "?"}, 4),
        ({"vocab": {"a": 0}, "unk_token": None}, None),
        ({"vocab": {"a": 0}}, None),
    ],
)
def test_the_unknown_token(model: dict[str, Any], id_: int | None) -> None:
    assert unknown_id({"model": model}) == id_


def test_pieces_have_the_ids_of_the_tokens_with_their_names_and_the_unknown_one_that_of_the_unknown_token() -> None:
    assert piece_ids(AS_OBJECT, ["a", "<UNKNOWN>", "b"], 1) == PieceIds((2, 5, 1))
    assert piece_ids(AS_LIST, ["a", "<unk>", "<mask>"], 1).of_file([2, 0, 0, 1]) == (7, 1, 1, 0)
    with pytest.raises(UnfitTokenizerError, match=r"^the tokenizer\.json lacks 'c', a piece of the model file beside"):
        piece_ids(AS_OBJECT, ["a", "<unk>", "c"], 1)


def test_ids_are_decoded_as_those_of_the_model_file() -> None:
    names = {0: "a", 1: "b", 2: "", 3: "?", 4: "b"}
    decoded = PieceIds((12, 11, 10, 13, 11)).decoded(
        "it", lambda ids: ".".join(names[id_] for id_ in ids), [10, 13, 99]
    )
    assert decoded([12, 11]) == Text("a.b")
    assert decoded([10, 12]) == Text(".a")
    assert decoded([]) == Text("")
    assert decoded([12, 13]) == Unsupported("it leaves out control symbols only; the id 13 is none in its model")
    assert decoded([12, 99]) == Unsupported("it has no token for the id 99 in what it reads")


def test_of_two_pieces_with_one_id_the_first_is_decoded() -> None:
    seen: list[list[int]] = []
    PieceIds((5, 6, 5)).decoded("it", lambda ids: str(seen.append(ids)))([5, 6])
    assert seen == [[0, 1]]


# Templates ------------------------------------------------------------------------------------------------------------


def template(*tokens: str, ids: dict[str, list[int]] | None = None) -> dict[str, Any]:
    known = {"<s>": [1], "</s>": [2], "<two>": [3, 4]} | (ids or {})
    return {
        "type": "TemplateProcessing",
        "single": [
            {"Sequence": {"id": token, "type_id": 0}}
            if token in "AB"
            else {"SpecialToken": {"id": token, "type_id": 0}}
            for token in tokens
        ],
        "special_tokens": {token: {"id": token, "ids": found} for token, found in known.items()},
    }


BYTE_LEVEL = {"type": "ByteLevel", "trim_offsets": True}


@pytest.mark.parametrize(
    ("processor", "ends"),
    [
        (None, Ends(None, None)),
        (BYTE_LEVEL, Ends(None, None)),
        ({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]}, Ends(0, 2)),
        ({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}, Ends(101, 102)),
        (template("A"), Ends(None, None)),
        (template("<s>", "A"), Ends(1, None)),
        (template("A", "</s>"), Ends(None, 2)),
        (template("<s>", "A", "</s>"), Ends(1, 2)),
        (template("<s>", "A", ids={"<s>": []}), Ends(None, None)),
        (template("<s>", "<s>", "A"), None),
        (template("A", "</s>", "<s>"), None),
        (template("<two>", "A"), None),
        (template("A", "A"), None),
        (template("<s>"), None),
        ({"type": "Sequence", "processors": [BYTE_LEVEL, template("<s>", "A")]}, Ends(1, None)),
        ({"type": "Sequence", "processors": [template("A", "</s>"), BYTE_LEVEL]}, Ends(None, 2)),
        ({"type": "Sequence", "processors": []}, Ends(None, None)),
        ({"type": "Sequence", "processors": [template("<s>", "A"), template("A", "</s>")]}, None),
        ({"type": "Sequence", "processors": [template("<two>", "A")]}, None),
        ({"type": "NoSuchProcessing"}, None),
    ],
)
def test_what_a_template_puts_around_a_text(processor: dict[str, Any] | None, ends: Ends | None) -> None:
    assert ends_of({"post_processor": processor}) == ends


def test_a_document_without_a_post_processor_puts_nothing_around_a_text() -> None:
    assert ends_of({}) == Ends(None, None)


@pytest.mark.parametrize(
    ("ends", "bos", "eos", "asked"),
    [
        (Ends(None, None), None, None, (False, False)),
        (Ends(None, None), 1, 2, (False, False)),
        (Ends(1, None), 1, 2, (True, False)),
        (Ends(None, 2), 1, 2, (False, True)),
        (Ends(1, 2), 1, 2, (True, True)),
        (Ends(0, 2), 0, 2, (True, True)),
        (Ends(2, 1), 1, 2, None),
        (Ends(1, 3), 1, 2, None),
        (Ends(3, 2), 1, 2, None),
        (Ends(1, 2), None, 2, None),
        (Ends(1, 2), 1, None, None),
        (None, 1, 2, None),
    ],
)
def test_bos_and_eos_are_asked_for_where_the_template_has_the_same(
    ends: Ends | None, bos: int | None, eos: int | None, asked: tuple[bool, bool] | None
) -> None:
    assert asked_ends(ends, bos, eos) == asked
